"""Dates: a claim gives another day or month of a year than the sentence that has its words."""

from __future__ import annotations

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.scope import Objection
from veritas.text.dates import dates


def another_date(claim: Statement, statement: Statement) -> Objection | None:
    """Return an objection to a date of the claim that is not in the sentence; None otherwise. `refutes` where claim and
    sentence give one date each, of the same year; `silent` where the claim only says more, or there are several."""
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
