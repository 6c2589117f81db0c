"""Means and standard deviations of whole numbers and on a scale: GRIM (Brown & Heathers 2017),
GRIMMER (Anaya 2016, Allard 2018), the greatest deviation on a scale, and the standard error of n values.

A mean of n whole numbers is a multiple of 1/n, one of answers to k items of 1/(n k). These checks accuse only where the
text says what the values were: in the sentences beside the mean, or in a sentence elsewhere that shares a word with it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from veritas.papers.referee.finding import Check, Draft, Printed, printed
from veritas.papers.referee.shares import PEOPLE
from veritas.papers.referee.tabulated import Grid
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS
from veritas.text.tokens import terms

_VALUE = r"\d{1,4}\.\d{1,3}(?!\.?\d)"
_OF = r"\s?(?:=|:|of)?\s?"
_NAMED = re.compile(
    rf"(?<![\w.])(?:M\s?=\s?|[Mm]ean\b(?:[^.;=]|\([nN]\s?=\s?\d+\)){{0,90}}?(?:=|\bof|\bwas|\bwere)\s?)(?P<mean>{_VALUE})"
    rf"|(?<![\w.])(?:SD|S\.D\.|s\.d\.|standard deviation){_OF}(?P<sd>{_VALUE})"
    rf"|(?<![\w.])(?:SEM?|S\.E\.(?:M\.)?|standard error){_OF}(?P<se>{_VALUE})"
    r"|(?<![\w.])[nN]\s?=\s?(?P<n>\d{1,5})(?![\d.,]*\d)"
)
_PEOPLE = re.compile(
    r"(?<![\w.])[nN]\s?=\s?(?P<n>\d{1,5})(?![\d.,]*\d)"
    rf"|\b(?:[Tt]he|[Aa]ll|[Oo]ur|[Tt]hese) (?P<told>\d{{1,5}}) {PEOPLE}\b"
)
_NAMES_OF = {"n": "n", "mean": "mean", "sd": "SD", "se": "SE"}
_HEADS = {"n": "n", "N": "n", "M": "mean", "Mean": "mean", "SD": "sd", "SE": "se", "SEM": "se"}
_JOINED = re.compile(r"[\s,;()\[\]±]*(?:and|with)?[\s(]*")
_RANGE = re.compile(
    r"(?<![\w.=])(?P<low>[-−]?\d{1,2})\s?(?:\([^()]{1,40}\)|=\s?[^,;\d]{1,40},?)?\s?(?:to|–|-|through|and)\s?"
    r"(?P<high>\d{1,3})(?=\s?(?:[(=).,;]|\w+)|$)(?![\d.]*\d|[- ]point|\s?%)"
)
_POINTS = re.compile(r"\b(?P<points>\d{1,2}|five|seven|nine|four|six|ten)[- ]point\b", re.IGNORECASE)
_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_ITEMS = re.compile(rf"\b(?P<items>\d{{1,2}}|{'|'.join(_WORDS)})[- ](?:\w+ )?items?\b", re.IGNORECASE)
_SCALE = re.compile(r"\b(?:scales?|rat(?:ed|ings?)|Likert)\b", re.IGNORECASE)
_WHOLE = re.compile(
    r"\b(?:single[- ]item|one[- ]item|Likert|how many [a-z]+"
    r"|number of (?:errors|children|correct|words|visits|cigarettes|drinks|days|trials|goals|mistakes)"
    r"|whole[- ]numbers?|integers?)\b"
    r"|\bnumber of (?:[\w-]+ ){1,3}per (?:patient|participant|person|child|woman|man|subject|student)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:items\b|composites?|averaged|aggregated?|sub-?scales?|index\b|inventory|questionnaire|subscore"
    r"|(?:scale|sum|mean|total) scores?|across (?:trials|items|sessions|raters|questions)|per (?:trial|item|year)"
    r"|factor scores?|estimated marginal|adjusted means?|weighted|imput"
    r"|α\s?=|Cronbach|half[- ]points?|slider|visual analog|statements)\b",
    re.IGNORECASE,
)
MOST = 5000
FEW = 10
"""Values on a scale where no n is told. Fewer allow a greater standard deviation."""
_COMMON = frozenset(
    stem(word)
    for word in GENERIC_WORDS | {"mean", "scale", "point", "number", "one", "score", "item", "asked", "rate", "rating"}
)
_NAMES = frozenset(stem(word) for word in PEOPLE.removeprefix("(?:").removesuffix(")").split("|"))
"""Stems that tie no mean to a scale, and those of people, which do only where people are what is counted."""
_RATED = re.compile(r"\brat(?:ed|ings?)\b")


@dataclass(frozen=True)
class Moments:
    """What a sentence, or a row of a table, prints about values; `spans` are the places of the numbers in the text."""

    start: int
    end: int
    mean: Printed | None
    sd: Printed | None
    se: Printed | None
    n: int | None
    spans: tuple[tuple[str, int, int], ...]


def moments(sentence: str, at: int) -> Iterator[Moments]:
    """Yield the means, SDs, SEs and n that a sentence tells beside each other, in any order."""
    found = list(_NAMED.finditer(sentence))
    runs: list[list[re.Match[str]]] = []
    for match in found:
        if runs and _JOINED.fullmatch(sentence, runs[-1][-1].end(), match.start()):
            runs[-1].append(match)
        else:
            runs.append([match])
    for run in [part for whole in runs for part in _parted(sentence, whole)]:
        told = {str(match.lastgroup): match for match in run}
        if len(told) != len(run):
            continue
        spans = {name: match.span(name) for name, match in told.items()}
        if "mean" in spans and "n" not in spans:
            number = _people(sentence, told["mean"])
            spans |= {"n": number} if number else {}
        start, end = run[0].start(), run[-1].end()
        opened = sentence.count("(", start, end) - sentence.count(")", start, end)
        end += opened == 1 and sentence[end : end + 1] == ")"  # the bracket that the quote opened
        texts = {name: (sentence[slice(*span)], at + span[0], at + span[1]) for name, span in spans.items()}
        yield _told(at + start, at + end, texts)


def row_moments(grid: Grid) -> list[Moments]:
    """Return what the rows of a table tell whose columns are headed n, M or Mean, SD, and SE."""
    heads = {cell[0]: i for i, cell in enumerate(grid.rows[0])}
    columns = {name: heads[head] for head, name in _HEADS.items() if head in heads}
    made = []
    for row in grid.rows[1:] if len(columns) > 1 else ():
        cells = {name: row[i] for name, i in columns.items()}
        if all(re.fullmatch(r"\d{1,5}" if name == "n" else _VALUE, cell[0]) for name, cell in cells.items()):
            made.append(_told(row[0][1], max(cell[2] for cell in cells.values()), cells))
    return made


def _told(start: int, end: int, texts: Mapping[str, tuple[str, int, int]]) -> Moments:
    values = {name: printed(text) for name, (text, _, _) in texts.items()}
    n = int(told.value) if (told := values.get("n")) else None
    spans = tuple((_NAMES_OF[name], *texts[name][1:]) for name in _NAMES_OF if name in texts)
    return Moments(start, end, values.get("mean"), values.get("sd"), values.get("se"), n, spans)


def values_told(text: str, rows: Iterable[Moments]) -> Counter[str]:
    """Return how many means, SDs and SEs a text and the rows of its tables tell."""
    told = Counter(_NAMES_OF[str(match.lastgroup)] for match in _NAMED.finditer(text))
    told.update(name for row in rows for name, _, _ in row.spans)
    return told


def _parted(sentence: str, run: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Return a run of numbers as one, or cut at its semicolons if it names one thing twice."""
    if len({match.lastgroup for match in run}) == len(run):
        return [run]
    parts = [[run[0]]]
    for before, match in pairwise(run):
        if ";" in sentence[before.end() : match.start()]:
            parts.append([])
        parts[-1].append(match)
    return parts


