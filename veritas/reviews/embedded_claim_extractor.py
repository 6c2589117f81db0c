"""The embedded extractor: picks sentences that stand alone as claims, by rules; deterministic, without a model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from veritas.documents.document import Document
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.reviews.assertable import MOST_CHARACTERS, claim_part, points_back, why_not
from veritas.reviews.canonical_sections import UNREAD, sections, without_label
from veritas.reviews.claim_kinds import (
    LABEL_WITHIN,
    claim_kind,
    document_evidence,
    evidence_kind,
    is_aim,
    is_method,
    unlabelled,
)
from veritas.reviews.drafts import ClaimDraft, Extraction
from veritas.text.line_numbers import has_line_numbers, without_margin
from veritas.text.sentences import Sentence
from veritas.text.sentences import sentences as split

OPENING = 4
"""Claims at the beginning of a document, at most, that count as its opening."""
LONGEST_PAIR = 600
"""Largest claim, in characters, that includes the sentence before it."""

_CAPTION = re.compile(
    r"(?i)^\W*(?:fig(?:ure|\.)?|table|box|scheme|plate|listing|algorithm|chart|exhibit)\s?\.?\s?S?\d+"
)
_FURNITURE = re.compile(
    r"(?i)^(?:received|accepted|published(?: online)?|available online|correspondence|corresponding author|e-?mail|"
    r"department of|citation|cite this|editor|reviewed by|key ?words?|running (?:head|title)|doi|issn|isbn|"
    r"vol(?:ume)?\.? "
    r"\d|page \d|©|copyright|printed in|supported by|this is an open[- ]access|presented at|manuscript)\b|"
    r"^\d{1,2}/\d{1,2}/\d{2,4},? \d{1,2}:\d\d|"
    r"\b(?:univ(?:ersity|\.)|institute|hospital|school) (?:of|for)\b[^.]*,[^.]*\b\d{4,6}\b|\bcreative commons\b|"
    r"\bpreprint\b.*\bunder review\b|\blicensee?\b"
)
# "… by the year / 2019. All models …": a line that begins with a number is easily mistaken for a list item.
_TORN = re.compile(r"\d{1,4}\.\s+(?=[A-Z])")
_REFERS_TO_FIGURE = re.compile(
    r"(?i)^(?:(?:as (?:shown|seen|illustrated|depicted|listed|given) in )?(?:fig(?:ure|s|\.)?|table|panel|equation|"
    r"eq\.?|"
    r"section|appendix|algorithm|listing)\.?\s?[\dA-Z(]|arrows? (?:indicate|show|denote|point)|(?:bars?|error bars?|"
    r"data|"
    r"values|lines?|symbols) (?:represent|indicate|are (?:shown|presented|expressed|given) as)|scale bars?)"
)


class EmbeddedExtractor:
    """The extractor by rules. `name` changes with its rules, so that a claim tells which of them made it."""

    name = "embedded.v1"

    async def extract(self, document: Document) -> Extraction:
        """See `ClaimExtractor`."""
        left_out: Counter[str] = Counter()
        return Extraction(drafts=tuple(_drafts(document, left_out)), left_out=dict(left_out))


def _drafts(document: Document, left_out: Counter[str]) -> Iterator[ClaimDraft]:
    text = document.text
    evidence = document_evidence(document.title, text)
    names = sections(text)
    margin = has_line_numbers(text)
    before: tuple[Sentence, str] | None = None
    caption = -1
    opening = True
    seen: set[str] = {fold_whitespace(document.title).casefold().rstrip(".")}
    for sentence in _sentences(text):
        raw = text[sentence.start : sentence.end]
        said = fold_whitespace(without_margin(raw) if margin else raw)
        section = names.at(sentence.start)
        if section in UNREAD or len(said) < MIN_QUOTE:
            before = None
            continue
        if caption == sentence.block or (_CAPTION.match(said) and not _follows(before, sentence)):
            caption = sentence.block
            left_out["it is a caption"] += 1
            continue
        beside = before is not None and before[0].block == sentence.block and points_back(claim_part(said))
        reason = _why_not(said, sentence, beside=beside)
        if reason is None and said.casefold().rstrip(".") in seen:
            reason = "it is there twice"
        opening = opening and len(seen) <= OPENING
        opening = opening and not (is_method(said) or is_aim(said) or section in ("methods", "results"))
        if reason is not None:
            left_out[reason] += 1
            before = (sentence, said) if _why_not(said, sentence, beside=False) is None else None
            continue
        seen.add(said.casefold().rstrip("."))
        kind = claim_kind(said, section, opening=opening)
        opening = opening and kind != "finding"
        if beside:
            assert before is not None
            start, shown = before[0].start, f"{before[1]} {said}"
            before = None  # a chain of pointers would grow without end
            if len(shown) > LONGEST_PAIR:
                left_out["it points to a sentence before it, and is too long with it"] += 1
                continue
        else:
            start, shown = sentence.start, said
            before = (sentence, said)
        bare = claim_part(unlabelled(without_label(shown)))
        yield ClaimDraft(
            text=bare,
            # The label is not part of the statement; the numbers of lines stand within it.
            quote=text[start : sentence.end] if margin else bare,
            within=(start, sentence.end),
            claim_type=kind,
            evidence_type=evidence_kind(said, kind, evidence),
        )


def _sentences(text: str) -> Iterator[Sentence]:
    """Yield the sentences of a text, cut also before an abstract's label that follows an initial or unit."""
    for sentence in split(text):
        start = sentence.start
        if torn := _TORN.match(text, start, sentence.end):
            start = torn.end()
        for label in LABEL_WITHIN.finditer(text, sentence.start + 1, sentence.end):
            yield replace(sentence, start=start, end=label.start())
            start = label.end("gap")
        yield replace(sentence, start=start)


def _why_not(said: str, sentence: Sentence, *, beside: bool) -> str | None:
    reason = why_not(said, sentence.kind, beside=beside, methods=True)
    if reason is not None:
        return reason
    if len(said) > MOST_CHARACTERS:
        return "it is too long"
    if is_aim(said):
        return "it says what the paper is after"
    if _FURNITURE.search(said):
        return "it is about the publication, not the subject"
    if _REFERS_TO_FIGURE.search(said):
        return "it points to a figure or table"
    return None


def _follows(before: tuple[Sentence, str] | None, sentence: Sentence) -> bool:
    """Return whether a sentence stands in the paragraph of the one before it: "Table 2 shows …" is then no caption."""
    return before is not None and before[0].block == sentence.block

