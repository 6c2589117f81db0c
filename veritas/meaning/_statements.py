"""The statements of a sentence: clauses that it says side by side, each with what holds for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from veritas.meaning._function_words import SAID, UNSURE
from veritas.meaning._rearrangement import Words, clause_start
from veritas.meaning._word import Word, finite

_ASIDE = frozenset({"although", "though", "whereas", "but", "yet", "while"})
_TAKES_BACK = frozenset(
    "significant significance evidence proof confirm prove true believe withdraw retract refute doubt deny reject"
    " correct accurate real support replicate reproduce wrong false"
    .split()
)  # fmt: skip


def statements(words: Words) -> list[Words]:
    """Return the clauses that a sentence says beside each other, none if it is one or if one takes another back.

    A clause without subject has the one before it; what a sentence begins with (a place, a time, a condition, a source)
    belongs to all.
    """
    cuts = _cuts(words)
    if not cuts:
        return aside(words)
    front, cuts = _front(words, cuts)
    parts: list[Words] = []
    subject: Words = ()
    for start, end in zip([len(front), *cuts], [*cuts, len(words)], strict=True):
        part = _bare(words[start:end])
        if not any(finite(w) for w in part):
            if parts:
                parts[-1] = (*parts[-1], *words[start:end])
            continue
        if taken_back(words[start:end]):
            return []
        at = next(k for k, w in enumerate(part) if finite(w))
        if at == 0 or not any(w.content or w.cls in ("pronoun", "relative") for w in part[:at]):
            part = (*subject, *part[at:])
        elif subject and at == 1 and part[0].low in ("it", "they", "he", "she"):
            part = (*subject, *part[1:])
        else:
            start = clause_start(part, at)
            subject = tuple(w for w in part[start:at] if not (w.kind == "content" and w.low.endswith("ly")))
        parts.append(part)
    if len(parts) < 2:
        return []
    if front and front[0].low in _ASIDE:
        return [_bare(front), *parts]
    return [(*_bare_front(front), *part) for part in parts]


def taken_back(part: Sequence[Word]) -> bool:
    """Return whether a clause says of the others that they may not be so."""
    if not part or part[0].low not in (*_ASIDE, "however", ";", "and"):
        return False
    denied = any(w.verb is not None and w.verb.not_ for w in part) or any(w.low in UNSURE for w in part)
    return denied and any(w.bases & _TAKES_BACK or w.low in UNSURE for w in part)


def _cuts(words: Words) -> list[int]:
    """Return where clauses begin that stand beside the ones before."""
    found: list[int] = []
    told = any(w.low in SAID or w.low in UNSURE for w in words if w.content) or any(
        finite(a) and b.low == "that" for a, b in pairwise(words)
    )
    for at, word in enumerate(words):
        if not at:
            continue
        ahead = _verb_ahead(words, at, lists=word.low in (";", "--") or word.low in _ASIDE)
        if word.low in (";", "--") and ahead:
            found.append(at)
        elif not ahead or not any(finite(w) for w in words[:at]):
            continue
        elif (word.low in _ASIDE and (word.low != "while" or words[at - 1].low == ",")) or (
            word.cls == "and" and not told and words[at + 1].cls not in ("relative", "condition", "that")
        ):
            found.append(at)
    return found


def _verb_ahead(words: Words, at: int, *, lists: bool) -> bool:
    """Return whether a verb follows in the clause that begins here; with `lists`, behind an "and" too."""
    for word in words[at + 1 :]:
        if finite(word):
            return True
        if word.low in (";", ":") or word.cls in ("but", "relative", "that", "condition"):
            return False
        if word.cls in ("and", "or") and not lists:
            return False
    return False


def _front(words: Words, cuts: list[int]) -> tuple[Words, list[int]]:
    """Return what a sentence begins with, up to its comma, and the cuts behind it."""
    comma = next((k for k, w in enumerate(words) if w.low == ","), None)
    if comma is None or (words[0].cls not in ("preposition", "condition", "time", "cause", "concession", "according")):
        return (), cuts
    if words[0].low in _ASIDE and not any(finite(w) for w in words[:comma]):
        return (), cuts
    return words[: comma + 1], [c for c in cuts if c > comma]


def _bare(part: Words) -> Words:
    """Return a clause without the marks and conjunctions around it."""
    start, end = 0, len(part)
    while start < end and (
        part[start].kind == "mark" or part[start].low in _ASIDE or part[start].cls in ("and", "but", "discourse")
    ):
        start += 1
    while end > start and part[end - 1].kind == "mark":
        end -= 1
    return part[start:end]


def _bare_front(front: Words) -> Words:
    return () if front and front[0].low in _ASIDE else front


def aside(words: Words) -> list[Words]:
    """Return the clauses of a sentence that begins with "although": what it concedes, and what it says."""
    front, _ = _front(words, [])
    if front and front[0].low in _ASIDE and not taken_back(front):
        rest = words[len(front) :]
        if any(finite(w) for w in rest) and not taken_back(rest):
            return [_bare(front), rest]
    return []
