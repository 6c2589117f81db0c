"""The canonical section of every place in a document, from the document's headings."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from veritas.documents.paper_parts import SectionName
from veritas.text.blocks import blocks
from veritas.text.line_numbers import has_line_numbers, without_margin

_NAMES: tuple[tuple[SectionName, str], ...] = (
    ("references", r"references?(?: and notes| cited)?|bibliography|literature cited|works cited"),
    ("acknowledgements", r"acknowledge?ments?|acknowledg\w+ .*|funding(?: .*)?|thanks"),
    (
        "disclosures",
        r"(?:author|authors)'? contributions?|(?:conflicts?|declarations?|competing|potential conflicts) (?:of )?"
        r"interests?.*|disclosures?(?: .*)?|data (?:and code )?availability(?: .*)?|ethic(?:s|al)\b.*|open access.*|"
        r"(?:neurips )?paper checklist|author (?:information|details)|credit author.*|supplementary (?:information|"
        r"materials?|data)(?: .*)?|supporting information|pre-?publication history|keywords?|key words|abbreviations?|"
        r"table of contents|contents|copyright.*|licen[cs]e",
    ),
    ("abstract", r"abstract|summary|executive summary|synopsis|graphical abstract|highlights|significance|key points"),
    ("limitations", r"(?:strengths and )?limitations?(?: .*)?|threats to validity|caveats"),
    ("conclusion", r"(?:summary and )?conclusions?(?: .*)?|concluding remarks|(?:.* and )?future (?:work|directions)|"
                   r"outlook|perspectives?"),
    ("results", r"results?(?: .*)?|findings|evaluation(?: .*)?|experiments?|experimental results|case study.*|"
                r"observations"),
    ("discussion", r"(?:general )?discussion(?: .*)?|interpretation|implications?(?: .*)?|lessons learned"),
    (
        "methods",
        r"(?:materials? (?:and|&) )?(?:methods?|methodology)(?: .*)?|(?:materials?|patients|subjects|participants) and "
        r"methods|methods? and materials?|experimental(?: (?:section|procedures?|design|setup|methods))?|study "
        r"(?:design|population)|implementation(?: .*)?|statistical (?:analysis|methods)|procedures?|star methods",
    ),
    ("data", r"data(?:sets?)?|data (?:collection|sources?)|materials?|corpus"),
    ("theory", r"theory|theoretical (?:background|framework|analysis)|preliminaries|model formulation|proofs?(?: .*)?"),
    ("background", r"background(?: .*)?|related works?|literature review|prior work|state of the art|motivation"),
    ("introduction", r"introduction(?: .*)?|overview"),
    ("appendix", r"appendi(?:x|ces)(?: .*)?|supplement(?:ary .*)?|annex(?: .*)?|online content"),
)
_KNOWN = tuple((name, re.compile(rf"(?:the )?(?:{pattern})", re.IGNORECASE)) for name, pattern in _NAMES)
_NUMBER = re.compile(
    r"^\s*[#*_\s]*(?:(?P<number>(?:\d{1,2}|[A-Z])(?:\.\d{1,2})*|[IVX]{1,5})(?:[.):]\s*|"
    r"\s+)(?=\S))?(?P<words>.*?)[*_:.\s]*$",
    re.DOTALL,
)
# Run-in headings of letters and old journals, "Methods: We …", "Abstract—In …"; a capital or number follows.
_RUN_IN = re.compile(
    r"^\W{0,3}(?P<words>Abstract|Summary|Introduction|Background|(?:Materials and )?Methods|"
    r"Results(?: and Discussion)?|"
    r"Discussion|Conclusions?|Limitations|References|Acknowledge?ments?|Funding|Key ?words)\s*(?:[.:]|"
    r"\s?[—–])\s*(?=[A-Z0-9(])",
    re.IGNORECASE,
)
# Letters number parts of the first rank only as Roman numerals: "C." heads a part of a part.
_ROMAN = re.compile(r"(?=[IVX])(?:X{0,2})(?:IX|IV|V?I{0,3})")
_LONGEST = 90
"""Largest heading, in characters."""
_SUNK: frozenset[SectionName] = frozenset({"references", "disclosures", "acknowledgements"})
"""Sections in which short lines are common, so that only a heading with a known name ends them."""

UNREAD: frozenset[SectionName] = frozenset({"title", "references", "disclosures", "acknowledgements"})
"""Sections that hold no claims of their own."""


def canonical(heading: str) -> SectionName | None:
    """Return the canonical section that a heading names, or None if it names none."""
    match = _NUMBER.match(" ".join(heading.split()))
    words = match["words"] if match else heading
    for name, pattern in _KNOWN:
        if pattern.fullmatch(words):
            return name
    return None


class Sections:
    """The sections of a text. Text before the first heading is in `other`."""

    def __init__(self, text: str) -> None:
        found: list[tuple[int, SectionName]] = [(0, "other")]
        margin = has_line_numbers(text)
        level = 1
        for block in blocks(text):
            shown = text[block.start : block.end]
            if margin:
                shown = without_margin(shown)
            named = _heading(shown, block.kind == "heading", found[-1][1], level)
            if named is not None:
                found.append((block.start, named))
                level = _level(shown)
        self._starts = [start for start, _ in found]
        self._names = [name for _, name in found]

    def at(self, offset: int) -> SectionName:
        """Return the section that holds the character at `offset`."""
        return self._names[bisect_right(self._starts, offset) - 1]

    @property
    def named(self) -> bool:
        """True if the text has any section whose name is known."""
        return any(name != "other" for name in self._names)


@lru_cache(maxsize=16)
def sections(text: str) -> Sections:
    """Return the sections of `text`, cached for the latest texts."""
    return Sections(text)


def without_label(said: str) -> str:
    """Return a sentence without the run-in heading before it."""
    return _RUN_IN.sub("", said, count=1)


def _level(heading: str) -> int:
    """Return the rank of a heading by its number, from 1; an unnumbered one has the first."""
    match = _NUMBER.match(heading)
    number = match["number"] if match else None
    return number.count(".") + 1 if number else 1


def _heading(shown: str, is_heading: bool, current: SectionName, level: int) -> SectionName | None:
    """Return the section that begins with this block, or None. `level` is the rank of the current section."""
    run_in = _RUN_IN.match(shown)
    if run_in is not None and not is_heading:
        named = canonical(run_in["words"])
        # The labels of a structured abstract are parts of the abstract.
        return None if current == "abstract" and named not in ("introduction", "disclosures", "references") else named
    if "\n" in shown.strip() or len(shown) > _LONGEST:
        return None
    named = canonical(shown)
    if named is not None:
        return named
    if not is_heading or current in _SUNK or current == "appendix":
        return None
    match = _NUMBER.match(shown)
    number = match["number"] if match else None
    if number is None or (number.isalpha() and not _ROMAN.fullmatch(number)):
        return None
    # A lower heading does not end the section that it is part of; an abstract has no parts.
    return "other" if _level(shown) <= level or current == "abstract" else None
