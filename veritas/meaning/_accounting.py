"""The account of two readings: every word of both is aligned, left out or added, and each difference has its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.meaning._additions import added
from veritas.meaning._alignment import Matches, Pair, aligned, conflicting, leftover, match, moved
from veritas.meaning._attachment import of_one_place, of_other_verbs, of_some
from veritas.meaning._function_words import CAUSES, FOUND, LINKS, QUANTITY_ORDER
from veritas.meaning._impersonal import MODALITIES
from veritas.meaning._listings import member, of_lists
from veritas.meaning._omissions import left_out
from veritas.meaning._rearrangement import clause_start
from veritas.meaning._relations import of_one_relation
from veritas.meaning._roles import object_heads, of_neighbours, of_partners, of_roles
from veritas.meaning._verb_differences import of_verbs
from veritas.meaning._vocabulary import denies, names_what
from veritas.meaning._word import Word, finite
from veritas.meaning.relation import Aligned, Difference, DifferenceKind

_SOME = frozenset({"some", "several"})


_COMPLEMENTS = tuple(
    frozenset(pair.split("-"))
    for pair in (
        "open-closed open-close open-shut present-absent allow-forbid permit-forbid allow-prohibit permit-prohibit"
        " legal-illegal succeed-fail survive-die alive-dead true-false locked-unlocked possible-impossible on-off"
        " pass-fail include-exclude"
    ).split()
)
"""Opposites of which one is so if the other is not."""
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
    found += [*of_neighbours(first, second, pairs), *of_partners(first, second, pairs)]
    found += [
        d for j in range(len(second)) if j not in told and (d := added(first, second, j, pairs, known)) is not None
    ]
    verb_at = next((p.first for p in pairs if second[p.second].verb is not None), -1)
    verb = first[verb_at].verb if verb_at >= 0 else None
    past = (verb is not None and (verb.tense in ("past", "perfect") or not (verb.tense or verb.infinitive))) or any(
        w.verb is not None and w.verb.progressive and w.clause == first[verb_at].clause for w in first
    )  # fmt: skip
    somebody = verb_at >= 0 and any(w.low == "<somebody>" for w in second)
    for start, end in leftover(len(first), held):
        if somebody and end == verb_at and not any(w.cls == "quantifier" or w.down for w in first[start:end]):
            end = max(start, clause_start(first, verb_at))  # whoever it was
        if not member(tuple(first), start, end):
            found += left_out(first, start, end, verb_at, past)
        found += of_lists(first, start, end, verb_at, held)
    if len(found) < 2:  # more say enough
        found += _of_two_verbs(first, second, pairs) or of_other_verbs(first, second, pairs)
        found += of_some(first, second, pairs)
    if any(w.low in _SOME for w in second):  # "17 of the 20 wells" are some of them
        found = [d for d in found if d.kind != "quantifier" or d.second or d.first.casefold() in QUANTITY_ORDER]
    if any(d.decisive and d.kind in ("role", "causality") for d in found):
        found = [d for d in found if d.kind != "order"]  # other places are what the difference is
    content = [j for j, w in enumerate(second) if w.content and not w.bases <= _PALE]
    met = sum(1 for p in pairs if p.match.how is not None and p.second in set(content))
    known_words = sum(1 for j in content if j not in told and second[j].bases & known)
    covered = (met + known_words) / len(content) if content else 0.0
    return Account(tuple(first), tuple(second), tuple(pairs), tuple(found), covered)


def joined(accounts: Sequence[Account]) -> Account:
    """Return the account of a claim taken apart, from those of its statements, of which none has a difference."""
    first: tuple[Word, ...] = ()
    second: tuple[Word, ...] = ()
    pairs: list[Pair] = []
    for each in accounts:
        pairs += [Pair(p.first + len(first), p.second + len(second), p.match) for p in each.pairs]
        first, second = (*first, *each.first), (*second, *each.second)
    return Account(first, second, tuple(pairs), (), 1.0)


def _of_two_verbs(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    """Return the difference of a claim that gives the verb of a relative clause what stands behind the main verb: "the
    minister, who had promised reform, resigned after the vote"."""
    held = {p.first: p.second for p in pairs}
    for at in range(3, len(first) - 1):
        if at in held or not finite(first[at]) or first[at].low == "be":
            continue
        inner = next((k for k in range(at - 1, 0, -1) if finite(first[k])), 0)
        marked = any(w.low == "," for w in first[inner:at])
        if inner not in held or not marked or not any(w.cls == "relative" for w in first[:inner]):
            continue
        end = next((k for k in range(at + 1, len(first)) if finite(first[k]) or first[k].kind == "mark"), len(first))
        behind = [held[k] for k in range(at + 1, end) if k in held and first[k].content]
        if behind and not any(finite(w) for w in second[held[inner] + 1 : behind[0] + 1]):
            return [Difference("role", first[at].text, second[behind[0]].text, False)]
    return []


@lru_cache(maxsize=256)
def _like(first: tuple[Word, ...], second: tuple[Word, ...]) -> tuple[frozenset[str], ...]:
    """Return for each of the second's content words the words of the first that it is like."""
    content = [w for w in second if w.content and not w.bases <= _PALE and w.bases.isdisjoint(MODALITIES)]
    held = [w for w in first if w.content]
    return tuple(
        frozenset(
            w.low for w in held
            if (w.quantity is word.quantity is None and not w.bases.isdisjoint(word.bases)) or _kin(w, word)
        ) for word in content
    )  # fmt: skip


