"""Sentences whose words stand in what is kept of another work that the page cites: two keys were exchanged, or one is
another's."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from operator import itemgetter
from threading import Lock

from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.kept_work import KeptWork
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.text.sentences import split_sentences

MOST_WORKS = 300
"""Most works of a page that are compared; a page that cites more is a list."""
_LEAST = 4
"""Least words of a sentence that another work has, for the sentence to be its."""
_THERE, _HERE = 0.4, 0.2
"""Least share of the words of a sentence that stand in a sentence of another work, and most of its own."""
_LONGEST = 400_000
_WORD = re.compile(r"[^\W\d_]{4,}|\b(?:one|two|six|ten)\b|\d+(?:[.,]\d+)*")
_YEAR = re.compile(r"(?:1[5-9]|20)\d\d")
_COMMON = frozenset(
    "about above after again against also although among because been before being between both cannot could does "
    "during each either ever every find finding findings first found from further have here however into itself just "
    "less like made many more most much must never nevertheless often only other over paper papers report reported "
    "reports result results same several should show showed shown shows since some studied studies study such than "
    "that their them then there therefore these they this those through thus under until upon used using very want "
    "well were what when where whereas whether which while will with within without work works would write writes "
    "wrote year years your".split()
)
_SECOND_HAND = re.compile(
    r"\b(?:as (?:cited|quoted|reported|described|discussed|reviewed)|cited (?:in|by|after)|quoted (?:in|by|after)"
    r"|according to|apud|in contrast|unlike|compared? (?:to|with)|zit(?:iert)?\.? (?:nach|in)|cité par)\b",
    re.IGNORECASE,
)
"""Words by which a sentence may tell of another work than it cites."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence at the characters `[start, end)` of a text, its words without citations, and the works it cites."""

    start: int
    end: int
    words: str
    cites: tuple[KnownArtifact, ...]


class _Work:
    """A work that a page cites, with where its words stand in what is kept of it."""

    def __init__(self, artifact: KnownArtifact) -> None:
        self.artifact = artifact
        self._standing: dict[str, list[int]] = {}
        for number, words in enumerate(_sentences(artifact.kept, artifact.title)):
            for word in words:
                self._standing.setdefault(word, []).append(number)
        self._words = frozenset(self._standing)

    def shared(self, words: frozenset[str], least: float = 1) -> int:
        """Return how many of some words the sentence of the work has that has most; 0 if there are fewer than
        `least`."""
        common = words & self._words
        if len(common) < least:
            return 0
        counted = Counter(number for word in common for number in self._standing[word])
        most = max(counted.values(), default=0)
        return most if most >= least else 0

    @cached_property
    def figures(self) -> set[str]:
        """All figures of what is kept of the work."""
        return _figures(" ".join(self.artifact.kept))

    @cached_property
    def families(self) -> set[str]:
        """The family names of its authors, in lower case."""
        return _families(self.artifact)


class _Said:
    """The words of a sentence, and which works have a sentence with many of them, among the first `compared`."""

    def __init__(self, said: str) -> None:
        self.words = frozenset(_words(said))
        self.tells = len(self.words) >= _LEAST and _SECOND_HAND.search(said) is None
        self.compared = 0
        self.like: list[tuple[int, _Work]] = []
        self.own: dict[KnownArtifact, int] = {}


