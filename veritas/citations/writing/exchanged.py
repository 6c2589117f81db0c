"""Sentences whose words stand in what is kept of another work that the page cites: two keys were exchanged, or one is
another's."""

from __future__ import annotations

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.shares import Sentence
from veritas.text.sentences import split_sentences

MOST_WORKS = 300
"""Most works of a page that are compared; a page that cites more is a list."""
_LEAST = 4
"""Least words of a sentence that another work has, for the sentence to be its."""
_THERE, _HERE = 0.4, 0.2
"""Least share of the words of a sentence that stand in a sentence of another work, and most of its own."""
_WHOLE, _NEXT_TO_NONE, _RUN = 5, 1, 6
"""Least words of a sentence without figures that another work has nearly all, and most of them in its own; fewer are
enough where so many words of any length stand there in a row."""
_NEARLY_ALL, _HALF = 0.8, 0.5
_LONGEST, _PAGE = 400_000, -1
_WORD = re.compile(r"[^\W\d_]{4,}|\b(?:one|two|six|ten)\b|\d+(?:[.,]\d+)*")
_ROW = re.compile(r"\w+")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_CANNOT_BE_TOLD = "Whether the work that is cited says it too cannot be told"
_COMMON = frozenset(
    "about above after again against also although among because been before being between both cannot could does "
    "during each either ever every find finding findings first found from further have here however into itself just "
    "less like made many more most much must never nevertheless often only other over paper papers report reported "
    "reports result results same several should show showed shown shows since some studied studies study such than "
    "that their them then there therefore these they this those through thus under until upon used using very want "
    "well were what when where whereas whether which while will with within without work works would write writes "
    "wrote year years your".split()
)
SECOND_HAND = re.compile(
    r"\b(?:as (?:cited|quoted|reported|described|discussed|reviewed)|cited (?:in|by|after)|quoted (?:in|by|after)"
    r"|according to|apud|zit(?:iert)?\.? (?:nach|in)|cité par)\b",
    re.IGNORECASE,
)
"""Words by which a sentence may tell of another work than it cites."""
OWN = re.compile(r"\b(?:we|our|this (?:paper|study|work))\b", re.IGNORECASE)
"""Words by which a sentence may tell of its writer's own work."""
_COMPARES = re.compile(r"\b(?:in contrast|unlike|compared? (?:to|with))\b", re.IGNORECASE)
"""The same, unless the other work is cited in the sentence too."""


class _Works:
    """The works that a page cites, told apart by what is kept of them."""

    def __init__(self, works: Iterable[KnownArtifact]) -> None:
        self.works = {each.path: each for each in works}
        self._same = tuple((each.path, each.digest) for each in self.works.values())
        self._hash = hash(self._same)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Works) and self._same == other._same


@lru_cache(maxsize=32)
def _known(works: _Works) -> _Works:
    """Return the first of equal ones, so that what is kept of it is found at once."""
    return works


