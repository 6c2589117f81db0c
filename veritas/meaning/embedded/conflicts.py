"""Conflicts between a sentence and a claim: in numbers, negation, direction or opposite words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from veritas.meaning.embedded.claim_evidence import Statement, weight
from veritas.text import lexicon
from veritas.text.quantities import Quantity
from veritas.text.quantity_relation import relation
from veritas.text.tokens import Token

ConflictKind = Literal["number", "negation", "direction", "antonym", "word", "order", "place"]


_BREAK = frozenset(",;:()[]")


class Conflict(NamedTuple):
    """A difference, with the words that show it."""

    kind: ConflictKind
    in_claim: str
    in_passage: str

    @property
    def rationale(self) -> str:
        """The difference in one clause, for a person."""
        if self.kind == "negation":
            negated, plain = ("passage", "claim") if self.in_passage else ("claim", "passage")
            return f"the {negated} negates ({(self.in_passage or self.in_claim)!r}) what the {plain} affirms"
        if self.kind == "order":
            return f"the passage has it the other way round ({self.in_passage!r}, not {self.in_claim!r})"
        if self.kind == "place":
            return f"the passage says {self.in_passage!r} there, and {self.in_claim!r} in another place"
        return instead(self.in_passage, self.in_claim)


def instead(in_passage: str, in_claim: str) -> str:
    """Return the words of passage and claim that stand in one place; of equal ones what is around them differs."""
    if in_passage.casefold() == in_claim.casefold():
        return f"the passage says {in_passage!r} with another bound, or of something else, than the claim does"
    return f"the passage says {in_passage!r} where the claim says {in_claim!r}"


class Numbers(NamedTuple):
    """The claim's quantities, sorted by how the sentences looked at meet them."""

    agreed: tuple[Quantity, ...]
    conflicting: tuple[Conflict, ...]
    missing: tuple[Quantity, ...]


def compare_numbers(claim: Statement, aligned: Sequence[Statement]) -> Numbers:
    """Return each quantity of the claim but p values as met, contradicted by one of its unit in a like place, or
    missing."""
    agreed: list[Quantity] = []
    conflicting: list[Conflict] = []
    missing: list[Quantity] = []
    for quantity in claim.quantities:
        if quantity.unit == "p":
            continue
        if any(alike(quantity, q) for s in aligned for q in s.quantities):
            agreed.append(quantity)
            continue
        rival = _rival(claim, quantity, aligned)
        if rival is None:
            missing.append(quantity)
        else:
            conflicting.append(Conflict("number", quantity.text, rival.text))
    return Numbers(tuple(agreed), tuple(conflicting), tuple(missing))


def alike(a: Quantity, b: Quantity) -> bool:
    """Return whether either can stand for the other in a sentence. Where one names no unit, or they count things by
    other names, the numbers decide: the words around them are compared as words."""
    told = relation(a, b)
    if told == "unclear" and (a.kind == "count" or b.kind == "count") and not (a.unit and b.unit and a.kind != b.kind):
        told = relation(_bare(a), _bare(b))
    return told in ("same", "close")


def _bare(quantity: Quantity) -> Quantity:
    q, one = quantity, quantity.factor
    return replace(q, unit="", low=q.low / one, high=q.high / one, step=q.step / one, spread=q.spread / one, factor=1.0)


def _rival(claim: Statement, quantity: Quantity, aligned: Sequence[Statement]) -> Quantity | None:
    """Return the quantity that contradicts the claim's and has the most similar words around it, if any. A day of a
    year is compared as a date, not here."""
    mine = _around(claim, quantity)
    best: tuple[float, Quantity] | None = None
    for statement in aligned:
        for other in statement.quantities:
            if relation(quantity, other) != "different" or quantity.unit == other.unit == "day":
                continue
            if any(alike(other, q) for q in claim.quantities):
                continue
            shared = sum(weight(s) for s in mine & _around(statement, other))
            if best is None or shared > best[0]:
                best = (shared, other)
    need = 3.0 if quantity.kind in ("percent", "measure") else 5.0
    return best[1] if best is not None and best[0] >= need else None