def _people(sentence: str, mean: re.Match[str]) -> tuple[int, int] | None:
    """Return the place of the only number of people that a sentence tells, inside what names the mean or right
    before."""
    told = list(_PEOPLE.finditer(sentence))
    if len(told) != 1 or len([each for each in _NAMED.finditer(sentence) if each["mean"]]) != 1:
        return None
    near = told[0].end() <= mean.end() and not re.search(r"[,;:(]", sentence[told[0].end() : mean.start()])
    return told[0].span("n" if told[0]["n"] else "told") if near else None


@dataclass(frozen=True)
class Scale:
    """What a text says of the values of a variable, in the sentence at `start` and those beside it."""

    start: int
    about: frozenset[str]
    """Its words of content."""
    low: float | None = None
    high: float | None = None
    width: float | None = None
    whole: bool = False
    items: int = 1
    many: bool = False
    """Whether the values may be made of several numbers a person."""

    def may_have(self, mean: Printed) -> bool:
        """Return whether a mean may be one of the scale, and not a sum or another variable."""
        if self.low is not None and self.high is not None:
            return mean.high >= self.low and mean.low <= self.high
        return self.width is None or mean.low <= self.width + 1


def scale_of(sentence: str, start: int, around: str) -> Scale | None:
    """Return what a sentence says of the values of a variable, None if it says nothing."""
    ranges = [(float(m["low"].replace("−", "-")), float(m["high"])) for m in _RANGE.finditer(sentence)]
    ranges = list(dict.fromkeys(each for each in ranges if each[0] in (-3, -2, -1, 0, 1) and each[0] < each[1]))
    points = _POINTS.search(sentence)
    told = _SCALE.search(sentence) is not None
    count = (_WORDS.get(points["points"].lower()) or int(points["points"])) if points else None
    whole = _WHOLE.search(sentence) is not None or count is not None
    if not whole and not (told and ranges):
        return None
    items = {_WORDS.get(m["items"].lower()) or int(m["items"]) for m in _ITEMS.finditer(around)}
    bare = re.sub(r"\baveraged\b", "", _ITEMS.sub("", around)) if items else around
    many = len(items) > 1 or _MANY.search(bare) is not None
    low, high = (ranges[0] if told and len(ranges) == 1 else (None, None))
    width = high - low if low is not None and high is not None else count - 1 if count and told else None
    whole = whole or bool(told and ranges)
    return Scale(start, _about(sentence), low, high, width, whole, max(items, default=1), many)


