"""Words of the claim that the source does not have: what adds nothing, what is a doubt, and what is an addition."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

from veritas.meaning._alignment import Pair, match
from veritas.meaning._function_words import CAUSES, HARMLESS, LINKS
from veritas.meaning._omissions import before_range
from veritas.meaning._vocabulary import antonyms, kinds
from veritas.meaning._word import Word
from veritas.meaning.relation import Difference, DifferenceKind
from veritas.text.wordlist import words

_WEAKER = words("possibly perhaps maybe potentially some sometimes conceivably probably presumably likely")
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
    if word.bases & known:
        return None
    if word.low == "be" and word.verb is not None:
        if word.verb.not_:
            return Difference("polarity", "", word.text, True)
        if _side_by_side(first, at, pairs) or _of_participle(first, second, at, pairs):
            return None
        return Difference("unexplained", "", word.text, False)
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
        if _same_name(first, second, at, pairs) or any(
            w.cls == "pronoun" for i, w in enumerate(first) if i not in held
        ):
            return Difference("unexplained", "", word.text, False)
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
    return Difference("addition", "", word.text, bool(free) is False or not _verbal(word))


def _same_name(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> bool:
    """Return whether a name beside the word is aligned with a name of the source: "Humphrey" of "Humphrey Bogart"."""
    beside = {k for k in (at - 1, at + 1, at - 2, at + 2) if 0 <= k < len(second) and second[k].kind == "name"}
    return any(p.second in beside and first[p.first].kind == "name" and p.match.how is not None for p in pairs)


def _verbal(word: Word) -> bool:
    return word.verb is not None or kinds(word.low) == {"v"}


def _grammar(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> Difference | None:
    word = second[at]
    if word.low in _WEAKER or word.low in _NOTHING_ADDED:
        return None
    if word.low in ("without", "nor", "neither"):
        return Difference("polarity", "", word.text, True)
    if word.cls in ("and", "but", "or"):
        return None
    if word.low == "any" and any(w.verb is not None and w.verb.not_ and w.clause == word.clause for w in second):
        return None
    if word.cls == "quantifier":
        return Difference("quantifier", "", word.text, True)
    if word.cls == "change":
        return Difference("tense", "", word.text, word.low in ("no-longer", "formerly", "previously", "once", "still"))
    if word.cls in _BY_CLASS:
        kind, decisive = _BY_CLASS[word.cls]
        return Difference(kind, "", word.text, decisive)
    if word.cls == "preposition":
        aligned = {p.second for p in pairs}
        governed = next((k for k in range(at + 1, len(second)) if second[k].content), None)
        if governed is None:
            return Difference("place", "", word.text, False)  # "inside", "up": an adverb of its own
        if governed not in aligned or word.low == "of" or before_range(word, second[governed]):
            return None
        return Difference("unexplained", "", f"{word.text} {second[governed].text}", False)
    return Difference("unexplained", "", word.text, False)


def _of_participle(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> bool:
    """Return whether the source has a participle for the adjective behind "is": "is closed", "is shut"."""
    behind = next((k for k in range(at + 1, len(second)) if second[k].content), None)
    return any(
        p.second == behind and (verb := first[p.first].verb) is not None and verb.passive and not verb.modal
        for p in pairs
    )


def _side_by_side(first: Sequence[Word], at: int, pairs: Sequence[Pair]) -> bool:
    """Return whether the source has the words before and behind the claim's "is" as an apposition."""
    before = max((p.first for p in pairs if p.second < at), default=None)
    behind = min((p.first for p in pairs if p.second > at), default=None)
    if before is None or behind is None or behind <= before:
        return False
    between = first[before + 1 : behind]
    listed = first[behind - 1].kind == "mark" and any(
        w.cls in ("and", "or") for w in takewhile(lambda w: w.verb is None, first[behind:])
    )
    return not listed and any(w.low in (",", "(", "--", ":") for w in between) and not any(
        w.content or w.cls == "and" for w in between
    )


def _rival(first: Sequence[Word], second: Sequence[Word], at: int, pairs: Sequence[Pair]) -> Word | None:
    """Return the word of the source that stands where the claim has another."""
    before = max((p.first for p in pairs if p.second < at), default=-1)
    behind = min((p.first for p in pairs if p.second > at), default=len(first))
    word = second[at]
    for other in first[before + 1 : behind]:
        if other.kind == word.kind == "number" or (other.kind == word.kind == "name"):
            return other
    of = kinds(word.low)
    for other in first[before + 1 : behind]:
        if (
            other.kind == "content"
            and word.kind == "content"
            and (not of or not kinds(other.low) or of & kinds(other.low))
        ):
            return other
        if word.kind == "name" and other.kind in ("content", "name"):
            return other
    return None