def _around(statement: Statement, quantity: Quantity) -> frozenset[str]:
    near = [
        t.stem for t in statement.content
        if not t.is_number and t.end > quantity.start - 60 and t.start < quantity.end + 60
    ]
    return frozenset(near)


def matched_span(claim: Statement, statement: Statement) -> tuple[int, int]:
    """Return the places of the first and last word of `statement` that are also in the claim, widened by three; all if
    fewer than two are."""
    wanted = {t.stem for t in claim.content}
    places = [i for i, s in enumerate(statement.stems) if s in wanted]
    if len(places) < 2:
        return 0, len(statement.stems) - 1
    return max(0, places[0] - 3), min(len(statement.stems) - 1, places[-1] + 3)


def negates(statement: Statement, at: int, other: Statement) -> bool:
    """Return whether the negation at word `at` denies something the other speaks of. It does if one of the two content
    words after it (if any follow in its clause) is also there, and its clause holds at least half of the words the two
    share."""
    start, end = clause(statement, at)
    theirs = other.vocabulary
    after = [t.stem for t in statement.tokens[at + 1 : end] if t.stem not in lexicon.STOP][:2]
    if after and not any(s in theirs or not lexicon.SYNONYMS.get(s, frozenset()).isdisjoint(theirs) for s in after):
        return False
    shared = [i for i, t in enumerate(statement.tokens) if t.stem not in lexicon.STOP and t.stem in theirs]
    return 2 * sum(start <= i < end for i in shared) >= len(shared)


def deny_apart(claim: Statement, statement: Statement) -> bool:
    """Return whether claim and sentence both deny something, and neither what the other speaks of: "does not corrode",
    "does not close"."""
    first, last = matched_span(claim, statement)
    theirs = [i for i in statement.negations if first <= i <= last]
    if not theirs or not claim.negations:
        return False
    return not any(negates(statement, i, claim) for i in theirs) and not any(
        negates(claim, i, statement) for i in claim.negations
    )


def clause(statement: Statement, at: int) -> tuple[int, int]:
    """Return `[start, end)` of the words around `at` up to the next comma, semicolon, colon or bracket on either
    side."""
    words, text = statement.tokens, statement.text
    start, end = at, at + 1
    while start > 0 and not _BREAK.intersection(text[words[start - 1].end : words[start].start]):
        start -= 1
    while end < len(words) and not _BREAK.intersection(text[words[end - 1].end : words[end].start]):
        end += 1
    return start, end


def polarity_conflicts(claim: Statement, statement: Statement) -> list[Conflict]:
    """Return the conflicts between the claim and its best sentence: negation on one side only, opposite direction or
    words."""
    first, last = matched_span(claim, statement)
    found: list[Conflict] = []
    negated = [i for i in statement.negations if first <= i <= last and negates(statement, i, claim)]
    ours = [i for i in claim.negations if negates(claim, i, statement)] or claim.negations
    if deny_apart(claim, statement):
        ours = negated
    if len(negated) % 2 != len(ours) % 2:
        side = statement if negated else claim
        at = negated[0] if negated else ours[0]
        words = " ".join(t.text for t in side.tokens[max(0, at - 1) : at + 3])
        found.append(Conflict("negation", "" if negated else words, words if negated else ""))
    bounding, skipped = statement.bounding, claim.bounding
    there = frozenset(statement.stems[first : last + 1])
    if bounding:
        there = frozenset(s for i, s in enumerate(statement.stems) if first <= i <= last and i not in bounding)
    mine = frozenset(claim.stems)
    for i, token in enumerate(claim.tokens):
        if token.stem in there or i in skipped:
            continue
        opposite = lexicon.ANTONYMS.get(token.stem, frozenset()) & there - mine
        synonyms = lexicon.SYNONYMS.get(token.stem, frozenset())
        if opposite and not synonyms & there:
            stemmed = min(opposite)
            word = next(t.text for t in statement.tokens[first:] if t.stem == stemmed)
            kind: ConflictKind = "direction" if token.stem in lexicon.UP | lexicon.DOWN else "antonym"
            found.append(Conflict(kind, token.text, word))
            continue
        for same, theirs in ((lexicon.UP, lexicon.DOWN), (lexicon.DOWN, lexicon.UP)):
            if token.stem in same and not same & there and theirs & there - mine:
                stemmed = min(theirs & there - mine)
                word = next(t.text for t in statement.tokens[first:] if t.stem == stemmed)
                found.append(Conflict("direction", token.text, word))
                break
    return found


