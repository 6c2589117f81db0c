"""Words and their relations, as the comparison asks for them: the lexicon's word, and what no lexicon lists."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from veritas.text import wordnet
from veritas.text.stems import fold
from veritas.text.wordlist import words

_PREFIXES = ("un", "in", "im", "ir", "il", "non", "non-", "dis", "a")
_SPELLINGS = (("our", "or"), ("isation", "ization"), ("ise", "ize"), ("ising", "izing"), ("ised", "ized"),
              ("yse", "yze"),
              ("centre", "center"), ("metre", "meter"), ("litre", "liter"), ("programme", "program"))  # fmt: skip


@lru_cache(maxsize=1 << 16)
def bases(word: str) -> frozenset[str]:
    """Return a lower-case word's possible base forms, itself among them."""
    word = fold(word)
    found = {word, *wordnet.lemmas(word)}
    if len(found) == 1 and len(word) > 3 and word.isalpha() and not kinds(word):
        for ending, left in (("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"), ("ing", ""),
                             ("ing", "e")):  # fmt: skip
            if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
                found.add(word[: -len(ending)] + left)
    if word.endswith("-to"):  # a phrase that works as one word: "belonged-to"
        found |= {f"{base}-to" for base in bases(word[:-3])}
    if word == "people":
        found.add("person")
    for british, american in _SPELLINGS:
        found |= {base.replace(british, american) for base in found if british in base and len(base) > 4}
    return frozenset(found)


@lru_cache(maxsize=1 << 16)
def verb_bases(word: str) -> frozenset[str]:
    """Return the base forms of a lower-case word as a verb, itself for a word that is none."""
    return wordnet.lemmas(word, "v")


@lru_cache(maxsize=1 << 16)
def kinds(word: str) -> frozenset[str]:
    """Return the parts of speech that a lower-case word may be: "n", "v", "a", "r"; none for an unknown word."""
    return frozenset(wordnet.parts_of_speech(word))


@lru_cache(maxsize=1 << 16)
def frequency(word: str, part: Literal["n", "v"]) -> int:
    """Return how often a word is seen as a noun or as a verb."""
    return wordnet.frequency(word, part)


@lru_cache(maxsize=1 << 16)
def synonyms(a: str, b: str) -> bool:
    return wordnet.synonyms(a, b)


@lru_cache(maxsize=1 << 16)
def share_rare_meaning(word: str, bases: frozenset[str], *, verb: bool) -> bool:
    """Return whether a word and one of base forms share a meaning, as a verb or as anything else, which is not a common
    one of both."""
    parts: tuple[wordnet.Part, ...] = ("v",) if verb else ("n", "a", "r")
    return any(wordnet.share_rare_meaning(word, bases, part) for part in parts)


@lru_cache(maxsize=1 << 16)
def broader(a: str, b: str) -> bool:
    """Return whether the second word is a broader one."""
    return wordnet.broader(a, b)


def person(word: str) -> bool:
    """Return whether a noun is one of persons."""
    return word == "people" or wordnet.beneath(word, "person")


def period(word: str) -> bool:
    """Return whether a noun is one of spans of time: a year, a night."""
    return wordnet.beneath(word, "time period") or wordnet.beneath(word, "time unit")


def group(word: str) -> bool:
    """Return whether a noun is one of groups, which may be told of as persons are: a firm, a team."""
    return wordnet.beneath(word, "group")


@lru_cache(maxsize=1 << 16)
def derived(a: str, b: str) -> bool:
    """Return whether one word is formed from the other; both begin with the same letter then."""
    return a[:1] == b[:1] and wordnet.derived(a, b)


@lru_cache(maxsize=1 << 16)
def names_what(noun: str, verb: str) -> bool:
    """Return whether a noun names what a verb, or how much of what an adjective, tells: "sale", "sell"; "height",
    "high". WordNet does not link all of them."""
    if noun[:1] == verb[:1] and derived(noun, verb):
        return True
    if not _beginnings(_nouns(noun)).isdisjoint(_beginnings(bases(verb))) and any(
        n[:3] == v[:3] and _formed(n, v) for n in _nouns(noun) for v in bases(verb)
    ):
        return True
    if not _FORMED_NOUNS.isdisjoint(_nouns(noun)) and any((n, v) in _FORMED for n in _nouns(noun) for v in bases(verb)):
        return True
    return not _meanings_as_verb(noun).isdisjoint(_meanings(verb))


@lru_cache(maxsize=1 << 16)
def _beginnings(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word[:3] for word in words)


@lru_cache(maxsize=1 << 16)
def _nouns(word: str) -> frozenset[str]:
    return wordnet.lemmas(word, "n")


