"""A page as the judge reads it: its sentences with their words, without what is addressed to a judge."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate

from veritas.documents.document import Document
from veritas.judging.evidence import stems, weight
from veritas.text.instructions import is_instruction
from veritas.text.languages import foreign_language
from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.sentences import sentences, statements
from veritas.text.structure import Structure

_RULE = re.compile(r"[|\s:+=-]+")
_FIGURE = re.compile(r"[-+~<>≈±]?[$€£]?\d[\d.,:/x×]*[%a-zA-Zµ/]{0,6}")
_ORDINAL_STOP = re.compile(r"\d\.\Z")
_UNIT = re.compile(r"\s*[(\[]([^()\[\]\d]{1,12})[)\]]")
LEAST_CELLS = 4
"""Words of a line from which on it may be a row of console output."""
LIST = 3
"""Semicolons from which on a sentence is a list, each of whose clauses says a thing of its own."""
LEAST_CLAUSE = 4
"""Words of such a clause."""
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")


def clauses_of(text: str, sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the offsets of sentences, those of a long list with semicolons by its clauses: what it says of one thing,
    it does not say of the next."""
    found: list[tuple[int, int]] = []
    for start, end in sentences:
        said = text[start:end]
        if said.count(";") < LIST:
            found.append((start, end))
            continue
        bare = _BRACKETED.sub(lambda each: " " * len(each[0]), said)
        cuts = [match.start() for match in re.finditer(r";\s", bare)]
        bounds = list(zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(said)], strict=True))
        if len(cuts) < LIST or any(len(said[a:b].split()) < LEAST_CLAUSE for a, b in bounds):
            found.append((start, end))
            continue
        for a, b in bounds:
            words = said[a:b]
            found.append((start + a + len(words) - len(words.lstrip()), start + b))
    return found


def is_row(line: str) -> bool:
    """Return whether a line is a row of a table or of console output: cells behind tabs or bars, or figures mostly."""
    bare = line.strip()
    if "\t" in bare or bare.count("|") >= 2:
        return bool(re.search(r"\d", bare))
    cells = bare.split()
    return len(cells) >= LEAST_CELLS and 2 * sum(bool(_FIGURE.fullmatch(cell)) for cell in cells) >= len(cells)


def whole_rows(text: str, sentences: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the offsets of sentences, those of one row as one: "Adelie 190. 3701. 2008." does not end at "190."."""
    found: list[tuple[int, int]] = []
    for start, end in sentences:
        if found and text[start : start + 1].isdecimal() and _ORDINAL_STOP.search(text[found[-1][0] : found[-1][1]]):
            first = found[-1][0]
            between = text[found[-1][1] : start]
            line = text.rfind("\n", 0, first) + 1, text.find("\n", start)
            if "\n" not in between and is_row(text[line[0] : line[1] if line[1] >= 0 else len(text)]):
                found[-1] = first, end
                continue
        found.append((start, end))
    return found


def in_words(text: str, at: int) -> str | None:
    """Return the row of a table at an offset of a text as a line for each cell, with the names of its row and column;
    "" for the head, which says nothing by itself, and None where no table with a head stands."""
    every, starts = _lines(text)
    line = bisect_right(starts, at) - 1
    cells = _cells(every[line])
    if len(cells) < 2:
        return None
    if _RULE.fullmatch(every[line]):
        return ""
    first = line
    while first > 0 and _cells(every[first - 1]):
        first -= 1
    heads = _cells(every[first])
    below = every[first + 1] if first + 1 < len(every) else ""
    ruled = _RULE.fullmatch(below) is not None and bool(below.strip())
    if len(_cells(below)) != len(heads) or not (ruled or not any(map(quantities, heads))):
        return None
    if first == line:
        return ""
    return "\n".join(_cell(cells[0], head, cell) for head, cell in zip(heads[1:], cells[1:], strict=False) if cell)


def _cell(name: str, head: str, cell: str) -> str:
    """Return a cell in words; a unit that its head has in brackets stands behind its figure."""
    head = head.rstrip(" .")
    unit = _UNIT.search(head)
    if unit is not None and cell[-1:].isdecimal():
        return f"{name}: {_UNIT.sub('', head)} {cell} {unit[1]}."
    return f"{name}: {head} {cell}."


@lru_cache(maxsize=16)
def _lines(text: str) -> tuple[list[str], list[int]]:
    """Return the lines of a text, and where each begins."""
    every = text.split("\n")
    return every, list(accumulate((len(line) + 1 for line in every[:-1]), initial=0))


def _cells(line: str) -> tuple[str, ...]:
    bare = line.strip()
    if "\t" in line.strip("\n"):
        return tuple(cell.strip() for cell in line.split("\t"))
    if bare.count("|") < 2:
        return ()
    return tuple(cell.strip(" *_`") for cell in bare.strip("|").split("|"))


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
    return bool(_ECHO.search(sentence)) or is_instruction(sentence)


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
