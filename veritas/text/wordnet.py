"""Relations of words, from WordNet 3.0: base forms, synonyms, antonyms, derivations.

Only common meanings count, since a lexicon with all of them makes almost any two words synonyms. A meaning counts if it
has a tenth of the word's uses as that part of speech in WordNet's tagged texts, or is the first one; a part of speech
counts if it has a tenth of all uses of the form. A word of grammar ("as", "it", "will") is never a noun or a verb, and
a single letter is a symbol. A meaning that is written with a capital counts only for a word with one, so give words as
they are written. Spaces part the words of a compound ("carry out"). An unknown word has no relations.

`veritas/text/data/` holds the lexicon, its licence
and the script that builds it. It is read on the first call and takes 16 MB of memory.
"""

from __future__ import annotations

import gzip
from bisect import bisect_left
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple, get_args

from veritas.text.stop_words import FUNCTION_WORDS

Part = Literal["n", "v", "a", "r"]
"""Part of speech: noun, verb, adjective, adverb."""
PARTS: tuple[Part, ...] = get_args(Part)

_LEAST_SHARE = 0.1
_DATA = Path(__file__).parent / "data" / "wordnet.gz"

# A plural is undone by the noun's rules, a comparative by the adjective's: WordNet's "rules of detachment".
_DETACHED: dict[Part, tuple[tuple[str, str], ...]] = {
    "n": (("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
          ("ies", "y")),
    "v": (("s", ""), ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}  # fmt: skip


class _Entry(NamedTuple):
    """A row of a word: uses and common senses by part of speech, base forms, derived words, and synonyms in meanings
    that are not common ones of both, behind their part of speech."""

    uses: dict[str, int]
    senses: dict[str, tuple[str, ...]]
    bases: tuple[str, ...]
    derived: frozenset[str]
    rare: frozenset[str] = frozenset()


def lemmas(word: str, part: Part | None = None) -> frozenset[str]:
    """Return the base forms of a word, in lower case, as the part of speech given or as any; itself if it is unknown.

    "leaves" has two, "leaf" and "leave". A comparative has its plain form: "larger" as an adjective is "large".
    """
    lower = word.lower()
    found = frozenset(base for p in _parts(lower) if part in (None, p) for base in _bases(lower, p))
    return found or frozenset((lower,))


def parts_of_speech(word: str) -> frozenset[Part]:
    """Return the parts of speech that a word, or the base form of it, can be: "n", "v", "a", "r"; rare ones too."""
    lower = word.lower()
    return frozenset(part for part in _parts(lower) if _bases(lower, part))


def proper(word: str) -> bool:
    """Return whether a word is, in the form given, written with a capital alone: "james", though "jam" is a verb."""
    entry = _entry(word.lower())
    return entry is not None and bool(entry.senses) and all(
        name.endswith("^") for names in entry.senses.values() for name in names
    )


@lru_cache(maxsize=1 << 15)
def frequency(word: str, part: Part | None = None) -> int:
    """Return how often the base forms of a word occur in WordNet's tagged texts, as one part of speech or as any.

    The texts have some 230,000 tagged words. 0 is common: it means rare, or unknown.
    """
    lower = word.lower()
    return sum(
        entry.uses.get(p, 0)
        for p in _parts(lower)
        if part in (None, p)
        for base in _bases(lower, p)
        if (entry := _entry(base))
    )


def synonyms(a: str, b: str) -> bool:
    """Return whether two words share a common meaning; the forms of one word do."""
    return not _senses(a).isdisjoint(_senses(b))


def antonyms(a: str, b: str) -> bool:
    """Return whether a common meaning of one is the opposite of one of the other: "permit", "prohibit"."""
    return not _opposite(a).isdisjoint(_senses(b))


def derived(a: str, b: str) -> bool:
    """Return whether one word is formed from the other: "removal" and "remove", "rapidly" and "rapid".

    That is one family, and not one meaning: "music" and "musician" are derived, too.
    """
    return not relatives(a).isdisjoint(lemmas(b)) or not relatives(b).isdisjoint(lemmas(a))


@lru_cache(maxsize=1 << 15)
def relatives(word: str) -> frozenset[str]:
    """Return the words that a word's base forms are formed from, or that are formed from them."""
    entries = [_entry(base) for base in lemmas(word)]
    return frozenset(other for entry in entries if entry for other in entry.derived)


@lru_cache(maxsize=1 << 15)
def _senses(word: str) -> frozenset[str]:
    """Return the names of the senses that count for a word as it is written."""
    lower, capital = word.lower(), word[:1].isupper()
    if len(word) < 2:
        return frozenset()
    parts = (part for part in _parts(lower) if part != "v" or lower not in FUNCTION_WORDS)
    read = [(part, entry) for part in parts for base in _bases(lower, part) if (entry := _entry(base))]
    least = _LEAST_SHARE * sum(entry.uses[part] for part, entry in read)
    common = [name for part, entry in read if entry.uses[part] >= least for name in entry.senses[part]]
    return frozenset(name.rstrip("^") for name in common if capital or not name.endswith("^"))


@lru_cache(maxsize=1 << 15)
def _opposite(word: str) -> frozenset[str]:
    return frozenset(opposite for name in _senses(word) for opposite in _relations(name)[1])


def _parts(lower: str) -> tuple[Part, ...]:
    """Return the parts of speech that a word is looked up as: a word of grammar is no noun ("was", "as")."""
    return PARTS[1:] if lower in FUNCTION_WORDS else PARTS


@lru_cache(maxsize=1 << 15)
def _bases(lower: str, part: Part) -> tuple[str, ...]:
    """Return the base forms of a word as one part of speech, after the rules that WordNet's own search goes by."""
    entry = _entry(lower)
    found = [base[1:] for base in entry.bases if base[0] == part] if entry else []
    regular = not found and not (part == "n" and lower.endswith("ss"))
    if entry and part in entry.uses:
        found.append(lower)
    for ending, instead in _DETACHED[part] if regular else ():
        if lower.endswith(ending) and len(lower) > len(ending):
            base = lower.removesuffix(ending) + instead
            other = _entry(base)
            if other and part in other.uses and base != "be":  # "bees"
                found.append(base)
    return tuple(dict.fromkeys(found))


@lru_cache(maxsize=1 << 15)
def _entry(lower: str) -> _Entry | None:
    row = None if lower.startswith("#") or "\t" in lower else _row(lower)
    if row is None:
        return None
    uses: dict[str, int] = {}
    senses: dict[str, tuple[str, ...]] = {}
    bases, others, rare = [], [], []
    for field in row:
        if field[0] == "=":
            bases.append(field[1:])
        elif field[0] == "+":
            others.append(field[1:])
        elif field[0] == "~":
            rare.append(field[1:])
        else:
            count, *names = field[1:].split()
            uses[field[0]], senses[field[0]] = int(count), tuple(names)
    return _Entry(uses, senses, tuple(bases), frozenset(others), frozenset(rare))


@lru_cache(maxsize=1 << 15)
def _relations(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the senses above a sense, and of those opposite to it."""
    row = _row("#" + name)
    assert row is not None  # every name in the lexicon has its row
    above, opposite = row
    return tuple(above.split()), tuple(opposite.split())


def _row(key: str) -> list[str] | None:
    """Return the fields of a row of the sorted table, found by halving it."""
    table, wanted = _table(), f"{key}\t".encode(errors="replace")
    at = bisect_left(table, wanted)
    if at == len(table) or not table[at].startswith(wanted):
        return None
    return table[at][len(wanted) :].decode().split("\t")


@lru_cache(maxsize=1)
def _table() -> list[bytes]:
    return gzip.decompress(_DATA.read_bytes()).splitlines()
