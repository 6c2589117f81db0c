"""The exact layer: what must stand in a passage as the claim has it, to the letter or by value.

A text is read once into typed terms. An identifier, an acronym, a single letter, an operator, a version, an option and
a quotation match letter by letter; a quantity by its value and unit. Nothing here is stemmed: AIDS is no plural. A term
of the claim that the passage lacks is a difference, and a difference refuses a support.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.tokens import normalise

DifferenceKind = str
"""What differs: "quotation", "identifier", "acronym", "letter", "operator", "version", "number", "unit", "order" (the
same words, with exact terms in other places), or what the comparison of two sentences finds (`veritas.meaning`)."""
LONGEST = 80
"""Most characters of each side of a difference that are shown."""

_CHUNK = re.compile(r"\S+")
_OPERATOR = re.compile(r"(?<![<>=!~+*/-])(?:[<>=!~]=+|[<>=]|:=|->|=>|[≠≤≥])(?![<>=])(?!\s*[-+.]?\d)")
_OUTSIDE = "\"'“”‘’«»`*()[]{}<>,;:!?…"
_QUOTED = re.compile(r"[“\"«]([^“”\"«»]{2,}?)[”\"»]")
_GAP = re.compile(r"\s*(?:\[?…\]?|\[?\.\.\.\]?)\s*")
_INITIALS = re.compile(r"(?:[A-Za-z]\.){2,}[A-Za-z]?")
_VERSION = re.compile(r"v?\d+(?:\.\d+)+(?:[-.+]?(?:[a-z]+)\d*)?|v\d+", re.IGNORECASE)
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_SIGNED = re.compile(r"[A-Za-z][\w.]*(?:\+\+|#)")
_JOINED = re.compile(r"[A-Za-z_]\w*(?:(?:\.|::|/|:|->|@)[\w~-]+)+|\w*_\w+|~?/[\w./-]+")
_MIXED = re.compile(r"[a-z]+[A-Z]\w*|[A-Z]+[a-z]+[A-Z]\w*")
_CAPITALS = re.compile(r"[A-Z]{2,}s?")
_CUT = re.compile(r"([-/–—]|(?<=[a-z])[.,:;](?=[A-Z]))")
"""Where a piece that is no term falls apart: a compound, or two sentences without a space between them."""
_WORD = re.compile(r"[^\W_]+")


class Term(NamedTuple):
    """A piece of a text that matches only as it is written, `key` for its comparison, at `text[start:end]`."""

    kind: DifferenceKind
    text: str
    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Difference:
    """Words of the passage (`first`) and of the claim (`second`), either may be empty, that do not say the same."""

    kind: DifferenceKind
    first: str
    second: str

    def __str__(self) -> str:
        first, second = _shown(self.first), _shown(self.second)
        if self.kind == "order" and self.first and self.second:
            return f"the source has the same words with “{first}” and “{second}” in other places"
        if first and second:
            return f"the source says “{first}”, the claim says “{second}” ({self.kind})"
        if second:
            return f"the source does not say “{second}” ({self.kind})"
        return f"the source says “{first}”, which the claim leaves out ({self.kind})"


def _shown(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST].rsplit(' ', 1)[0]} …"


@dataclass(frozen=True)
class Exact:
    """The exact terms, quantities, quotations and plain words of a text."""

    text: str
    terms: tuple[Term, ...]
    quantities: tuple[Quantity, ...]
    quotations: tuple[str, ...]
    words: tuple[str, ...]
    keys: frozenset[str]

    def has(self, term: Term) -> bool:
        """Return whether the text has a term of another text, as it is written; an acronym may be spelled out."""
        if term.key in self.keys:
            return True
        if term.kind != "acronym":
            return False
        return (len(term.key) > 2 and term.key in self.words) or _spelled(term.key, self.words)


@lru_cache(maxsize=4096)
def read(text: str) -> Exact:
    """Return the exact terms of a text, in its order."""
    plain = normalise(text)
    amounts = quantities(plain)
    terms = tuple(sorted((*_operators(plain), *_terms(plain, amounts)), key=lambda term: term.start))
    return Exact(
        text=plain,
        terms=terms,
        quantities=amounts,
        quotations=tuple(part for found in _QUOTED.findall(text) for part in _GAP.split(found) if part),
        words=tuple(word.casefold() for word in _WORD.findall(plain)),
        keys=frozenset(term.key for term in terms),
    )


def _operators(text: str) -> Iterator[Term]:
    for match in _OPERATOR.finditer(text):
        yield Term("operator", match[0], match[0], *match.span())


def _terms(text: str, amounts: Sequence[Quantity]) -> Iterator[Term]:
    """Yield the terms of a text that are no operators; what is part of a quantity is none."""
    taken = [(amount.start, amount.end) for amount in amounts]
    for match in _CHUNK.finditer(text):
        piece = match[0].strip(_OUTSIDE)
        piece = piece if _INITIALS.fullmatch(piece) else piece.rstrip(".")
        piece = re.sub(r"'s?$", "", piece)
        if not piece:
            continue
        start = match.start() + match[0].find(piece)
        if any(a < start + len(piece) and start < b for a, b in taken):
            continue
        whole = _kind(piece)
        at = start
        for part in [piece] if whole is not None else _CUT.split(piece):
            inner = part if whole is not None else part.strip(_OUTSIDE + ".")
            kind = _kind(inner) if inner else None
            if kind is not None and not (kind == "letter" and _opens(text, at)):
                yield Term(kind, inner, _key(kind, inner), at, at + len(part))
            at += len(part)


def _opens(text: str, at: int) -> bool:
    """Return whether a single letter may be a word: "A" where a sentence begins, "I" anywhere."""
    before = text[:at].rstrip()
    return text[at] == "I" or (text[at] == "A" and (not before or before[-1] in ".!?:;\"'(“"))


def _kind(piece: str) -> DifferenceKind | None:
    """Return the type of a piece of text without outer marks; None for a word or a plain number."""
    if _OPTION.fullmatch(piece):
        return "identifier"
    if _VERSION.fullmatch(piece):
        return "version"
    if _INITIALS.fullmatch(piece) or _INITIALS.fullmatch(f"{piece}."):
        return "acronym" if piece.replace(".", "").isupper() else None
    if _SIGNED.fullmatch(piece) or (_JOINED.fullmatch(piece) and not _plain_pair(piece)):
        return "identifier"
    letters = [c for c in piece if c.isalpha()]
    digits = any(c.isdigit() for c in piece)
    if letters and digits and not piece[0].isdigit() and re.fullmatch(r"\w+(?:-\w+)*", piece):
        return "identifier" if _numbered(piece) else None
    if len(piece) == 1 and piece.isalpha() and piece.isupper():
        return "letter"
    if _CAPITALS.fullmatch(piece):
        return "acronym"
    return "identifier" if _MIXED.fullmatch(piece) and piece.isascii() else None


def _plain_pair(piece: str) -> bool:
    """Return whether a piece is two words with a mark between them: "and/or", "however.This"."""
    return re.fullmatch(r"[A-Za-z]+/[A-Za-z]+|\w*[a-z][.:][A-Z][a-z]*", piece) is not None


def _numbered(piece: str) -> bool:
    """Return whether letters with digits are a name ("B12", "IL-6"), not a word with a number behind a hyphen."""
    head = re.match(r"[^\W\d_]+", piece)
    return head is not None and (len(head[0]) <= 4 or any(c.isupper() for c in piece))


def _key(kind: DifferenceKind, piece: str) -> str:
    if kind == "letter" or _OPTION.fullmatch(piece):
        return piece  # -r and -R are two options
    if kind == "acronym":
        return (piece[:-1] if piece.endswith("s") and piece[:-1].isupper() else piece).replace(".", "").casefold()
    if kind == "version":
        return piece.casefold().removeprefix("v")
    return piece.casefold().rstrip("()").replace("‑", "-")


def _spelled(acronym: str, words: Sequence[str]) -> bool:
    """Return whether words in a row spell an acronym: each gives its first letter, and others in order."""
    for at, word in enumerate(words):
        if word[:1] == acronym[:1] and _spells(acronym, words[at : at + len(acronym) + 2]):
            return True
    return False


def _spells(acronym: str, words: Sequence[str]) -> bool:
    left = acronym
    for count, word in enumerate(words):
        place = 0
        while left and (found := word.find(left[0], place)) >= 0 and (place or found == 0):
            left, place = left[1:], found + 1
        if not left:
            return count > 0
        if place == 0 and len(word) > 3:
            return False  # a long word that gives no letter
    return False


def differences(claim: str, passage: str, *, nearest: str = "", around: str = "") -> Iterator[Difference]:
    """Yield what the claim has of exact terms and the passage has not.

    `nearest` is the sentence of the passage that decides; where it has another value of a term of the same type, that
    is named. `around` (a title, a heading) may have a name, and no value.
    """
    mine, theirs = read(claim), read(passage)
    near, beside = read(nearest or passage), read(around)
    yield from _unquoted(mine, theirs)
    lacking = [term for term in mine.terms if not (theirs.has(term) or beside.has(term))]
    for term in lacking:
        instead = next((t.text for t in near.terms if _comparable(t, term) and not mine.has(t)), "")
        yield Difference(term.kind, instead, term.text)
    yield from _values(mine, theirs, near)
    if not lacking:
        yield from _order(mine, near)


_NAMES = ("identifier", "acronym", "letter", "version")


def _comparable(one: Term, other: Term) -> bool:
    """Return whether one term may stand where another does: of one type, or names of which one goes on as the other."""
    if one.kind == other.kind:
        return True
    alike = one.key.startswith(other.key.casefold()) or other.key.startswith(one.key.casefold())
    return alike and one.kind in _NAMES and other.kind in _NAMES


def _unquoted(mine: Exact, theirs: Exact) -> Iterator[Difference]:
    """Yield the quotations that do not stand in the passage letter by letter, marks at their ends apart."""
    there = " ".join(theirs.text.split())
    for quoted in mine.quotations:
        wanted = " ".join(normalise(quoted).split()).strip(" ,.;:")
        if wanted and wanted not in there and wanted[:1].lower() + wanted[1:] not in there and (
            wanted[:1].upper() + wanted[1:] not in there
        ):
            yield Difference("quotation", "", quoted)


def _values(mine: Exact, theirs: Exact, near: Exact) -> Iterator[Difference]:
    """Yield the quantities of the claim that the nearest sentence gives otherwise, or no sentence gives."""
    for one in mine.quantities:
        if not one.sure or one.kind == "statistic":
            continue
        if _met(one, near.quantities):
            yield from _other_case(one, near.quantities)
            continue
        rival = next((q for q in near.quantities if _rivals(one, q) and not _met(q, mine.quantities)), None)
        if rival is not None:
            yield Difference("number", rival.text, one.text)
        elif _told(one) and not (_met(one, theirs.quantities) or _written(one, theirs.text)):
            yield Difference("number", "", one.text)


FEW = 12
"""The largest number that, written as a word, may be no figure but a way of speaking: "one has to", "two readings"."""


def _told(one: Quantity) -> bool:
    return any(map(str.isdigit, one.text)) or one.high > FEW


def _met(one: Quantity, others: Iterable[Quantity]) -> bool:
    return any(
        relation(one, other) in ("same", "close") or (one.low, one.high) == (other.low, other.high) for other in others
    )


def _rivals(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities are of one unit and cannot both be true."""
    return other.sure and one.unit == other.unit and relation(one, other) == "different"


