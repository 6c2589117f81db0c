"""Words of the source that the claim leaves out: what may be left out, and what changes the meaning of the rest.

A modifier may go where what is left is still true: "a red car" is a car. It may not go behind a negation, from a
condition, or where it says of whom or when a general statement holds.
"""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._function_words import (
    BARE_PREFIXES,
    ENDING,
    FOUND,
    HARMLESS,
    INTENDED,
    NOT_SO,
    QUANTITY_ORDER,
    SAID,
    UNSURE,
)
from veritas.meaning._vocabulary import bases, broader, kinds
from veritas.meaning._word import Word, finite, past_form
from veritas.meaning.relation import Difference, DifferenceKind
from veritas.text.wordlist import words

_CLAUSES = frozenset({"condition", "time", "cause", "concession", "instead", "according", "relative"})
"""Classes of words whose phrase reaches to the next mark."""
_ALMOST = BARE_PREFIXES | words(
    "almost nearly virtually practically supposedly about roughly approximately marginally barely scarcely allegedly "
    "reportedly purportedly ostensibly presumably"
)
"""Words, and parts of words in front of a hyphen, without which a sentence says more."""
_NEGATIVE = words("not no never without nor neither none nobody nothing")
_EXISTING = words("some several many multiple various")
"""Quantifiers that say of an object no more than that there are such."""
_CASES = words("at in under above below over with")
"""Prepositions before a measure that tells in which case a sentence holds."""


def left_out(first: Sequence[Word], start: int, end: int, verb_at: int, past: bool) -> list[Difference]:
    """Return the differences that leaving out `first[start:end]` makes. `verb_at` is where the aligned verb stands,
    `past` whether it tells of something that happened."""
    found: list[Difference] = []
    at = start
    while at < end:
        if (conjunct := _conjunct(first, at, end)) > at:
            at = conjunct
            continue
        until = _chunk(first, at, end)
        found += _of_chunk(first, at, until, end, verb_at, past)
        at = max(until, at + 1)
    return found


def _conjunct(first: Sequence[Word], at: int, end: int) -> int:
    """Return where what "and" adds ends, if it is left out whole and takes nothing back; else `at`."""
    if first[at].cls != "and" or first[at].down:
        return at
    stop = next((k for k in range(at + 1, end) if first[k].low in (";", ":", "(")), end)
    said = first[at + 1 : stop]
    whole = stop < end or end == len(first) or first[end].kind == "mark"
    bound = any(
        w.cls in ("only", "condition", "hedge", "according", "than") or w.low in SAID | UNSURE | _NEGATIVE
        or (w.verb is not None and w.verb.not_)
        for w in said
    )  # fmt: skip
    return stop if whole and not bound and any(w.content for w in said) else at


def _chunk(first: Sequence[Word], at: int, end: int) -> int:
    """Return where the phrase that begins at `at` ends."""
    word = first[at]
    if word.low not in (",", "(", "--") and at and first[at - 1].low in (",", "("):
        close = next((k for k in range(at, end) if first[k].low in (",", ";", ")", "--")), end)
        whole = close < end or end == len(first) or first[end].kind == "mark"
        if whole and _aside(first[at:close]):
            return close
    if word.low in (",", "(", "--"):
        close = next((k for k in range(at + 1, end) if first[k].low in (",", ";", ")", "--")), end)
        whole = close < end or end == len(first) or first[end].kind == "mark"
        return close if whole and _aside(first[at + 1 : close]) else at + 1
    if word.cls in _CLAUSES or _relative(first, at):
        close = next((k for k in range(at + 1, end) if first[k].low in (",", ";", ")")), end)
        told = any(w.low in SAID for w in first[at:close])
        return at + 1 if told and close == end < len(first) and first[end].kind != "mark" else close
    if word.cls in ("preposition", "than"):
        for k in range(at + 1, end):
            if first[k].kind == "mark" or first[k].cls in (
                "preposition", "condition", "time", "cause", "concession", "relative", "and", "or", "but", "than"
            ) or finite(first[k]):  # fmt: skip
                return k
        return end
    return at + 1


