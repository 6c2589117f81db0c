"""Quotations of a page of which nothing directly beside them says the source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.citations.checking.comments import comments
from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.kept_work import KeptWork
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.nearby import is_block, is_frame, is_others
from veritas.citations.writing.places import Kind
from veritas.citations.writing.quotation_diagnostics import Cited, altered, of_quotation, shortened
from veritas.citations.writing.quotations import RESEMBLES_SURELY, Quotation, quotations, resembles

_SIGNS = re.compile(
    r"[\"“”„«»‘’`'＂″❝]|&(?:quot|ldquo|laquo)|<(?:q|blockquote)\b|\\(?:begin|enquote|say|textquote|glqq|og)\b"
)
_LEADER = re.compile(r"^[ \t]*(?:#+|/{2,}|/?\*+|;+|%+|--+)[ \t]?", re.MULTILINE)
_DELIMITERS = re.compile(r"\A[^\n\"']{0,12}(?:\"{3}|'{3})|(?:\"{3}|'{3})\s*\Z")
"""What a documentation string begins and ends with."""
_SURE = 8
"""Least words of a quotation for an altered copy of the words of a work that is cited in the next paragraph to be
its."""
_LONGEST = 20_000
_MOST_SOURCES = 300

Paragraph = tuple[int, int, list[Cited]]


@dataclass(frozen=True, slots=True)
class Shape:
    """What a paragraph is by itself: whether it says nothing, whether it is a block quotation, and its quotations, in
    its own characters. A paragraph of more than 20,000 characters is data and has none."""

    frame: bool
    block: bool
    quoted: tuple[Quotation, ...]


def shape_of(words: str, kind: Kind, kept: KeptWork) -> Shape:
    """Return what a paragraph is, by what was worked out before."""
    return kept.get(("shape", words, kind), len(words), lambda: _shape(words, kind, kept))


def _shape(words: str, kind: Kind, kept: KeptWork) -> Shape:
    if len(words) > _LONGEST:
        return Shape(is_frame(words), block=False, quoted=())
    quoted = quotations_of(words, kind, kept) if _SIGNS.search(words) else ()
    return Shape(is_frame(words), is_block(words, kind), quoted)


def quotations_of(words: str, kind: Kind, kept: KeptWork) -> tuple[Quotation, ...]:
    """Return the quotations of a paragraph, by what was worked out before."""
    return kept.get(("quoted", words, kind), len(words), lambda: tuple(quotations(words, kind)))


def of_far_quotations(
    text: str,
    kind: Kind,
    paragraphs: Sequence[Paragraph],
    compared: frozenset[int],
    kept: KeptWork,
) -> Iterator[Diagnostic]:
    """Yield the quotations that are altered copies of what a work says which the page cites, and that do not stand
    where it is cited. `compared` is where those begin that were held against their source.

    One is wrong if the paragraph around it, before it or behind it cites that work and no other; else it is unknown.
    What is no copy accuses nobody: it may be anybody's. `kept` is what was worked out before.
    """
    works = {each.artifact.path: each.artifact for _, _, here in paragraphs for each in here if each.artifact}
    if not works or len(works) > _MOST_SOURCES:
        return
    shapes = [shape_of(text[begin:end], kind, kept) for begin, end, _ in paragraphs]
    told = [number for number, shape in enumerate(shapes) if not shape.frame]
    for place, number in enumerate(told):
        shape = shapes[number]
        if not (shape.quoted or shape.block):
            continue
        begin, end, here = paragraphs[number]
        words = text[begin:end]
        quoted = [each for each in shape.quoted if begin + each.start not in compared]
        if not quoted and not here and begin not in compared and shape.block:
            quoted = [Quotation(0, len(words.rstrip()), words, sure=False)]
        if not quoted:
            continue
        beside = [each for near in told[max(place - 1, 0) : place + 2] for each in paragraphs[near][2]]
        for quotation in quoted:
            if not quotation.short and (found := _told(quotation, begin, beside, works, kind, words, kept)):
                yield found


def of_comments(text: str, name: str, cited: Sequence[Cited]) -> Iterator[Diagnostic]:
    """Yield the quotations in the comments of source code that are altered copies of what the comment cites."""
    if not any(each.artifact for each in cited):
        return
    for comment in comments(text, name):
        end = comment.start + len(comment.text)
        here = [each for each in cited if comment.start <= each.start < end]
        if not any(each.artifact for each in here) or len(comment.text) > _LONGEST:
            continue
        words = _LEADER.sub(_blanks, _DELIMITERS.sub(_blanks, comment.text))
        for quotation in quotations(words, "source"):
            copied = replace(quotation, sure=False)
            if found := of_quotation(copied, comment.start, here, "source", own=True, denied=True):
                yield found


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found.group())


def _told(
    quotation: Quotation, begin: int, beside: Sequence[Cited], works: dict[str, KnownArtifact], kind: Kind,
    words: str, kept: KeptWork,
) -> Diagnostic | None:
    near = _nearest(quotation.words, kind, tuple(works.values()), kept)
    if near is None:
        return None
    artifact, said = near
    one = all(each.artifact is not None and each.artifact.path == artifact.path for each in beside)
    if beside and one and len(quotation.words.split()) >= _SURE:
        others = is_others(words[: quotation.start], words[quotation.end :])
        copied = replace(quotation, sure=False)
        return of_quotation(copied, begin, beside, kind, own=False, denied=True, others=others)
    message = (f"the quotation is not word for word what a work that this page cites says: “{shortened(said)}”. Quote "
               "it as it stands there, and cite it beside the quotation")  # fmt: skip
    related = (SeeAlso(artifact.path, 1, "what is kept of the work"),)
    start, end = begin + quotation.start, begin + quotation.end
    return Diagnostic(start, end, "unknown", "unknown", message, f"{quotation.words} | {artifact.path}",
                      related=related)  # fmt: skip


def _copied(words: str, kind: Kind, sources: tuple[str, ...]) -> str | None:
    """Return the words of the sources of which a quotation is an altered copy; None if it is a true copy, or none."""
    changed, stands = altered(words, sources, kind)
    return resembles(changed, sources, RESEMBLES_SURELY) if changed and not stands.found else None


def _nearest(
    words: str, kind: Kind, works: Sequence[KnownArtifact], kept: KeptWork
) -> tuple[KnownArtifact, str] | None:
    """Return the work of whose kept words a quotation is an altered copy, with the words. The stored text of a whole
    work is not searched: that takes long."""
    before = kept.get(("copied", words, kind), len(words), dict[KnownArtifact, str | None])
    for work in works:
        if work in before:
            said = before.get(work)
        else:
            if len(before) > 2 * _MOST_SOURCES:
                before.clear()
            said = before[work] = _copied(words, kind, (*(quote for quote, _ in work.excerpts), work.abstract))
        if said:
            return work, said
    return None