def of_exchanged(sentences: Sequence[Sentence], known: Sequence[KnownArtifact] = ()) -> Iterator[Diagnostic]:
    """Yield the sentences that no work they cite carries in any words, and another does in one sentence: an error where
    the page cites that work for a sentence that is in turn the first one's, for the two were exchanged. Else it is
    unknown, and only if the sentence has figures, which all stand there and not here, or if nearly all its words do;
    the other work is then one that the page cites, or one of the artifacts in `known`, by its abstract and excerpts.
    Works with an author in common are not told apart."""
    cited = {each.path: each for one in sentences for each in one.cites}
    if not 0 < len(cited) <= MOST_WORKS:
        return
    works = _known(_Works(cited[path] for path in sorted(cited)))
    found: list[tuple[Sentence, KnownArtifact]] = []
    # What a sentence says of a work that it cites itself may stand before the other citation; so its parts must cross
    # among themselves.
    leads: dict[int, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for one in sentences:
        other = _other(one, works) if len(cited) > 1 else None
        if other is not None:
            found.append((one, other))
            for each in one.cites:
                leads[_scope(one, other)][each.path].add(other.path)
    crossed = [one for one, other in found
               if _reached(other.path, {each.path for each in one.cites}, leads[_scope(one, other)])]  # fmt: skip
    for one, other in found:
        if one in crossed:
            message = "Another sentence has it the other way round: the citations are exchanged. Correct them"
            yield _told(one, other, "exchanged", "error", message)
        elif _scope(one, other) == _PAGE and _is_clear(one, other, cited=True):
            yield _told(one, other, "unknown", "unknown", _CANNOT_BE_TOLD)
    if len(known) > MOST_WORKS:
        return
    more = _known(_Works((*works.works.values(), *(_shorter(each) for each in known if each.path not in cited))))
    done = {id(one) for one, _ in found}
    for one in sentences if len(more.works) > len(cited) else ():
        if id(one) in done:
            continue
        other = _other(one, more)
        if other is None or other.path in cited or not _is_clear(one, other, cited=False):
            continue
        if os.path.isfile(other.path):
            yield _told(one, other, "unknown", "unknown", _CANNOT_BE_TOLD)


def _scope(one: Sentence, other: KnownArtifact) -> int:
    """Return where the sentence begins that cites the other work too; `_PAGE` if it does not."""
    return one.whole if other.path in {each.path for each in one.beside} else _PAGE


def _told(one: Sentence, other: KnownArtifact, code: str, level: Level, message: str) -> Diagnostic:
    here = one.cites[0]
    said = f"the words of this sentence stand in “{other.title}”, and in nothing that is kept of “{here.title}”"
    related = (SeeAlso(other.path, 1, "the words stand here"), SeeAlso(here.path, 1, "this is cited"))
    subject = f"{one.words} | {' '.join(sorted(each.path for each in one.cites))}"
    return Diagnostic(one.start, one.end, code, level, f"{said}. {message}", subject, related=related)


def _is_clear(one: Sentence, other: KnownArtifact, *, cited: bool) -> bool:
    """Return whether a sentence whose words another work has is told of by itself: it has figures (more than a
    lone digit, or half its words too, if the page does not cite the work), or next to all its words stand there."""
    figures = _figures(one.words)
    if figures and cited:
        return True
    if not cited and OWN.search(one.words):
        return False
    words, both = _words(one.words), _Works((*one.cites, other))
    best = _best(frozenset(words), both)
    own = max((best.get(each.path, 0) for each in one.cites), default=0)
    most = best.get(other.path, 0)
    if figures and (most >= _HALF * len(words) or len(figures) > 1 or max(map(len, figures)) > 1):
        return True
    if most < _NEARLY_ALL * len(words) or own > _NEXT_TO_NONE:
        return False
    return most >= _WHOLE or _in_a_row(one.words, other)


def _in_a_row(words: str, work: KnownArtifact) -> bool:
    said = _ROW.findall(words.lower())
    rows = (" ".join(said[at : at + _RUN]) for at in range(len(said) - _RUN + 1))
    kept = " ".join(_ROW.findall(" ".join(_shortened(each) for each in work.kept).lower()))
    return any(f" {row} " in f" {kept} " for row in rows)


def _other(one: Sentence, works: _Works) -> KnownArtifact | None:
    """Return the work that a sentence is of, if it is none of those that it cites."""
    path = _path_of_other(one.words, tuple(each.path for each in one.cites), bool(one.beside), works)
    return None if path is None else works.works[path]


@lru_cache(maxsize=8192)
def _path_of_other(said: str, cites: tuple[str, ...], shared_out: bool, works: _Works) -> str | None:
    words = _words(said)
    if len(words) < _LEAST or SECOND_HAND.search(said) or (not shared_out and _COMPARES.search(said)):
        return None
    best, carried = _best(frozenset(words), works), set(cites)
    own = max((best.get(each, 0) for each in carried), default=0)
    if own > max(_NEXT_TO_NONE, _HERE * len(words)):
        return None
    path, most = max(((path, count) for path, count in best.items() if path not in carried),
                     key=lambda each: each[1], default=("", 0))  # fmt: skip
    if most < max(_LEAST, _THERE * len(words), 3 * own):
        return None
    other, own_works = works.works[path], [works.works[each] for each in cites]
    figures = _figures(said)
    if figures and not (figures <= _kept_figures(other.kept)
                        and not any(figures & _kept_figures(each.kept) for each in own_works)):  # fmt: skip
        return None
    families = _families(other)
    if any(each in said.lower() for each in families) or any(families & _families(each) for each in own_works):
        return None
    return path


def _shorter(work: KnownArtifact) -> KnownArtifact:
    """Return an artifact without the stored text of its work, which may be a book."""
    return replace(work, text=None) if work.text else work


def _reached(begin: str, ends: set[str], leads: dict[str, set[str]]) -> bool:
    seen: set[str] = set()
    waiting = [begin]
    while waiting:
        at = waiting.pop()
        if at in ends:
            return True
        if at not in seen:
            seen.add(at)
            waiting.extend(leads.get(at, ()))
    return False


@lru_cache(maxsize=4096)
def _best(words: frozenset[str], works: _Works) -> dict[str, int]:
    """Return how many of some words the sentence of each work has that has most."""
    where, standing = _index(works)
    counted = Counter(number for word in words for number in standing.get(word, ()))
    best: dict[str, int] = {}
    for number, count in counted.items():
        best[where[number]] = max(count, best.get(where[number], 0))
    return best


@lru_cache(maxsize=8)
def _index(works: _Works) -> tuple[list[str], dict[str, list[int]]]:
    where: list[str] = []
    standing: dict[str, list[int]] = defaultdict(list)
    for path, each in works.works.items():
        for words in _sentences(each.kept, each.title):
            for word in words:
                standing[word].append(len(where))
            where.append(path)
    return where, standing


@lru_cache(maxsize=512)
def _sentences(kept: tuple[str, ...], title: str) -> tuple[frozenset[str], ...]:
    cut = (part[start:end] for part in map(_shortened, kept) for start, end in split_sentences(part))
    return tuple(filter(None, (frozenset(_words(each)) for each in (title, *cut))))


def _shortened(text: str) -> str:
    return text[:_LONGEST]


def _words(text: str) -> set[str]:
    """Return what tells in a text: its words of four letters and more without their endings, and its figures."""
    found = (each.lower() for each in _WORD.findall(text))
    return {each if each[0].isdigit() else each[:5] for each in found if each not in _COMMON}


def _figures(text: str) -> set[str]:
    return {each for each in _WORD.findall(text) if each[0].isdigit() and not _YEAR.fullmatch(each)}


@lru_cache(maxsize=1024)
def _kept_figures(kept: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_figures(" ".join(kept)))


def _families(work: KnownArtifact) -> set[str]:
    authors = work.fields.get("authors")
    names = [str(each) for each in authors] if isinstance(authors, list) else []
    return {(name.partition(",")[0] if "," in name else name.rpartition(" ")[2]).strip().lower() for name in names}
