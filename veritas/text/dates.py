"""Dates: days and months of a year, in digits and in words."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

MONTHS = tuple("january february march april may june july august september october november december".split())
"""The names of the months, in order."""
MONTH_WORDS = frozenset((*MONTHS, *(name[:3] for name in MONTHS), "sept"))
"""Their names and short forms."""
_NUMBER = {name[:3]: number for number, name in enumerate(MONTHS, 1)}
MONTH = (
    r"(?:jan(?:uary|\.)?|feb(?:ruary|\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?|july?|aug(?:ust|\.)?|sept?(?:ember|\.)?"
    r"|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
"""A month's name or its short form, for a pattern that ignores case."""
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1\d{3}|20\d{2})"
_ANY = re.compile(r"(?i)\d{4}-\d\d-\d\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[^\d]{0,9}\d")
_FORMS = (
    re.compile(rf"(?i)(?<!\w)(?:{_DAY}\s(?:of\s)?)?(?P<month>{MONTH}),?\s{_YEAR}(?!\w)"),
    re.compile(rf"(?i)(?<!\w)(?P<month>{MONTH})\s{_DAY},?\s{_YEAR}(?!\w)"),
    re.compile(rf"(?<![\w-]){_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?![\w-])"),
)
_NAMED = rf"(?=[A-Z])(?i:{MONTH})"  # "5 may be" is no date
_OF_MONTH = r"[0-3]?\d(?:st|nd|rd|th)?"
_DAY_OF_MONTH = re.compile(rf"(?<!\w)(?:{_OF_MONTH}\s(?:of\s)?{_NAMED}|{_NAMED}\s{_OF_MONTH})(?!\w)")


class Date(NamedTuple):
    """A date in the text, at `text[start:end]`; `day` is 0 if only the month is given."""

    year: int
    month: int
    day: int
    text: str
    start: int
    end: int

    @property
    def ordinal(self) -> int:
        """Number of the day, counted from 0001-01-01; 0 for a month, or a day that no calendar has."""
        try:
            return datetime.date(self.year, self.month, self.day).toordinal() if self.day else 0
        except ValueError:
            return 0

    def agrees(self, other: Date) -> bool:
        """Return whether both can be one date: the same month of a year, and the same day if both give one."""
        same = (self.year, self.month) == (other.year, other.month)
        return same and (not self.day or not other.day or self.day == other.day)

    def says_more(self, other: Date) -> bool:
        """Return whether this gives a day and the other only a month."""
        return bool(self.day) and not other.day


def dates(text: str) -> list[Date]:
    """Return the dates with a month in a text, in order."""
    found: dict[int, Date] = {}
    for form in _FORMS if _ANY.search(text) else ():
        for match in form.finditer(text):
            month = match["month"]
            number = int(month) if month.isdecimal() else _NUMBER[month[:3].lower()]
            date = Date(int(match["year"]), number, int(match["day"] or 0), match[0], *match.span())
            known = found.get(match.end())
            if 1 <= number <= 12 and (known is None or date.says_more(known)):
                found[match.end()] = date
    return [found[end] for end in sorted(found)]


def days_of_months(text: str) -> list[tuple[int, int]]:
    """Return the offsets of days of a month without a year ("11 July"), which are labels and no quantities."""
    return [match.span() for match in _DAY_OF_MONTH.finditer(text)]
