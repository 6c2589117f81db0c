"""Additions: numbers that a claim adds to the passage's words, and bounds that it drops."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import alike, compare_numbers
from veritas.meaning.embedded.scope import Objection
from veritas.text.quantities import Quantity
from veritas.text.quantity_relation import relation

NEARLY = 0.7
"""Least share of the claim's weight, numbers aside, in one sentence that makes a number not in it an addition."""
NEARLY_TWO = 0.85
"""Least share for the best two sentences together."""

_CALENDAR = 2629800.0
"""Seconds in a month, for a sentence and a claim that measure one time in months and in days."""
_CLOSE = 0.02
"""Most relative error of a converted or derived number: months have no fixed length, and people round."""
_TELLING = 10
"""Least bare number that is unlikely to be a sum or difference by chance."""
_NUMBERING = re.compile(r"[(\[]\s?$"), re.compile(r"\s?[)\]]")
_LIMIT = re.compile(
    r"\b(?:up to|at most|no more than|less than|fewer than|under|below|till|until|through|within|maxim\w+|limit\w*)"
    r"\b[^.;,]*$",
    re.IGNORECASE,
)
"""Words of a claim that itself speaks of a limit."""
_CENTURY = re.compile(r"\b(\d{1,2})(?:st|nd|rd|th)[- ]century\b", re.IGNORECASE)


def added(alignment: Alignment) -> Objection | None:
    """Return an objection to a number of the claim that the passage does not give, although its words are there, or
    gives only as a maximum."""
    claim, statements = alignment.claim, alignment.passage.statements
    near = [statements[i] for i in alignment.chain[:2]]
    if _worded(alignment):
        found = compare_numbers(claim, statements)
        met = found.agreed
        for quantity in claim.quantities:
            if quantity.unit == "p" or _numbering(claim, quantity):
                continue
            if quantity in met and _met(claim, quantity, statements):
                continue
            if not _derived(quantity, near) and not _written(quantity, alignment):
                return Objection("silent", _ungiven(quantity, statements))
    for quantity in claim.quantities:
        limited = _LIMIT.search(claim.text, max(0, quantity.start - 24), quantity.start)
        if limited or quantity.kind == "statistic":
            continue
        given = [q for s in near for q in s.quantities if alike(quantity, q)]
        if given and quantity.kind != "year" and quantity.bound[0] != "<" and all(q.bound[0] == "<" for q in given):
            return Objection("silent", f"the passage gives {quantity.text!r} only as the most it can be")
        exact = quantity.bound == "=" and not quantity.about and quantity.low == quantity.high
        if given and exact and all(_leaves_open(q, quantity) for q in given):
            return Objection("silent", f"the passage gives {given[0].text!r} and does not say {quantity.text!r}")
    return None


def _ungiven(quantity: Quantity, statements: Sequence[Statement]) -> str:
    """Return how a number of the claim is missing: altogether, or only of what the claim says it of."""
    values = {q.written for s in statements for q in s.quantities} | {
        _TIMES[token.text.casefold()] for s in statements for token in s.tokens if token.text.casefold() in _TIMES
    }
    if quantity.written in values:
        return f"the passage does not plainly give the number {quantity.text!r} of the same thing"
    return f"the passage does not give the number {quantity.text!r}"


_TIMES = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
"""Numbers in adverbs."""


def _leaves_open(given: Quantity, exact: Quantity) -> bool:
    """Return whether `given` is a range or a limit, and the exact number is another one within it."""
    if given.low != given.high:
        return given.low < exact.low < given.high or (given.kind == "year" and given.low <= exact.low <= given.high)
    return given.bound != "=" and abs(given.low - exact.low) > 1e-9 * abs(exact.low)


def _worded(alignment: Alignment) -> bool:
    """Return whether the claim's words, its numbers aside, stand in one sentence, or in two."""
    within = [(q.start, q.end) for q in alignment.claim.quantities]
    words = [
        (j, w) for j, (t, w) in enumerate(zip(alignment.words, alignment.weights, strict=True))
        if not t.is_number and not any(start <= t.start < end for start, end in within)
    ]
    total = sum(w for _, w in words)
    rows = [alignment.per_sentence[i] for i in alignment.chain[:2]]
    one = max(sum(row[j] * w for j, w in words) for row in alignment.per_sentence)
    two = sum(max(row[j] for row in rows) * w for j, w in words)
    return one >= NEARLY * total or two >= NEARLY_TWO * total


