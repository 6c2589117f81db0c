"""Which words of a paragraph each citation stands for: a sentence with several is shared out among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.places import Kind
from veritas.citations.writing.quotation_diagnostics import Cited
from veritas.citations.writing.quoted_words import forms
from veritas.citations.writing.speech import CITATION

_ITEM = re.compile(r"(?<=\n)[ \t>]*(?:[-*+]|\d{1,3}[.)]|\\item\b)\s|(?<=\n)[ \t]*\|")
_NUMBER = re.compile(r"\A[ \t>]*\d{1,3}[.)]\s")
"""The number of an item of a list, which is no figure of its words."""
_WORD = re.compile(r"[^\W\d_]{4,}|\d+")
_LEAST = 3
"""Least words of a stretch that says something by itself."""
_LISTED = re.compile(r"[\s,;&()]*(?:\b(?:and|or|see|also|e\.g\.)[\s,;()]*)*\Z")
_ACCORDING = re.compile(r"\baccording to\s*\Z", re.IGNORECASE)
_GOES_ON = re.compile(r"\s*[a-z]{2,}\b")
_ENDED = re.compile(r"[.!?][\"”’»')]{0,3}\s*\Z")
_LEADS_IN = frozenset("according also and shown shows show found finds report reports work paper that this".split())


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence or a part of one at the characters `[start, end)` of a text, its words without citations, and the
    works that it cites. `beside` are those that the other parts of the sentence cite, which begins at `whole`."""

    start: int
    end: int
    words: str
    cites: tuple[KnownArtifact, ...]
    beside: tuple[KnownArtifact, ...] = ()
    whole: int = -1


@dataclass(slots=True)
class _Mark:
    """Citations that stand together at the characters `[start, end)` of a paragraph."""

    start: int
    end: int
    cites: list[Cited]


def shared_out(
    paragraph: str, begin: int, sentences: Sequence[tuple[int, int]], owners: Sequence[Sequence[Cited]], kind: Kind
) -> Iterator[Sentence]:
    """Yield the sentences, the items of a list and the parts of sentences of which every citation leads to an artifact
    that keeps words. A part belongs to the citation behind it, or to the one that is its subject; a sentence of which
    this cannot be told stays whole. `begin` is where the paragraph stands in its text."""
    for start, stop, own in _moved(paragraph, begin, sentences, owners):
        cuts = [start, *(each.start() for each in _ITEM.finditer(paragraph, start + 1, stop)), stop]
        for a, b in pairwise(cuts):
            here = [each for each in own if a <= each.start - begin < b]
            if here and all(each.artifact and each.artifact.kept and not each.by_doi for each in here):
                yield from _parts(paragraph, begin, a, b, here, kind)


def _moved(
    paragraph: str, begin: int, sentences: Sequence[tuple[int, int]], owners: Sequence[Sequence[Cited]]
) -> Iterator[tuple[int, int, list[Cited]]]:
    """Yield the sentences with their citations; one behind a full stop is the subject of the next sentence if that goes
    on in small letters: `… years. [@key] report: …`."""
    taken: list[Cited] = []
    since: int | None = None
    for (start, stop), own in zip(sentences, owners, strict=True):
        start, mine = start if since is None else since, [*taken, *own]
        taken, since = [], None
        if own and _GOES_ON.match(paragraph, stop):
            last = _marks(paragraph, begin, start, stop, mine)[-1]
            behind = not paragraph[last.end : stop].strip() and _ENDED.search(paragraph[start : last.start])
            if behind and not any(each.noted for each in last.cites):
                taken, since = last.cites, last.start
                mine, stop = [each for each in mine if each not in taken], since
        yield start, stop, mine


def _marks(paragraph: str, begin: int, start: int, stop: int, own: Sequence[Cited]) -> list[_Mark]:
    """Return the citations of a stretch in order, those that stand together as one."""
    spans = [found.span() for found in CITATION.finditer(paragraph, start, stop)]
    marks: list[_Mark] = []
    for each in sorted(own, key=lambda one: one.start):
        at = each.start - begin
        left, right = next(((a, b) for a, b in spans if a <= at < b), (at, each.end - begin))
        if marks and _LISTED.match(paragraph[marks[-1].end : max(left, marks[-1].end)]):
            marks[-1].end = max(right, marks[-1].end)
            marks[-1].cites.append(each)
        else:
            marks.append(_Mark(left, right, [each]))
    return marks


def _parts(
    paragraph: str, begin: int, start: int, stop: int, own: Sequence[Cited], kind: Kind
) -> Iterator[Sentence]:
    marks = _marks(paragraph, begin, start, stop, own)
    edges = [start, *(edge for each in marks for edge in (each.start, each.end)), stop]
    between = [_ACCORDING.sub("", paragraph[a:b]) for a, b in zip(edges[::2], edges[1::2], strict=True)]
    said = [_says(each) for each in between]
    works = [_works(each.cites) for each in marks]
    if len(marks) > 1 and all(said[1:-1]) and said[0] != said[-1]:
        first = 0 if said[0] else 1  # the citations stand behind their words, or are the subjects
        for number, each in enumerate(works):
            words = _plain(between[number + first], kind)
            a, b = edges[2 * (number + first)], edges[2 * (number + first) + 1]
            others = {one.path: one for other in works for one in other} | {one.path: one for one in each}
            beside = tuple(one for one in others.values() if one not in each)
            a += len(paragraph[a:b]) - len(paragraph[a:b].lstrip(" \t\n,;:"))
            yield Sentence(begin + a, begin + b, words, each, beside, begin + start)
        return
    words, cites = _plain("".join(between), kind), {one.path: one for each in works for one in each}
    yield Sentence(begin + start, begin + stop, words, tuple(cites.values()))


def _plain(words: str, kind: Kind) -> str:
    return forms(_NUMBER.sub("", CITATION.sub("", words)), kind)[0]


def _says(words: str) -> bool:
    """Return whether a stretch says something, and does not only lead to a citation."""
    return len({each.lower() for each in _WORD.findall(CITATION.sub("", words))} - _LEADS_IN) >= _LEAST


def _works(cites: Sequence[Cited]) -> tuple[KnownArtifact, ...]:
    return tuple({each.artifact.path: each.artifact for each in cites if each.artifact}.values())
