"""What stops a support: a number, name or word of the statement that its passage does not bear out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Literal, NamedTuple

from veritas.factcheck.arithmetic import Calculated
from veritas.factcheck.everyday import opposites
from veritas.factcheck.likeness import AVOIDING
from veritas.factcheck.rounding import as_much, of_which_unknown
from veritas.meaning.bound_figures import rightly_bound
from veritas.meaning.embedded._opposites import opposed
from veritas.meaning.embedded.certainty import overstated
from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.meaning.embedded.conflicts import alike, effective, polarity_conflicts
from veritas.meaning.embedded.edits import edits
from veritas.meaning.embedded.exclusion import taken_in
from veritas.text.polarity import opposed as opposed_words
from veritas.text.quantities import Quantity
from veritas.text.quantity_relation import relation

Kind = Literal["number", "name", "opposite", "negation", "strength", "owner", "word"]


class Stop(NamedTuple):
    """A reason against a support, in words. `conflict`: the passage says another thing in its place, so that both
    cannot be true; else it is only missing."""

    kind: Kind
    difference: str
    conflict: bool
    words: str = ""


def stops(alignment: Alignment, near: Sequence[Statement], calculated: Sequence[Calculated], about: str) -> list[Stop]:
    """Return what stops a support of the claim by the sentences `near`, the surest first. `about` is the page's title
    and text, in which a name may stand that the passage means by a pronoun."""
    claim = alignment.claim
    found = [*_numbers(claim, near, calculated, about), *_owners(claim, near)]
    found += [*_placed(claim, near), *_turned(claim, near)]
    if alignment.coverage[alignment.order[0]] >= SAME_MATTER:
        found += _polarity(claim, near)
    found += [*_opposite(alignment, near), *_strength(claim, near), *_names(claim, near, about)]
    if any(rightly_bound(statement.text, claim.text) for statement in near):
        # The other figure is another group's.
        found = [one for one in found if one.kind != "owner" and not (one.kind == "number" and one.conflict)]
    return found


SAME_MATTER = 0.45
"""Least share of the claim's weight in a sentence for a denial in one of them to be about the same."""
_MONTHS = frozenset(
    "january february march april may june july august september october november december jan feb mar apr jun jul aug "
    "sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday".split()
)


def _numbers(
    claim: Statement, near: Sequence[Statement], calculated: Sequence[Calculated], about: str
) -> Iterator[Stop]:
    for mine in claim.quantities:
        if mine.unit == "p" or _is_one(mine):
            continue
        theirs = [q for s in near for q in s.quantities]
        if any(as_much(mine, q, claim.text) for q in theirs):
            continue
        if _written(mine, near) or _dated(mine, near, about) or _ranged(mine, theirs) or _ratio(mine, claim, theirs):
            continue
        told = next((each for each in calculated if each.quantity == mine), None)
        if told is not None and told.agrees:
            continue
        open_ = _follows(mine, [*theirs, *claim.quantities]) or of_which_unknown(mine, claim.quantities, theirs)
        rival = None if open_ else _rival(claim, mine, near)
        if told is not None:
            yield Stop("number", f"calculated: {told.shown}, the statement says “{mine.text}”", True, mine.text)
        elif rival is not None:
            yield Stop("number", f"the source says “{rival.text}”, the statement says “{mine.text}”", True, mine.text)
        else:
            yield Stop("number", f"the source does not give “{mine.text}” there", False, mine.text)


def _follows(mine: Quantity, others: Sequence[Quantity]) -> bool:
    """Return whether a number may follow from two others, by their sum, difference, product or share, or is the decade
    of one. It contradicts none of them then."""
    written = [q.low for q in others if q is not mine and q.low > 0]
    if mine.kind == "year" or re.search(r"\d{3}0s\b", mine.text):
        return any(mine.low <= y < mine.low + 10 for y in written) and mine.text.endswith("s")
    for i, a in enumerate(written):
        for b in written[i + 1 :]:
            results = (a + b, abs(a - b), a * b, a / b, b / a, 100 * a / b, 100 * b / a)
            if any(abs(r - mine.low) <= 0.03 * mine.low for r in results):
                return True
    return mine.text.casefold() == "half" and any(q.unit == "%" and abs(q.low - 50) <= 3 for q in others)


