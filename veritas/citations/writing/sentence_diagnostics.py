"""Diagnostics of sentences that cite: a quotation that the artifact does not hold, a claim that its excerpts deny."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from veritas.citations.marks.comments import comments
from veritas.citations.marks.links import Kind
from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.open_questions import KeptWork
from veritas.citations.writing.project import Project
from veritas.citations.writing.quotations import (
    CITATION,
    MIN_WORDS,
    ONE_CITATION,
    RESEMBLES,
    RESEMBLES_SURELY,
    Quotation,
    Standing,
    quotations,
    resembles,
    standing,
)
from veritas.citations.writing.quoted_words import forms
from veritas.text.sentences import split_sentences

LONGEST = 20_000
"""Most characters of a paragraph that is read; a longer one is data."""
_BREAK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#{1,6}[ \t]|```|~~~|\\(?:section|subsection|chapter|paragraph|item)\b))")
_MARKUP = re.compile(r"[\\$|{}`@]|<[A-Za-z/!]")
_QUOTED = re.compile(r"[\"“”„«»‘]|``|&quot;|<q\b|\\(?:enquote|textquote|say)\b")
_BLOCK_QUOTATION = re.compile(r"(?:(?:[ \t]*>[^\n]*(?:\n|\Z))+|[ \t]*<blockquote\b.*</blockquote>)\s*\Z", re.S | re.I)
_NOTE = re.compile(r"^[ \t]{0,3}\[\^([^\]\s]{1,200})\]:[ \t]*(?P<text>[^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.MULTILINE)
_BEHIND = re.compile(rf"(?<=[.!?])[\"”’»')]{{0,3}}((?:\s*{ONE_CITATION})+\.?)(?=\s|\Z)")
"""A citation behind the full stop of the sentence that it belongs to: `. [@key] Next`, `.”[^1] Next`."""
_SUBJECT = re.compile(r"(?<!\S)@(?=\w)")
_ATTRIBUTION = re.compile(r"\n[ \t>|]*(?:—|–|-{2,3})[ \t]*")
"""A line that names whose words a block quotation has."""
_LAYOUT = re.compile(
    r"\\\\\*?(?:\[[^\[\]]*\])?|\\(?:hfill|hspace\*?\{[^{}]*\}|raggedleft|flushright|par|noindent|medskip|smallskip|bigskip)"
    r"(?![A-Za-z])"
)
_COMMENT_MARKS = re.compile(
    r"^[ \t]*(?:#+|/{2,}|/?\*+|;+|%+|--+)[ \t]?|\A[^\n\"']{0,12}(?:\"{3}|'{3})|(?:\"{3}|'{3})\s*\Z", re.MULTILINE
)
_LEAST_WORDS = 3
_MOST_BEHIND = 2
"""Most words between a quotation and the citation behind it that is its source."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation's place and the artifact it leads to, if it leads to one."""

    start: int
    end: int
    artifact: KnownArtifact | None
    noted: bool = False
    """Whether it stands in a footnote, and the place is that of the footnote's mark."""
    by_doi: bool = False
    """Whether only a DOI leads there: whose words a quotation is it says, and of no sentence that it rests on it."""


@dataclass(frozen=True, slots=True)
class _Looked:
    """What a paragraph and its citations are by themselves. All places count in its own characters."""

    found: tuple[Diagnostic, ...]
    claims: tuple[tuple[int, int, str, tuple[KnownArtifact, ...]], ...]
    """The sentences that an excerpt may deny, their words and what they cite."""
    behind: tuple[Cited, ...]
    """What a block quotation behind the paragraph is held against."""
    before: tuple[Cited, ...]
    """What a block quotation before the paragraph is held against, if the paragraph does nothing but cite."""


