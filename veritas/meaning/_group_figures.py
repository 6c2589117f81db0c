"""The figures of a sentence that stand beside each other for different groups, each with the words of its group."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple

from veritas.text.quantities import quantities
from veritas.text.stems import stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.wordlist import words


class Figure(NamedTuple):
    """A number as written, its sign and separators of thousands aside, with "%" if it is one of per cent; or an option
    of a command. It stands at `start` to `end` of its text."""

    value: str
    start: int
    end: int


class Bound(NamedTuple):
    """A figure and the stems of the words that tell its group from the other groups of the sentence."""

    value: str
    group: frozenset[str]


_FIGURE = re.compile(
    r"(?<!\S)(--?[A-Za-z][\w-]*)(?=[\s,.;)]|\Z)|"
    r"(?<![\w.,])[-−+~≈$€£]?(\d+(?:[,  ]\d{3})*(?:\.\d+)*(?:\s?[-–]\s?\d+(?:\.\d+)*)?)(?![\w])(\s?%|\s(?:per ?cent)\b)?"
)
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d\Z")
_ASIDE = re.compile(r"\(([^()]*)\)|\[([^\[\]]*)\]")
_CUT = re.compile(
    r"(?i);\s|,?\s+(?:and|but|while|whereas|versus|vs\.?|compared (?:with|to)|as opposed to|as against|against|than|or)"
    r"\s+|,\s+"
)
_RANGE = re.compile(r"(?i)\b(?:between|from)\s+\S+(?:\s\S+)?\Z")
WORD = re.compile(r"[^\W_]+(?:[.’'-][^\W_]+)*")
PREPOSITIONS = words(
    "in at on with without for after before during under over among amongst within by from of to per against between "
    "above below near across via through until since around behind inside outside"
)
EMPTY = words(
    """
    respectively group groups arm arms cohort cohorts patient patients participant participants subject subjects people
    person persons individual individuals case cases million billion thousand percent cent only about approximately
    around roughly nearly almost mean average also respectively unit units point points value values
    """
) | FUNCTION_WORDS  # fmt: skip
_SAME = {"male": "man", "female": "woman", "males": "man", "females": "woman", "untreated": "control"}
_VALUED = re.compile(
    r"(?i)\b(?:is|are|was|were|be|been|averaged|reached|totalled|totaled|had|has|have|of|at|by|to|cost|costs|scored|"
    r"measured|amounted|got|won|took|take|takes|equal|equals|for|in)\b|[:=]"
)
_RESPECTIVELY = re.compile(r"(?i)\brespectively\b|\bin (?:that|this) order\b")
_LIST_JOINT = re.compile(r"(?i)(?:\s+[^\W\d][\w/²³µ°]*)?(?:,?\s+(?:and|or)\s+|,\s+)\Z")


@lru_cache(maxsize=4096)
def figures(text: str) -> tuple[Figure, ...]:
    """Return the numbers of a text in order; a range is one."""
    return tuple(
        Figure(
            found[1] or re.sub(r"[,\s]", "", found[2]).replace("–", "-") + ("%" if found[3] else ""),
            found.start(),
            found.end(),
        )
        for found in _FIGURE.finditer(text)
    )


@lru_cache(maxsize=1024)
def contrasts(source: str) -> tuple[tuple[Bound, ...], ...]:
    """Return the figures of a sentence that stand beside each other for different groups, each set with its groups."""
    plain = " ".join(_ASIDE.sub(" ", source).split())
    found = [*_segmented(plain, figures(plain)), *_listed(plain), *_limits(source)]
    asides = list(_ASIDE.finditer(source))
    if len(asides) > 1:
        # The brackets' figures are bound by the same segments; the marks themselves say nothing.
        flat = re.sub(r"[()\[\]]", " ", source)
        inside = [f for f in figures(flat) if any(a.start() < f.start and f.end <= a.end() for a in asides)]
        first = [next((f for f in inside if a.start() < f.start and f.end <= a.end()), None) for a in asides]
        found += _segmented(flat, [f for f in first if f is not None])
    return tuple(found)


def _segmented(text: str, told: Sequence[Figure]) -> Iterator[tuple[Bound, ...]]:
    """Yield the figures of neighbouring parts of a sentence, each part with a figure and words of its own."""
    told = [f for f in told if not _YEAR.match(f.value)]
    if len(told) < 2:
        return
    parts = _parts(text, told)
    held = [[f for f in told if start <= f.start < end] for start, end in parts]
    for at, (one, other) in enumerate(pairwise(parts)):
        mine, theirs = held[at], held[at + 1]
        if not mine or not theirs:
            continue
        pairs = list(zip(mine, theirs, strict=True)) if len(mine) == len(theirs) else [(mine[0], theirs[0])]
        for a, b in pairs:
            if a.value.endswith("%") != b.value.endswith("%") or _of_other_measures(text, a, b):
                continue
            groups = _groups(text, one, a, other, b)
            if groups is not None:
                yield Bound(a.value, groups[0]), Bound(b.value, groups[1])


def _of_other_measures(text: str, a: Figure, b: Figure) -> bool:
    """Return whether two figures are of different measures: a length and a power are of no two groups."""
    units = [next((q.unit for q in quantities(text) if q.measured and q.start < f.end and f.start < q.end), "")
             for f in (a, b)]  # fmt: skip
    return bool(units[0] and units[1] and units[0] != units[1])


def _groups(
    text: str, one: tuple[int, int], a: Figure, other: tuple[int, int], b: Figure
) -> tuple[frozenset[str], frozenset[str]] | None:
    """Return what tells the groups of two figures in neighbouring parts apart; None where nothing does. What only the
    first part has before or behind its figure holds of both."""
    mine: frozenset[str] = frozenset()
    theirs: frozenset[str] = frozenset()
    before = text[one[0] : a.start], text[other[0] : b.start]
    behind = text[a.end : one[1]], text[b.end : other[1]]
    for first, second in (before, behind):
        if not stems(second) or not stems(first):
            continue
        first, second = _anchored(first, second)
        left, right = stems(first), stems(second)
        mine, theirs = mine | (left - right), theirs | (right - left)
    return (mine - theirs, theirs - mine) if mine and theirs else None


def _anchored(first: str, second: str) -> tuple[str, str]:
    """Return two parallel stretches from the preposition that both begin their group with, and as many phrases of the
    second as of the first."""
    opening = next((m for m in WORD.finditer(second) if m[0].lower() in PREPOSITIONS), None)
    if opening is None:
        return first, second
    places = [m for m in WORD.finditer(first) if m[0].lower() in PREPOSITIONS]
    if not places:
        return first, second
    same = [m for m in places if m[0].lower() == opening[0].lower()]
    start = (same[-1] if same else places[0]).start()
    phrases = sum(m.start() >= start for m in places)
    theirs = [m for m in WORD.finditer(second) if m[0].lower() in PREPOSITIONS]
    end = theirs[phrases].start() if len(theirs) > phrases else len(second)
    return first[start:], second[opening.start() : end]


def _parts(text: str, told: Sequence[Figure]) -> list[tuple[int, int]]:
    """Return the offsets of the parts of a sentence, each with a figure: a part without one belongs to the part before
    it if the next one begins with its figure, else to the next one."""
    cuts = [(m.start(), m.end()) for m in _CUT.finditer(text) if not _inside_range(text, m.start(), m.end())]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(text)]
    found: list[tuple[int, int]] = []
    waiting: int | None = None
    for at, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if any(start <= f.start < end for f in told):
            found.append((start if waiting is None else waiting, end))
            waiting = None
            continue
        following = next((s for s, e in zip(starts[at + 1 :], ends[at + 1 :], strict=True)
                          if any(s <= f.start < e for f in told)), None)  # fmt: skip
        begins = following is None or any(not stems(text[following : f.start]) for f in told if f.start >= following)
        if found and waiting is None and begins:
            found[-1] = (found[-1][0], end)
        elif waiting is None:
            waiting = start
    return found


def _inside_range(text: str, start: int, end: int) -> bool:
    return bool(_RANGE.search(text[:start])) and bool(re.match(r"[$€£]?\d", text[end:]))


def segment_of(claim: str, figure: Figure) -> str:
    """Return the part of a claim that a figure stands in."""
    told = [f for f in figures(claim) if not _YEAR.match(f.value)]
    for start, end in _parts(claim, told):
        if start <= figure.start < end:
            inside = [f for f in told if start <= f.start < end]
            return claim[start:end] if len(inside) == 1 else ""
    return ""


def _limits(source: str) -> Iterator[tuple[Bound, ...]]:
    """Yield a figure and another one behind it in brackets for a group of its own: "5 MB (10 MB for members)"."""
    for aside in _ASIDE.finditer(source):
        inner = aside[1] or aside[2] or ""
        told = figures(inner)
        before = [f for f in figures(source[: aside.start()]) if aside.start() - f.end < 20]
        if len(told) != 1 or not before or inner[: told[0].start].strip():
            continue
        group = re.match(r"(?i)\s*[\w/%²³]*\s+(?:for|in|on|with|at|among|during|after|under)\s+", inner[told[0].end :])
        if group is not None:
            yield Bound(before[-1].value, frozenset()), Bound(told[0].value, stems(inner[told[0].end + group.end() :]))


def _listed(text: str) -> Iterator[tuple[Bound, ...]]:
    """Yield the figures of "A and B were 1 and 2": as many figures as names, in one order."""
    lists = list(_figure_lists(text))
    ordered = _RESPECTIVELY.search(text)
    for numbers in lists:
        start, end = numbers[0].start, numbers[-1].end
        named = [each for each in _name_lists(text, len(numbers)) if each[1] <= start or each[0] >= end]
        before = [each for each in named if each[1] <= start]
        if ordered:
            chosen = before[-1] if before else next(iter(named), None)
        else:
            chosen = named[0] if len(named) == 1 else None
            between = "" if chosen is None else text[chosen[1] : start] if chosen[1] <= start else text[end : chosen[0]]
            if chosen is None or not _VALUED.search(between):
                continue
        if chosen is not None:
            groups = chosen[2]
            yield tuple(
                Bound(f.value, group - frozenset().union(*(g for g in groups if g is not group)))
                for f, group in zip(numbers, groups, strict=True)
            )


def _figure_lists(text: str) -> Iterator[list[Figure]]:
    """Yield the runs of figures with nothing but a unit and "and" or a comma between them."""
    run: list[Figure] = []
    for figure in figures(text):
        if run and not _LIST_JOINT.fullmatch(text[run[-1].end : figure.start]):
            if len(run) > 1:
                yield run
            run = []
        run.append(figure)
    if len(run) > 1:
        yield run


_ENDS = PREPOSITIONS | words(
    "the a an both is are was were be been has have had were and or while but than that which who reach reaches reached"
    " received got took had respectively"
)
_ITEM = 3
"""Most words of a name in a list."""


def _name_lists(text: str, count: int) -> Iterator[tuple[int, int, list[frozenset[str]]]]:
    """Yield where lists of as many names stand, and the stems of each name."""
    for joint in re.finditer(r"(?i),?\s+and\s+", text):
        items = [_words_before(text, joint.start())]
        while len(items) < count - 1 and text[: items[0][0]].rstrip().endswith(","):
            items.insert(0, _words_before(text, len(text[: items[0][0]].rstrip()) - 1))
        last = _words_behind(text, joint.end())
        items.append(last)
        if len(items) != count or any(start >= end for start, end in items):
            continue
        groups = [stems(text[start:end]) for start, end in items]
        if re.fullmatch(r"[\d.]+", text[items[-2][0] : items[-2][1]].split()[-1]) and groups[-1]:
            number = WORD.match(text, last[0])
            groups = [frozenset((text[s:e].split()[-1].lower(),)) for s, e in items[:-1]]
            groups.append(frozenset((number[0].lower(),)) if number else frozenset())
        if all(one - other and other - one for one, other in combinations(groups, 2)):
            yield items[0][0], items[-1][1], groups


def _words_before(text: str, end: int) -> tuple[int, int]:
    start = end
    for found in list(WORD.finditer(text, 0, end))[::-1][:_ITEM]:
        if found[0].lower() in _ENDS or re.search(r"[,;:]", text[found.end() : start]):
            break
        start = found.start()
    return start, end


def _words_behind(text: str, start: int) -> tuple[int, int]:
    end = start
    for at, found in enumerate(WORD.finditer(text, start)):
        if at >= _ITEM or (found[0].lower() in _ENDS and end > start) or re.search(r"[,;:]", text[end : found.start()]):
            break
        end = found.end()
    return start, end


@lru_cache(maxsize=8192)
def stems(text: str, without: str = "") -> frozenset[str]:
    """Return the stems of the words of a text that may name a group, years and small numbers among them."""
    found = set()
    for word in WORD.findall(text):
        low = word.lower().removesuffix("'s").removesuffix("’s")
        if low in EMPTY and not (word == "A" or word.isdigit()):
            continue
        if without and low == without.rstrip("%"):
            continue
        # "HTTPS" is no plural.
        found.add(_SAME.get(low) or (low if word.isupper() else stem(low)))
    return frozenset(found)
