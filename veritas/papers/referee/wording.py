"""Words and dates: results that missed their level and are called significant, dates that cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from veritas.papers.referee._draft import Draft
from veritas.papers.referee.printed import SIGN, printed, sign

_MARGINAL = re.compile(
    r"\b(?:(?:marginal(?:ly)?|borderline|nearly|almost|close to) (?:statistically )?significan(?:t|ce)"
    r"|approach(?:ed|ing|es) (?:statistical |conventional )?significance"
    r"|trend(?:ed|ing)? toward(?:s)? (?:statistical )?significance)",
    re.IGNORECASE,
)
_P = re.compile(rf"\b[pP]\s?(?P<sign>{SIGN})\s?(?P<p>0?\.\d{{1,5}})")
_MONTHS = {name: i for i, name in enumerate(
    "january february march april may june july august september october november december".split(), 1)}  # fmt: skip
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MONTH = "|".join(_MONTHS)
_DAY = re.compile(
    rf"\b(?:(?P<day1>\d{{1,2}})(?:st|nd|rd|th)? (?P<month1>{_MONTH})"
    rf"|(?P<month2>{_MONTH}) (?P<day2>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]))(?:,? (?P<year>(?:19|20)\d\d))?\b",
    re.IGNORECASE,
)
_DID = (
    r"(?:(?:was|were|been) (?:\w+ )?(?:conducted|collected|recruited|enrolled|performed|obtained|carried out|measured"
    r"|sampled|interviewed|surveyed|published|approved|admitted|randomi[sz]ed)|took place)"
)
_SEASON = r"(?: (?:early|late|mid|summer|autumn|fall|winter|spring)(?: of)?)?"
_PEOPLE = r"(?:participants|patients|subjects|samples|people|adults|children|women|men)"
_DONE = re.compile(
    rf"\b{_DID}\b[^.;]{{0,60}}?\b(?:in|on|during|from|between|until|since)\b(?: the)?{_SEASON} ?(?:\d{{1,2}} )?"
    rf"(?:(?:{_MONTH}) )?(?P<year>(?:19|20|21)\d\d)\b(?![-–]\d|\s?{_PEOPLE})",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    rf"\b(?:between|from)\s(?:\d{{1,2}}\s)?(?:(?P<month1>{_MONTH})\s(?:\d{{1,2}},?\s)?)?(?P<year1>(?:19|20)\d\d)\s"
    rf"(?:and|to|until|through)\s(?:\d{{1,2}}\s)?(?:(?P<month2>{_MONTH})\s(?:\d{{1,2}},?\s)?)?"
    rf"(?P<year2>(?:19|20)\d\d)\b(?!\s?(?:%|{_PEOPLE}|°|nm|kg|mg|ms|Hz|cm|m\b))",
    re.IGNORECASE,
)


def marginal(sentence: str, at: int, level: float) -> Iterator[Draft]:
    """Yield results that are called nearly significant although their p-value stands above the level."""
    match = _MARGINAL.search(sentence)
    if match is None:
        return
    values = [(m, printed(m["p"])) for m in _P.finditer(sentence)]
    above = [(m, p) for m, p in values if p is not None and sign(m["sign"]) == "=" and p.value > level]
    if len(values) != 1 or not above:
        return
    found, p = above[0]
    yield Draft(
        "wording", "note", at + match.start(), at + match.end(), match.group(), f"not significant at {level:g}",
        f"p = {p.text} > {level:g}", "none", f"the level of significance were {p.text} or higher",
        (("p", at + found.start("p"), at + found.end("p")),),
    )  # fmt: skip


def dates(sentence: str, at: int, today: date) -> Iterator[Draft]:
    """Yield days that no month has, periods that end before they begin, and what is told as done in a year to come."""
    for match in _DAY.finditer(sentence):
        day, month = int(match["day1"] or match["day2"]), _MONTHS[(match["month1"] or match["month2"]).lower()]
        name = match["month1"] or match["month2"]
        if name.lower() in ("may", "march") and not name[0].isupper():
            continue
        length = _LENGTHS[month - 1]
        if month == 2 and match["year"] and not _leap(int(match["year"])):
            length = 28
        if day == 0 or day <= length or day > 31 + 8:
            continue
        if match["day2"] and match["year"] is None:
            continue  # "May 45 patients"
        yield _date(at, match, f"{name} has {length} days", f"{day} > {length}", "the day or the month were another")
    for match in _PERIOD.finditer(sentence):
        first = (int(match["year1"]), _MONTHS.get((match["month1"] or "").lower(), 0))
        second = (int(match["year2"]), _MONTHS.get((match["month2"] or "").lower(), 0))
        months = bool(first[1] and second[1])
        if first[0] > second[0] or (first[0] == second[0] and months and first[1] > second[1]):
            order = f"{match['year2']} comes before {match['year1']}"
            if first[0] == second[0]:
                order = f"{match['month2']} comes before {match['month1']}"
            right = "the two dates were swapped, or one of them were another"
            yield _date(at, match, "it ends before it begins", order, right)
    for match in _DONE.finditer(sentence):
        if int(match["year"]) > today.year:
            later = f"{match['year']} > {today.year}, the year in which this was read"
            yield _date(at, match, f"a year after {today.year}", later, "it were planned and not done")


def _date(at: int, match: re.Match[str], recomputed: str, calculation: str, right_if: str) -> Draft:
    start, end = at + match.start(), at + match.end()
    return Draft("date", "error", start, end, match.group(), recomputed, calculation, "none", right_if)


def _leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
