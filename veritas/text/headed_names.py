"""Options and other identifiers that stand as headings, as terms of an index: what "What does --wait do?" asks for."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from veritas.text.structure import Structure

LONGEST = 80
"""Most characters of a heading that is a name."""
BEHIND = 1
"""Most words behind a name, for its value: "--wait Duration"."""
_FORMS = re.compile(r"\s*(?:,|/|\|)\s+|\s+or\s+")
_IDENTIFIER = re.compile(
    r"-{1,2}[A-Za-z]\w[\w-]*|[A-Za-z]\w*(?:[_.]\w+)+|[a-z]+[A-Z]\w*|[A-Z][a-z]+[A-Z]\w*"
)
_VALUE = re.compile(r"(?<=\w)(?:=| ?[<\[{]).*")
_CALLED = re.compile(r"[`*]*(?P<called>[A-Za-z]\w+)\(.*")
_ASKED = re.compile(rf"(?<![\w-])(?:{_IDENTIFIER.pattern}|[A-Za-z]\w+(?=\(\)))")


def headed_names(heading: str) -> Iterator[str]:
    """Yield the term for each form of an identifier that a heading is, "-w, --wait Duration"; nothing for a heading
    that says more."""
    if len(heading) > LONGEST:
        return
    for form in _FORMS.split(" ".join(heading.strip("# ").split())):
        name, *behind = _VALUE.sub("", form).split(" ")
        found = _IDENTIFIER.fullmatch(name.strip("`*\"'“”:=").removesuffix("()")) or _CALLED.fullmatch(name)
        if found is not None and len(behind) <= BEHIND:
            yield _term(found["called"] if found.re is _CALLED else found[0])


def names_in(text: str, blocks: Structure, start: int, end: int) -> list[str]:
    """Return the terms of the headings that begin in `text[start:end]`."""
    first, behind = (bisect_left(blocks, at, key=lambda block: block.start) for at in (start, end))
    return [
        term for block in blocks[first:behind]
        if block.kind == "heading" for term in headed_names(text[block.start : block.end])
    ]


def names_asked(query: str) -> list[str]:
    """Return the terms for the headings that the identifiers of a query may be."""
    return list(dict.fromkeys(_term(found[0]) for found in _ASKED.finditer(query)))


def _term(name: str) -> str:
    return f"heading={name.lstrip('-').casefold()}"
