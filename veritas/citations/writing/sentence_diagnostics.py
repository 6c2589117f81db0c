"""Diagnostics of sentences that cite: a quotation that the artifact does not hold, a claim that its excerpts deny."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from veritas.citations.writing._brackets import reverses
from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.differing_terms import of_differing_terms
from veritas.citations.writing.exchanged import of_exchanged
from veritas.citations.writing.far_quotations import of_far_quotations, quotations_of, shape_of
from veritas.citations.writing.kept_work import KeptWork
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.nearby import is_others, marks_of_notes, notes, only_cites, stands_apart
from veritas.citations.writing.places import Kind
from veritas.citations.writing.project import Project
from veritas.citations.writing.quotation_diagnostics import Cited, of_quotation, sentences_of, shortened
from veritas.citations.writing.quotations import Quotation
from veritas.citations.writing.quoted_words import forms
from veritas.citations.writing.shares import Sentence, shared_out
from veritas.citations.writing.speech import CITATION

LONGEST = 20_000
"""Most characters of a paragraph that is read; a longer one is data."""

_BREAK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#{1,6}[ \t]|```|~~~|\\(?:section|subsection|chapter|paragraph|item)\b))")
_MARKUP = re.compile(r"[\\$|{}`@]|<[A-Za-z/!]")
_QUOTED = re.compile(r"[\"“”„«»‘]|``|&quot;|<q\b|\\(?:enquote|textquote|say)\b")
_LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class _Read:
    """A paragraph, read: its sentences and its quotations, in its own characters."""

    sentences: tuple[tuple[int, int], ...]
    quoted: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a paragraph and its citations are by themselves. All places count in its own characters."""

    told: tuple[Sentence, ...]
    compared: tuple[int, ...]
    """Where the quotations begin whose source was told."""
    found: tuple[Diagnostic, ...]
    claims: tuple[tuple[int, int, str, tuple[KnownArtifact, ...]], ...]
    """The sentences that an excerpt may deny, their words and what they cite."""
    behind: tuple[Cited, ...]
    """What a block quotation behind the paragraph is held against, if it may be."""
    before: tuple[Cited, ...] | None
    """What a block quotation before the paragraph is held against; None if the paragraph does not only cite."""
    last: str
    """Its last sentence, which may say that such a quotation is somebody else's."""