def _about(sentence: str) -> frozenset[str]:
    rated = {"rating"} if _RATED.search(sentence) else frozenset[str]()
    return (frozenset(terms(sentence)) - _COMMON - _NAMES) | rated


def scale_for(sentence: str, start: int, scales: Sequence[Scale], around: str) -> Scale | None:
    """Return the scale of the values of a mean in a sentence: what the sentence or those beside it say, or the only
    scale elsewhere that shares a word with it."""
    own = scale_of(sentence, start, around) or scale_of(around, start, around)
    if own is not None:
        return own
    about = _about(sentence) | frozenset(term for term in terms(sentence) if term in _NAMES)
    shared = [each for each in scales if each.start != start and each.about & about]
    return shared[0] if len(shared) == 1 and not _MANY.search(around) else None


def granularity(
    sentence: str, at: int, around: str, scales: Sequence[Scale], rows: Sequence[Moments]
) -> Iterator[Draft | Check]:
    """Yield means that no n whole numbers have, standard deviations that none with that mean have or that the scale
    does not allow, and standard errors that are not those of n values. `around` is the sentence with those beside it,
    `scales` is what the whole text says of its variables; a mean and an SD without n are those of the only one of the
    `rows` of tables that prints both."""
    found = list(moments(sentence, at))
    scale = scale_for(sentence, at, scales, around) if found else None
    for told in found:
        same = [row for row in rows if told.n is None and told.sd and (row.mean, row.sd) == (told.mean, told.sd)]
        if len(same) == 1:
            told = replace(told, n=same[0].n, spans=same[0].spans[:1] + told.spans)
        yield from _compared(told, scale)


def row_granularity(caption: str, at: int, rows: Sequence[Moments], scales: Sequence[Scale]) -> Iterator[Draft | Check]:
    """Yield the same of the rows of a table below its caption. It is sure if one row fails and others hold."""
    scale = scale_for(caption, at, scales, caption)
    made = [list(_compared(row, scale)) for row in rows]
    drafts = [each for row in made for each in row if isinstance(each, Draft)]
    yield from (each for row in made for each in row if not isinstance(each, Draft))
    if len(drafts) == 1 and sum(1 for row in made if row) > 1:
        yield drafts[0]


def _compared(told: Moments, scale: Scale | None) -> Iterator[Draft | Check]:
    if told.n is not None and not 2 <= told.n <= MOST:
        return
    if told.sd is not None and told.se is not None and told.n is not None:
        yield "standard-error"
        yield from _error(told, told.sd, told.se, told.n)
    if scale is None or told.mean is None or not scale.may_have(told.mean):
        return
    if scale.width is not None and told.sd is not None:
        yield "scale"
        made = _on_scale(told, told.mean, told.sd, scale)
        if made is not None:
            yield made
            return
    if told.n is not None and scale.whole and not scale.many:
        sd = told.sd if scale.items == 1 else None
        yield "grim" if sd is None else "grimmer"
        made = _of(told, told.mean, sd, scale, told.n)
        if made is not None:
            yield made