def _relative(first: Sequence[Word], at: int) -> bool:
    """Return whether "that" begins a relative clause."""
    if first[at].low != "that" or not at or at + 1 >= len(first):
        return False
    return finite(first[at + 1]) and first[at - 1].content and first[at - 1].verb is None


def _aside(chunk: Sequence[Word]) -> bool:
    """Return whether what stands between two marks may go as a whole."""
    if len(chunk) > 1 and chunk[0].low == "as":
        return True
    if len(chunk) > 2 and (chunk[0].cls == "cause" or chunk[1].cls == "cause"):
        return True
    return (
        len(chunk) > 1
        and not any(finite(w) or w.low in SAID | UNSURE | _NEGATIVE or w.cls in ("hedge", "according") for w in chunk)
        and (chunk[0].cls != "preposition" or chunk[0].low in ("with", "including", "such-as"))
        and chunk[0].cls not in ("condition", "time", "relative", "and", "or", "but", "instead", "only")
    )  # fmt: skip


def _clause_goes(first: Sequence[Word], at: int, end: int) -> bool:
    """Return whether a denial is left out with all that it denies."""
    stop = next((k for k in range(at + 1, len(first)) if first[k].low in (",", ";", ")")), len(first))
    return stop <= end and any(w.content for w in first[at + 1 : stop])


def before_range(word: Word, after: Word) -> bool:
    """Return whether "between" goes before a range, which says it alone."""
    return word.low == "between" and after.quantity is not None and after.quantity.low < after.quantity.high


def shown(chunk: Sequence[Word]) -> str:
    """Return the words of a chunk as they stand, without marks at its ends."""
    return " ".join(w.text for w in chunk if w.text != "somebody").strip(" ,;:()")


def _of_chunk(first: Sequence[Word], at: int, until: int, end: int, verb_at: int, past: bool) -> list[Difference]:
    """Return the differences that leaving out one phrase makes."""
    word, chunk = first[at], first[at:until]
    text = shown(chunk)
    if at and first[at - 1].low in (",", "(") and until > at + 1 and _aside(chunk):
        return []

    def one(kind: DifferenceKind, decisive: bool) -> list[Difference]:
        return [Difference(kind, text, "", decisive)]

    if word.kind == "mark" or word.low == "<somebody>":
        return []
    if word.cls in HARMLESS - {"relative"} and not _relative(first, at):
        return []
    if word.low in _NEGATIVE and word.low != "without":
        return [] if _clause_goes(first, at, end) else one("polarity", True)
    if word.low == "without":
        gone = any(finite(w) for w in first[at:end])  # with the clause that it belongs to
        return [] if gone or (past and _one_subject(first, verb_at)) else one("condition", not past)
    if word.cls == "condition":
        return one("exception" if word.low == "except" else "condition", True)
    if word.cls == "default":
        return one("condition", False)
    if word.cls == "according":
        return one("attribution", True)
    if word.cls == "hedge":
        return one("modality", True)
    if word.cls in ("concession", "cause", "and", "but", "possessive", "pronoun"):
        return []
    if word.cls == "or":
        return one("scope", False)
    if word.cls == "quantifier":
        return [] if at > verb_at >= 0 and not word.down and word.low in _EXISTING else _quantifier(word, text)
    if word.cls == "only":
        return one("condition", False) if at + 1 < len(first) and first[at + 1].cls == "condition" else []
    if word.cls == "time":
        if word.low == "since" and any(finite(w) for w in chunk) and at and first[at - 1].low == ",":
            return []  # a reason
        return _restriction(first, at, chunk, verb_at, past, text)
    if word.cls == "relative" or _relative(first, at):
        if at and first[at - 1].low in (",", "("):
            return []
        wider = not past and (word.low == "where" or bare_object(first, at, verb_at))
        return one("scope", False) if wider or not _individual(first, at, verb_at) else []
    if word.cls == "preposition":
        if until == at + 1 < len(first) and before_range(word, first[until]):
            return []
        if word.low == "of" and at and first[at - 1].kind == "number":
            return []  # "200 mg of"
        if word.low == "against" and until < len(first) and (verb := first[until].verb) is not None and verb.infinitive:
            return one("polarity", True)  # "voted against a proposal to ban cars"
        if (
            until == end
            and end < len(first)
            and first[end].content
            and first[end].verb is None
            and not any(w.content for w in chunk)
        ):  # the phrase's noun stays without its preposition
            return one("order", False)
        return _restriction(first, at, chunk, verb_at, past, text)
    return _content(first, at, end, verb_at, past, text)


