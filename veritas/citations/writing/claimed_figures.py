"""Figures, months and years of a sentence that what is kept of the cited work has otherwise, and nowhere as they are
written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.exchanged import SECOND_HAND
from veritas.citations.writing.shares import Sentence
from veritas.text.numerals import NUMBER_WORDS
from veritas.text.quantities import Quantity, quantities
from veritas.text.quantity_relation import relation
from veritas.text.sentences import split_sentences
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS

_LONGEST = 400_000
"""Most signs of what is kept of a work that are read."""
_NEAREST = 6
"""Most sentences of a work that are compared with one that cites it."""
_SHARE, _LEAST = 0.5, 2
"""Least share of the words around a figure, and least of them, that the sentence with the other figure has."""
_BEFORE, _BEHIND = 8, 5
"""Most words before and behind a figure that tell what it counts."""
_SAME = 3
"""Least words, of the two before and the two behind a figure, that the figure in its place has too; of two
figures the second is enough (`46 of 310`)."""
_ROUND = 0.02
"""Share by which what is worked out from two figures of a work may differ from what its reader says."""
_OWN = re.compile(
    r"\b(?:us|I|(?i:we|our|ours|my|mine|this (?:study|paper|work|review|thesis|survey|report|article|chapter)|here"
    r"|the present (?:study|paper|work)|whereas|unlike|compared? (?:to|with)|in contrast|instead of|rather than|not))\b"
)
"""Words by which a figure of a sentence may be its writer's, or denied."""
_WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_RAW = re.compile(r"\d+(?:[.,]\d+)*")
_MONTHS = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\s+(?:be|not|have)\b)"
)
_ORDER = "January February March April May June July August September October November December".split()
_YEAR = re.compile(r"(?<![\w.,/-])(1[5-9]\d\d|20\d\d)(?![\w/]|[.,]\d|-\d)")
_SCALES = (1e-6, 1e-3, 1e3, 1e6)
"""Ratios of units: dollars a kilogram for dollars a tonne."""
_LABELS = frozenset("table tables figure figures fig section chapter equation eq page pages line lines".split())
_SHARES = re.compile(r"(?i)half|third|quarter|fifth|tenth|dozen|hundreds|double|twice|\bone\b")
"""Figures in words that are seldom meant exactly, or none."""
_CLAUSE = re.compile(r"[;:()]|, (?:and|but|while|whereas)\b")
_CLAUSE_OR_AND = re.compile(r"[;:(),]|\b(?:and|but|while|whereas|where|when)\b")


class _Kept(NamedTuple):
    """A sentence of a work: its words by their stems, its figures and months as they are written, and its text."""

    stems: frozenset[str]
    raw: frozenset[str]
    text: str


def of_claimed_figures(sentences: Sequence[Sentence], wrong: Sequence[Diagnostic] = ()) -> Iterator[Diagnostic]:
    """Yield the sentences with a figure, a month or a year that stands nowhere in what is kept of the works they cite,
    while one of these has another in its place. It is unknown: the rest of the work may have it. Nothing is said of a
    figure that another of the work rounds, or that two of them give as a sum, a difference, a ratio or a share, nor
    of a sentence that tells of its writer's own work. What `wrong` has, quotations, is not told twice."""
    for one in sentences:
        if any(each.start < one.end and one.start < each.end for each in wrong):
            continue
        found = _otherwise(one.words, tuple(each.kept for each in one.cites), _published(one))
        if found is None:
            continue
        here = one.cites[0]
        message = (
            f"nothing that is kept of “{here.title}” has “{found[0]}”, and there it is “{found[1]}”. "
            "Whether the rest of the work carries this cannot be told"
        )
        related = (SeeAlso(here.path, 1, f"“{found[2]}”"),)
        subject = f"{one.words} | {here.path}"
        yield Diagnostic(one.start, one.end, "unknown", "unknown", message, subject, related=related)


def _published(one: Sentence) -> frozenset[str]:
    return frozenset(str(each.fields.get("year")) for each in (*one.cites, *one.beside))


def _counts(words: str) -> bool:
    return any(each.lower() in NUMBER_WORDS for each in _WORD.findall(words))


