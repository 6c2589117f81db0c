"""Excerpts checked against a paper's text: verbatim, and naming the equation, table or section the claim points to."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING

from veritas.citations.artifacts import Excerpt
from veritas.documents.verbatim import fold_whitespace, locate

if TYPE_CHECKING:
    from veritas.documents.paper_parts import Section

_POINTER = re.compile(
    r"\b(eq(?:uation|n)?|sec(?:tion)?|fig(?:ure)?|tab(?:le)?|theorem|thm|lemma|corollary|proposition|algorithm|alg"
    r"|appendix|definition)s?\b\.?\s*\(?((?:\d+(?:\.\d+)*[a-z]?)|[A-Z](?:\.\d+)*)\)?(?![\w.]*\w)",
    re.IGNORECASE,
)
_WORDS = {
    "eq": "equation", "eqn": "equation", "sec": "section", "fig": "figure", "tab": "table", "thm": "theorem",
    "alg": "algorithm",
}  # fmt: skip
_ORIGIN = re.compile(
    r"\b(?:first|originally|initially|novel|pioneer(?:ed|ing)?|introduc(?:e|es|ed)|propos(?:e|es|ed)|invent(?:ed|s)?"
    r"|coined)\b",
    re.IGNORECASE,
)


def pointers(text: str) -> frozenset[tuple[str, str]]:
    """Return the places that a text points to, as kind and number: `eq. 3` is `("equation", "3")`."""
    found = set()
    for match in _POINTER.finditer(text):
        kind = match[1].lower()
        found.add((_WORDS.get(kind, kind), match[2].lower()))
    return frozenset(found)


def without_pointers(claim: str) -> str:
    """Return the claim without the places it points to: a passage says the claim, its number is looked for apart."""
    return " ".join(re.sub(r"\(\s*\)", "", _POINTER.sub("", claim)).split()).strip(" ,;(") or claim


def claims_priority(claim: str) -> bool:
    """Return whether a claim calls a paper the first: no excerpt can show that, so a person has to judge it."""
    return _ORIGIN.search(claim) is not None


def checked(
    proposals: Sequence[str], text: str, *, page_starts: Sequence[int] = (), abstract: bool = False, limit: int
) -> tuple[tuple[Excerpt, ...], tuple[str, ...]]:
    """Return the proposals that stand verbatim in `text` (section 6.4), each with its place, and those that do not."""
    from veritas.documents.paper_sections import find_sections  # here, for `veritas.papers` cites as well

    found: dict[str, Excerpt] = {}
    rejected = []
    sections = () if abstract else find_sections(text, page_starts)
    for proposal in proposals:
        place = locate(proposal, text)
        if place is None:
            rejected.append(fold_whitespace(proposal)[:300])
            continue
        quote = fold_whitespace(text[place[0] : place[1]])
        where = "Abstract" if abstract else _place(place[0], text, page_starts, sections)
        found.setdefault(quote, Excerpt(text=quote, location=where))
    return tuple(found.values())[:limit], tuple(rejected)


def without_pointer(claim: str, excerpts: Sequence[Excerpt]) -> tuple[str, ...]:
    """Return the places that the claim points to and no excerpt mentions."""
    there = frozenset().union(*(pointers(excerpt.text) for excerpt in excerpts))
    return tuple(sorted(f"{kind} {number}" for kind, number in pointers(claim) - there))


def _place(offset: int, text: str, page_starts: Sequence[int], sections: Sequence[Section]) -> str:
    """Return the place of an offset for a reader: page and section with its number, as far as the text has them."""
    parts = []
    if page_starts:
        parts.append(f"p. {max(1, bisect_right(page_starts, offset))}")
    above = [section for section in sections if section.heading and section.place.start <= offset]
    if above:
        heading = text[above[-1].place.start :].partition("\n")[0]
        parts.append(" ".join(heading.replace("*", "").lstrip("# ").split())[:120])
    return ", ".join(parts) or f"character {offset}"