def of_sentences(text: str, kind: Kind, cited: Sequence[Cited], project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the sentences that cite. Only a sentence of which every citation leads to an artifact
    can be found wrong: of any other the missing one may be the source."""
    if kind == "source":
        return
    kept = project.kept
    paragraphs = list(_paragraphs(text, _with_notes(text, kind, cited)))
    told: list[Sentence] = []
    wrong: list[Diagnostic] = []  # quotations
    denied: list[Diagnostic] = []  # claims
    compared: list[int] = []  # where the quotations begin whose source was told
    for number, (begin, end, here) in enumerate(paragraphs):
        if not any(each.artifact for each in here):
            continue
        if end - begin > LONGEST:
            if _QUOTED.search(text, begin, end):
                said = f"quotations are not compared in a paragraph of more than {LONGEST:,} characters"
                yield Diagnostic(here[0].start, here[0].end, "unknown", "unknown", said, "long")
            continue
        looked = _looked(text[begin:end], kind, begin, here, kept)
        for one in looked.told:
            whole = begin + one.whole if one.whole >= 0 else one.whole
            told.append(replace(one, start=begin + one.start, end=begin + one.end, whole=whole))
        compared += [begin + at for at in looked.compared]
        wrong += [_moved(each, begin) for each in looked.found]
        yield from wrong[len(wrong) - len(looked.found) :]
        for start, stop, claim, artifacts in looked.claims:
            denied += _of_claim(claim, begin + start, begin + stop, artifacts, project)
        following = [(at, looked.behind) for at in paragraphs[number + 1 : number + 2] if looked.behind]
        earlier = ([(at, looked.before) for at in paragraphs[max(number - 1, 0) : number]]
                   if looked.before is not None else [])  # fmt: skip
        for (start, stop, others), cites in (*following, *earlier):
            if not others and shape_of(text[start:stop], kind, kept).block:
                compared.append(start)
                if found := _of_block(text[start:stop], kind, cites, looked.last, kept):
                    wrong.append(_moved(found, start))
                    yield wrong[-1]
    for found in _of_notes(text, kind, cited, paragraphs, kept):
        compared.append(found.start)
        yield found
    yield from of_exchanged(told, project.artifacts.known())
    far = list(of_far_quotations(text, kind, paragraphs, frozenset(compared), kept))
    yield from far
    yield from denied
    yield from of_differing_terms(told, [*wrong, *far, *denied])


def _looked(paragraph: str, kind: Kind, begin: int, here: Sequence[Cited], kept: KeptWork) -> _Looked:
    """Return what a paragraph that begins at `begin` is with what it cites, by what was worked out before."""
    places = tuple((each.start - begin, each.end - begin, each.artifact, each.noted, each.by_doi) for each in here)
    return kept.get(
        ("looked", paragraph, kind, places), len(paragraph),
        lambda: _look(paragraph, kind, [Cited(*each) for each in places], kept),
    )  # fmt: skip


def _look(paragraph: str, kind: Kind, here: Sequence[Cited], kept: KeptWork) -> _Looked:
    read = _read(paragraph, kind, kept)
    owners = _owners(read, 0, here)
    compared: list[int] = []
    wrong: list[Diagnostic] = []
    claims: list[tuple[int, int, str, tuple[KnownArtifact, ...]]] = []
    for quotation in read.quoted:
        touched = [at for at, (start, stop) in enumerate(read.sentences)
                   if start < quotation.end and quotation.start < stop]  # fmt: skip
        behind = [one for at in touched for one in owners[at]]
        before = owners[touched[0] - 1] if touched and touched[0] > 0 and not behind else []
        # The next sentence may say whose words these are; only an altered copy of them is told.
        after = owners[touched[-1] + 1] if touched and touched[-1] + 1 < len(owners) and not before else []
        compared += [quotation.start] if behind or before or after else []
        around = _around(paragraph, quotation, [read.sentences[at] for at in touched])
        theirs = is_others(around, paragraph[quotation.end :])
        if after and not behind:
            copied = Quotation(quotation.start, quotation.end, quotation.words, sure=False)
            if found := of_quotation(copied, 0, after, kind, own=False, denied=True, others=theirs):
                wrong.append(found)
            continue
        places = [(each.start, each.end) for each in behind]
        apart = bool(places) and all(stands_apart(paragraph, quotation, *each) for each in places)
        if found := of_quotation(quotation, 0, behind or before, kind, own=bool(behind), apart=apart,
                                  denied=reverses(around), others=theirs):  # fmt: skip
            wrong.append(found)
    for (start, stop), own in zip(read.sentences, owners, strict=True):
        own = [each for each in own if not (each.noted or each.by_doi)]
        quoted = any(start < each.end and each.start < stop for each in read.quoted if each.sure and not each.short)
        if own and not quoted and (claim := _claim(paragraph[start:stop], own, kind)):
            claims.append((start, stop, *claim))
    all_own = [one for each in owners for one in each]  # a fence may stand last
    cites = owners[-1] or all_own if owners else []
    only = only_cites(CITATION.sub("", paragraph))
    return _Looked(
        tuple(shared_out(paragraph, 0, read.sentences, owners, kind)), tuple(compared), tuple(wrong), tuple(claims),
        tuple(cites if owners and owners[-1] else ()), tuple(cites) if only else None,
        paragraph[slice(*read.sentences[-1])] if read.sentences else "",
    )  # fmt: skip


def _moved(found: Diagnostic, by: int) -> Diagnostic:
    return replace(found, start=found.start + by, end=found.end + by)


def _of_block(words: str, kind: Kind, cites: Sequence[Cited], said: str, kept: KeptWork) -> Diagnostic | None:
    """Return what is wrong with a block quotation, whose words begin at 0, by what is cited for it. `said` is the
    sentence that cites."""
    block = Quotation(0, len(words.rstrip()), words, sure=False)
    return kept.get(
        ("block", words, kind, tuple(each.artifact for each in cites), said), len(words) + len(said),
        lambda: of_quotation(block, 0, cites, kind, own=False, others=is_others(said, "")),
    )  # fmt: skip


def of_words(
    text: str, kind: Kind, cited: Sequence[Cited], known: Sequence[KnownArtifact]
) -> Iterator[Diagnostic]:
    """Yield the sentences of a text whose citations were exchanged, surely or perhaps, and those with a figure or
    another exact term that the cited work has otherwise. `known` are the artifacts of the project. Quotations are not
    compared."""
    told: list[Sentence] = []
    kept = KeptWork()
    for begin, end, here in _paragraphs(text, _with_notes(text, kind, cited)):
        if any(each.artifact for each in here) and end - begin <= LONGEST:
            read = _read(text[begin:end], kind, kept)
            told += shared_out(text[begin:end], begin, read.sentences, _owners(read, begin, here), kind)
    yield from of_exchanged(told, known)
    yield from of_differing_terms(told)


def _of_notes(
    text: str, kind: Kind, cited: Sequence[Cited], paragraphs: Sequence[tuple[int, int, list[Cited]]], kept: KeptWork
) -> Iterator[Diagnostic]:
    """Yield what is wrong with the quotations of footnotes that cite nothing, by what the sentence of their mark
    cites."""
    if kind != "markdown" or "]:" not in text or not any(each.artifact for each in cited):
        return
    begins = [begin for begin, _, _ in paragraphs]
    for start, end, mark in notes(text, cited):
        begin, stop, here = paragraphs[bisect_right(begins, mark) - 1]
        if not here or max(stop - begin, end - start) > LONGEST:
            continue
        read = _read(text[begin:stop], kind, kept)
        at = _sentence(read.sentences, mark - begin)
        own = _owners(read, begin, here)[at] if at is not None else []
        for quotation in quotations_of(text[start:end], kind, kept):
            if found := of_quotation(quotation, start, own, kind, own=False):
                yield found


def _with_notes(text: str, kind: Kind, cited: Sequence[Cited]) -> list[Cited]:
    """Return the citations, and those of footnotes at their marks too: the quotation stands where the mark is."""
    if kind != "markdown" or "]:" not in text or not any(each.artifact for each in cited):
        return list(cited)
    marked = [Cited(at, at + 1, each.artifact, noted=True) for each, at in marks_of_notes(text, cited)]
    return sorted([*cited, *marked], key=lambda each: each.start)


def _owners(read: _Read, begin: int, here: Sequence[Cited]) -> list[list[Cited]]:
    """Return the citations of each sentence of a paragraph."""
    owners: list[list[Cited]] = [[] for _ in read.sentences]
    for each in here:
        if (at := _sentence(read.sentences, each.start - begin)) is not None:
            owners[at].append(each)
    return owners


def _paragraphs(text: str, cited: Sequence[Cited]) -> Iterator[tuple[int, int, list[Cited]]]:
    """Yield the paragraphs, each with its citations; none where nothing cites an artifact."""
    if not any(each.artifact for each in cited):
        return
    breaks = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    waiting = list(reversed(cited))
    for begin, end in pairwise(breaks):
        here = []
        while waiting and waiting[-1].start < end:
            here.append(waiting.pop())
        yield begin, end, here


def _read(paragraph: str, kind: Kind, kept: KeptWork) -> _Read:
    sentences = kept.get(("sentences", paragraph), len(paragraph), lambda: tuple(sentences_of(paragraph)))
    return _Read(sentences, quotations_of(paragraph, kind, kept))


def _sentence(sentences: Sequence[tuple[int, int]], at: int) -> int | None:
    return next((number for number, (start, end) in enumerate(sentences) if start <= at < end), None)


def _around(paragraph: str, quotation: Quotation, sentences: Sequence[tuple[int, int]]) -> str:
    """Return the words of the sentences of a quotation that stand before it."""
    return paragraph[sentences[0][0] : quotation.start] if sentences else ""


def _claim(sentence: str, own: Sequence[Cited], kind: Kind) -> tuple[str, tuple[KnownArtifact, ...]] | None:
    """Return the words of a sentence and what it cites, if excerpts of all of that may deny it."""
    artifacts = tuple(each.artifact for each in own if each.artifact is not None)
    if len(artifacts) < len(own) or any(not each.excerpts for each in artifacts):
        return None
    claim = forms(CITATION.sub("", sentence), kind)[0]
    return None if _MARKUP.search(claim) or len(claim.split()) < _LEAST_WORDS else (claim, artifacts)


def _of_claim(
    claim: str, start: int, end: int, artifacts: Sequence[KnownArtifact], project: Project
) -> Iterator[Diagnostic]:
    denied = [project.readings.get(claim, each) for each in artifacts]
    if all(denied):
        related = tuple(SeeAlso(each.path, 1, f"“{shortened(each.excerpts[0][0])}”") for each in artifacts)
        message = f"the excerpt does not carry this: {denied[0]}. Correct the sentence, or cite what carries it"
        yield Diagnostic(start, end, "claim", "warning", message, f"{claim} | {artifacts[0].path}", related=related)


class SentencesOf:
    """The sentences of a text, cut where they are asked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._breaks: list[int] = []
        self._cut: dict[int, list[tuple[int, int]]] = {}

    def around(self, at: int) -> tuple[int, int] | None:
        """Return where the sentence at a place begins and ends; None where there is none, or what is there is data."""
        if not self._breaks:
            self._breaks = [0, *(found.end() for found in _BREAK.finditer(self._text)), len(self._text)]
        behind = max(bisect_left(self._breaks, at), 1)
        if behind >= len(self._breaks):
            return None
        begin, end = self._breaks[behind - 1], self._breaks[behind]
        if not 0 < end - begin <= LONGEST:
            return None
        if begin not in self._cut:
            self._cut[begin] = [(begin + a, begin + b) for a, b in sentences_of(self._text[begin:end])]
        return next(((a, b) for a, b in self._cut[begin] if a <= at <= b), None)

    def words(self, at: int) -> str:
        """Return the words of the sentence at a place, or else of its line, without citations."""
        place = self.around(at)
        if place is None:
            end = self._text.find("\n", at)
            place = self._text.rfind("\n", 0, at) + 1, len(self._text) if end < 0 else end
            place = max(place[0], at - LONGEST), min(place[1], at + LONGEST)
        return " ".join(CITATION.sub("", self._text[place[0] : place[1]]).split())


def sentence_around(text: str, at: int) -> tuple[int, int, str] | None:
    """Return the sentence at a place, with its words without citations; None where there is none."""
    sentences = SentencesOf(text)
    place = sentences.around(at)
    words = sentences.words(at) if place is not None else ""
    return (*place, words) if place is not None and words else None
