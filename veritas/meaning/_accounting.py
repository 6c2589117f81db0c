"""The account of two readings: every word of both is aligned, left out or added, and each difference has its name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veritas.meaning._alignment import Pair, aligned, conflicting, match
from veritas.meaning._function_words import CAUSES, FALLING, HARMLESS, INTENDED, LINKS, NOT_SO, RISING, SAID, UNSURE
from veritas.meaning._vocabulary import antonyms
from veritas.meaning._word import Verb, Word
from veritas.meaning.relation import Aligned, Difference, DifferenceKind
from veritas.text.wordlist import words

_WEAKER = words("possibly perhaps maybe potentially some sometimes conceivably probably presumably likely")
_EFFECTED = CAUSES | RISING | FALLING | {"make", "allow", "enable", "help", "lead", "force", "drive"}
_NOTHING_ADDED = words("both other others several another various")
_BY_CLASS: dict[str, tuple[DifferenceKind, bool]] = {
    "negator": ("polarity", True), "condition": ("condition", True), "time": ("condition", False),
    "cause": ("causality", True), "instead": ("addition", True), "according": ("attribution", False),
    "than": ("comparison", True), "only": ("scope", True), "concession": ("addition", False),
    "pronoun": ("unexplained", False), "possessive": ("unexplained", False), "hedge": ("attribution", False),
}  # fmt: skip


def added(
    first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair], known: frozenset[str]
) -> Difference | None:
    """Return the difference that a word of the claim makes with which nothing of the source is aligned."""
    word = second[at]
    if word.kind == "mark" or word.cls in HARMLESS or word.low == "<somebody>":
        return None
    if word.kind == "grammar":
        return _grammar(first, second, at, pairs)
    held = {p.first for p in pairs}
    free = [w for i, w in enumerate(first) if i not in held and w.content]
    for other in free:
        if antonyms(other.low, word.low):
            return Difference("opposite", other.text, word.text, True)
    if any((m := match(other, word)) is not None and m.how is not None for other in first if other.content):
        return Difference("order", "", word.text, False)
    rival = _rival(first, second, at, pairs)
    if word.kind == "number":
        year = word.quantity is not None and word.quantity.kind == "year"
        return Difference("period" if year else "number", rival.text if rival else "", word.text, True)
    if word.kind == "name":
        named = rival is not None and rival.kind == "name"
        return Difference(
            "entity",
            rival.text if rival and named else "",
            word.text,
            named or (word.text.isalpha() and word.text.istitle()),
        )
    if rival is not None and rival.bases & LINKS and word.bases & CAUSES:
        return Difference("causality", rival.text, word.text, True)
    if rival is not None:
        return Difference("unexplained", rival.text, word.text, False)
    return Difference("addition", "", word.text, not free)


def _grammar(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> Difference | None:
    word = second[at]
    if word.low in _WEAKER or word.low in _NOTHING_ADDED:
        return None
    if word.cls in ("and", "but", "or"):
        return None
    if word.low == "any" and any(w.verb is not None and w.verb.not_ and w.clause == word.clause for w in second):
        return None
    if word.cls == "quantifier":
        share = any(first[k].kind == "number" and first[k + 1].low == "of" for k in range(len(first) - 1))
        return Difference("quantifier", "", word.text, not (share and word.low in ("most", "many", "several")))
    if word.cls == "change":
        return Difference("tense", "", word.text, word.low in ("no-longer", "formerly", "previously", "once", "still"))
    if word.cls in _BY_CLASS:
        kind, decisive = _BY_CLASS[word.cls]
        if kind == "causality" and any(w.verb is not None and w.bases & _EFFECTED for w in first):
            decisive = False  # what raises it is why it goes up
        return Difference(kind, "", word.text, decisive)
    return Difference("unexplained", "", word.text, False)


def _rival(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> Word | None:
    """Return the word of the source that stands where the claim has another."""
    before = max((p.first for p in pairs if p.second < at), default=-1)
    behind = min((p.first for p in pairs if p.second > at), default=len(first))
    word = second[at]
    for other in first[before + 1 : behind]:
        if other.kind == word.kind == "number" or (other.kind == word.kind == "name"):
            return other
    return None


_NONE = Verb()
_ENTAILED_MODAL = {
    ("", "possible"), ("required", "advised"), ("supposed", "possible"), ("asked", ""), ("asked", "advised"),
    ("advised", "asked"), ("required", "asked"),
}  # fmt: skip
"""The modality of the first that entails that of the second. What must be done is not what one may do or leave."""
_FORBIDDING = {("required", "possible"), ("advised", "possible")}
"""Modalities that, both denied, forbid more or less the same."""
_STATES = frozenset({"be", "have", "hold", "live", "belong", "exist", "remain", "serve", "work", "own"})


def of_verbs(a: Word, b: Word) -> list[Difference]:
    """Return the differences of two aligned words that are verbs, without that of denial."""
    one, other = a.verb or _NONE, b.verb or _NONE
    if a.verb is None and b.verb is None:
        return []
    found: list[Difference] = []
    forbidden = (one.modal, other.modal) == ("asked", "required") and one.not_ and other.not_  # "do not", "must not"
    # What cannot be is not.
    is_not = one.not_ and other.not_ and one.modal_text in ("can", "could") and not other.modal
    if one.modal != other.modal and (one.modal, other.modal) not in _ENTAILED_MODAL and not (forbidden or is_not):
        forbids = one.not_ and other.not_ and (one.modal, other.modal) in _FORBIDDING
        decisive = a.verb is not None and b.verb is not None and not forbids
        found.append(Difference("modality", a.text, b.text, decisive))
    if a.verb is not None and b.verb is not None and not found:
        found += _tenses(a, b, one, other)
    if a.verb is not None and b.verb is not None and one.passive != other.passive and "be" not in (a.low, b.low):
        found.append(Difference("role", a.text, b.text, False))
    return found


def _tenses(a: Word, b: Word, one: Verb, other: Verb) -> list[Difference]:
    mine, theirs = one.tense, other.tense
    if one.infinitive and not other.infinitive:
        return [Difference("modality", a.text, b.text, False)]
    if other.infinitive or mine == theirs or not mine or not theirs or one.modal or other.modal:
        return []
    state = b.low in _STATES or bool(b.bases & _STATES)
    decisive = (
        mine == "future"
        or (mine in ("past", "perfect") and theirs == "present" and (state or other.progressive or other.passive))
        or (one.progressive and mine == "present" and theirs in ("past", "perfect"))
    )  # fmt: skip
    return [Difference("tense", a.text, b.text, decisive)]


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

    def aligned(self) -> tuple[Aligned, ...]:
        """Return the aligned content words."""
        return tuple(
            Aligned(self.first[p.first].text, self.second[p.second].text, p.match.how)
            for p in self.pairs
            if p.match.how is not None and self.second[p.second].content
        )


def account(first: Sequence[Word], second: Sequence[Word], known: frozenset[str] = frozenset()) -> Account:
    """Return the account of a source's words and a claim's. `known` are base forms that the document is about."""
    pairs = aligned(first, second)
    held, told = {p.first for p in pairs}, {p.second for p in pairs}
    found = [*_of_pairs(first, second, pairs)]
    found += [
        d for j in range(len(second)) if j not in told and (d := added(first, second, j, pairs, known)) is not None
    ]
    gone = _clauses_gone(first, held)
    found += [
        Difference("scope", w.text, "", False)
        for i, w in enumerate(first)
        if i not in held and i not in gone and not _may_go(w)
    ]
    content = [j for j, w in enumerate(second) if w.content and not w.bases <= _PALE]
    met = sum(1 for p in pairs if p.match.how is not None and p.second in set(content))
    known_words = sum(1 for j in content if j not in told and second[j].bases & known)
    covered = (met + known_words) / len(content) if content else 0.0
    return Account(tuple(first), tuple(second), tuple(pairs), tuple(found), covered)


_BINDING = frozenset({"condition", "only", "negator", "quantifier", "than", "hedge", "cause", "time", "or"})
"""Classes of words that bind what the rest of a sentence says."""


def _clauses_gone(first: Sequence[Word], held: set[int]) -> set[int]:
    """Return the places of the clauses that "and" adds to a source and a claim leaves out whole, if they bind nothing
    that the rest says."""
    gone: set[int] = set()
    for at, word in enumerate(first):
        if word.cls != "and":
            continue
        stop = next((k for k in range(at + 1, len(first)) if first[k].low in (";", ":", "(")), len(first))
        said = range(at + 1, stop)
        bound = any(
            first[k].cls in _BINDING or first[k].low in SAID | UNSURE | NOT_SO
            or ((verb := first[k].verb) is not None and verb.not_)
            for k in said
        )  # fmt: skip
        if not bound and not held & set(said) and any(first[k].content for k in said):
            gone.update(said)
    return gone


def _may_go(word: Word) -> bool:
    """Return whether a claim may leave a word of the source out: what is left of "a red car" is a car."""
    bound = word.verb is not None or word.cls in _BINDING or word.kind in ("name", "number")
    return not bound and word.low not in SAID | UNSURE | NOT_SO | INTENDED


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
    found += [Difference("polarity", a.text, b.text, True) for _, a, b in denied]
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
    if how == "degree":
        return [Difference("unexplained", a.text, b.text, False)]
    both = {a.low, b.low}
    return [Difference("role" if both & {"to", "from"} else "place", a.text, b.text, True)]
