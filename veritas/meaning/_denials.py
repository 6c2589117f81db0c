"""Denials in one form: "not unless" as "only if", "not until" as "not before", "not all" as "some not"."""

from __future__ import annotations

from dataclasses import replace

from veritas.meaning._function_words import CLASS
from veritas.meaning._rearrangement import Words, clause_start, phrase_end
from veritas.meaning._word import Word, finite

_NO_LONGER = Word("no longer", "no-longer", "grammar", frozenset({"no-longer"}), "change")
_TOLD_BY = frozenset(
    "only alone solely exclusively except but anymore no-longer not-all have deny denies denied".split()
)
"""Words without which, and without a denied verb, a sentence has one form."""
_ENDS = frozenset({"but", "relative", "that", "condition", "time", "cause", "concession"})


def denied_plainly(words: Words) -> Words:
    """Write the denials of a sentence in the one form that its variants share."""
    if not any(w.low in _TOLD_BY or (w.verb is not None and w.verb.not_) for w in words):
        return words
    at = 0
    while at < len(words):
        word = words[at]
        if word.verb is not None:
            if at and words[at - 1].low == "no-longer":
                words = (*words[: at - 1], word, words[at - 1], *words[at + 1 :])
                at -= 1
            words = _not_all(_said_not(words, at), at)
            features = words[at].verb
            if features is not None and features.not_:
                words = _not_before(_only_if(_no_longer(words, at), at), at)
            else:
                words = _only_after(words, at)
        at += 1
    return _having(_except_last(_only_before(words)))


def _only_before(words: Words) -> Words:
    """Write "to first orders only" as "only to first orders", "the flag alone" as "only the flag"."""
    for at in range(1, len(words)):
        behind = words[at + 1] if at + 1 < len(words) else None
        ends = behind is None or behind.kind == "mark" or finite(behind) or (
            behind.cls in ("preposition", "time", "condition")
        )
        if words[at].low not in ("only", "alone", "solely", "exclusively") or not ends or not words[at - 1].content or (
            words[at - 1].verb is not None
        ):  # fmt: skip
            continue
        start = at - 1
        while start > 0 and (words[start - 1].content and words[start - 1].verb is None):
            start -= 1
        start -= start > 0 and words[start - 1].cls in ("article", "possessive", "demonstrative")
        led = start > 0 and words[start - 1].cls == "preposition" and words[start - 1].low != "of"
        if led and words[at].low == "alone":
            continue  # "compared with diet alone"
        start -= led
        only = replace(words[at], low="only", bases=frozenset({"only"}))
        meant = (replace(w, down=True) for w in words[start:at])
        return (*words[:start], only, *meant, *_only_before(words[at + 1 :]))
    return words


def _except_last(words: Words) -> Words:
    """Write "all of them but Ann left" and "all of them except Ann left" as "all of them left except Ann"."""
    for at in range(2, len(words) - 2):
        if words[at].low != "except" and not (words[at].low == "but" and _all_before(words, at)):
            continue
        end = phrase_end(words, at + 1)
        if end == at + 1 or end >= len(words) or not finite(words[end]):
            continue
        told = replace(words[at], low="except", bases=frozenset({"except"}), cls=CLASS["except"])
        return (*words[:at], *words[end:], told, *words[at + 1 : end])
    return words


def _all_before(words: Words, at: int) -> bool:
    """Return whether the noun before a place is all there is of something, and no verb stands between."""
    start = clause_start(words, at)
    return any(w.low in ("all", "every", "each", "any") for w in words[start:at]) and not any(
        finite(w) for w in words[start:at]
    )


def _turned(words: Words, at: int) -> Words:
    """Return the words with the verb at a place denied, or affirmed if it is denied; what follows goes with it."""
    features = words[at].verb
    assert features is not None
    denied = not features.not_
    told = replace(words[at], verb=replace(features, not_=denied, never=False))
    end = _clause_end(words, at)
    rest = tuple(replace(w, down=denied) if w.down != denied else w for w in words[at + 1 : end])
    return (*words[:at], told, *rest, *words[end:])