def _quantifier(word: Word, text: str) -> list[Difference]:
    if word.low in ("other", "another", "others", "any", "more", "half") or QUANTITY_ORDER.get(word.low, 0) == 9:
        return [Difference("comparison", text, "", False)] if word.low == "more" else []
    weak = QUANTITY_ORDER.get(word.low, 0)
    return [Difference("quantifier", text, "", weak < 5 or word.low in ("most", "many"))] if weak else []


def _individual(first: Sequence[Word], at: int, verb_at: int) -> bool:
    """Return whether what is modified at `at` is one thing told of, so that it stays true without the modifier."""
    determiner = next(
        (
            w
            for w in reversed(first[max(0, at - 6) : at])
            if w.cls in ("article", "possessive", "quantifier", "demonstrative", "preposition")
            or w.kind in ("name", "number")
            or w.verb is not None
        ),
        None,
    )
    after = at > verb_at >= 0
    if determiner is None:
        return after
    if determiner.kind in ("name", "number") or determiner.low in ("a", "an"):
        return True
    return after


def _restriction(
    first: Sequence[Word], at: int, chunk: Sequence[Word], verb_at: int, past: bool, text: str
) -> list[Difference]:
    """Return the difference that a phrase of place, time, group or circumstance makes when it is left out."""
    nouns = [w for w in chunk if w.content]
    if not nouns:
        return [Difference("unexplained", text, "", False)] if chunk and chunk[0].low not in ("of", "up", "out") else []
    if not past and chunk[0].low in ("in", "among", "amongst", "for", "of") and any(population(w) for w in nouns):
        counted = any(w.kind == "number" for w in nouns)  # how many were studied
        return [Difference("population", text, "", chunk[0].low != "of" and not counted)]
    if any(w.low in PEOPLE for w in nouns) and chunk[0].low in ("in", "among", "amongst"):
        return [Difference("population", text, "", True)]
    if of_group(first, at):
        return [Difference("population", text, "", True)]
    if chunk[0].down:
        return [Difference("scope", text, "", False)]
    present = verb_at >= 0 and (verb := first[verb_at].verb) is not None and verb.tense == "present"
    if present and chunk[0].low in _CASES and any(w.quantity is not None and w.quantity.bound != "=" for w in nouns):
        return [Difference("condition", text, "", False)]  # "at pressures above 150 GPa"
    if chunk[0].cls == "preposition" and _individual(first, at, verb_at) and _indefinite(first, at):
        return []
    if chunk[0].low in ("by", "from", "to") and all(w.quantity and w.quantity.kind != "year" for w in nouns):
        return []  # by how much
    if chunk[0].low == "for" and all(w.quantity is not None and w.quantity.unit == "m" for w in nouns):
        return []  # how far
    if past and _one_subject(first, verb_at):
        return []
    kind: DifferenceKind = (
        "period" if any(w.quantity and w.quantity.kind == "year" for w in nouns)
        else "place" if any(w.kind == "name" for w in nouns)
        else "condition" if chunk[0].low in ("with", "under", "when") else "scope"
    )  # fmt: skip
    return [Difference(kind, text, "", False)]


def _one_subject(first: Sequence[Word], verb_at: int) -> bool:
    """Return whether the subject of the aligned verb is one person or thing, or a number of them, so that what it did
    somewhere it did."""
    for word in first[:verb_at]:
        if word.cls in ("article", "possessive", "demonstrative", "pronoun") or word.kind in ("name", "number"):
            return True
        if word.content and (not word.text[:1].isupper() or many(word)):
            return False
    return False


def _of_time(word: Word) -> bool:
    """Return whether an amount is one of time: "for six weeks in summer"."""
    return word.quantity is not None and word.quantity.unit in ("s", "month", "year", "day")