def _error(told: Moments, sd: Printed, se: Printed, n: int) -> Iterator[Draft]:
    low, high = sd.low / math.sqrt(n), sd.high / math.sqrt(n)
    if se.low > high or se.high < low:
        yield Draft(
            "standard-error", "error", told.start, told.end, f"SE {se.text} with SD {sd.text} and n = {n}",
            f"SE {sd.value / math.sqrt(n):.{se.places + 1}f}", f"{sd.text} / √{n} = {sd.value / math.sqrt(n):.4g}",
            "half a unit of the last digits", f"n were about {(sd.value / max(se.value, 1e-9)) ** 2:.0f}", told.spans,
        )  # fmt: skip


def _on_scale(told: Moments, mean: Printed, sd: Printed, scale: Scale) -> Draft | None:
    """Return a draft if no n values between the ends of a scale have the mean and the standard deviation; `FEW` values
    if n is not told."""
    n = told.n or FEW
    width = scale.width or 0.0
    most, name = width / 2, f"{width + 1:g} points"
    if scale.low is not None and scale.high is not None:
        name = f"{scale.low:g} to {scale.high:g}"
        means = [min(max(each, scale.low), scale.high) for each in (mean.low, mean.high)]
        middle = (scale.low + scale.high) / 2
        means += [middle] if means[0] <= middle <= means[1] else []
        most = max(math.sqrt(max(0.0, (scale.high - each) * (each - scale.low))) for each in means)
    most *= math.sqrt(n / (n - 1))
    if sd.low <= most:
        return None
    return Draft(
        "scale", "error", told.start, told.end, f"SD {sd.text} with a mean of {mean.text} on a scale of {name}",
        f"SD at most {most:.{sd.places + 1}f}", f"{n} values at the ends of the scale give {most:.4g}",
        "half a unit of the mean and of the SD", "the values were on another scale, or far fewer, or the SD a misprint",
        told.spans,
    )  # fmt: skip


def _of(told: Moments, mean: Printed, sd: Printed | None, scale: Scale, n: int) -> Draft | None:
    start, end, inputs = told.start, told.end, told.spans
    total = n * scale.items
    sums = possible_sums(mean, total)
    if not sums:
        below = math.floor(mean.value * total)
        near = " and ".join(f"{k}/{total} = {k / total:.{mean.places + 1}f}" for k in (below, below + 1))
        return Draft(
            "grim", "error", start, end, f"a mean of {mean.text} of {total} whole numbers", f"none has it: {near}",
            f"{mean.text} × {total} = {mean.value * total:.2f}, which rounds to no whole sum",
            "rounding up and down of halves", "a value was missing (another n), or a value was not one whole number",
            inputs,
        )  # fmt: skip
    if sd is None:
        return None
    if grimmer(sums, sd, n):
        return None
    return Draft(
        "grimmer", "error", start, end, f"SD {sd.text} with a mean of {mean.text} of {n} whole numbers", "none has it",
        f"no whole sum of squares gives a standard deviation between {sd.low:.{sd.places + 1}f} and "
        f"{sd.high:.{sd.places + 1}f}", "rounding of mean and SD; the SD of a sample or of a population",
        "a value was missing (another n), or a value was not one whole number", inputs,
    )  # fmt: skip


def possible_sums(mean: Printed, n: int) -> list[int]:
    """Return the whole sums of n numbers whose mean prints like `mean`."""
    low, high = mean.low * n, mean.high * n
    return list(range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1))


def grimmer(sums: list[int], sd: Printed, n: int) -> bool:
    """Return whether n whole numbers with one of the sums can have a standard deviation that prints like `sd`: there is
    a whole sum of squares of the right parity."""
    if n < 2:
        return True
    for degrees in (n - 1, n):
        for total in sums:
            low = max(0.0, sd.low) ** 2 * degrees + total * total / n
            high = sd.high**2 * degrees + total * total / n
            squares = range(math.ceil(low - 1e-6), math.floor(high + 1e-6) + 1)
            if any(square % 2 == total % 2 for square in squares):
                return True
    return False