def reversed_roles(claim: Statement, statement: Statement) -> Conflict | None:
    """Return a conflict if the sentence has the claim's two sides exchanged: "A inhibits B" for "B inhibits A", "X than
    Y" for "Y than X". A "by" after the relating word exchanges the sides again."""
    for word in sorted(set(claim.stems) & set(statement.stems) & lexicon.RELATING):
        mine, theirs = _sides(claim, word), _sides(statement, word)
        if mine is None or theirs is None:
            continue
        left, right = mine[0] - mine[1], mine[1] - mine[0]
        if left & theirs[1] and right & theirs[0] and not left & theirs[0]:
            return Conflict("order", _near(claim, word), _near(statement, word))
    return None


def _sides(statement: Statement, word: str) -> tuple[set[str], set[str]] | None:
    """Return the content words before `word` and the first three after it; agent first where "by" makes it passive.
    None if the word stands twice, or is passive without an agent. The words of comparison before "than" are on no
    side."""
    if statement.stems.count(word) != 1:
        return None
    at = statement.stems.index(word)
    before, after = statement.tokens[:at], statement.tokens[at + 1 :]
    if word == "than":
        before = before[: -min(3, len(before) - 1)] if len(before) > 1 else before
    left = {t.lower for t in before if _sided(t)}
    right = {t.lower for t in [t for t in after if _sided(t)][:3]}
    if any(t.lower == "by" for t in after[:2]):
        return right, left
    if word != "than" and "be" in statement.stems[max(0, at - 2) : at]:
        return None
    return left, right


def _sided(token: Token) -> bool:
    return token.stem not in lexicon.STOP or (len(token.text) == 1 and token.text.isupper())


def _near(statement: Statement, word: str) -> str:
    at = statement.stems.index(word)
    return " ".join(t.text for t in statement.tokens[max(0, at - 3) : at + 4])


REACH = 5
"""Most words between a word of direction and its object."""


def local_directions(claim: Statement, statement: Statement) -> tuple[int, int]:
    """Return (same, opposite): for how many words of direction in the claim the one nearest to the same object in the
    sentence points the same way, and for how many the opposite way. The object is one of the three content words that
    follow (or the one before)."""
    same = opposite = 0
    places: dict[str, list[int]] = {}
    for i, s in enumerate(statement.stems):
        places.setdefault(s, []).append(i)
    directed = lexicon.UP | lexicon.DOWN
    signs = [(i, 1 if s in lexicon.UP else -1) for i, s in enumerate(statement.stems) if s in directed]
    for i, s in enumerate(claim.stems):
        sign = 1 if s in lexicon.UP else -1 if s in lexicon.DOWN else 0
        if not sign or not signs:
            continue
        after = [o for o in claim.stems[i + 1 : i + 7] if o not in lexicon.STOP and o not in directed][:3]
        before = [o for o in claim.stems[max(0, i - 3) : i] if o not in lexicon.STOP][-1:]
        nearest: tuple[int, int] | None = None
        for stemmed in after or before:
            for place in places.get(stemmed, ()):
                for at, theirs in signs:
                    gap = place - at if at < place else (at - place) + 2
                    if gap <= REACH and (nearest is None or gap < nearest[0]):
                        nearest = (gap, theirs)
        if nearest is not None:
            same += nearest[1] == sign
            opposite += nearest[1] != sign
    return same, opposite


def effective(conflicts: Sequence[Conflict]) -> list[Conflict]:
    """Return the conflicts that remain when two reversals undo each other ("not increased" against "decreased")."""
    kinds = [c.kind for c in conflicts]
    if "negation" in kinds and ("direction" in kinds or "antonym" in kinds):
        return []
    return list(conflicts)