def _indefinite(first: Sequence[Word], at: int) -> bool:
    """Return whether the noun before a phrase has "a", or is a number of things."""
    verb = next((k for k in range(at - 1, -1, -1) if finite(first[k])), None)
    if verb is not None and first[verb].low == "be":
        opening = first[verb + 1 : verb + 2]
        return bool(opening) and (opening[0].low in ("a", "an", "some") or opening[0].kind == "number")
    for word in reversed(first[max(0, at - 5) : at]):
        if word.low in ("a", "an", "some") or (word.kind == "number" and not _of_time(word)):
            return True
        if word.verb is not None or word.cls:
            return False
    return False


def _saying(first: Sequence[Word], at: int, verb_at: int) -> bool:
    """Return whether a verb of saying has the aligned verb in what is said."""
    before = first[at - 1] if at else None
    if before is not None and (before.cls in ("article", "possessive", "preposition") or before.low == "a"):
        return any(w.cls == "that" for w in first[at + 1 : at + 2]) and at < verb_at
    if at < verb_at:
        return first[at].verb is not None or (before is not None and before.content)
    return any(w.low == "," for w in first[max(0, at - 5) : at]) and (
        at + 1 == len(first) or first[at + 1].kind == "mark" or (before is not None and before.low == ",")
    )


def _content(first: Sequence[Word], at: int, end: int, verb_at: int, past: bool, text: str) -> list[Difference]:
    word = first[at]
    if word.low in _ALMOST:
        return [Difference("modality", text, "", True)]
    if word.verb is not None and word.bases & ENDING and at + 1 < len(first) and first[at + 1].kind == "content":
        return [Difference("polarity", text, "", True)]
    after = first[at + 1 : at + 3]
    if word.low in SAID and _saying(first, at, verb_at):
        return [Difference("attribution", text, "", True)]
    aligned = first[verb_at].verb if verb_at > at else None
    if word.low in INTENDED and aligned is not None and aligned.infinitive:
        return [Difference("modality", text, "", True)]
    if word.low in UNSURE and at < verb_at and any(w.low in ("that", "whether", "if") for w in first[at:verb_at]):
        return [Difference("modality", text, "", True)]
    if finite(word) and at < verb_at and at + 1 < len(first) and first[at + 1].low == "that" and word.low not in FOUND:
        return [Difference("attribution", text, "", True)]
    led = at > verb_at or first[verb_at].verb is not None  # not "discovered a planet orbiting two suns"
    if word.low in FOUND and word.verb is not None and not word.verb.not_ and led:
        return []
    if word.verb is not None and word.verb.not_ and any(w.cls == "that" for w in after):
        return [Difference("polarity", text, "", True)]
    if word.low in NOT_SO and end < len(first) and (at + 1 < end or first[end].kind in ("content", "name")):
        return [Difference("modality", text, "", True)]
    if word.down:
        return (
            [Difference("scope", text, "", True)] if "a" in kinds(word.low) else [Difference("scope", text, "", False)]
        )
    if finite(word) and verb_at >= 0 and word.clause == first[verb_at].clause and at < verb_at:
        return [Difference("unexplained", text, "", False)]
    if word.kind == "number" and not past and at > 1 and first[at - 1].cls == "preposition" and generic(first, at - 1):
        return [Difference("population", text, "", False)]  # "companies with more than 50 employees"
    if not past and word.kind in ("number", "content") and _of_all(first, at, end, verb_at):
        return [Difference("scope", text, "", False)]  # "files larger than 2 MB", "temporary files"
    if word.kind == "number" and of_several(first, at):
        return [Difference("quantifier", text, "", True)]
    if word.verb is not None or word.kind == "number":
        return [Difference("number", text, "", False)] if word.kind == "number" and word.quantity is not None and (
            word.quantity.kind == "percent") else []  # fmt: skip
    modifies = end < len(first) and first[end].content and first[end].verb is None and all(
        w.content or w.cls in HARMLESS or w.cls == "and" or w.low == "," for w in first[at:end]
    )  # fmt: skip
    inside = next((k for k in range(at - 1, 0, -1) if not first[k].content), 0)
    restricted = first[inside].low in ("with", "without", "over", "under", "than") and generic(first, inside)
    if not past and restricted:
        return [Difference("population", text, "", False)]  # "children with mild asthma"
    if modifies and at < verb_at:
        before = next((w for w in reversed(first[:at]) if w.cls or w.verb is not None), None)
        named = first[end].kind == "name" or (before is not None and before.low in ("a", "an"))
        if not named:
            return [
                Difference("population" if first[end].low in PEOPLE else "scope", text, "", first[end].low in PEOPLE)
            ]
    return []