@lru_cache(maxsize=1 << 16)
def _meanings_as_verb(noun: str) -> frozenset[str]:
    """Return the meanings of the verbs that WordNet forms a noun from, and of itself if it is one."""
    named = (v for n in _nouns(noun) for v in (n, *wordnet.relatives(n)) if "v" in kinds(v))
    return frozenset().union(*map(wordnet.meanings, named))


@lru_cache(maxsize=1 << 16)
def _meanings(verb: str) -> frozenset[str]:
    """Return the meanings of a word's base forms that are verbs."""
    return frozenset().union(*(wordnet.meanings(v) for v in bases(verb) if "v" in kinds(v)))


def names_doer(word: str) -> bool:
    """Return whether a word in "er" names who does something, as "founder", rather than compares, as "longer"."""
    return any(
        word.startswith(verb[:-1]) and wordnet.frequency(verb, "v") > wordnet.frequency(verb, "a")
        for verb in wordnet.relatives(word)
    )


_FORMED = frozenset(
    tuple(pair.split("-"))
    for pair in words(
        """
        sale-sell loss-lose gift-give flight-fly flight-flee proof-prove choice-choose death-die birth-bear theft-steal
        success-succeed knowledge-know shot-shoot loan-lend siege-besiege response-respond effect-affect
        pursuit-pursue complaint-complain restraint-restrain product-produce descent-descend deed-do growth-grow
        coronation-crown ownership-own applause-applaud conquest-conquer receipt-receive
        departure-leave rise-raise sight-see belief-believe speech-speak
        behaviour-behave breakdown-break relief-relieve memory-remember
        threat-threaten victory-defeat victory-beat victory-win hatred-hate laughter-laugh advice-advise burial-bury
        length-long height-high height-tall depth-deep width-wide breadth-broad thickness-thick age-old
        weight-heavy weight-weigh
        strength-strong speed-fast warmth-warm youth-young
        """
    )
)
"""Nouns that no ending forms from the verb or adjective of their meaning."""
_FORMED_NOUNS = frozenset(noun for noun, _ in _FORMED)
_ENDINGS = (
    ("nd", "nsion"), ("nd", "nse"), ("de", "sion"), ("t", "ssion"), ("d", "ssion"), ("e", "ion"), ("e", "ation"),
    ("y", "ication"), ("", "ation"), ("", "ion"), ("", "ment"), ("e", "al"), ("", "al"), ("e", "ance"), ("", "ance"),
    ("", "ence"), ("e", "ure"), ("", "ure"), ("e", "ition"), ("be", "ption"), ("ve", "ption"), ("e", "ption"),
    ("ce", "ction"), ("y", "ial"), ("", "age"), ("", "ing"), ("e", "ing"),
)  # fmt: skip


def _formed(noun: str, verb: str) -> bool:
    """Return whether an ending makes the noun of the verb."""
    return "v" in kinds(verb) and any(
        noun.endswith(instead) and verb.endswith(ending) and noun == verb[: len(verb) - len(ending)] + instead
        for ending, instead in _ENDINGS
    )


@lru_cache(maxsize=1 << 16)
def siblings(a: str, b: str) -> bool:
    return wordnet.siblings(a, b)


_OPPOSITES = frozenset(
    frozenset(pair.split("-"))
    for pair in words(
        """
        required-optional mandatory-optional obligatory-optional synchronous-asynchronous visible-hidden valid-invalid
        blocking-nonblocking stateful-stateless upstream-downstream upload-download encrypt-decrypt online-offline
        inclusive-exclusive
        """
    )
)
"""Opposites of manuals that WordNet does not have."""
_OPPOSED = frozenset(word for pair in _OPPOSITES for word in pair)


@lru_cache(maxsize=1 << 16)
def antonyms(a: str, b: str) -> bool:
    """Return whether two words are opposites, or one is the other behind a prefix that denies it."""
    return wordnet.antonyms(a, b) or opposite_in_form(a, b)


def opposite_in_form(a: str, b: str) -> bool:
    """Return whether a prefix makes one of two words the opposite of the other, or a manual has them as opposites."""
    if a[-3:] == b[-3:] and (denies(a, b) or denies(b, a)):
        return True
    return (a in _OPPOSED or b in _OPPOSED) and frozenset((a, b)) in _OPPOSITES


@lru_cache(maxsize=1 << 16)
def denies(longer: str, shorter: str) -> bool:
    """Return whether the longer word is the shorter one behind a prefix that denies it: "ineffective", "effective"."""
    if len(shorter) < 4 or not longer.endswith(shorter):
        return False
    prefix = longer[: -len(shorter)]
    return prefix in _PREFIXES and (
        prefix.startswith("non") or prefix in ("un", "dis") or wordnet.antonyms(longer, shorter)
    )