class ComparedWorks:
    """The works that texts of a project cite, and what sentences have in common with each. A sentence that is looked at
    again is compared only with the works that were not cited before."""

    def __init__(self) -> None:
        self._works: dict[KnownArtifact, _Work] = {}
        self._said = KeptWork(_LONGEST * 5)
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._works)

    def others(
        self, sentences: Sequence[Sentence], cited: Mapping[str, KnownArtifact]
    ) -> list[tuple[Sentence, KnownArtifact]]:
        """Return the sentences that are of another work of those `cited`, by path, than they cite, with that work."""
        with self._lock:
            all_cited = {each for one in sentences for each in one.cites}
            new = all_cited - self._works.keys()
            if len(self._works) + len(new) > 2 * MOST_WORKS:
                self._works, self._said, new = {}, KeptWork(_LONGEST * 5), all_cited
            self._works |= {each: _Work(each) for each in sorted(new, key=lambda each: each.path)}
            found = ((one, self._other(one, cited)) for one in sentences)
            return [(one, other) for one, other in found if other is not None]

    def _other(self, one: Sentence, cited: Mapping[str, KnownArtifact]) -> KnownArtifact | None:
        said = self._said.get(one.words, len(one.words), lambda: _Said(one.words))
        if not said.tells:
            return None
        whole = len(said.words)
        if said.compared < len(self._works):
            for work in islice(self._works.values(), said.compared, None):
                if count := work.shared(said.words, max(_LEAST, _THERE * whole)):
                    said.like.append((count, work))
            said.compared = len(self._works)
        if not said.like:
            return None
        for each in one.cites:
            if each not in said.own:
                said.own[each] = self._works[each].shared(said.words)
        own, carried = max(said.own[each] for each in one.cites), {each.path for each in one.cites}
        if own > _HERE * whole:
            return None
        like = [(-count, work.artifact.path, work) for count, work in said.like if count >= 3 * own
                and cited.get(work.artifact.path) is work.artifact and work.artifact.path not in carried]  # fmt: skip
        if not like:
            return None
        other = min(like, key=itemgetter(0, 1))[2]
        works = [self._works[each] for each in one.cites]
        figures, lower = _figures(one.words), one.words.lower()
        if figures and not (figures <= other.figures and not any(figures & each.figures for each in works)):
            return None
        if any(family in lower for family in other.families) or any(other.families & each.families for each in works):
            return None
        return other.artifact


def of_exchanged(sentences: Sequence[Sentence], works: ComparedWorks | None = None) -> Iterator[Diagnostic]:
    """Yield the sentences that no work they cite carries in any words, and another that the page cites does in one
    sentence: an error where a sentence on that work is in turn the first one's, for the two were exchanged; else
    unknown, and only if the sentence has figures, which all stand there and not here. Works with an author in common
    are not told apart. `works` is what was compared before."""
    cited = {each.path: each for one in sentences for each in one.cites}
    if not 1 < len(cited) <= MOST_WORKS:
        return
    found = (works if works is not None else ComparedWorks()).others(sentences, cited)
    leads: dict[str, set[str]] = defaultdict(set)
    for one, other in found:
        for each in one.cites:
            leads[each.path].add(other.path)
    for one, other in found:
        here = one.cites[0]
        said = f"the words of this sentence stand in “{other.title}”, and in nothing that is kept of “{here.title}”"
        related = (SeeAlso(other.path, 1, "the words stand here"), SeeAlso(here.path, 1, "this is cited"))
        subject = f"{one.words} | {' '.join(sorted(each.path for each in one.cites))}"
        if _reached(other.path, {each.path for each in one.cites}, leads):
            message = f"{said}. Another sentence has it the other way round: the citations are exchanged. Correct them"
            yield Diagnostic(one.start, one.end, "exchanged", "error", message, subject, related=related)
        elif _figures(one.words):
            message = f"{said}. Whether the work that is cited says it too cannot be told"
            yield Diagnostic(one.start, one.end, "unknown", "unknown", message, subject, related=related)


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


def _sentences(kept: tuple[str, ...], title: str) -> Iterator[set[str]]:
    cut = (part[start:end] for part in map(_shortened, kept) for start, end in split_sentences(part))
    return filter(None, (_words(each) for each in (title, *cut)))


def _shortened(text: str) -> str:
    return text[:_LONGEST]


def _words(text: str) -> set[str]:
    """Return what tells in a text: its words of four letters and more without their endings, and its figures."""
    found = (each.lower() for each in _WORD.findall(text))
    return {each if each[0].isdigit() else each[:5] for each in found if each not in _COMMON}


def _figures(text: str) -> set[str]:
    return {each for each in _WORD.findall(text) if each[0].isdigit() and not _YEAR.fullmatch(each)}


def _families(work: KnownArtifact) -> set[str]:
    authors = work.fields.get("authors")
    names = [str(each) for each in authors] if isinstance(authors, list) else []
    return {(name.partition(",")[0] if "," in name else name.rpartition(" ")[2]).strip().lower() for name in names}
