"""Dates: a day or month of a year that the claim gives otherwise than the sentence that has its words."""

from __future__ import annotations

import re
from typing import NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.scope import Objection

_MONTHS = "january february march april may june july august september october november december".split()
_NUMBER = {name[:3]: number for number, name in enumerate(_MONTHS, 1)}
_MONTH = r"(?P<month>Jan(?:uary|\.)?|Feb(?:ruary|\.)?|Mar(?:ch|\.)?|Apr(?:il|\.)?|May|June?|July?|Aug(?:ust|\.)?|" \
    r"Sept?(?:ember|\.)?|Oct(?:ober|\.)?|Nov(?:ember|\.)?|Dec(?:ember|\.)?)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>1\d{3}|20\d{2})"
_FORMS = (
    re.compile(rf"(?<!\w)(?:{_DAY} (?:of )?)?{_MONTH},? {_YEAR}(?!\w)"),
    re.compile(rf"(?<!\w){_MONTH} {_DAY},? {_YEAR}(?!\w)"),
    re.compile(rf"(?<![\w-]){_YEAR}-(?P<month>[01]\d)-(?P<day>[0-3]\d)(?![\w-])"),
)


class Date(NamedTuple):
    """A date in words of the text; `day` is 0 where only the month is given."""

    year: int
    month: int
    day: int
    text: str

    def agrees(self, other: Date) -> bool:
        """Whether both can be one date: the same month of a year, and the same day where both give one."""
        same = (self.year, self.month) == (other.year, other.month)
        return same and (not self.day or not other.day or self.day == other.day)

    def says_more(self, other: Date) -> bool:
        """Whether it gives the day of a month that the other names alone."""
        return bool(self.day) and not other.day


def dates(text: str) -> list[Date]:
    """The dates with a month in a text, in order."""
    found: dict[int, Date] = {}
    for form in _FORMS:
        for match in form.finditer(text):
            month = match["month"]
            number = int(month) if month.isdigit() else _NUMBER[month[:3].lower()]
            date = Date(int(match["year"]), number, int(match["day"] or 0), match[0])
            known = found.get(match.end())
            if 1 <= number <= 12 and (known is None or date.says_more(known)):
                found[match.end()] = date
    return [found[end] for end in sorted(found)]


def another_date(claim: Statement, statement: Statement) -> Objection | None:
    """A date of the claim that is none of the sentence's: `refutes` where it gives one date of the same year and the
    claim does too, `silent` where the claim only says more, or there are several."""
    theirs = dates(statement.text)
    ours = dates(claim.text)
    for date in ours if theirs else ():
        agreeing = [other for other in theirs if date.agrees(other)]
        if any(not date.says_more(other) for other in agreeing):
            continue
        one = theirs[0]
        why = f"the passage says {one.text!r} where the claim says {date.text!r}"
        plain = not agreeing and len(theirs) == len(ours) == 1 and one.year == date.year
        return Objection("refutes" if plain else "silent", why)
    return None
