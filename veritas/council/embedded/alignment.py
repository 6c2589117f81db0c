"""Alignment of two sentences: are they about the same thing, and do they disagree or say the same?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veritas.judging import STRICT, judge
from veritas.text.polarity import opposed, signs
from veritas.text.quantity_relation import conflicts
from veritas.text.same_words import said
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import normalise
from veritas.text.wordlist import words

SAME_SUBJECT = 0.55
"""Least share of content words (Dice, numbers and polarity apart) that two sentences about one thing have in common."""
NEGATED = 0.65
"""Least share for a disagreement by negation alone, which may well deny another part of the sentence."""
SHARED = 3
"""Least number of content words they have in common."""

_TOKEN = re.compile(r"[^\W_]+(?:[.-][^\W_]+)*")
_GENERIC = frozenset(stem(word) for word in GENERIC_WORDS)


@dataclass(frozen=True, slots=True)
class Profile:
    """The words and names of a sentence that say what it is about. `names` are identifiers and proper names (digits,
    inner capitals, capitals inside)."""

    text: str
    stems: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=16384)
def profile(text: str) -> Profile:
    """Return the profile of a sentence."""
    plain = normalise(text)
    stems, names = set(), set()
    for match in _TOKEN.finditer(plain):
        for token in match[0].split("-"):
            low = token.casefold()
            if not low or low in STOP_WORDS or low[0].isdigit():
                continue
            key = stem(low)
            if key not in _GENERIC:
                stems.add(key)
            opening = match.start() == 0 or plain[: match.start()].rstrip()[-1:] in ".!?:"
            if any(c.isdigit() for c in token) or any(c.isupper() for c in token[1:]) or (
                token[0].isupper() and not opening
            ):
                names.add(key)
        if "-" in match[0] and any(c.isdigit() for c in match[0]) and match[0][0].isalpha():
            names.add(match[0].casefold())  # IL-6 is not IL-10
    return Profile(text, frozenset(stems), frozenset(names))


def alignment(a: Profile, b: Profile) -> float:
    """Return how much two sentences are about the same thing, 0 to 1; 0 if each names something the other does not."""
    if (a.names - b.names) and (b.names - a.names):
        return 0.0
    polar = _polar(a.text) | _polar(b.text)
    ours, theirs = a.stems - polar, b.stems - polar
    shared = len(ours & theirs)
    if shared < min(SHARED, len(ours), len(theirs)) or not shared:
        return 0.0
    return 2 * shared / (len(ours) + len(theirs))


@lru_cache(maxsize=16384)
def _polar(text: str) -> frozenset[str]:
    """Return the words of a sentence that give its direction rather than its subject."""
    return frozenset(key for key in signs(text) if key in _POLAR_STEMS)


_POLAR_STEMS = frozenset(
    stem(word)
    for word in words(
        """
        increase decrease reduce raise lower higher high low improve worsen enhance impair activate inhibit promote
        prevent enable disable enabled disabled effective ineffective positive negative required optional allow forbid
        safe unsafe better worse more less present absent
        """
    )
)


def disagreement(claim: str, sentence: str) -> str | None:
    """Return why a sentence speaks against a claim, in a few words, or None. They disagree if they have one subject,
    and another number for one measure or the opposite polarity. Precision first: different subjects never disagree."""
    aligned = alignment(profile(claim), profile(sentence))
    if aligned < SAME_SUBJECT:
        return None
    for mine, theirs in conflicts(claim, sentence):
        if mine.unit not in ("p", "n"):
            return f"{claim[mine.start : mine.end]} against {sentence[theirs.start : theirs.end]}"
    why = opposed(claim, sentence)
    return why if why is None or aligned >= NEGATED or not why.endswith("in one alone") else None


def repeats(claim: str, sentence: str) -> bool:
    """Return whether a sentence says what the claim says. Only one with most of the claim's words is judged."""
    if said(claim) == said(sentence):
        return True
    a, b = profile(claim), profile(sentence)
    near = len(a.stems & b.stems) >= SAME_SUBJECT * len(a.stems)
    return near and judge(claim, sentence, threshold=STRICT).label == "supports"
