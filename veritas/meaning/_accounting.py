"""The account of two readings: every word of both is aligned, left out or added, and each difference has its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veritas.meaning._additions import added, of_verbs
from veritas.meaning._alignment import Matches, Pair, aligned, conflicting, leftover, moved
from veritas.meaning._function_words import FOUND
from veritas.meaning._omissions import left_out
from veritas.meaning._roles import object_heads, of_roles
from veritas.meaning._word import Word
from veritas.meaning.relation import Aligned, Difference, DifferenceKind

_PALE = frozenset({"be", "have", "do"})


@dataclass(frozen=True, slots=True)
class Account:
    """The pairs and the differences of two readings. `covered` is the share of the second's content words that are
    aligned."""

    first: tuple[Word, ...]
    second: tuple[Word, ...]
    pairs: tuple[Pair, ...]
    differences: tuple[Difference, ...]
    covered: float

    @property
    def cost(self) -> tuple[int, int]:
        """Number of differences that decide, and of all: the account with the least explains best."""
        return sum(d.decisive for d in self.differences), len(self.differences)

    def aligned(self) -> tuple[Aligned, ...]:
        """Return the aligned content words."""
        return tuple(
            Aligned(self.first[p.first].text, self.second[p.second].text, p.match.how)
            for p in self.pairs
            if p.match.how is not None and self.second[p.second].content
        )


def account(
    first: Sequence[Word], second: Sequence[Word], known: frozenset[str] = frozenset(), matches: Matches | None = None
) -> Account:
    """Return the account of a source's words and a claim's. `known` are base forms that the document is about,
    `matches` what is known of these words from other orders of them."""
    pairs = moved(first, second, aligned(first, second, matches))
    held, told = {p.first for p in pairs}, {p.second for p in pairs}
    found = [*_of_pairs(first, second, pairs)]
    swapped = _swapped(first, second)
    found += [swapped] if swapped is not None else of_roles(first, second, pairs)
    found += [
        d for j in range(len(second)) if j not in told and (d := added(first, second, j, pairs, known)) is not None
    ]
    verb_at = next((p.first for p in pairs if second[p.second].verb is not None), -1)
    verb = first[verb_at].verb if verb_at >= 0 else None
    past = (verb is not None and (verb.tense in ("past", "perfect") or not (verb.tense or verb.infinitive))) or any(
        w.verb is not None and w.verb.progressive and w.clause == first[verb_at].clause for w in first
    )  # fmt: skip
    for start, end in leftover(len(first), held):
        found += left_out(first, start, end, verb_at, past)
    if any(d.decisive and d.kind in ("role", "causality") for d in found):
        found = [d for d in found if d.kind != "order"]  # other places are what the difference is
    content = [j for j, w in enumerate(second) if w.content and not w.bases <= _PALE]
    met = sum(1 for p in pairs if p.match.how is not None and p.second in set(content))
    known_words = sum(1 for j in content if j not in told and second[j].bases & known)
    covered = (met + known_words) / len(content) if content else 0.0
    return Account(tuple(first), tuple(second), tuple(pairs), tuple(found), covered)


def _of_pairs(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    found: list[Difference] = []
    denied: list[tuple[Pair, Word, Word]] = []
    opposite: list[tuple[int, Word, Word]] = []
    for p in pairs:
        a, b = first[p.first], second[p.second]
        if p.match.opposed == "opposite":
            opposite.append((p.first, a, b))
        elif p.match.opposed is not None:
            found += _opposed(a, b, p.match.opposed)
        if a.content and b.content:
            found += of_verbs(a, b)
            if (a.verb is not None and a.verb.not_) != (b.verb is not None and b.verb.not_):
                denied.append((p, a, b))
    while denied and opposite:
        # "is not effective" is "is ineffective"
        opposite.pop()
        denied.pop()
    aligned_at = {p.second for p in pairs if p.match.how is not None}
    for p, a, b in denied:
        told = b.low not in ("be", "have", "do") or bool(set(object_heads(second, p.second)) & aligned_at)
        found.append(Difference("polarity", a.text, b.text, told))
    found += [Difference("opposite", a.text, b.text, True) for _, a, b in opposite]
    return found


def _opposed(a: Word, b: Word, how: str) -> list[Difference]:
    if how in ("number", "unit"):
        assert a.quantity is not None
        assert b.quantity is not None
        year = a.quantity.kind == "year" and b.quantity.kind == "year"
        one_number = a.quantity.written == b.quantity.written and a.quantity.factor != b.quantity.factor
        units = how == "unit" and any(c.isalpha() for c in a.text + b.text)  # "1453" and "1521" name none
        kind: DifferenceKind = "unit" if units or one_number else "period" if year else "number"
        return [Difference(kind, a.text, b.text, how == "unit" or conflicting(a.quantity, b.quantity))]
    if how == "entity":
        return [Difference("entity", a.text, b.text, True)]
    if how in ("specific", "degree"):
        return [Difference("scope" if how == "specific" else "unexplained", a.text, b.text, False)]
    both = {a.low, b.low}
    return [Difference("role" if both & {"to", "from"} else "place", a.text, b.text, True)]


def _swapped(first: Sequence[Word], second: Sequence[Word]) -> Difference | None:
    """Return the difference of two things that have changed sides of one verb or comparison."""
    ours = {w.low: i for i, w in enumerate(first) if w.content and w.verb is None}
    places = [(ours[w.low], j, w) for j, w in enumerate(second) if w.content and w.verb is None and w.low in ours]
    for i, a in enumerate(first):
        if a.verb is None or a.verb.infinitive or (a.bases & FOUND):
            continue
        for j, b in enumerate(second):
            if b.verb is None or not (a.bases & b.bases) or a.verb.passive != b.verb.passive:
                continue
            right = [w for x, y, w in places if x < i and y > j and a.clause == first[x].clause]
            left = [w for x, y, w in places if x > i and y < j and a.clause == first[x].clause]
            if right and left:
                return Difference("role", _around(first, i), _around(second, j), True)
    return None


def _around(words: Sequence[Word], at: int) -> str:
    return " ".join(w.text for w in words[max(0, at - 3) : at + 4] if w.kind != "mark")