def _written(one: Quantity, text: str) -> bool:
    """Return whether the figures of a quantity stand in a text that reads them as part of something else."""
    figures = re.search(r"\d[\d.,]*", one.text)
    return figures is not None and re.search(rf"(?<![\d.]){re.escape(figures[0])}(?!\d)", text) is not None


def _other_case(one: Quantity, others: Iterable[Quantity]) -> Iterator[Difference]:
    """Yield a unit whose letters stand in another case: Mb and MB are two units."""
    alike = [q for q in others if q.measured and (q.low, q.high) == (one.low, one.high)]
    unit = _unit(one.text) if one.text[:1].isdigit() else ""
    if unit and alike and all(_unit(q.text) != unit and _unit(q.text).casefold() == unit.casefold() for q in alike):
        yield Difference("unit", alike[0].text, one.text)


def _unit(text: str) -> str:
    return re.sub(r"[\d.,\s]+", "", text)


def _order(mine: Exact, near: Exact) -> Iterator[Difference]:
    """Yield the first terms, or words with capitals, that stand in other places among the same words."""
    if sorted(mine.words) != sorted(near.words):
        return
    for ours, theirs in ((mine.terms, near.terms), (_capitals(mine, near), _capitals(near, mine))):
        keys, others = [term.key for term in ours], [term.key for term in theirs]
        if sorted(keys) == sorted(others) and keys != others:
            at = next(i for i, (a, b) in enumerate(zip(keys, others, strict=True)) if a != b)
            yield Difference("order", theirs[at].text, ours[at].text)
            return


def _capitals(one: Exact, other: Exact) -> list[Term]:
    """Return the words of a text that have a capital inside a sentence, there or in the other text."""
    named = {
        match[0].casefold() for each in (one, other) for match in _WORD.finditer(each.text)
        if match[0][0].isupper() and each.text[: match.start()].rstrip()[-1:] not in ("", ".", "!", "?")
    }  # fmt: skip
    found = [match for match in _WORD.finditer(one.text) if match[0].casefold() in named]
    return [Term("order", match[0], match[0].casefold(), *match.span()) for match in found]