def like(first: tuple[Word, ...], second: tuple[Word, ...], of: Sequence[Word] | None = None) -> float:
    """Return the share of the second's content words that any word of the first is like. With `of`, of a part of the
    first."""
    found = _like(first, second)
    if not found:
        return 0.0
    if of is None:
        return sum(map(bool, found)) / len(found)
    held = {w.low for w in of if w.content}
    return sum(not held.isdisjoint(each) for each in found) / len(found)


@lru_cache(maxsize=1 << 14)
def _kin(a: Word, b: Word) -> bool:
    return match(a, b) is not None or names_what(a.low, b.low) or names_what(b.low, a.low) or of_one_relation(a, b)


def _of_pairs(first: Sequence[Word], second: Sequence[Word], pairs: Sequence[Pair]) -> list[Difference]:
    found: list[Difference] = []
    denied: list[tuple[Pair, Word, Word]] = []
    opposite: list[tuple[int, Word, Word]] = []
    for p in pairs:
        a, b = first[p.first], second[p.second]
        if p.match.opposed == "degree" and of_one_place(first, second, p, pairs):
            continue
        if p.match.opposed == "opposite":
            opposite.append((p.first, a, b))
        elif p.match.opposed is not None:
            found += _opposed(a, b, p.match.opposed)
        elif p.match.how == "narrower" and a.down and b.down:
            found.append(Difference("scope", a.text, b.text, False))
        if a.content and b.content:
            found += of_verbs(a, b)
            if a.degree != b.degree:
                found += _degrees(a, b)
            if (a.verb is not None and a.verb.not_) != (b.verb is not None and b.verb.not_):
                denied.append((p, a, b))
            if p.match.how in ("synonym", "derived", "narrower") and a.bases & LINKS and b.bases & CAUSES:
                found.append(Difference("causality", a.text, b.text, True))
    while denied and opposite:
        # "is not effective" is "is ineffective"; "is not hot" may be "is cold".
        _, one, other = opposite.pop()
        pair, _, said = denied.pop()
        if _denied_opposite(first, second, pair, one, other, said):
            continue  # who refused did not accept
        if not (denies(one.low, other.low) or denies(other.low, one.low)):
            found.append(Difference("opposite", one.text, other.text, False))
    aligned_at = {p.second for p in pairs if p.match.how is not None}
    for p, a, b in denied:
        told = b.low not in ("be", "have", "do") or bool(set(object_heads(second, p.second)) & aligned_at)
        found.append(Difference("polarity", a.text, b.text, told))
    found += [Difference("opposite", a.text, b.text, True) for _, a, b in opposite]
    return found


def _denied_opposite(
    first: Sequence[Word], second: Sequence[Word], denied: Pair, one: Word, other: Word, said: Word
) -> bool:
    """Return whether the claim denies the opposite of what the source says, "did not accept" of "refused", or whether
    one of the two must be: "not closed" is "open"."""
    own = second[denied.second] is other
    be = said.low == "be" and other in second[denied.second + 1 : denied.second + 3] and (
        one in first[denied.first + 1 : denied.first + 3]
    )  # fmt: skip
    if not (own or be):
        return False
    claim_denies = said.verb is not None and said.verb.not_ and not said.verb.modal
    return claim_denies or any(
        one.bases & pair and other.bases & pair and one.bases.isdisjoint(other.bases) for pair in _COMPLEMENTS
    )


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
    if how == "specific":
        return [] if a.down and b.down else [Difference("scope", a.text, b.text, False)]
    if how == "degree":
        return _same_class(a, b)
    return [Difference(_kind_of(a, b), a.text, b.text, True)]


def _kind_of(a: Word, b: Word) -> DifferenceKind:
    both = {a.low, b.low}
    if "quantifier" in (a.cls, b.cls):
        return "comparison" if both & {"more", "less", "fewer"} else "quantifier"
    if both & {"before", "after", "until", "since"}:
        return "order"
    if both & {"if", "unless"}:
        return "condition"
    if both & {"with", "without"}:
        return "polarity"
    if both & {"including", "except", "excluding"}:
        return "exception"
    if both & {"despite", "because", "because-of", "although"}:
        return "causality"
    return "role" if both & {"to", "from"} else "place"


def _same_class(a: Word, b: Word) -> list[Difference]:
    if a.cls == "quantifier":
        mine, theirs = QUANTITY_ORDER.get(a.low, 0), QUANTITY_ORDER.get(b.low, 0)
        if mine == theirs or (mine > theirs >= 3):
            return [Difference("quantifier", a.text, b.text, False)] if not mine or a.down else []
        return [Difference("quantifier", a.text, b.text, True)]
    if a.cls in ("condition", "time"):
        return [Difference("condition", a.text, b.text, False)]
    if a.cls == "change":
        return [Difference("tense", a.text, b.text, True)]
    if a.cls == "pronoun":
        return [Difference("unexplained", a.text, b.text, False)]
    if a.cls == "possessive" and "'s" in (a.low, b.low):
        return []
    if a.cls == "hedge":
        return [Difference("modality", a.text, b.text, False)]
    return [Difference("unexplained", a.text, b.text, False)]


def _degrees(a: Word, b: Word) -> list[Difference]:
    if {a.degree, b.degree} in ({"more", "less"}, {"most", "least"}):
        return [Difference("comparison", a.text, b.text, True)]
    return [Difference("comparison", a.text, b.text, bool(b.degree))]


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