@lru_cache(maxsize=4096)
def _otherwise(
    words: str, works: tuple[tuple[str, ...], ...], published: frozenset[str]
) -> tuple[str, str, str] | None:
    """Return a figure of some words that no work has, the one in its place, and the sentence that has it."""
    if not (_RAW.search(words) or _MONTHS.search(words) or _counts(words)):
        return None
    if SECOND_HAND.search(words) or _OWN.search(words):
        return None
    said = quantities(words)
    named = [found for form in (_MONTHS, _YEAR) for found in form.finditer(words) if found[1] not in published]
    if not named and not any(map(_asked, said)) and not _RAW.search(words):
        return None
    near = _nearest(_stems(words), works)
    raw = frozenset().union(*(each.raw for each in near))
    mine = [each for each in said if _asked(each) and not _written(each) <= raw]
    kept_words = frozenset().union(*map(_raw, works))
    named = [each for each in named if each[1].lower() not in raw | kept_words]
    between = list(_in_place(words, near, raw))
    if not mine and not named and not between:
        return None
    theirs = [(kept, quantities(kept.text)) for kept in near]
    every = [each for _, several in theirs for each in several]
    for one in mine:
        if any(_stands_for(one, other) for other in every) or _worked_out(one, [several for _, several in theirs]):
            continue
        around = _around(words, one.start, one.end)
        for kept, several in theirs:
            for other in several:
                if any(_stands_for(each, other) for each in said if each is not one) or not _of_one(around, kept):
                    continue
                beside = _around(kept.text, other.start, other.end)
                if _rivals(one, other) and max(map(len, (a & b for a in around for b in beside))) >= _LEAST:
                    return one.text, other.text, kept.text
    for found in between:
        meant = [one for one in said if _bare(found[0]) in _written(one) or found[0] in one.text.lower().split()]
        if not any(one.about or any(_stands_for(one, other) for other in every)
                   or _worked_out(one, [each for _, each in theirs]) for one in meant):  # fmt: skip
            return found
    for each in named:
        around = _around(words, each.start(), each.end())
        form = _MONTHS if each.re is _MONTHS else _YEAR
        for kept in near:
            others = [other[1] for other in form.finditer(kept.text) if other[1] not in words]
            if others and _of_one(around, kept) and not _between(each[1], kept.text):
                return each[1], others[0], kept.text
    return None


def _asked(one: Quantity) -> bool:
    """Return whether a figure is to be looked for in a work."""
    told = (one.kind not in ("year", "statistic") or one.unit == "day") and one.sure and not one.about
    return told and not _SHARES.search(one.text)


def _written(one: Quantity) -> frozenset[str]:
    """Return the figures of a quantity as they are written, or its words."""
    return frozenset(map(_bare, _RAW.findall(one.text))) or frozenset((one.text.lower(),))


