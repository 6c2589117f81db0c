"""Which group a figure belongs to: "45 in the treated group and 52 in controls", "X and Y were 1 and 2"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from veritas.meaning._group_figures import EMPTY, PREPOSITIONS, WORD, Figure, contrasts, figures, segment_of, stems
from veritas.meaning.relation import Difference
from veritas.text.stems import stem


class Misbound(NamedTuple):
    """A figure that a claim gives to another group than its source does: the claim's figure, the stems of the group
    that the source gives it to, and those of the group in the claim. `sure`: the claim names all that tells the other
    group from this one, and nothing of this one."""

    figure: Figure
    source: frozenset[str]
    claim: frozenset[str]
    sure: bool


def misbound(source: str, claim: str) -> Difference | None:
    """Return the difference of a figure that a claim gives to another group than a sentence of its source does, None
    if there is none. A claim that names no group of the sentence is not misbound."""
    found = next((each for each in _rulings(source, claim) if isinstance(each, Misbound)), None)
    if found is None:
        return None
    figure = claim[found.figure.start : found.figure.end].strip()
    theirs, mine = _worded(source, found.source) or "something else", _worded(claim, found.claim)
    return Difference("number", f"{figure} … {theirs}", f"{figure} … {mine}", found.sure)


def rightly_bound(source: str, claim: str) -> bool:
    """Return whether a claim gives a figure to the group to which a sentence of its source gives it, and none to
    another one. Each figure of it stands in the source, with no unit that the source does not
    have."""
    found = _rulings(source, claim)
    if not found or any(isinstance(one, Misbound) for one in found):
        return False
    told = {figure.value: _unit(source, figure) for figure in figures(source)}
    for figure in figures(claim):
        unit = _unit(claim, figure)
        # "40 and 60 units": one unit may stand for several figures.
        if figure.value not in told or (unit and told[figure.value] and unit not in told.values()):
            return False
    return True


def _unit(text: str, figure: Figure) -> str:
    """Return the word right behind a figure if it may be its unit."""
    behind = re.match(r"\s?([^\W\d_][\w/²³°]*|[°′″]\w?)", text[figure.end :])
    return "" if behind is None or behind[1].lower() in EMPTY | PREPOSITIONS else stem(behind[1])


def _worded(text: str, group: frozenset[str]) -> str:
    """Return the words of a text that have these stems, in order."""
    return " ".join(dict.fromkeys(word for word in WORD.findall(text) if stems(word) & group))


@lru_cache(maxsize=4096)
def _rulings(source: str, claim: str) -> tuple[Misbound | Figure, ...]:
    """Return each figure of a claim that is bound rightly, and how one is bound wrongly."""
    return tuple(_ruled(source, claim))


def _ruled(source: str, claim: str) -> Iterator[Misbound | Figure]:
    mine = figures(claim)
    if not mine or len(figures(source)) < 2:
        return
    values = [figure.value for figure in mine]
    for contrast in contrasts(source):
        told = [bound.value for bound in contrast]
        for figure in mine:
            if told.count(figure.value) != 1 or values.count(figure.value) != 1:
                continue
            own = contrast[told.index(figure.value)]
            several = any(other.value in values for other in contrast if other is not own)
            said = stems(segment_of(claim, figure) if several else claim, without=figure.value)
            rivals = [other for other in contrast if other is not own and not _alike(own.group, other.group)]
            if not rivals:
                continue
            rival = max(rivals, key=lambda other: _share(other.group - own.group, said))
            theirs = _share(rival.group - own.group, said)
            held = _share(own.group - rival.group, said)
            if theirs >= 0.5 and (held == 0 or (theirs == 1 and held < 1)):
                yield Misbound(figure, own.group, rival.group & said, theirs == 1 and held == 0)
            elif held > theirs:
                yield figure


def _share(group: frozenset[str], said: frozenset[str]) -> float:
    return len(group & said) / len(group) if group else 0.0


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    return not (one ^ other)
