"""Exclusion: two sentences of one thing that agree in everything but one number, unit, opposite or denial.

Anything that leaves room for both to be true rules it out: a condition, a change, an example, "some" and "may".
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._accounting import Account
from veritas.meaning._alignment import Pair, conflicting
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Difference
from veritas.text.wordlist import words

_ROOM = words(
    """
    may might could some sometimes often usually many most several few rarely occasionally certain generally typically
    normally commonly mostly partly various varying any possible possibly perhaps probably likely also other others
    another different depending either or example for-example e.g suppose imagine say assume hypothetical up-to
    """
)
"""Words that leave room for another number, or for a denial."""
_CHANGING = words(
    """
    now currently today nowadays recently lately new newly deprecated removed previously formerly earlier until once
    originally initially no-longer anymore yet still already soon upcoming older latest
    """
)
"""Words that tell that something was not always so, or will not be."""
_CASES = words("with at in on under during after before among amongst using via given from between over across")
"""Prepositions behind which a number tells the case, not the measure."""
_NO_MEASURE = frozenset({"year", "day", "p", "n"})


def excluded(found: Account) -> Difference | None:
    """Return the one difference by which two sentences of one thing cannot both be true, or None."""
    if len(found.differences) != 1 or not found.differences[0].decisive:
        return None
    only = found.differences[0]
    for pair in found.pairs:
        if _left(found, pair.first) or not _told(found.first, pair.first) or not _told(found.second, pair.second):
            continue
        if only.kind in ("number", "unit") and _measure(found, pair):
            return only
        if only.kind in ("opposite", "polarity", "comparison") and _asserted(found, pair):
            return only
    return None


def _told(read: Sequence[Word], at: int) -> bool:
    """Return whether the clause of a word asserts, always and of all."""
    clause = [w for w in read if w.clause == read[at].clause and w.kind != "name"]
    verbs = [w.verb for w in clause if w.verb is not None]
    open_ = any(v.modal == "supposed" or v.modal_text in ("may", "might", "could") for v in verbs)
    room = any(w.low in _ROOM or w.low in _CHANGING or w.cls in ("hedge", "according") for w in clause)
    return not (open_ or room) and any(finite(w) for w in read)


def _left(found: Account, at: int) -> bool:
    """Return whether the clause of a word has content words that the claim has not: its case may be another."""
    held, read = {p.first for p in found.pairs}, found.first
    for step in (-1, 1):
        k = at + step
        while 0 <= k < len(read) and read[k].clause == read[at].clause:
            if (
                read[k].kind == "mark"
                and (k + step) not in held
                and not (0 <= k + step < len(read) and read[k + step].verb)
            ):
                break  # what stands apart behind a comma
            if read[k].content and k not in held:
                return True
            k += step
    return False


def _measure(found: Account, pair: Pair) -> bool:
    """Return whether a pair are two amounts of one measure."""
    a, b = found.first[pair.first], found.second[pair.second]
    if pair.match.opposed not in ("number", "unit") or a.quantity is None or b.quantity is None:
        return False
    if a.quantity.unit in _NO_MEASURE or not conflicting(a.quantity, b.quantity) or a.down:
        return False
    happened = any(w.verb is not None and w.verb.tense == "past" for w in found.first if w.clause == a.clause)
    if happened:
        return True
    verb = False
    for word in reversed(found.first[: pair.first]):
        if word.verb is not None:
            verb = True
            break
        if word.low in _CASES:
            return False
    return verb


def _asserted(found: Account, pair: Pair) -> bool:
    """Return whether a pair are opposites, or one word and its denial, that the sentences assert."""
    a, b = found.first[pair.first], found.second[pair.second]
    denied = (a.verb is not None and a.verb.not_) != (b.verb is not None and b.verb.not_)
    if pair.match.opposed != "opposite" and not denied and not (a.degree != b.degree and a.degree and b.degree):
        return False
    before = found.first[pair.first - 1] if pair.first else None
    told = a.verb is not None or (before is not None and (before.low == "be" or before.low.endswith("ly")))
    return told and not (a.down and not denied) and a.cls != "condition"