def _numbering(claim: Statement, quantity: Quantity) -> bool:
    """Return whether a number counts nothing, as in "(1)", "[20]" or "IL-6"."""
    text, (before, after) = claim.text, _NUMBERING
    if before.search(text, max(0, quantity.start - 2), quantity.start) and after.match(text, quantity.end):
        return True
    if text[quantity.end : quantity.end + 1] in (")", "]") and "(" not in text[: quantity.start]:
        return True  # the rest of a reference
    return text[quantity.start - 1 : quantity.start] == "-" and text[quantity.start - 2 : quantity.start - 1].isalpha()


def _met(claim: Statement, quantity: Quantity, statements: list[Statement]) -> bool:
    """Return whether the number it agrees with is about the same: "below 400 decibels" does not give "285 cases"."""
    for statement in statements:
        for other in statement.quantities:
            if not alike(quantity, other):
                continue
            if quantity.written == other.written or quantity.bound == other.bound == "=":
                return True
            if quantity.measured and quantity.unit == other.unit:
                return True
            if quantity.kind == other.kind and _counted(claim, quantity) & _counted(statement, other):
                return True
    return False


def _counted(statement: Statement, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the two content words behind a number: one of them is what it counts."""
    return frozenset([t.stem for t in statement.content if t.start >= quantity.end][:2])


def _written(quantity: Quantity, alignment: Alignment) -> bool:
    """Return whether the number stands in the passage inside a name ("CCAT2"), as a decade or as a century."""
    if quantity.measured:
        return False
    digits, texts = re.escape(quantity.text), [s.text for s in alignment.passage.statements]
    named = re.compile(rf"[^\W\d_]{digits}(?!\d)|(?<!\d){digits}[^\W\d_]")
    if any(named.search(text) for text in texts):
        return True
    if quantity.kind != "year":
        return False
    year = int(quantity.low)
    decade = alignment.claim.text[quantity.end : quantity.end + 1] == "s"
    if decade and any(year <= q.low < year + 10 for s in alignment.passage.statements for q in s.quantities):
        return True
    return decade and year % 100 == 0 and any(
        100 * int(m[1]) == year + 100 for text in texts for m in _CENTURY.finditer(text)
    )


def _derived(quantity: Quantity, near: list[Statement]) -> bool:
    """Return whether it is a number of the nearest sentences in another unit, or a sum, difference or share of two in
    one sentence."""
    for statement in near:
        given = [q for q in statement.quantities if q.kind != "statistic" and q.low == q.high]
        if any(_equal(quantity, q) for q in given):
            return True
        for i, a in enumerate(given[:12]):
            for b in given[i + 1 : 12]:
                if a.kind != b.kind or (a.unit != b.unit and a.kind != "count"):
                    continue
                kin = a.kind == quantity.kind or a.kind in ("count", "year")
                telling = quantity.measured or quantity.low >= _TELLING
                if kin and telling and quantity.written in (a.written + b.written, abs(a.written - b.written)):
                    return True
                least, most = sorted((abs(a.low), abs(b.low)))
                share = 100 * least / most if most else 0.0
                if _fraction(quantity) and abs(share - 100 * _value(quantity)) <= 0.5:
                    return True
    return False


def _fraction(quantity: Quantity) -> bool:
    return quantity.kind == "percent" or (quantity.kind == "count" and 0 < quantity.low < 1)


def _value(quantity: Quantity) -> float:
    return quantity.low / 100 if quantity.kind == "percent" else quantity.low


def _equal(a: Quantity, b: Quantity) -> bool:
    """Return whether both are the same amount: in another unit of time, length or mass, or as a share instead of a
    percentage."""
    if {a.kind, b.kind} == {"percent", "count"}:
        return abs(_value(a) - _value(b)) <= 1e-6
    if relation(a, b) in ("same", "close"):
        return True
    if {a.unit, b.unit} != {"month", "s"}:
        return False
    mine, theirs = (q.low * (_CALENDAR if q.unit == "month" else 1.0) for q in (a, b))
    return abs(mine - theirs) <= _CLOSE * max(abs(mine), abs(theirs))
