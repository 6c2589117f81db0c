"""Builds `wordnet.gz` from WordNet 3.0: `python training/build_wordnet.py FOLDER`, or `make lexicon`.

FOLDER holds WordNet's files (Debian's `wordnet-base` installs them in /usr/share/wordnet). The result is one sorted
text, compressed. A row is a key and its fields, separated by tabs:

    increase   nCOUNT ID ID…   vCOUNT ID…   =vbase…   +derived…     a word: senses by part of speech
               ~vSYNONYM…                                           what it shares a meaning with that is no common one
    #ID        ID…             ID…                                  a sense: those above it, those opposite

The same files give the same text. COUNT is how often the word occurs as that part of speech in WordNet's tagged texts.
An ID begins with its part of speech; "^" behind it marks a sense that is written with a capital.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).parents[1] / "veritas" / "text" / "data"
FILES = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
LEAST_SHARE = 0.1
"""A sense is kept if it has at least this share of the word's uses as that part of speech; the first always is."""

_ABOVE = ("@", "@i", "*")
"""Kind of, instance of, and what a verb entails ("snore": "sleep"). A satellite adjective is a kind of its head."""
_DERIVED = ("+", "\\", "<")
_TYPES = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_MARKER = re.compile(r"\((?:a|p|ip)\)$")

Address = tuple[str, str]
"""Part of speech and offset in its file."""


class Pointer(NamedTuple):
    """A relation to another sense. `source` and `target` number the words it holds for, from 1; 0 is the whole."""

    symbol: str
    to: Address
    source: int
    target: int


class Sense(NamedTuple):
    """A set of synonyms as written, and its relations. `satellite`: an adjective that stands for a kind of another."""

    words: list[str]
    pointers: list[Pointer]
    satellite: bool


def main() -> None:
    """Read the folder that is named and write `wordnet.gz` beside this file."""
    parser = argparse.ArgumentParser(description="Build the lexicon from WordNet 3.0.")
    parser.add_argument("folder", type=Path, help="WordNet's files, as in /usr/share/wordnet")
    parser.add_argument("--out", type=Path, default=DATA / "wordnet.gz")
    given = parser.parse_args()
    text = "\n".join(rows(given.folder)) + "\n"
    given.out.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def rows(folder: Path) -> list[str]:
    """Return the sorted rows of the lexicon. Raises FileNotFoundError if a file of WordNet's is not there."""
    senses = dict(_senses(folder))
    entries = _entries(folder)
    kept = {word: {part: _common(listed) for part, listed in parts.items()} for word, parts in entries.items()}
    used = {address for parts in kept.values() for listed in parts.values() for address in listed}
    names = _names(senses, used)
    fields: dict[str, list[str]] = defaultdict(list)
    for word, parts in kept.items():
        for part, listed in parts.items():
            marked = [names[a] + "^" * _capital(senses[a], word) for a in listed]
            fields[word].append(f"{part}{sum(count for _, count in entries[word][part])} {' '.join(marked)}")
    for form, part, bases in _irregular(folder):
        fields[form] += [f"={part}{base}" for base in bases if part in entries.get(base, {})]
    for word, parts in kept.items():
        every = [address for listed in entries[word].values() for address, _ in listed]
        derived = {other for a in every for other in _derived(senses, a, word)}
        fields[word] += [f"+{other}" for other in sorted(derived - {word})]
        fields[word] += [f"~{each}" for each in sorted(_rare(senses, entries, word, parts))]
    table = ["\t".join((word.replace("_", " "), *found)) for word, found in fields.items() if found]
    table += ["\t".join((f"#{name}", *_relations(senses, names, address))) for address, name in names.items()]
    return sorted(table)


def _senses(folder: Path) -> Iterator[tuple[Address, Sense]]:
    for file, part in FILES.items():
        for line in _lines(folder / f"data.{file}"):
            head = line.split(" | ")[0].split()
            end = 4 + 2 * int(head[3], 16)
            words = [_MARKER.sub("", word) for word in head[4:end:2]]
            pointers = [
                Pointer(head[i], (head[i + 2], head[i + 1]), int(head[i + 3][:2], 16), int(head[i + 3][2:], 16))
                for i in range(end + 1, end + 1 + 4 * int(head[end]), 4)
            ]
            yield (part, head[0]), Sense(words, pointers, head[2] == "s")