def _in_place(words: str, near: Sequence[_Kept], raw: frozenset[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the figures that stand in none of some sentences, each with the one that stands there between the same
    words, and the sentence."""
    said = _tokens(words)
    for at, one in enumerate(said):
        if not _is_figure(one) or _bare(one) in raw or _YEAR.fullmatch(one) or said[at - 1] in _LABELS:
            continue
        mine = _neighbours(said, at)
        for kept in near:
            theirs = _tokens(kept.text)
            for place, other in enumerate(theirs):
                if _is_figure(other) and _bare(other) != _bare(one) and _bare(other) not in map(_bare, said):
                    around = zip(mine, _neighbours(theirs, place), strict=True)
                    same = [a for a, b in around if a and a == b and not _is_figure(a)]
                    part = mine[2:] == _neighbours(theirs, place)[2:] and mine[2] == "of" and _is_figure(mine[3])
                    if part or (len(same) >= _SAME and any(map(_listed, same))):
                        yield one, other, kept.text


def _is_figure(token: str) -> bool:
    return token[0].isdigit() or (token in NUMBER_WORDS and not _SHARES.search(token))


def _tokens(text: str) -> list[str]:
    return [each.lower() for each in _WORD.findall(text)]


def _neighbours(tokens: Sequence[str], at: int) -> list[str]:
    """Return two words or figures before and two behind a place, empty ones where there is none."""
    return [tokens[place] if 0 <= place < len(tokens) else "" for place in (at - 2, at - 1, at + 1, at + 2)]


def _stands_for(one: Quantity, other: Quantity) -> bool:
    """Return whether a figure can be another in other words, in another unit, rounded, or as a part of one."""
    if relation(one, other) in ("same", "close") or _bare_number(one) == _bare_number(other):
        return True
    if other.unit == "%" and not one.unit and abs(100 * one.low - other.low) < 1e-6:
        return True
    return any(abs(one.written - by * other.written) <= 1e-6 * abs(one.written) for by in _SCALES if one.written)


def _root(one: Quantity) -> str:
    return one.unit.partition(" ")[0]


def _bare_number(one: Quantity) -> tuple[float, float]:
    return round(one.written, 6), round(one.high / one.factor, 6)


def _rivals(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures are of one kind, and cannot both be true of one thing."""
    if other.bound[0] != one.bound[0] or not other.sure or one.kind != other.kind:
        return False
    if one.unit == other.unit == "day":  # of one month
        return 0 < abs(one.low - other.low) < 31 and one.text.split()[-1] == other.text.split()[-1]
    one, other = replace(one, bound="="), replace(other, bound="=", about=False)
    if one.unit == other.unit:
        half = one.low < one.high and (one.low == other.low) != (one.high == other.high)
        return bool(one.unit) and (half or relation(one, other) == "different")
    # "240 euros" of a reader for "240 euros per hectare"
    first, second = one.text.split()[-1:], other.text.split()[1:2]
    return one.measured and first == second and _bare_number(one) != _bare_number(other)


def _worked_out(one: Quantity, works: Sequence[Sequence[Quantity]]) -> bool:
    """Return whether a figure is what two of a work give: the sum, difference, ratio or share of two in one sentence,
    or the share of two counts."""
    wanted, slack = abs(one.written), max(one.step / one.factor / 2, _ROUND * abs(one.written)) * (1 + 1e-6)
    counted = one.unit == "%"
    counts = [each for several in works for each in several if counted and each.kind == "count" and not each.places]
    pairs = [pair for several in (*works, counts) for pair in combinations(several, 2)]
    for a, b in pairs:
        if a.kind != b.kind or (_root(a) != _root(b) and a.kind != "count"):
            continue
        high, low = max(abs(a.written), abs(b.written)), min(abs(a.written), abs(b.written))
        alike = one.kind == a.kind and (_root(one) == _root(a) or one.kind == "count")
        if alike and any(abs(each - wanted) <= 1e-6 * high for each in (high + low, high - low)):
            return True
        if not (one.unit in ("%", "pp", "fold") or one.kind == "count") or not low:
            continue
        shares = (100 * low / high, 100 * (high - low) / high, 100 * (high - low) / low, 100 * high / low)
        apart = (high - low,) if a.kind == "percent" else ()
        for each in (*apart, *shares) if one.kind == "percent" else (high / low,):
            if abs(each - wanted) <= slack:
                return True
    return one.unit == "%" and any(
        abs(100 - each.written - wanted) < slack for several in works for each in several if each.unit == "%"
    )


def _of_one(around: Sequence[frozenset[str]], kept: _Kept) -> bool:
    """Return whether the words around a figure, in a wide or a narrow sense, are those of a sentence of the work."""
    shared = [(len(each & kept.stems), len(each)) for each in around]
    return any(both >= _LEAST and both >= _SHARE * among for both, among in shared)


def _around(words: str, start: int, end: int) -> list[frozenset[str]]:
    """Return the words that tell what a figure counts: those of its clause, and those up to the next *and*."""
    found = []
    for cut in (_CLAUSE, _CLAUSE_OR_AND):
        left = cut.split(words[max(0, start - 120) : start])[-1]
        right = cut.split(words[end : end + 80])[0]
        found.append(frozenset((*_listed(left)[-_BEFORE:], *_listed(right)[:_BEHIND])))
    return found


def _between(named: str, text: str) -> bool:
    """Return whether a year or a month lies in a span of a text: between its first and its last."""
    if not named.isdigit():
        months = [_ORDER.index(each) for each in _MONTHS.findall(text)]
        return len(months) > 1 and months[0] < _ORDER.index(named) < months[-1]
    years = sorted(int(each) for each in _YEAR.findall(text))
    return len(years) > 1 and years[0] < int(named) < years[-1]


def _listed(text: str) -> list[str]:
    found = (each.lower() for each in _WORD.findall(text))
    return [stem(each) for each in found if len(each) > 2 and not each[0].isdigit() and each not in STOP_WORDS
            and each not in GENERIC_WORDS and each not in NUMBER_WORDS]  # fmt: skip


def _stems(text: str) -> frozenset[str]:
    return frozenset(_listed(text))


def _nearest(stems: frozenset[str], works: tuple[tuple[str, ...], ...]) -> list[_Kept]:
    """Return the sentences of works that share most words with others, best first."""
    counted = sorted(((len(stems & kept.stems), number, kept) for number, kept in enumerate(
        kept for work in works for kept in _sentences(work))), key=lambda each: (-each[0], each[1]))  # fmt: skip
    return [kept for shared, _, kept in counted[:_NEAREST] if shared >= _LEAST]


@lru_cache(maxsize=256)
def _sentences(kept: tuple[str, ...]) -> tuple[_Kept, ...]:
    """Return the sentences of a work that have a figure, a month or a year."""
    found = []
    for each in dict.fromkeys(part[a:b] for part in kept for a, b in split_sentences(part[:_LONGEST])):
        if _RAW.search(each) or _MONTHS.search(each) or _counts(each):
            found.append(_Kept(_stems(each), _raw((each,)) | frozenset(_tokens(each)), each))
    return tuple(found)


@lru_cache(maxsize=4096)
def _raw(kept: tuple[str, ...]) -> frozenset[str]:
    """Return the figures and months that stand in what is kept of a work."""
    text = " ".join(part[:_LONGEST] for part in kept)
    months = {each.lower() for each in _MONTHS.findall(text)}
    return frozenset({_bare(each) for each in _RAW.findall(text)} | months)


def _bare(figure: str) -> str:
    plain = re.sub(r"(?<=\d),(?=\d{3})", "", figure)
    return re.sub(r"\.?0+\Z", "", plain) if "." in plain else plain