def _ranged(mine: Quantity, theirs: Sequence[Quantity]) -> bool:
    """Return whether both ends of a range stand there as numbers of their own."""
    ends = {q.written for q in theirs} | {q.high / (q.factor or 1) for q in theirs}
    return mine.low != mine.high and {mine.low / (mine.factor or 1), mine.high / (mine.factor or 1)} <= ends


def _ratio(mine: Quantity, claim: Statement, theirs: Sequence[Quantity]) -> bool:
    """Return whether a number is a part of a share in words ("four in five") that the source gives in per cent."""
    for part, whole in pairwise(claim.quantities):
        joint = claim.text[part.end : whole.start].strip().lower()
        if mine not in (part, whole) or joint not in ("in", "out of", "of", "of every", "in every") or not whole.low:
            continue
        share = 100 * part.low / whole.low
        before = claim.text[: part.start]
        loose = re.search(r"(?i)\b(?:about|roughly|nearly|almost|over|fewer than|more than)\s+\Z", before)
        slack = 0.13 if loose else 0.02
        if whole.low <= 20 and any(q.unit == "%" and abs(q.low - share) <= slack * share for q in theirs):
            return True
    one = re.search(r"(?i)\bone\s+(?:in|out of)\s+\Z", claim.text[: mine.start])
    return one is not None and mine.low > 1 and any(
        q.unit == "%" and abs(q.low - 100 / mine.low) <= 13 / mine.low for q in theirs
    )


def _dated(mine: Quantity, near: Sequence[Statement], about: str) -> bool:
    """Return whether the day and month of a date stand there, and its year elsewhere on the page."""
    if mine.unit != "day":
        return False
    day = re.search(r"(?<!\d)\d{1,2}(?!\d)", mine.text)
    month = next((w for w in re.findall(r"[A-Za-z]+", mine.text) if w.casefold() in _MONTHS), "")
    year = re.search(r"\d{4}", mine.text)
    if day is None or year is None or not month or year[0] not in about:
        return False
    ordinal = rf"{day[0]}(?:st|nd|rd|th)?"
    either = rf"(?i)\b(?:{ordinal}\s+(?:of\s+)?{month[:3]}\w*|{month[:3]}\w*\.?\s+{ordinal})(?!\d)"
    return any(re.search(either, s.text) and year[0] in s.text + about for s in near) and not any(
        re.search(rf"{either[4:]},?\s+(?!{year[0]})\d{{4}}", s.text, re.IGNORECASE) for s in near
    )


def _is_one(quantity: Quantity) -> bool:
    return quantity.text.casefold() in ("one", "1", "a", "an", "first")


def _written(mine: Quantity, near: Sequence[Statement]) -> bool:
    """Return whether the number stands there in a name or a word of its own ("COVID-19", "1990s")."""
    if mine.measured:
        return False
    return any(re.search(rf"(?<![\d.,]){re.escape(mine.text)}(?![\d]|[.,]\d)", s.text) for s in near)


def _rival(claim: Statement, mine: Quantity, near: Sequence[Statement]) -> Quantity | None:
    """Return the number that stands in the place of the claim's: the same unit, and the words around it alike."""
    around = _around(claim, mine)
    best: tuple[int, Quantity] | None = None
    for statement in near:
        for other in statement.quantities:
            counts = mine.kind == other.kind == "count"
            same_unit = mine.unit == other.unit or (counts and not (mine.unit and other.unit))
            if mine.kind == other.kind == "year":
                if _year(mine) == _year(other):
                    continue
            elif not same_unit or relation(mine, other) != "different":
                continue
            if any(alike(other, q) for q in claim.quantities):
                continue  # the claim gives it elsewhere
            shared = len(around & _around(statement, other))
            if shared and (best is None or shared > best[0]):
                best = shared, other
    return best[1] if best is not None else None


def _year(quantity: Quantity) -> int:
    """Return the year of a date or a year."""
    if quantity.unit == "day" and quantity.low >= 1:
        return date.fromordinal(int(quantity.low)).year
    return int(quantity.low)


