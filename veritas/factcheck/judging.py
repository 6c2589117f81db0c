"""What a page says of a statement, by the one judge: its nearest places decide. Deterministic, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from veritas.factcheck.arithmetic import calculations
from veritas.factcheck.outcome import Passage, Verdict
from veritas.factcheck.pages import ReadPage, nearest
from veritas.judging import Question, Setting, judge_all
from veritas.judging import Verdict as Judged
from veritas.judging.evidence import MAX_CLAIM, share
from veritas.judging.exact import differences
from veritas.text.languages import language_named, plainly_foreign
from veritas.text.same_words import said

SUPPORT = 0.5
"""Least probability, 0 to 1, for `supported`."""
REFUTE = 0.5
"""Least probability, 0 to 1, that the nearest place refutes a statement, for `contradicted`, where a difference is
named as well: it accuses an author, and the model alone refutes too many true restatements."""
MOST = 0.6
"""Share of a statement, 0 to 1, in a sentence from which another value there contradicts it."""
SURE = 0.95
"""The same without a named difference: with its neighbours and alone the place refutes the statement so surely."""
ABSENT = 0.45
"""Share of a statement below which a place says nothing of it."""
PLACES = 3
"""Places of a page that are judged, those that share most words with the statement."""
BESIDE = 2
"""Sentences before and behind each that are read with it."""


@dataclass(frozen=True)
class Held:
    """What a page says of a statement or a part of it. `coverage` is the share of its weight that is met there."""

    verdict: Verdict
    passage: Passage | None = None
    difference: str = ""
    calculation: str = ""
    coverage: float = 0.0


class _Place(NamedTuple):
    """A sentence of a page with its neighbours, as `asked`, and what the judge said of it. `worked` is arithmetic that
    gives the statement's figures, `explained`: nothing else differs there. `refutes` is the least probability, with
    neighbours and alone, that the place refutes it."""

    at: int
    asked: Question
    found: Judged
    worked: str
    explained: bool
    refutes: float = 0.0

    @property
    def supports(self) -> bool:
        chances = self.found.chances
        return self.found.label == "supports" or (
            self.explained and chances.supports >= max(SUPPORT, chances.refutes)
        )


@lru_cache(maxsize=4096)
def judge(claim: str, page: ReadPage, language: str = "") -> Held:
    """Return what a page says of a claim: supported, contradicted, not in the source, or cannot tell. Each pair is
    judged once. `language` is the name of the language of the text that the claim stands in, empty for English: a short
    sentence does not tell its own."""
    claim = claim[:MAX_CLAIM].strip()
    language = plainly_foreign(claim) or ("" if language_named(claim) == "English" else language)
    places = nearest(page, claim, PLACES)
    if language or page.language:
        return _worded(claim, page, places, _unread(language, page.language))
    if not any(map(str.isalnum, claim)):
        return Held("cannot_tell", None, "it has no words that can be compared")
    if not places:
        return Held("not_in_source", None, "the source says nothing about it")
    judged = _judged(claim, page, places)
    first, best = judged[0], max(judged, key=lambda each: (each.supports, each.found.chances.supports))
    if best.supports and first.found.label != "refutes":
        return Held("supported", _passage(page, best), "", best.worked, 1.0)
    covered = share(claim, first.asked.passage)
    passage, reason, told = _passage(page, first), first.found.reason, first.found.difference
    if first.worked:
        return Held("cannot_tell", passage, reason, first.worked, covered)
    near = share(claim, page.sentences[first.at].told)
    named = told is not None and told.first and (first.found.chances.refutes >= REFUTE or near >= MOST)
    if named or first.refutes >= SURE:
        return Held("contradicted", passage, reason, "", covered)
    lacking = told is not None and not told.first and _nowhere(told.second, claim, page)
    if lacking or all(share(claim, each.asked.passage) < ABSENT for each in judged):
        return Held("not_in_source", passage, reason, "", covered)
    return Held("cannot_tell", passage, reason, "", covered)


def _nowhere(words: str, claim: str, page: ReadPage) -> bool:
    """Return whether no place of a page has an exact term of a claim."""
    return any(each.second == words for each in differences(claim, page.text, around=page.title))


def _judged(claim: str, page: ReadPage, places: Sequence[int]) -> list[_Place]:
    """Return the places of a page, nearest first: each as it is read with its neighbours or alone, whichever supports
    the claim less. Read in one way only, too many contradicted statements are called supported."""
    asked = []
    for at in places:
        subject = " ".join(filter(None, (page.title, page.sentences[at].under)))
        for beside in (BESIDE, 0):
            asked.append(Question(claim, page.told(*page.around(at, beside)), Setting(page.title, subject)))
    verdicts = judge_all(asked, threshold=SUPPORT)
    found = [_Place(places[n // 2], *each, *_worked(*each)) for n, each in enumerate(zip(asked, verdicts, strict=True))]
    pairs = zip(found[::2], found[1::2], strict=True)
    return [
        min(pair, key=lambda each: (each.supports, each.found.chances.supports))._replace(
            refutes=min(each.found.chances.refutes for each in pair)
        )
        for pair in pairs
    ]


def _worked(asked: Question, found: Judged) -> tuple[str, bool]:
    """Return the arithmetic that gives a claim's figures from a place's, and whether nothing else differs there."""
    calculated = [each for each in calculations(asked.claim, asked.passage) if each.agrees and not each.given]
    if not calculated:
        return "", False
    around = asked.setting.subject
    told = differences(asked.claim, asked.passage, nearest=found.sentence, around=around)
    own = {each.quantity.text for each in calculated}
    explained = all(each.kind == "number" and each.second in own for each in told)
    return "; ".join(each.shown for each in calculated), explained


def _worded(claim: str, page: ReadPage, places: Sequence[int], unread: str) -> Held:
    """Return the verdict in a language that is not read: only a sentence with the claim's words says it."""
    wanted = said(claim)
    for at in places:
        sentence = page.sentences[at]
        if said(page.text[sentence.start : sentence.end]) == wanted:
            return Held("supported", _of(page, sentence.start, sentence.end), coverage=1.0)
    closest = page.sentences[places[0]] if places else None
    return Held("cannot_tell", _of(page, closest.start, closest.end) if closest else None, unread)


def _unread(mine: str, theirs: str) -> str:
    if mine and theirs:
        which = f"statement and source are in {mine}" if mine == theirs else f"one is in {mine}, the other in {theirs}"
    else:
        which = f"the statement is in {mine}" if mine else f"the source is in {theirs}"
    return f"{which}, and this judge reads English; nothing is said for or against it"


def _passage(page: ReadPage, place: _Place) -> Passage:
    """Return the sentence of a place, and the neighbour beside it if that decided."""
    sentence = page.sentences[place.at]
    start, end = sentence.start, sentence.end
    first, last = page.around(place.at, BESIDE)
    for other in page.sentences[first:last]:
        if place.found.sentence and place.found.sentence in other.told:
            start, end = min(start, other.start), max(end, other.end)
    return _of(page, start, end)


def _of(page: ReadPage, start: int, end: int) -> Passage:
    return Passage(text=page.text[start:end], start=start, end=end)
