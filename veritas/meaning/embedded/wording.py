"""Wording: a check that a claim keeps to the words of its passage, for claims that no language model judges.

The lenses say how far a passage covers a claim; one word added, left out or turned round costs little cover and can
reverse the meaning. Here a claim is a sentence of its passage, or a whole clause of one, word by word and in order.
"""

from __future__ import annotations

from veritas.text.same_words import said
from veritas.text.sentences import split_sentences

_TELLING = frozenset(
    "we i our their this these study trial paper work article review result finding data experiment author authors in "
    "here find found finds show showed shown report reported demonstrate demonstrated observe observed that it".split()
)
"""Words that name the speaker, before what is said."""
_IDLE = frozenset("also widely however therefore thus moreover furthermore indeed very , ( )".split())
"""Words and signs that a claim may leave out."""
_PUT_ON = frozenset("also moreover furthermore ,".split())
"""Words and signs that a claim may add."""
_BINDING = frozenset(
    "not no never neither nor none only except unless if when whenever while until provided though although but "
    "however than may might could can should "
    "sometimes often rarely seldom some most few many nearly almost about allegedly "
    "reportedly claim believe suggest whether false untrue wrong retract retracted withdrawn".split()
)
"""Words that restrict, deny or distance: a clause that has one must not be left out."""
_BREAK = ("and", ";")


def unworded(claim: str, passage: str) -> str | None:
    """Return where the claim departs from the words of its passage, or leaves out what belongs to them. None if each of
    its sentences is a sentence of the passage, or a clause of one, or two of these joined by "and"."""
    sentences = [said(passage[start:end]) for start, end in split_sentences(passage)]
    parts = [claim[start:end] for start, end in split_sentences(claim)]
    if not parts or not any(sentences):
        return "there are no words to hold it to"
    return next((why for part in parts if (why := _departs(said(part), sentences))), None)


def _departs(part: tuple[str, ...], sentences: list[tuple[str, ...]]) -> str | None:
    part = _untold(part)
    reasons = [_differs(part, sentence) for sentence in sentences]
    if None in reasons:
        return None
    for at, word in enumerate(part):
        if word in _BREAK and 0 < at < len(part) - 1:
            halves = part[:at], part[at + 1 :]
            if all(any(_differs(_untold(half), s) is None for s in sentences) for half in halves):
                return None
    nearest = max(range(len(sentences)), key=lambda i: len(set(part) & set(sentences[i])))
    return reasons[nearest]


def _untold(part: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words without "the study found that"."""
    head = part[:6]
    if "that" in head and _TELLING.issuperset(head[: head.index("that")]):
        return part[head.index("that") + 1 :]
    return part


def _differs(part: tuple[str, ...], sentence: tuple[str, ...]) -> str | None:
    """Return why the words are not those of the sentence or of a clause in it; None if they are."""
    words = [word for word in part if word not in _PUT_ON]
    if not words:
        return "it says nothing"
    missing = next((word for word in words if word not in sentence), None)
    if missing is not None:
        return f"the passage does not say {missing!r}"
    reason = "the passage has its words in another order"
    for start in (at for at, word in enumerate(sentence) if word == words[0]):
        end, left = _followed(words, sentence, start)
        if left is None:
            left = _left_before(sentence[:start]) or _left_behind(sentence[end:])
        if left is None:
            return None
        reason = f"the passage says {left!r}, which it leaves away or has elsewhere"
    return reason


def _followed(words: list[str], sentence: tuple[str, ...], start: int) -> tuple[int, str | None]:
    """Return where the words end in the sentence from `start` on, and the first word between them that they lack."""
    at = start
    for word in words:
        while at < len(sentence) and sentence[at] != word:
            if sentence[at] not in _IDLE:
                return at, sentence[at]
            at += 1
        if at == len(sentence):
            return at, word
        at += 1
    return at, None


def _left_before(head: tuple[str, ...]) -> str | None:
    """Return a word before the claim's that it must not leave out; None if there is none, as in a clause of its own."""
    rest = [word for word in head if word not in _IDLE]
    if not rest or _TELLING.issuperset(rest):
        return None
    clause = head[-1] == ";" or head[-2:] == (",", "and")
    return _binding(rest[:-1] if rest[-1] in _BREAK else rest) if clause else rest[-1]


def _left_behind(tail: tuple[str, ...]) -> str | None:
    rest = [word for word in tail if word not in _IDLE]
    if not rest:
        return None
    clause = tail[0] == ";" or tail[:2] == (",", "and")
    return _binding(rest[1:]) if clause else rest[0]


def _binding(clause: list[str]) -> str | None:
    """Return the word that forbids leaving a clause out: one that binds, or the first of a stretch too short for a
    clause."""
    found = next((word for word in clause if word in _BINDING), None)
    return found or (clause[0] if 0 < len(clause) < 3 else None)
