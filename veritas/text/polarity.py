"""Polarity: negation, antonyms and direction, and opposition of two sentences about one thing."""

from __future__ import annotations

import re

from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.tokens import normalise
from veritas.text.wordlist import words

_WORD = re.compile(r"[^\W_]+(?:'[a-z]+)?|[,;:()]")
_NEGATORS = words(
    """
    not no never neither nor none nobody nothing nowhere without cannot can't don't doesn't didn't isn't aren't wasn't
    weren't won't wouldn't shouldn't couldn't hasn't haven't hadn't mustn't lack lacks lacked lacking absence unable
    hardly barely rarely seldom
    """
)
# "failed to start" denies the start; "a failed task" denies nothing.
_FAILED_TO = re.compile(r"\b(?:fail(?:s|ed|ing|ures?)?|refus(?:es|ed|ing|al)|ceas(?:es|ed|ing)|unlikely)\s+to\b")
_CLAUSE_ENDS = words(", ; : ( ) but whereas while although though however because unless if")
_NO_NEGATION = re.compile(
    r"(?i)\bnot\s+(?:only|just|merely|necessarily)\b|\bno\s+(?:matter|doubt|longer\s+than|more\s+than|less\s+than|later|"
    r"sooner)\b|\bwithout\s+(?:loss\s+of\s+generality|doubt)\b|\bwhether\s+or\s+not\b|\bnon-?zero\b"
)
SCOPE = 4
"""Number of content words that a negator reaches over, to the right and within its clause."""

_PAIRS = """
increase raise elevate rise grow enhance boost augment amplify upregulate gain accelerate strengthen heighten
/ decrease reduce lower decline drop fall diminish lessen attenuate downregulate lose slow weaken cut shrink
improve better ameliorate / worsen impair deteriorate
activate promote stimulate induce trigger facilitate enable / inhibit suppress prevent block repress impair disable
high large great more long strong many / low small little less short weak few
fast quick rapid / slow
early before prior / late after
positive / negative
beneficial helpful protective / harmful detrimental deleterious hurtful
effective efficacious useful / ineffective useless inefficacious
safe / unsafe dangerous hazardous
present / absent missing
presence / absence
necessary required mandatory compulsory essential / unnecessary optional dispensable
sufficient adequate / insufficient inadequate
allow permit accept admit / forbid prohibit disallow deny reject refuse
include contain / exclude omit
enabled on / disabled off
true correct valid / false incorrect wrong invalid
support confirm prove / refute contradict disprove rebut
succeed success / fail failure
always / never
all every / none
stable / unstable
sensitive susceptible / resistant insensitive
dependent depend / independent
possible able capable / impossible unable incapable
significant / insignificant nonsignificant
similar same equal identical equivalent / different distinct unequal dissimilar
synchronous blocking / asynchronous nonblocking
mutable / immutable
ordered / unordered
public / private
internal / external
deterministic / nondeterministic random
compatible / incompatible
legal lawful / illegal unlawful
known / unknown
common frequent / rare uncommon infrequent
normal / abnormal
better superior / worse inferior
best / worst
maximum / minimum
up / down
open / closed
active / inactive
benign / malignant
dominant / recessive
acute / chronic
hot / cold
inside / outside
oxidize / reduce
automatic / manual
case-sensitive / case-insensitive
"""


def _table() -> dict[str, tuple[tuple[int, int], ...]]:
    """Return stem -> the (pair, side) entries it belongs to."""
    found: dict[str, list[tuple[int, int]]] = {}
    lines = re.split(r"\n(?!/)", _PAIRS.strip())
    for number, line in enumerate(lines):
        for side, listed in enumerate(line.split("/")):
            for word in listed.split():
                found.setdefault(stem(word), []).append((number, side))
                if not word.endswith("ly"):
                    found.setdefault(stem(word + "ly"), []).append((number, side))
    return {key: tuple(dict.fromkeys(value)) for key, value in found.items()}


_ANTONYMS = _table()
_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "anti", "de")


def signs(text: str) -> dict[str, int]:
    """Return the content stems of `text` with their sign: -1 if a negator reaches over the word, +1 elsewhere, 0 for a
    stem with both signs."""
    found: dict[str, int] = {}
    plain = _FAILED_TO.sub(" not ", _NO_NEGATION.sub(" ", normalise(text).casefold()))
    reach, sign = 0, 1
    for word in _WORD.findall(plain):
        if word in _CLAUSE_ENDS:
            reach, sign = 0, 1
            continue
        if word in _NEGATORS or word.endswith("n't"):
            # A second negator in the same reach undoes the first: "not without".
            sign = -sign if reach else -1
            reach = SCOPE
            continue
        if word in STOP_WORDS:
            continue
        key = stem(word)
        now = sign if reach else 1
        found[key] = now if found.get(key, now) == now else 0
        if reach:
            reach -= 1
            if not reach:
                sign = 1
    return found


def opposed(a: str, b: str) -> str | None:
    """Return why two sentences say opposite things, in a few words, or None.

    The reason is a shared word that is negated in one alone, or a pair of antonyms, one in each, under equal signs. The
    caller makes sure that both are about the same thing (by their common words): only polarity is compared here. A
    sentence that holds both words of a pair ("high in A, low in B") gives no opposition by that pair.
    """
    ours, theirs = signs(a), signs(b)
    flips = [key for key in ours if ours[key] and theirs.get(key) and ours[key] != theirs[key]]
    crossed = _crossed(ours, theirs)
    against = [pair for pair in crossed if pair[2]]
    if against and flips:
        # "does not increase" and "decreases": negation and antonym cancel each other.
        flips = [key for key in flips if key not in {word for pair in crossed for word in pair[:2]}]
    if against:
        return f"“{_spelled(a, against[0][0])}” against “{_spelled(b, against[0][1])}”"
    weighty = [key for key in flips if key not in _GENERIC_STEMS]
    if weighty and not any(not pair[2] for pair in crossed):
        return f"“{_spelled(a, weighty[0])}” is negated in one alone"
    return None


def _spelled(text: str, key: str) -> str:
    """Return the word of the text that the stem stands for."""
    return next((word for word in _WORD.findall(normalise(text).casefold()) if stem(word) == key), key)


_GENERIC_STEMS = frozenset(stem(word) for word in GENERIC_WORDS) - {"affect", "effect", "improve", "support", "caus"}


def _crossed(ours: dict[str, int], theirs: dict[str, int]) -> list[tuple[str, str, bool]]:
    """Return antonym pairs across the two sentences: our word, their word, and whether they oppose (equal signs)."""
    found = []
    for one, sign in ours.items():
        for other, counter in theirs.items():
            if one == other or not sign or not counter or not _antonyms(one, other):
                continue
            if one in theirs or other in ours or _both(ours, one, other) or _both(theirs, other, one):
                continue
            found.append((one, other, sign == counter))
    return found


def _antonyms(one: str, other: str) -> bool:
    for number, side in _ANTONYMS.get(one, ()):
        if (number, 1 - side) in _ANTONYMS.get(other, ()):
            return True
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    return len(shorter) > 3 and any(longer == prefix + shorter for prefix in _PREFIXES)


def _both(words: dict[str, int], mine: str, rival: str) -> bool:
    """Return whether a sentence with `mine` also has an antonym of it other than `rival`."""
    return any(word not in (mine, rival) and _antonyms(mine, word) for word in words)