def _entries(folder: Path) -> dict[str, dict[str, list[tuple[Address, int]]]]:
    """Return word -> part of speech -> senses in WordNet's order, each with its count."""
    counts: dict[tuple[str, str, int], int] = {}
    for line in _lines(folder / "cntlist.rev"):
        key, number, count = line.split()
        word, rest = key.rsplit("%", 1)
        counts[word, _TYPES[rest[0]], int(number)] = int(count)
    found: dict[str, dict[str, list[tuple[Address, int]]]] = defaultdict(dict)
    for file, part in FILES.items():
        for line in _lines(folder / f"index.{file}"):
            head = line.split()
            offsets = head[-int(head[2]) :]
            found[head[0]][part] = [
                ((part, offset), counts.get((head[0], part, number), 0)) for number, offset in enumerate(offsets, 1)
            ]
    return found


def _common(listed: list[tuple[Address, int]]) -> list[Address]:
    least = LEAST_SHARE * sum(count for _, count in listed)
    return [address for i, (address, count) in enumerate(listed) if i == 0 or (count and count >= least)]


def _above(sense: Sense) -> list[Address]:
    symbols = (*_ABOVE, "&") if sense.satellite else _ABOVE
    return [p.to for p in sense.pointers if p.symbol in symbols]


def _names(senses: dict[Address, Sense], used: set[Address]) -> dict[Address, str]:
    """Return a short name for each sense that is used or stands above one that is, in the files' order."""
    found, waiting = set(used), list(used)
    while waiting:
        new = [a for a in _above(senses[waiting.pop()]) if a not in found]
        found.update(new)
        waiting += new
    return {address: address[0] + _short(number) for number, address in enumerate(sorted(found))}


def _short(number: int) -> str:
    digits = ""
    for _ in range(4):
        number, rest = divmod(number, len(_DIGITS))
        digits = _DIGITS[rest] + digits
    return digits


def _capital(sense: Sense, word: str) -> bool:
    return next(w for w in sense.words if w.lower() == word)[0].isupper()


def _derived(senses: dict[Address, Sense], address: Address, word: str) -> set[str]:
    words = senses[address].words
    return {
        senses[p.to].words[p.target - 1].lower().replace("_", " ")
        for p in senses[address].pointers
        if p.symbol in _DERIVED and p.source and words[p.source - 1].lower() == word
    }


def _rare(
    senses: dict[Address, Sense],
    entries: dict[str, dict[str, list[tuple[Address, int]]]],
    word: str,
    common: dict[str, list[Address]],
) -> set[str]:
    """Return part of speech and synonym of each meaning that is common for one of the two words alone, or for none of
    them and seen in the tagged texts for one."""
    if not word.isalpha():
        return set()
    found = set()
    for part, listed in entries[word].items():
        for address, count in listed:
            sense = senses[address]
            for other in (w for w in sense.words if w.isalpha() and w.islower() and w != word):
                counts = dict(entries[other][part])
                if (address in common[part]) + (address in _common(entries[other][part])) < 2 and (
                    count or counts[address] or address in common[part] or address in _common(entries[other][part])
                ):
                    found.add(f"{part}{other}")
    return found


def _irregular(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    for file, part in FILES.items():
        for line in _lines(folder / f"{file}.exc"):
            form, *bases = line.split()
            yield form, part, bases


def _relations(senses: dict[Address, Sense], names: dict[Address, str], address: Address) -> tuple[str, str]:
    above = [names[a] for a in _above(senses[address])]
    opposite = {names[p.to] for p in senses[address].pointers if p.symbol == "!" and p.to in names}
    return " ".join(above), " ".join(sorted(opposite))


def _lines(path: Path) -> list[str]:
    """Return the lines of a file of WordNet's without its licence, which is indented."""
    return [line for line in path.read_text("latin-1").splitlines() if line and not line.startswith("  ")]


if __name__ == "__main__":
    main()