def _of_all(first: Sequence[Word], at: int, end: int, verb_at: int) -> bool:
    """Return whether a word says which of the things are meant of which a general statement tells."""
    tells = first[at].kind == "number" or (first[at].low.endswith("ing") and "v" in kinds(first[at].low))
    if bare_object(first, at, verb_at) or (at < verb_at and tells and generic(first, at)):
        return True
    ahead = next((k for k in range(at, len(first)) if not first[k].content or first[k].verb is not None), len(first))
    return end < ahead and bare_object(first, ahead, verb_at)


PEOPLE = words(
    """
    patient patients participant participants volunteer volunteers adult adults child children infant infants newborn
    woman women man men girl girls boy boys people person mouse mice rat rats rabbit dog dogs monkey pig pigs animal
    animals cell cells vitro vivo smoker smokers elderly adolescent adolescents teenager student students pregnancy
    subject subjects population cohort respondents users members yeast zebrafish primates humans human
    """
)
_SOME_OF = ("make", "create", "have", "contain", "include", "get", "eat", "use", "need", "show")
"""Verbs whose bare object tells that there are such things, not what is done to each."""


def population(word: Word) -> bool:
    """Return whether a noun is one of persons or animals."""
    return word.kind == "content" and (
        word.low in PEOPLE or any(broader(word.low, group) for group in ("person", "animal"))
    )


def of_group(first: Sequence[Word], at: int) -> bool:
    """Return whether the words before a place end in persons or animals of whom nothing tells which or how many: "in
    patients", "for adults"."""
    if at < 2 or not population(first[at - 1]) or not first[at - 1].low.endswith(("s", "men", "people", "children")):
        return False
    start = at - 1
    while start > 0 and first[start - 1].kind == "content" and first[start - 1].verb is None:
        start -= 1
    return start > 0 and first[start - 1].low in ("in", "among", "amongst", "for", "to")


def generic(first: Sequence[Word], at: int) -> bool:
    """Return whether the words before a place end in things of which nothing tells which or how many."""
    if at < 1 or not first[at - 1].content or first[at - 1].verb is not None or not (
        many(first[at - 1]) or first[at - 1].low in PEOPLE
    ):  # fmt: skip
        return False
    start = at - 1
    while start > 0 and first[start - 1].kind == "content" and first[start - 1].verb is None:
        start -= 1
    return not start or first[start - 1].verb is not None or first[start - 1].cls in ("preposition", "and")


def bare_object(first: Sequence[Word], at: int, verb_at: int) -> bool:
    """Return whether the words before a place end in the object of the verb at `verb_at`, of which nothing tells which
    or how many and which the verb takes as it is: "deletes files" tells of all of them, "contains files" of some."""
    if not 0 <= verb_at < at - 1 or not generic(first, at):
        return False
    start = next((k for k in range(at - 1, -1, -1) if not first[k].content or first[k].verb is not None), -1)
    led = start == verb_at or (start > verb_at and first[start].low in ("to", "for"))
    return led and not any(verb == base or broader(base, verb) for base in first[verb_at].bases for verb in _SOME_OF)


def of_several(first: Sequence[Word], at: int) -> bool:
    """Return whether a number is one of several that "of" tells of: "three of its eight matches"."""
    behind = first[at + 1 : at + 3]
    return (
        len(behind) == 2
        and behind[0].low == "of"
        and (behind[1].cls in ("article", "possessive", "demonstrative") or behind[1].kind == "number")
    )


def many(word: Word) -> bool:
    """Return whether a noun is a plural."""
    formed = word.low.endswith("s") or not (past_form(word.low) or word.low.endswith(("ing", "er", "st")))
    return formed and any("n" in kinds(base) for base in bases(word.low) - {word.low})
