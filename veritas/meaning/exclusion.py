"""Exclusion: two sentences of one thing that agree in everything but one number, unit, opposite or denial.

Anything that leaves room for both to be true rules it out: a condition, a change, an example, "some" and "may".
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning.accounting import Account
from veritas.meaning.alignment import Pair, conflicting
from veritas.meaning.reading import Word
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
_CASES = words("with at in on under during after before among amongst using via given from between over across per of")
"""Prepositions behind which a number tells the case, not the measure."""
_NO_MEASURE = frozenset({"year", "day", "p", "n"})


def excluded(found: Account) -> Difference | None:
    """Return the one difference by which two sentences of one thing cannot both be true, or None."""
    if len(found.differences) != 1 or found.covered < 0.8 or not _plain(found.first) or not _plain(found.second):
        return None
    only = found.differences[0]
    if not only.decisive or not only.first or not only.second or _left(found):
        return None
    if only.kind in ("number", "unit"):
        return only if any(_measure(found, pair) for pair in found.pairs) else None
    if only.kind in ("opposite", "polarity", "comparison"):
        return only if any(_asserted(found, pair) for pair in found.pairs) else None
    return None


def _plain(read: Sequence[Word]) -> bool:
    """Return whether a sentence asserts, always and of all."""
    return not any(
        w.low in _ROOM or w.low in _CHANGING or w.cls in ("condition", "hedge", "according", "only")
        or (w.verb is not None and w.verb.modal in ("possible", "supposed"))
        for w in read
    ) and any(w.verb is not None and not w.verb.infinitive for w in read)  # fmt: skip


def _left(found: Account) -> bool:
    """Return whether the source has content words that the claim has not: its case may be another."""
    held = {p.first for p in found.pairs}
    return any(w.content and i not in held for i, w in enumerate(found.first))


def _measure(found: Account, pair: Pair) -> bool:
    """Return whether a pair are two amounts of one measure."""
    a, b = found.first[pair.first], found.second[pair.second]
    if pair.match.opposed not in ("number", "unit") or a.quantity is None or b.quantity is None:
        return False
    if a.quantity.unit in _NO_MEASURE or not conflicting(a.quantity, b.quantity) or a.down:
        return False
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
