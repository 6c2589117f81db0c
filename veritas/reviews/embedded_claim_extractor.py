"""The embedded extractor: takes the sentences that are clear on their own, without a model, and tells their kinds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veritas.documents.abstract_labels import Part, label_at, label_cuts
from veritas.documents.document import Document
from veritas.documents.paper_parts import SectionName
from veritas.documents.paper_sections import UNREAD, Kinds
from veritas.documents.sentence_parts import fitted
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.judging.evidence import weight
from veritas.meaning._reading import read
from veritas.meaning._word import finite
from veritas.meaning.compare import unnamed
from veritas.reviews.corpus_claim import ClaimKind, EvidenceKind
from veritas.reviews.drafts import ClaimDraft, Extraction, sections_of
from veritas.text.blocks import code_like
from veritas.text.instructions import is_instruction
from veritas.text.languages import plainly_foreign
from veritas.text.line_numbers import has_line_numbers, without_margin
from veritas.text.pointers import points_elsewhere, without_pointers
from veritas.text.sentences import sentences as split
from veritas.text.stems import stem
from veritas.text.tokens import tokenise

LEAST_WORDS, MOST_WORDS, MOST_CHARACTERS = 4, 60, 420
"""A shorter sentence says too little to be checked, a longer one says too many things at once."""
LONGEST_PAIR = 600
"""Largest claim, in characters, that includes the sentence before it."""
LONGEST_ABSTRACT = 40
"""Sentences of an abstract at most; a longer text without headings is none."""

_ENDS = re.compile(r"(?<!\.)[.!](?:[\"'”’)\]]|\[\d+(?:[,–-]\s?\d+)*\]|\d{1,3})*$")
_BEGINS = re.compile(r"[A-Z\d\"“'(*]|[^\x00-\x7f]|[a-z]{1,3}[A-Z\d]|`?[a-z][\w.]*(?:_|\.|\(|::)|`")
COMMON, OPENING = 3.2, 40
"""Weight, by their rarity in abstracts, of words that name nothing, and the most characters of an opening of such words
("In contrast,", "In the present study,")."""
_PLACE = re.compile(
    r"(?i)^\W*(?:(?:as \w+ )?in )?(?:fig(?:ure|\.)|table|box|scheme|algorithm|listing)\s?\.?\s?S?\d"
    r"|\bsee (?:also|below|above|the)\b"
)
_LINK = re.compile(r"https?://|www\.|\b[\w.+-]+@[\w-]+\.[a-z]{2,}\b|\]\(|©")
_MACRO = re.compile(r"(?<!\\)\\[A-Za-z]{2,}")
_LIMITATION = re.compile(
    r"(?i)\blimitations?\b|\b(?:further|more|larger|future|additional) (?:[\w-]+ ){0,3}?(?:studies|work|trials?)"
    r" (?:[\w-]+ ){0,4}?(?:needed|required|warranted|necessary)\b"
)

_KIND_OF_SECTION: dict[SectionName, ClaimKind] = {
    "limitations": "limitation", "methods": "method", "data": "method", "introduction": "background",
    "background": "background", "theory": "background",
}  # fmt: skip
_KIND_OF_PART: dict[Part, ClaimKind] = {
    "background": "background", "objective": "background", "methods": "method", "results": "finding",
    "conclusions": "finding",
}  # fmt: skip

_REVIEW = re.compile(r"(?i)\b(?:meta-?analys[ie]s|(?:systematic|literature|scoping|narrative|cochrane|this) review)\b")
_REVIEW_TITLE = re.compile(r"(?i)\b(?:review|overview|guidelines? for|survey of|meta-?analysis)\b")
_WORDS_OF: tuple[tuple[EvidenceKind, int, re.Pattern[str]], ...] = (
    ("experimental", 1, re.compile(
        r"(?i)\b(?:patients?|participants?|mice|rats?|cells?|randomi[sz]ed|trials?|cohort|in vivo|in vitro|measured"
        r"|assay|samples?|placebo|experiments?|experimental(?:ly)?|women|men|children|adults|tissue|protein|temperature)\b"
    )),
    ("computational", 2, re.compile(
        r"(?i)\b(?:simulat(?:ion|ions|ed|e|ing)|in silico|computational(?:ly)?|numerical|neural networks?|algorithms?"
        r"|(?:machine|deep) learning|(?:language|mathematical|mechanistic) models?|benchmarks?|datasets?|software)\b"
    )),
    ("theoretical", 3, re.compile(r"(?i)\b(?:theorems?|lemmas?|corollary|we prove|proofs?|conjectures?|axioms?)\b")),
)  # fmt: skip
"""Words that tell a kind of evidence, and how much one of them weighs."""
PASSING = 2
"""Weight of words below which a document is a manual or a textbook: it reports what others found out."""


class EmbeddedExtractor:
    """The extractor by code. `name` changes with it, so that a claim tells which of them made it."""

    name = "embedded.v3"

    async def extract(self, document: Document) -> Extraction:
        """See `ClaimExtractor`."""
        left_out: Counter[str] = Counter()
        return Extraction(drafts=tuple(_drafts(document, left_out)), left_out=dict(left_out))


class _Said(NamedTuple):
    """A sentence `text[start:end]` without its label, on one line; `part` only in an abstract."""

    start: int
    end: int
    said: str
    kind: str
    block: int
    section: SectionName
    part: Part | None = None


def _drafts(document: Document, left_out: Counter[str]) -> Iterator[ClaimDraft]:
    text = document.text
    evidence = document_evidence(document.title, text)
    margin = has_line_numbers(text)
    before: _Said | None = None
    seen: set[str] = {fold_whitespace(document.title).casefold().rstrip(".")}
    for one in _with_parts(list(_sentences(document, margin)), sections_of(document)):
        if one.section in UNREAD or len(one.said) < MIN_QUOTE:
            before = None
            continue
        leans = _leans(one.said)
        reason = why_not(one.said, one.kind) or ("it says what the paper is after" if one.part == "objective" else None)
        if reason is None and one.said.casefold().rstrip(".") in seen:
            reason = "it is there twice"
        if reason is None and leans and (before is None or before.block != one.block):
            reason = "it points to a sentence before it"
        if reason is not None:
            left_out[reason] += 1
            before = None
            continue
        seen.add(one.said.casefold().rstrip("."))
        start, shown = one.start, one.said
        if leans and before is not None:
            start, shown = before.start, f"{before.said} {one.said}"
            if len(shown) > LONGEST_PAIR:
                left_out["it points to a sentence before it, and is too long with it"] += 1
                before = None
                continue
        before = None if leans else one  # a chain of pointers would grow without end
        kind = claim_kind(one.said, one.section, one.part)
        reported = kind == "background" or (kind == "finding" and without_pointers(one.said) != one.said)
        yield ClaimDraft(
            text=shown,
            quote=text[start : one.end] if margin else shown,
            within=(start, one.end),
            claim_type=kind,
            evidence_type="review" if reported else evidence,
        )


def _sentences(document: Document, margin: bool) -> Iterator[tuple[_Said, tuple[Part, ...]]]:
    """Yield the sentences of a text with the parts that the label above them names, cut before each label."""
    text, kinds = document.text, sections_of(document)
    parts: tuple[Part, ...] = ()
    section: SectionName | None = None
    caption = -1
    for sentence in split(text, document.blocks):
        begins = [sentence.start, *label_cuts(text, sentence.start, sentence.end)]
        for start, end in zip(begins, [*begins[1:], sentence.end], strict=True):
            at = kinds.at(start)
            parts, section = (parts if at == section else ()), at
            if label := label_at(text, start, end):
                start, parts = label.end, label.parts
            words = text[start:end]
            said = fold_whitespace(without_margin(words) if margin else words)
            if said and _PLACE.match(said) and said[:3].isalpha() and said.split()[0].lower() not in ("as", "in"):
                caption = sentence.block
            if caption != sentence.block and said:
                yield _Said(start, end, said, sentence.kind, sentence.block, at), parts


def _with_parts(found: Sequence[tuple[_Said, tuple[Part, ...]]], kinds: Kinds) -> Iterator[_Said]:
    """Yield the sentences, those of an abstract with their part of it. A short text without headings is an abstract."""
    alone = not kinds.named and len(found) <= LONGEST_ABSTRACT and any(parts for _, parts in found)
    places = [at for at, (one, _) in enumerate(found) if alone or one.section == "abstract"]
    part_of: dict[int, Part] = {}
    if 0 < len(places) <= LONGEST_ABSTRACT:
        chances = fitted().chances([found[at][0].said for at in places], [found[at][1] for at in places])
        part_of = {at: max(each, key=lambda part: each[part]) for at, each in zip(places, chances, strict=True)}
    for at, (one, _) in enumerate(found):
        yield one._replace(part=part_of.get(at))


def why_not(said: str, kind: str = "prose") -> str | None:
    """Return why a sentence, with its whitespace folded, is no claim, in a few words; None if it may be one."""
    count, letters = len(said.split()), sum(c.isalpha() for c in said)
    checks = (
        (kind not in ("prose", "item"), f"it is {kind}, not a sentence"),
        (len(said) > MOST_CHARACTERS or count > MOST_WORDS, "it is too long"),
        (is_instruction(said), "it gives orders to a language model"),
        (not _ENDS.search(said) or said.endswith(("e.g.", "i.e.", "vs.")), "it has no end"),
        (count < LEAST_WORDS, "it is too short"),
        (not plainly_foreign(said) and not any(map(finite, read(said).words)), "it has no verb"),
        (not _BEGINS.match(said), "its beginning is missing"),
        (bool(_PLACE.search(said)) or points_elsewhere(said), "it points elsewhere in its document"),
        (bool(_LINK.search(said)), "it is a link"),
        (_MACRO.search(said), "it holds a macro that was not expanded"),
        (code_like(said), "it is code"),
        (letters < 0.5 * len(said.replace(" ", "")), "it is hardly language"),
        (sum(c.isupper() for c in said) > 0.4 * letters, "it is in capitals"),
        (said.count("(") != said.count(")") or said.count("“") != said.count("”"), "a bracket or quote is cut open"),
    )
    return next((reason for failed, reason in checks if failed), None)


def _leans(said: str) -> bool:
    """Return whether a sentence needs the one before it: for its subject, or for an opening that names nothing."""
    opening, comma, _ = said.partition(",")
    leads = bool(comma) and len(opening) <= OPENING and all(weight(stem(t)) < COMMON for t in tokenise(opening))
    return leads or unnamed(said) is not None


def claim_kind(said: str, section: SectionName, part: Part | None = None) -> ClaimKind:
    """Return the kind of a sentence's claim: by its part of the abstract, else by its section."""
    if part is not None:
        return _KIND_OF_PART[part]
    kind = _KIND_OF_SECTION.get(section, "finding")
    return "limitation" if kind == "finding" and _LIMITATION.search(said) else kind


def document_evidence(title: str, text: str) -> EvidenceKind:
    """Return the kind of evidence of a document: by its title, else by the commonest words of its first pages."""
    head = text[:6000]
    if _REVIEW_TITLE.search(title) or len(_REVIEW.findall(head)) >= 2:
        return "review"
    weights = {kind: weight * len(pattern.findall(head)) for kind, weight, pattern in _WORDS_OF}
    best = max(weights, key=lambda kind: weights[kind])
    return best if weights[best] >= PASSING else "review"
