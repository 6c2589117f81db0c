"""What a source tells as somebody's word or view, and a claim tells as a fact."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.meaning._function_words import FOUND, REPORTED, SAID, UNSURE
from veritas.meaning._vocabulary import group, kinds, names_what, person
from veritas.meaning._word import Word, finite, past_form
from veritas.meaning.relation import Difference
from veritas.text.wordlist import words

_VIEWS = words(
    "view opinion account perspective telling word words eyes judgement judgment standpoint viewpoint belief"
)
"""Nouns of what somebody says or thinks: "in the view of", "by his own account"."""
_STORIES = words("story legend tale saying rumour rumor")
_PUTS = words("tell tells told put puts see sees saw remember remembers remembered recall recalls recalled")
_CALLS = words("call calls called term terms termed dub dubs dubbed label labels labelled describe describes described")
_LONGEST_SPEAKER = 4
"""Most words before the colon of "Minister: taxes will fall"."""


def made_fact(first: Sequence[Word], second: Sequence[Word]) -> Difference | None:
    """Return the difference of a claim that leaves out who says or thinks what it tells, None if nobody does, or if the
    claim has a word of saying itself."""
    if any(w.bases & (SAID | _VIEWS | _CALLS) or w.cls == "according" for w in second):
        return None
    if (viewer := _to_whom(first)) is not None and not any(w.bases & viewer.bases for w in second):
        return Difference("attribution", viewer.text, "", False)
    verb = next((w for w in second if finite(w)), None)
    beside = verb is not None and _of_relative(first, verb)
    for at, word in enumerate(first):
        if (
            _frame(first, at)
            or (not beside and _inserted(first, at))
            or (verb is not None and _governs(first, at, verb))
        ):
            if any(names_what(w.low, base) for w in second for base in word.bases):
                continue  # "announced" is "the announcement"
            return Difference("attribution", word.text, "", False)
    return None


def _to_whom(first: Sequence[Word]) -> Word | None:
    """Return who something is so for, where a sentence begins with that: "for the union, the reform is a fraud"."""
    verb = next((k for k, w in enumerate(first) if finite(w)), 0)
    if not verb or first[verb].low != "be" or first[0].low not in ("for", "to"):
        return None
    head = next((w for w in first[1:verb] if w.content), None)
    for word in first[1:verb]:
        if word.kind == "mark" or (word.cls in ("article", "preposition") and word is not first[1]):
            break
        if word.content:
            head = word
    return head if head is not None and head.kind == "content" and (person(head.low) or group(head.low)) else None


def _of_relative(first: Sequence[Word], verb: Word) -> bool:
    """Return whether a claim's verb is the one of a relative clause behind a comma: what is said of it beside."""
    at = next((k for k, w in enumerate(first) if finite(w) and w.bases & verb.bases), 0)
    opened = next((k for k in range(at - 1, -1, -1) if first[k].kind == "mark"), None)
    return opened is not None and first[opened + 1].cls == "relative"


def _frame(first: Sequence[Word], at: int) -> bool:
    """Return whether a word belongs to a phrase or a clause that tells whose word or view the rest is."""
    word, before, behind = first[at], first[max(0, at - 6) : at], first[at + 1 : at + 3]
    if word.low in UNSURE and word.verb is None and first[0].cls == "preposition" and not any(
        w.kind == "mark" or finite(w) for w in first[:at]
    ):
        return True  # "under the hypothesis, …"
    if word.low in _VIEWS:
        inside = next((k for k in range(len(before) - 1, -1, -1) if before[k].cls == "preposition"), None)
        owned = inside is not None and any(w.cls == "possessive" for w in before[inside:])
        return inside is not None and (owned or any(w.low == "of" for w in behind[:1]))
    if word.low == "have" and [w.low for w in behind] == ["it", "that"]:
        return True
    if word.low in ("go", "goes") and before and before[-1].low in _STORIES:
        return True
    if finite(word) and (word.bases & REPORTED or (word.low in _PUTS and behind and behind[0].low == "it")):
        opened = next((k for k in range(at - 1, -1, -1) if first[k].kind == "mark"), -1)
        named = at > opened + 2 or any(w.low == "by" for w in behind[:1])  # "as said" names nobody
        return first[opened + 1].low == "as" and named
    if word.low in _CALLS and any(w.low == "what" for w in before):
        return True
    headed = word.low == ":" and 0 < at <= _LONGEST_SPEAKER and any(finite(w) for w in first[at:])
    return headed and _speaker(first[:at])


def _speaker(words_before: Sequence[Word]) -> bool:
    """Return whether words before a colon name somebody."""
    head = words_before[-1]
    return not any(finite(w) for w in words_before) and head.kind == "content" and (person(head.low) or group(head.low))


def _inserted(first: Sequence[Word], at: int) -> bool:
    """Return whether a verb of saying is the one of a clause between marks: ", a lawyer argued on Monday"."""
    word = first[at]
    if word.low not in SAID or not at:
        return False
    named = first[at - 1]
    if not named.content and named.low not in ("<somebody>", "it", "they"):
        return False
    opened = next((k for k in range(at - 1, -1, -1) if first[k].kind == "mark"), None)
    if opened is None or first[opened].low == ";" or first[opened + 1].low == "as":
        return False
    if not any(finite(w) for w in (*first[:opened], *first[at + 1 :])):
        return False
    if not finite(word) and named.kind == "content" and "n" not in kinds(named.low):
        return False  # "the company's annual reports"
    close = next((k for k in range(at + 1, len(first)) if first[k].kind == "mark"), len(first))
    around = (*first[opened + 1 : at], *first[at + 1 : close])
    return not any(finite(w) or w.cls in ("relative", "and", "or", "but", "that") for w in around)


def _sure(first: Sequence[Word], at: int) -> bool:
    """Return whether somebody is in a state of mind about what "that" begins: "is convinced that"."""
    if not at or at + 2 >= len(first) or first[at + 1].low != "that" or first[at].low in FOUND:
        return False
    features = first[at].verb
    passive = features is not None and features.passive
    behind_be = features is None and first[at].kind == "content" and first[at - 1].low == "be"
    if not (passive or behind_be) or first[at - 1 - behind_be].low in ("it", "there"):
        return False
    return "a" in kinds(first[at].low) or past_form(first[at].low)


def _governs(first: Sequence[Word], at: int, verb: Word) -> bool:
    """Return whether what the claim's verb tells is what somebody says or thinks: "saying the strike was legal"."""
    word, before = first[at], first[at - 1] if at else None
    if _sure(first, at):
        inner = next((w for w in first[at + 2 :] if finite(w)), None)
        return inner is not None and bool(inner.bases & verb.bases)
    if not (word.low in SAID or (word.low.endswith("ing") and word.bases & SAID)) or word.low in FOUND:
        return False
    if before is not None and (before.cls in ("article", "possessive", "preposition", "quantifier", "demonstrative")
                               or before.kind == "number" or kinds(before.low) == {"a"}):  # fmt: skip
        return False
    if "recommend" in word.bases and verb.verb is not None and verb.verb.modal == "advised":
        return False  # what is recommended one should do
    for inner in first[at + 1 :]:
        if inner.kind == "mark":
            return False
        if finite(inner):
            return bool(inner.bases & verb.bases)
    return False


__all__ = ["made_fact"]