def _clause_end(words: Words, at: int) -> int:
    """Return where the clause of the verb at a place ends."""
    for k in range(at + 1, len(words)):
        if words[k].cls in _ENDS or words[k].low == ";" or finite(words[k]):
            return k
    return len(words)


def _only_if(words: Words, at: int) -> Words:
    """Write "is not valid if both do not sign" (which is how "unless" is read) as "is valid only if both sign"."""
    opened = next((k for k in range(at + 1, len(words)) if words[k].low == "if"), None)
    verb = next((k for k in range(opened or len(words), len(words)) if finite(words[k])), None)
    if opened is None or verb is None or any(finite(w) for w in words[at + 1 : opened]):
        return words
    inner = words[verb].verb
    if inner is None or not inner.not_:
        return words
    words = _turned(_turned(words, verb), at)
    only = replace(words[opened], low="only-if", bases=frozenset({"only-if"}))
    return (*words[:opened], only, *words[opened + 1 :])


def _not_before(words: Words, at: int) -> Words:
    """Write "was not seen until March" as "was not seen before March"."""
    for k in range(at + 1, len(words)):
        if words[k].low in ("until", "till"):
            return (*words[:k], _before(words[k]), *words[k + 1 :])
        if finite(words[k]) or words[k].low == ";":
            break
    return words


def _only_after(words: Words, at: int) -> Words:
    """Write "opened only after the war" as "did not open before the war"."""
    for k in range(at + 1, len(words) - 1):
        behind = words[k + 1]
        if words[k].low == "only" and behind.low in ("after", "once", "when") and k + 2 < len(words):
            return _turned((*words[:k], _before(behind), *words[k + 2 :]), at)
        if finite(words[k]) or words[k].kind == "mark":
            break
    return words


def _before(word: Word) -> Word:
    return replace(word, low="before", bases=frozenset({"before"}), cls="time")


def _no_longer(words: Words, at: int) -> Words:
    """Write "does not sing any more" as "no longer sings"."""
    end = _clause_end(words, at)
    gone = next((k for k in range(at + 1, end) if words[k].low == "anymore"), None)
    if gone is None:
        return words
    words = _turned((*words[:gone], *words[gone + 1 :]), at)
    return (*words[: at + 1], _NO_LONGER, *words[at + 1 :])


def _said_not(words: Words, at: int) -> Words:
    """Write "denied that it had paid" as "said that it had not paid"."""
    features = words[at].verb
    verb = next((k for k in range(at + 1, len(words)) if finite(words[k])), None)
    if "deny" not in words[at].bases or features is None or features.not_ or verb is None:
        return words
    if words[at + 1].low != "that":
        return words
    told = replace(words[at], low="say", bases=frozenset({"say"}))
    return _turned((*words[:at], told, *words[at + 1 :]), verb)


def _not_all(words: Words, at: int) -> Words:
    """Write "not all of them paid" as "some of them did not pay"."""
    start = clause_start(words, at)
    if start >= at or words[start].low != "not-all" or not finite(words[at]):
        return words
    some = replace(words[start], low="some", bases=frozenset({"some"}))
    return _turned((*words[:start], some, *words[start + 1 :]), at)


def _having(words: Words) -> Words:
    """Write "mice that have a tumour" as "mice with a tumour", and "mice that lack it" as "mice without it"."""
    for at in range(1, len(words) - 2):
        verb = words[at + 1].verb
        noun = words[at - 1].content and words[at - 1].verb is None
        if noun and words[at].cls in ("relative", "that") and words[at + 1].low == "have" and verb is not None and not (
            verb.modal or verb.infinitive or verb.passive
        ):  # fmt: skip
            low = "without" if verb.not_ else "with"
            having = Word(words[at + 1].text, low, "grammar", frozenset({low}), CLASS[low], down=words[at].down)
            behind = words[at + 2 :]
            if verb.not_ and behind[0].low in ("any", "a"):
                behind = behind[1:]
            return (*words[:at], having, *_having(behind))
    return words
