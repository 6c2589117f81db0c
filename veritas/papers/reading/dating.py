"""Find the year of a paper in its own front: dates of its publication, its copyright, its venue."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from veritas.documents.paper_parts import Section

WITHIN = 6000
"""Characters from the beginning within which a paper gives its dates of receipt or publication."""
FRONT = 1500
"""Characters within which the lines of a title page stand."""
LONGEST = 160
"""Most characters of a line that gives a date or the paper's venue."""

_YEAR = r"(?<!\d)(?P<year>(?:18|19|20)\d\d)(?!\d)"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATE = rf"(?:(?:{_MONTH}|\d{{1,2}}(?:st|nd|rd|th)?|of|[,./-])[ \t]*){{0,8}}{_YEAR}"
_OF = (
    r"(?:received|revised|accepted|published|submitted|posted|available online|first (?:published|online)|date[ds]?"
    r"|issued|(?:this |draft |final )?version(?: of)?|draft(?: of)?|last (?:revised|updated))"
    r"(?:[ \t](?:in (?:revised|final) form|online|on|in|for publication))?(?:[ \t]*[:—–-])?[ \t]*"
)
_SAID = re.compile(rf"(?<![\w,][ \t])\b(?=[A-Z])(?i:{_OF}){_DATE}")
_FURTHER = re.compile(rf"\b(?i:{_OF}){_DATE}")
_COPYRIGHT = re.compile(
    r"(?:©[^\d\n]{0,60}|\bCopyright(?:[ \t]*\([cC]\))?[ \t:]*|\([cC]\)[ \t])(?:\d{4}[ \t]?[,–-][ \t]?)?" + _YEAR
)
_ALONE = re.compile(rf"\(?(?:[^\W\d][^\d\n,]{{0,30}},[ \t]*)?{_DATE}(?:[./-]\d{{1,2}}){{0,2}}\)?\.?")
_VENUE = re.compile(
    r"\b(?:Proceedings|Proc\.|Conference|Symposium|Workshop|Congress|Journal|Transactions|Annals|Archives|Letters|Reviews?"
    r"|Bulletin|Vol(?:ume|\.)|Issue|[Pp]reprint|[Ww]orking [Pp]aper|[Tt]echnical [Rr]eport|[Tt]hesis|Under review)\b"
    r"|\b(?!(?:ISO|IEC|RFC|DIN|EN|IEEE|ANSI|NIST)\b)[A-Z][a-z]*[A-Z][A-Za-z]*[ \t]?(?:18|19|20)\d\d\b"
    r"|\b\d{1,3}[ \t]?\((?:18|19|20)\d\d\)"
)
_OF_VENUE = re.compile(rf"(?<!No\. )(?<!no\. )(?<!Nr\. )(?<!# )(?<!#)(?<!of )(?<!ISO )(?<!RFC ){_YEAR}")
"""A year, and not a number of the series or the subject of a journal."""


def printed_year(text: str, sections: Sequence[Section], title: str) -> int | None:
    """Return the latest year that the front of a paper gives for itself, or None.

    A year in its title, its prose, a citation or its references does not count.
    """
    listed = next((s.place.start for s in sections if s.name == "references"), WITHIN)
    latest = datetime.now(UTC).year + 1
    years = [year for year in _years(text[: min(listed, WITHIN)], sections, title) if year <= latest]
    return max(years, default=None)


def _years(front: str, sections: Sequence[Section], title: str) -> Iterator[int]:
    for said in _SAID.finditer(front):
        yield int(said["year"])
        rest = front[said.end() : said.end() + 200].partition("\n")[0]
        yield from (int(further["year"]) for further in _FURTHER.finditer(rest))
    yield from (int(each["year"]) for each in _COPYRIGHT.finditer(front))
    end = sections[0].place.end if sections and sections[0].name == "title" else FRONT // 2
    for line in front[: min(end, FRONT)].splitlines():
        bare = line.strip("#*_> \t")
        if not bare or len(bare) > LONGEST or bare in title or title in bare:
            continue
        alone = _ALONE.fullmatch(bare)
        if alone:
            yield int(alone["year"])
        elif _VENUE.search(bare):
            yield from (int(year["year"]) for year in _OF_VENUE.finditer(bare))
