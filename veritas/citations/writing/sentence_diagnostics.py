"""Diagnostics of sentences that cite: a quotation that the artifact does not hold, a claim that its excerpts deny."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.places import Kind
from veritas.citations.writing.project import Project
from veritas.citations.writing.quotations import MIN_WORDS, Quotation, plain, quotations, resembles, stands
from veritas.text.sentences import split_sentences

LONGEST = 6_000
"""Most characters of a paragraph that is read; a longer one is data."""

_BREAK = re.compile(r"\n[ \t]*\n|\n(?=[ \t]*(?:#{1,6}[ \t]|```|~~~|\\(?:section|subsection|chapter|paragraph|item)\b))")
# What opens a citation right behind the sentence it belongs to: `. [see @key]`, `. \cite{key}`, `. :cite:`key``
_BEHIND = re.compile(r"\s*(?:[\[(][^\[\]()\n]*|~?\\\w*[Cc]ite\w*\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*|:\w*cite[\w:]*:`[^`]*)\Z")
_CITATION = re.compile(
    r"\s*\[[^\[\]]*@[^\[\]]*\]|\s*~?\\\w*[Cc]ite\w*\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*\}|\s*:\w*cite[\w:]*:`[^`]*`"
    r"|\s*\[\^[^\]\s]+\]|\s*\(?\[[^\[\]]*\]\([^()\s]*\)\)?"
)
_MARKUP = re.compile(r"[\\$|{}<>`@]")


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation's place and the artifact it leads to, if it leads to one."""

    start: int
    end: int
    artifact: KnownArtifact | None


@dataclass(frozen=True, slots=True)
class _Read:
    """A paragraph, read: its sentences and its quotations, in its own characters."""

    sentences: tuple[tuple[int, int], ...]
    quoted: tuple[Quotation, ...]


def of_sentences(text: str, kind: Kind, cited: Sequence[Cited], project: Project) -> Iterator[Diagnostic]:
    """Yield what is wrong with the sentences that cite. Only a sentence of which every citation leads to an artifact
    can be found wrong: of any other the missing one may be the source."""
    if kind == "source":
        return
    for begin, end, here in _paragraphs(text, cited):
        paragraph = text[begin:end]
        read = _read(paragraph, kind)
        owners = [[] for _ in read.sentences]  # type: list[list[Cited]]
        for each in here:
            if (at := _sentence(paragraph, read.sentences, each.start - begin)) is not None:
                owners[at].append(each)
        for quotation in read.quoted:
            behind = [one for (start, stop), own in zip(read.sentences, owners, strict=True)
                      if start < quotation.end and quotation.start < stop for one in own]  # fmt: skip
            if found := _of_quotation(quotation, begin, behind, kind):
                yield found
        for (start, stop), own in zip(read.sentences, owners, strict=True):
            if own and not any(start < each.end and each.start < stop for each in read.quoted):
                yield from _of_claim(paragraph[start:stop], begin + start, begin + stop, own, kind, project)


def _paragraphs(text: str, cited: Sequence[Cited]) -> Iterator[tuple[int, int, list[Cited]]]:
    """Yield the paragraphs that cite an artifact, each with its citations."""
    if not any(each.artifact for each in cited):
        return
    breaks = [0, *(found.end() for found in _BREAK.finditer(text)), len(text)]
    waiting = list(reversed(cited))
    for begin, end in zip(breaks, breaks[1:], strict=False):
        here = []
        while waiting and waiting[-1].start < end:
            here.append(waiting.pop())
        if any(each.artifact for each in here) and end - begin <= LONGEST:
            yield begin, end, here


@lru_cache(maxsize=4096)
def _read(paragraph: str, kind: Kind) -> _Read:
    return _Read(tuple(split_sentences(paragraph)), tuple(quotations(paragraph, kind)))


def _sentence(paragraph: str, sentences: Sequence[tuple[int, int]], at: int) -> int | None:
    """Return the number of the sentence that a citation belongs to: the one it stands in, or the one before if it
    stands behind that one's full stop."""
    for number, (start, end) in enumerate(sentences):
        if start <= at < end:
            behind = number > 0 and _BEHIND.match(paragraph[start:at] or " ") is not None and start != at
            return number - 1 if behind else number
    return None


def _of_quotation(quotation: Quotation, begin: int, behind: Sequence[Cited], kind: Kind) -> Diagnostic | None:
    artifacts = [each.artifact for each in behind if each.artifact is not None]
    if not artifacts or len(artifacts) < len(behind) or any(not each.kept for each in artifacts):
        return None
    words = plain(quotation.words, kind)
    sources = [words for each in artifacts for words in each.kept]
    if stands(words, sources):
        return None
    start, end = begin + quotation.start, begin + quotation.end
    related = tuple(SeeAlso(each.path, 1, "what is kept of the work") for each in artifacts)
    subject = f"{words} | {' '.join(sorted(each.path for each in artifacts))}"
    if (near := resembles(words, sources)) is not None:
        said = f"the quotation is not word for word what the artifact holds: “{_shortened(near)}”"
        return Diagnostic(start, end, "quote-altered", "error", said, subject, related=related)
    if all(each.text for each in artifacts):
        said = "the quotation stands nowhere in the stored text of the work"
        return Diagnostic(start, end, "quote-altered", "error", said, subject, related=related)
    said = "the quotation stands neither in the excerpts nor in the abstract, which is all that is kept of the work"
    return Diagnostic(start, end, "quote-not-found", "warning", said, subject, related=related)


def _of_claim(
    sentence: str, start: int, end: int, own: Sequence[Cited], kind: Kind, project: Project
) -> Iterator[Diagnostic]:
    artifacts = [each.artifact for each in own if each.artifact is not None]
    if len(artifacts) < len(own) or any(not each.excerpts for each in artifacts):
        return
    claim = plain(_CITATION.sub("", sentence), kind)
    if _MARKUP.search(claim) or len(claim.split()) < MIN_WORDS:
        return
    denied = [project.readings.get(claim, each) for each in artifacts]
    if all(denied):
        related = tuple(SeeAlso(each.path, 1, f"“{_shortened(each.excerpts[0][0])}”") for each in artifacts)
        message = f"the excerpt does not carry this: {denied[0]}"
        yield Diagnostic(start, end, "claim", "warning", message, f"{claim} | {artifacts[0].path}", related=related)


def _shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:299]}…"
