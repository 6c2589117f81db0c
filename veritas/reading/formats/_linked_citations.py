"""Citations that an article's XML links to its references, carried through the conversion by invisible marks."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from veritas.reading.formats.converted import Cited

OPEN, CLOSE, _ONE, _TWO = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"
"""Characters that no text may have: around a citation, and the two binary digits of its number behind `OPEN`."""
MARKS = re.compile("[\ufdd0-\ufdd3]")
MOST = 60
"""Works of a range such as `[3-7]`, at most."""
_CITATION = re.compile(f"{OPEN}([{_ONE}{_TWO}]*)([^{OPEN}{CLOSE}]*){CLOSE}")
_BETWEEN = re.compile(r"[\s,;]*(?:[-–—‐−]|[\])]\s*[,;–—-]?\s*[\[(]|(?:and|&)\s)?[\s,;]*")
_DASH = re.compile(r"\W*[-–—‐−]\W*")
_BARE = re.compile(r"[\s\d,;()\[\]*–—‐−-]*")
_LEFT, _RIGHT = "[(", "])"


def mark(body: Any, ids: Sequence[str]) -> list[tuple[str, ...]]:
    """Put marks around every citation below `body`, and return the references of each; `ids` are all references of the
    article in order, from which ranges are filled in."""
    order = {name: number for number, name in enumerate(ids)}
    groups: list[tuple[list[Any], list[str]]] = []
    for unit, named in _units(body):
        known = _filled(named, ids, order)
        if groups and (between := _between(groups[-1][0][-1], unit)) is not None:
            units, names = groups[-1]
            units.append(unit)
            names[:] = _filled([*names, *(["-"] if _DASH.fullmatch(between) else []), *known], ids, order)
        else:
            groups.append(([unit], known))
    for number, (units, _) in enumerate(groups):
        _surround(units[0], units[-1], number)
    return [tuple(dict.fromkeys(names)) for _, names in groups]


def _filled(named: Sequence[str], ids: Sequence[str], order: dict[str, int]) -> list[str]:
    """Return the known names, with those between two that a dash joins."""
    found: list[str] = []
    joined = False
    for name in named:
        if name in order:
            first, last = (order[found[-1]] + 1, order[name]) if joined and found else (0, 0)
            found += [*(ids[first:last] if 0 < last - first < MOST else ()), name]
        joined = name == "-"
    return found


def take_marks(text: str, named: Sequence[tuple[str, ...]]) -> tuple[Cited, ...]:
    """Return the citations of a text with marks, at their places in the text without them."""
    places = [found.start() for found in MARKS.finditer(text)]

    def bare(offset: int) -> int:
        return offset - bisect_left(places, offset)

    found = []
    for citation in _CITATION.finditer(text):
        number = int(citation[1].replace(_ONE, "0").replace(_TWO, "1") or "0", 2)
        start, end = bare(citation.start(2)), bare(citation.end(2))
        if number < len(named) and named[number] and start < end:
            found.append(Cited(start, end, named[number]))
    return tuple(found)


def _units(body: Any) -> list[tuple[Any, list[str]]]:
    """Return each citing element, or the raised part that holds nothing but citations, with the ids it names."""
    found: list[tuple[Any, list[str]]] = []
    for xref in body.iter("xref"):
        if xref.get("ref-type") != "bibr":
            continue
        unit, names = xref, (xref.get("rid") or "").split()
        above = xref.getparent()
        if above.tag == "sup" and _BARE.fullmatch("".join(above.itertext())):
            unit = above
        if found and found[-1][0] is unit:
            last = xref.getprevious()
            if last is not None and _DASH.fullmatch(last.tail or ""):
                names = ["-", *names]
            found[-1][1].extend(names)
        else:
            found.append((unit, names))
    return found


def _between(before: Any, behind: Any) -> str | None:
    """Return the text between two elements if it only joins two citations, else None."""
    if before.getnext() is not behind or before.getparent() is not behind.getparent():
        return None
    said = before.tail or ""
    return said if _BETWEEN.fullmatch(said) else None


def _surround(first: Any, last: Any, number: int) -> None:
    opened = OPEN + bin(number)[2:].replace("0", _ONE).replace("1", _TWO)
    previous, above = first.getprevious(), first.getparent()
    before = (previous.tail if previous is not None else above.text) or ""
    behind = last.tail or ""
    tight = before.rstrip()
    if tight[-1:] in _LEFT and tight and behind.lstrip()[:1] == _RIGHT[_LEFT.index(tight[-1])]:
        before, behind = f"{tight[:-1]}{opened}{tight[-1]}", behind.lstrip()
        behind = behind[0] + CLOSE + behind[1:]
    else:
        before, behind = before + opened, CLOSE + behind
    if previous is not None:
        previous.tail = before
    else:
        above.text = before
    last.tail = behind