def _around(statement: Statement, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the content words near a number."""
    before = [t.stem for t in statement.content if t.end <= quantity.start and not t.is_number][-4:]
    behind = [t.stem for t in statement.content if t.start >= quantity.end and not t.is_number][:4]
    return frozenset([*before, *behind])


_CLAUSE = re.compile(r"[,;:]\s|\s[-–—]\s|\b(?:and|while|whereas|but|compared (?:with|to)|versus|vs\.?|against|than)\b")


def _owners(claim: Statement, near: Sequence[Statement]) -> Iterator[Stop]:
    """Yield the number of a claim that its source gives to another one: "sales rose 5 % in Spain and 8 % in Italy" does
    not say that they rose 8 % in Spain."""
    if not claim.quantities:
        return
    for mine in claim.quantities:
        if _is_one(mine):
            continue
        mine_clause = _clause_of(claim, mine)
        verdicts: list[Stop | None] = []
        for statement in near:
            for other in statement.quantities:
                if alike(mine, other):
                    verdicts.append(_other_owner(statement, other, mine, mine_clause))
        if verdicts and all(verdict is not None for verdict in verdicts):
            yield next(verdict for verdict in verdicts if verdict is not None)


def _placed(claim: Statement, near: Sequence[Statement]) -> Iterator[Stop]:
    """Yield the number of a claim that stands in another sentence, where the sentence that tells most of the claim has
    a number of its kind in that place: "the first section opened in 2012. The second followed in 2015." """
    best = near[0]
    for mine in claim.quantities:
        if _is_one(mine) or any(alike(mine, q) for q in best.quantities) or _written(mine, near[:1]):
            continue
        if not any(alike(mine, q) for s in near[1:] for q in s.quantities):
            continue
        rival = _rival(claim, mine, near[:1])
        if rival is not None:
            why = f"the source says “{rival.text}” there; “{mine.text}” is of something else"
            yield Stop("owner", why, True, mine.text)


def _turned(claim: Statement, near: Sequence[Statement]) -> Iterator[Stop]:
    """Yield the number of a claim beside which the source has the opposite word: "a net profit of 93 million"; and a
    part that is larger than its whole."""
    for mine in claim.quantities:
        here = _beside(claim, mine)
        places = [(s, q) for s in near for q in s.quantities if alike(mine, q)]
        told = [_beside(s, q) for s, q in places]
        if not told:
            continue
        against = [
            next(((word, other) for word in here - there for other in opposites(word) & (there - here)), None)
            for there in told
        ]
        if all(pair is not None for pair in against):
            statement, quantity = places[0]
            around = statement.text[max(0, quantity.start - 40) : quantity.end + 40]
            yield Stop("opposite", f"the source says “… {' '.join(around.split())} …”", True, mine.text)
    for one, other in pairwise(claim.quantities):
        if _from_to(claim.text, one, other) and any(
            alike(one, second) and alike(other, first) and _from_to(s.text, first, second)
            for s in near for first, second in pairwise(s.quantities)
        ):  # fmt: skip
            why = f"the source has it the other way round: from “{other.text}” to “{one.text}”"
            yield Stop("opposite", why, True, one.text)
        between = claim.text[one.end : other.start].strip().lower()
        if one.kind == other.kind == "count" and between in ("of", "out of", "of the") and one.low > other.low:
            yield Stop("number", f"“{one.text} of {other.text}” is more than the whole", True, one.text)


def _from_to(text: str, one: Quantity, other: Quantity) -> bool:
    """Return whether two numbers stand as where something began and where it ended."""
    between = text[one.end : other.start]
    return bool(re.search(r"(?i)\bfrom\b[^.;]{0,40}\Z", text[: one.start])) and bool(
        re.search(r"(?i)\bto\b[^.;]{0,20}\Z", between)
    )


def _beside(statement: Statement, quantity: Quantity) -> frozenset[str]:
    """Return the stems of the three words before a number and of the two behind it."""
    before = [t.stem for t in statement.tokens if t.end <= quantity.start][-3:]
    behind = [t.stem for t in statement.tokens if t.start >= quantity.end][:2]
    return frozenset([*before, *behind])


def _other_owner(statement: Statement, other: Quantity, mine: Quantity, wanted: frozenset[str]) -> Stop | None:
    clauses = _clauses(statement)
    if len(clauses) < 2:
        return None
    holding = next((c for c in clauses if c[0] <= other.start < c[1]), None)
    if holding is None:
        return None
    alike_ones = [q for q in statement.quantities if q.kind == other.kind]
    numbered = [c for c in clauses if any(c[0] <= q.start < c[1] for q in alike_ones)]
    rivals = [c for c in numbered if c != holding]
    if not rivals:
        return None
    own = _stems(statement, holding)
    for rival in rivals:
        theirs = _stems(statement, rival)
        # Words of the claim's clause that tell the two apart, and stand with the other number only.
        apart = (wanted & theirs) - own
        if apart and not (wanted & own) - theirs:
            text = " ".join(statement.text[rival[0] : rival[1]].split()).strip(" ,;:")
            return Stop("owner", f"the source gives “{mine.text}” to something else; it says “{text}”", True, mine.text)
    return None


def _clauses(statement: Statement) -> list[tuple[int, int]]:
    cuts = [0, *(m.start() for m in _CLAUSE.finditer(statement.text)), len(statement.text)]
    return [(a, b) for a, b in pairwise(cuts) if b - a > 1]


def _clause_of(statement: Statement, quantity: Quantity) -> frozenset[str]:
    holding = next((c for c in _clauses(statement) if c[0] <= quantity.start < c[1]), (0, len(statement.text)))
    return _stems(statement, holding)


def _stems(statement: Statement, span: tuple[int, int]) -> frozenset[str]:
    return frozenset(t.stem for t in statement.content if span[0] <= t.start < span[1] and not t.is_number)


def _polarity(claim: Statement, near: Sequence[Statement]) -> Iterator[Stop]:
    best = near[0]
    conflicts = effective(polarity_conflicts(claim, best))
    for conflict in conflicts:
        yield Stop("negation" if conflict.kind == "negation" else "opposite", conflict.rationale, True)
        return
    pair = opposed_words(best.text, claim.text)
    if pair is not None:
        yield Stop("opposite", pair, not any(AVOIDING.search(text) for text in (best.text, claim.text)))


def _opposite(alignment: Alignment, near: Sequence[Statement]) -> Iterator[Stop]:
    changed = edits(alignment.claim, near[0])
    if changed is not None:
        for conflict in changed.conflicts:
            yield Stop("word", conflict.rationale, conflict.kind in ("number", "negation", "direction", "antonym"))
        if changed.swapped is not None:
            yield Stop("word", changed.swapped.rationale, False)
    objection = opposed(alignment)
    if objection is not None:
        yield Stop("opposite", objection.why, objection.label == "refutes")


def _strength(claim: Statement, near: Sequence[Statement]) -> Iterator[Stop]:
    objection = overstated(claim, near[0]) or taken_in(claim, near[0])
    if objection is not None:
        yield Stop("strength", objection.why, objection.label == "refutes")


def _names(claim: Statement, near: Sequence[Statement], about: str) -> Iterator[Stop]:
    """Yield the names of the claim that stand neither in the passage nor around it."""
    held = frozenset(s for each in near for s in each.vocabulary)
    around = about.casefold()
    for token in claim.tokens:
        if token.start == 0 or not token.text[0].isupper() or token.is_number or len(token.text) < 2:
            continue
        if token.stem in held or token.lower in held or token.lower in _MONTHS or token.text in _OF_THE_PAGE:
            continue
        if any(q.start <= token.start < q.end for q in claim.quantities):
            continue  # a unit: "64 KB"
        word = token.text.casefold().removesuffix("'s").removesuffix("’s")
        if re.search(rf"(?<!\w){re.escape(word)}", around) or _initials(token.text, near, about):
            continue
        yield Stop("name", f"the source does not name “{token.text}” there", False, token.text)


_OF_THE_PAGE = frozenset(("README", "FAQ"))
"""Names of kinds of pages: a page does not name itself so."""


def _initials(name: str, near: Sequence[Statement], about: str) -> bool:
    """Return whether an abbreviation stands for words of the passage: "WHO"."""
    if not (name.isupper() and 2 <= len(name) <= 6):
        return False
    heads = "".join(word[0] for each in near for word in each.text.split() if word[:1].isupper()).upper()
    return name in heads or name in "".join(w[0] for w in about.split() if w[:1].isupper()).upper()
