"""A page as the judge reads it: its sentences with their words, without what is addressed to a judge."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import lru_cache

from veritas.documents.document import Document
from veritas.factcheck.rows import clauses_of, in_words, is_row, whole_rows
from veritas.judging.evidence import stems, weight
from veritas.judging.instructions import without_instructions
from veritas.text.instructions import is_instruction
from veritas.text.languages import foreign_language
from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.sentences import sentences, statements
from veritas.text.structure import Structure

_ECHO = re.compile(
    r"(?i)\b(?:statement|claim|assertion|answer|citation|quotation|sentence|text)\b.{0,400}?\b(?:is|are|was|were|"
    r"has been|have been|can be|should be|must be)\s+(?:\w+\s+){0,2}?(?:supported|verified|confirmed|backed|"
    r"substantiated|corroborated|true|correct|accurate)\b"
    r"|\b(?:this|the)\s+(?:source|page|article|document|site|reference)\s+(?:\w+\s+){0,2}?(?:fully\s+)?(?:supports?|"
    r"confirms?|verifies|proves?|backs?|substantiates)\s+(?:\w+\s+){0,2}?(?:statement|claim|answer|assertion|citation|"
    r"every|all|any|it)\b"
    r"|\b(?:fact[- ]?check(?:ers?|ing)?|verif(?:ier|ication)s?|judges?|reviewers?|graders?|evaluators?)\b.{0,120}?\b(?:"
    r"should|must|may|can|shall|please)\b.{0,80}?\b(?:mark|label|rate|treat|consider|count|accept|return|record)\b",
    re.DOTALL,
)
"""Sentences by which a page vouches for a statement in the place of saying it."""
NUMBER = 5.0
"""Weight of a number of the claim in a sentence, on the scale of words' weights."""
LONGEST = 1_500
"""Characters of a sentence that are read; a longer run without an end is no sentence."""
APART = 200
"""Characters between two sentences from which on they are no neighbours."""


@dataclass(frozen=True)
class Sentence:
    """A sentence of a page, at `start` to `end` of its text, with the stems of its words, and its numbers. `told` is
    what is put before a judge: its words, or a row of a table with the names of its cells. `under` is the heading above
    it, `heading`: it is one itself, or a table's. `alone`: it is a row or a clause of a list, whose neighbours speak of
    other things."""

    start: int
    end: int
    told: str
    stems: frozenset[str]
    numbers: tuple[Quantity, ...] = ()
    under: str = ""
    heading: bool = False
    alone: bool = False


@dataclass(frozen=True, eq=False)
class ReadPage:
    """A page's text and the sentences of it that count. `language` is the name of the language it is in, empty for
    English and for what cannot be told. Sentences that speak to a judge are left out."""

    text: str
    title: str
    sentences: tuple[Sentence, ...]
    language: str

    def around(self, at: int, beside: int) -> tuple[int, int]:
        """Return the places, `first` to before `last`, of a sentence and its neighbours under one heading."""
        first, last = at, at + 1
        for _ in range(beside):
            first -= first > 0 and self._joins(first - 1)
            last += last < len(self.sentences) and self._joins(last - 1)
        return first, last

    def _joins(self, at: int) -> bool:
        one, other = self.sentences[at], self.sentences[at + 1]
        return not any(each.heading or each.alone for each in (one, other)) and other.start - one.end < APART

    def told(self, first: int, last: int) -> str:
        """Return the sentences `first` to before `last`, on lines as they stand in the page."""
        pieces: list[str] = []
        before = None
        for sentence in self.sentences[first:last]:
            if before is not None:
                pieces.append("\n" if "\n" in self.text[before : sentence.start] or sentence.alone else " ")
            pieces.append(sentence.told)
            before = sentence.end
        return "".join(pieces)


def read_page(document: Document) -> ReadPage:
    """Return a document as the judge reads it. It is read once, however many statements cite it."""
    return _read(document.text, document.title, document.blocks)


@lru_cache(maxsize=64)
def _read(text: str, title: str, structure: Structure = ()) -> ReadPage:
    headings = [(each.start, each.end) for each in sentences(text, structure) if each.kind == "heading"]
    starts = [start for start, _ in headings]
    kept = []
    for start, end in clauses_of(text, whole_rows(text, statements(text))):
        end = min(end, start + LONGEST)
        said = text[start:end]
        if speaks_to_judge(said):
            continue
        above = bisect_right(starts, end) - 1
        heading = above >= 0 and headings[above][0] < end and start < headings[above][1]
        above -= heading
        under = text[slice(*headings[above])] if above >= 0 else ""
        row = in_words(text, start)
        heading, told = heading or row == "", row or said
        alone = told != said or is_row(said) or ";" in (text[end : end + 1], text[max(0, start - 2) : start].strip())
        kept.append(Sentence(start, end, told, stems(told), quantities(told), under, heading, alone))
    return ReadPage(text, title, tuple(kept), foreign_language(text[:20_000]) or "")


def speaks_to_judge(sentence: str) -> bool:
    """Return whether a sentence tells whoever checks a text what to make of it: it says nothing about the matter."""
    return bool(_ECHO.search(sentence)) or is_instruction(sentence) or not without_instructions(sentence).strip()


def nearest(page: ReadPage, claim: str, most: int) -> list[int]:
    """Return the places of the sentences that share most words with a claim, by their weight, best first; a heading is
    none. A number that is the claim's counts as a rare word, and a neighbour's words count a little: a fact may stand
    in two sentences."""
    weights = {each: weight(each) for each in stems(claim)}
    numbers = quantities(claim)
    own = [
        sum(weights[s] for s in sentence.stems & weights.keys())
        + sum(NUMBER for mine in numbers if any(relation(mine, q) in ("same", "close") for q in sentence.numbers))
        for sentence in page.sentences
    ]
    scored = []
    for at, score in enumerate(own):
        beside = max(own[at - 1] if at else 0.0, own[at + 1] if at + 1 < len(own) else 0.0)
        if score and not page.sentences[at].heading:
            scored.append((-(score + 0.2 * beside), at))
    return [at for _, at in sorted(scored)[:most]]