def of_sentences(text: str, kind: Kind, cited: Sequence[Cited], project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the sentences that cite. Only a sentence of which every citation leads to an artifact
    can be found wrong: of any other the missing one may be the source."""
    if kind == "source":
        return
    kept = project.kept
    paragraphs = list(_paragraphs(text, _with_notes(text, kind, cited)))
    for number, (begin, end, here) in enumerate(paragraphs):
        if not any(each.artifact for each in here):
            continue
        if end - begin > LONGEST:
            if _QUOTED.search(text, begin, end):
                said = f"quotations are not compared in a paragraph of more than {LONGEST:,} characters"
                yield Diagnostic(here[0].start, here[0].end, "unknown", "unknown", said, "long")
            continue
        looked = _looked(text[begin:end], kind, begin, here, kept)
        yield from (_moved(each, begin) for each in looked.found)
        for start, stop, claim, artifacts in looked.claims:
            yield from _of_claim(claim, begin + start, begin + stop, artifacts, project)
        for at, cites in ((number + 1, looked.behind), (number - 1, looked.before)):
            start, stop, others = paragraphs[at] if 0 <= at < len(paragraphs) and cites else (0, 0, [])
            if stop and not others and _is_block(text[start:stop], kind):
                yield from (_moved(each, start) for each in _of_block(text[start:stop], kind, cites, kept))


def of_comments(text: str, name: str, cited: Sequence[Cited]) -> Iterator[Diagnostic]:
    """Yield the quotations in the comments of source code that are altered copies of what the comment cites."""
    if not any(each.artifact for each in cited):
        return
    for comment in comments(text, name):
        here = [each for each in cited if 0 <= each.start - comment.start < len(comment.text)]
        if any(each.artifact for each in here) and len(comment.text) <= LONGEST:
            words = _COMMENT_MARKS.sub(lambda found: " " * len(found.group()), comment.text)
            for quotation in quotations(words, "source"):
                copied = replace(quotation, sure=False)
                if found := _of_quotation(copied, here, "source", own=True, apart=False):
                    yield _moved(found, comment.start)


def _looked(paragraph: str, kind: Kind, begin: int, here: Sequence[Cited], kept: KeptWork) -> _Looked:
    """Return what a paragraph that begins at `begin` is with what it cites, by what was worked out before."""
    places = tuple((each.start - begin, each.end - begin, each.artifact, each.noted, each.by_doi) for each in here)
    return kept.get(
        ("looked", paragraph, kind, places), len(paragraph),
        lambda: _look(paragraph, kind, [Cited(*each) for each in places]),
    )  # fmt: skip


def _look(paragraph: str, kind: Kind, here: Sequence[Cited]) -> _Looked:
    sentences = tuple(_sentences_of(paragraph))
    owners: list[list[Cited]] = [[each for each in here if start <= each.start < end] for start, end in sentences]
    wrong: list[Diagnostic] = []
    quoted = list(quotations(paragraph, kind))
    for quotation in quoted:
        touched = [at for at, (start, stop) in enumerate(sentences) if start < quotation.end and quotation.start < stop]
        own = [one for at in touched for one in owners[at]]
        before = owners[touched[0] - 1] if touched and touched[0] > 0 and not own else []
        apart = not any(_adjoins(paragraph, quotation, each) for each in own)
        if found := _of_quotation(quotation, own or before, kind, own=bool(own), apart=apart):
            wrong.append(found)
    claims: list[tuple[int, int, str, tuple[KnownArtifact, ...]]] = []
    for (start, stop), cites in zip(sentences, owners, strict=True):
        rests = [each for each in cites if not (each.noted or each.by_doi)]
        speaks = not any(start < each.end and each.start < stop for each in quoted if each.sure)
        if rests and speaks and (claim := _claim(paragraph[start:stop], rests, kind)):
            claims.append((start, stop, *claim))
    only_cites = len(CITATION.sub("", paragraph).split()) <= _LEAST_WORDS
    behind = tuple(owners[-1]) if owners else ()
    return _Looked(tuple(wrong), tuple(claims), behind, tuple(here) if only_cites else ())


def _moved(found: Diagnostic, by: int) -> Diagnostic:
    return replace(found, start=found.start + by, end=found.end + by)


def _adjoins(text: str, quotation: Quotation, cited: Cited) -> bool:
    """Return whether next to no words stand between a quotation and a citation behind it."""
    return cited.start <= quotation.end or len(re.findall(r"\w{2,}", text[quotation.end : cited.start])) <= _MOST_BEHIND


def _is_block(text: str, kind: Kind) -> bool:
    """Return whether a paragraph is a block quotation: marked lines of Markdown, an indented one of
    reStructuredText."""
    lines = [line for line in text.split("\n") if line.strip()]
    indented = kind == "rst" and bool(lines) and all(line[:2] in ("  ", " \t") or line[0] == "\t" for line in lines)
    return len(text) <= LONGEST and (indented or (kind == "markdown" and _BLOCK_QUOTATION.match(text) is not None))


def _of_block(words: str, kind: Kind, cites: Sequence[Cited], kept: KeptWork) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a block quotation, whose words begin at 0, by what is cited for it."""
    block = Quotation(0, len(words.rstrip()), words, sure=False)
    found = kept.get(
        ("block", words, kind, tuple(each.artifact for each in cites)), len(words),
        lambda: _of_quotation(block, cites, kind, own=False, apart=False),
    )  # fmt: skip
    return (found,) if found else ()


def _of_quotation(
    quotation: Quotation, cites: Sequence[Cited], kind: Kind, *, own: bool, apart: bool
) -> Diagnostic | None:
    """Return what is wrong with a quotation by what is cited for it. `own` says that its own sentence cites that,
    `apart` that other words stand between it and every citation."""
    artifacts = [each.artifact for each in cites if each.artifact is not None]
    if not artifacts or len(artifacts) < len(cites) or any(not each.kept for each in artifacts):
        return None
    sources = [words for each in artifacts for words in each.kept]
    sure = quotation.sure and own
    if sure:
        readings = forms(quotation.words, kind)
        words, stands = readings[0], standing(readings, [*sources, *(each.title for each in artifacts)])
    else:
        words, stands = _altered(quotation.words, sources, kind)
    if not words:
        return None
    related = tuple(SeeAlso(each.path, 1, "what is kept of the work") for each in artifacts)
    subject = f"{words} | {' '.join(sorted(each.path for each in artifacts))}"

    def told(code: str, level: Level, said: str) -> Diagnostic:
        return Diagnostic(quotation.start, quotation.end, code, level, said, subject, related=related)

    if stands.found:
        return told("unknown", "unknown", f"the words are the work's, but {stands.doubt}; whether the work says "
                    "this cannot be told. Quote the words in full") if stands.doubt else None  # fmt: skip
    near = resembles(words, sources, RESEMBLES if sure else RESEMBLES_SURELY)
    if near is not None and apart:
        return told("unknown", "unknown", "the quotation is not word for word what the artifact holds, and may be of "
                    f"another work: “{_shortened(near)}”. Cite the work that it is from beside it")  # fmt: skip
    if near is not None:
        return told("quote-altered", "error", "the quotation is not word for word what the artifact holds. Quote it as "
                    f"it stands there: “{_shortened(near)}”")  # fmt: skip
    if not sure:
        return None
    if all(each.text for each in artifacts) and not apart:
        return told("quote-altered", "error", "the quotation stands nowhere in the stored text of the work. Quote "
                    "what stands there, or take the quotation marks out")  # fmt: skip
    return told("quote-not-found", "unknown", "the quotation stands neither in the excerpts nor in the abstract, which "
                "is all that is kept of the work. Compare it with the work itself")  # fmt: skip


def _altered(words: str, sources: Sequence[str], kind: Kind) -> tuple[str, Standing]:
    """Return the first sentence that is an altered copy of a source's words; nothing if none is. A block quotation has
    its citation inside, and may go on in words of its writer."""
    words = _LAYOUT.sub("\n", words) if kind == "latex" else words
    for chunk in _ATTRIBUTION.split(CITATION.sub("", words)):
        readings = forms(chunk, kind)
        if standing(readings, sources).found:
            continue
        for start, end in _sentences_of(readings[0]):
            each = readings[0][start:end].strip(" -–—")
            if len(each.split()) < MIN_WORDS:
                continue
            stands = standing((each,), sources)
            if not stands.found and resembles(each, sources, RESEMBLES_SURELY) is not None:
                return each, stands
    return "", Standing(True)


def _with_notes(text: str, kind: Kind, cited: Sequence[Cited]) -> list[Cited]:
    """Return the citations, and those of footnotes at their marks too: the quotation stands where the mark is."""
    if kind != "markdown" or "]:" not in text or not any(each.artifact for each in cited):
        return list(cited)
    marked = []
    for found in _NOTE.finditer(text):
        inside = [each for each in cited if found.start("text") <= each.start < found.end("text")]
        for mark in re.finditer(re.escape(f"[^{found[1]}]") + "(?!:)", text) if inside else ():
            marked += [Cited(mark.start(), mark.start() + 1, each.artifact, noted=True) for each in inside]
    return sorted([*cited, *marked], key=lambda each: each.start)


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


def _sentences_of(paragraph: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a paragraph, each with a citation that stands behind its full stop."""
    plain = _SUBJECT.sub("K", paragraph) if "@" in paragraph else paragraph  # an `@` opens code, but not here
    ends = [end for _, end in split_sentences(plain)]
    behind = [found.span(1) for found in _BEHIND.finditer(paragraph)]
    ends = [end for end in ends if not any(a <= end < b for a, b in behind)] + [b for _, b in behind]
    at = 0
    for end in sorted({*ends, len(paragraph)}):
        while at < end and paragraph[at].isspace():
            at += 1
        if at < end:
            yield at, end
        at = max(at, end)


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
        related = tuple(SeeAlso(each.path, 1, f"“{_shortened(each.excerpts[0][0])}”") for each in artifacts)
        message = f"the excerpt does not carry this: {denied[0]}. Correct the sentence, or cite what carries it"
        yield Diagnostic(start, end, "claim", "warning", message, f"{claim} | {artifacts[0].path}", related=related)


def _shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:299]}…"


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
            self._cut[begin] = [(begin + a, begin + b) for a, b in _sentences_of(self._text[begin:end])]
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
