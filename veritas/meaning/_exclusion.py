"""Exclusion: two sentences of one thing that agree in everything but one number, unit, opposite or denial.

Everything else in the second follows from the first, so the first also says the second with its own number or word.
Both cannot be true if there is room for one value only: in a clause that asserts, of a measure, and not of a case.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from veritas.meaning._accounting import Account
from veritas.meaning._alignment import Pair
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
_OTHERS = words("another any other others different or either")
_NONE = words("no nobody nothing none neither nowhere")
_CHANGING = words(
    """
    now currently today nowadays recently lately newly deprecated removed previously formerly earlier until once
    originally initially no-longer anymore yet still already soon upcoming
    """
)
"""Words that tell that something was not always so, or will not be."""


def excluded(found: Account, known: bool = True) -> Difference | None:
    """Return the one difference by which two sentences cannot both be true, or None.

    `known`: both are known to speak of the same thing, as two sentences of one text are.
    """
    if len(found.differences) != 1:
        return None
    only = found.differences[0]
    for pair in found.pairs:
        if _opposed(found, pair, only) and _open_to_one(found, pair):
            return replace(only, decisive=True)
    return None


def _opposed(found: Account, pair: Pair, only: Difference) -> bool:
    """Return whether the difference is that of a pair, and one of two values that exclude each other."""
    a, b = found.first[pair.first], found.second[pair.second]
    if (only.first, only.second) != (a.text, b.text):
        return False
    if only.kind in ("number", "unit"):
        return pair.match.opposed in ("number", "unit")
    if only.kind == "polarity" and a.verb is not None and b.verb is not None:
        return True
    return only.kind in ("opposite", "comparison")


def _open_to_one(found: Account, pair: Pair) -> bool:
    return _asserts(found.first, pair.first) and _asserts(found.second, pair.second)


def _asserts(read: Sequence[Word], at: int) -> bool:
    """Return whether the clause of a word asserts, always and of all."""
    clause = [w for w in read if w.clause == read[at].clause and w.kind != "mark"]
    verbs = [w.verb for w in clause if w.verb is not None]
    if any(v.modal == "supposed" or v.modal_text in ("may", "might", "could") for v in verbs):
        return False
    denied = read[at].verb is not None  # "not to another firm" leaves no room, "usually not" does
    others = [
        w for w in clause
        if w.kind != "name" and w is not read[at] and not (denied and w.low in _OTHERS)
        and not (w.low == "also" and read[at].quantity is None)
    ]  # fmt: skip
    room = any(
        (w.low in _ROOM and w.text.casefold() not in _NONE) or w.low in _CHANGING or w.cls == "hedge" for w in others
    )
    return not room and any(finite(w) for w in read)
