"""What is wrong with one quotation, by what is kept of the works that are cited for it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.known_artifacts import KnownArtifact
from veritas.citations.writing.places import Kind
from veritas.citations.writing.quotations import (
    MIN_WORDS,
    RESEMBLES,
    RESEMBLES_SURELY,
    Quotation,
    quotations,
    resembles,
)
from veritas.citations.writing.quoted_figures import other_figure
from veritas.citations.writing.quoted_words import forms
from veritas.citations.writing.speech import CITATION, ONE_CITATION, hear, reports
from veritas.citations.writing.standing import Standing, standing
from veritas.text.sentences import split_sentences

# A citation behind the full stop of the sentence that it belongs to: `. [@key] Next`, `.”[^1] Next`
_BEHIND = re.compile(rf"(?<=[.!?])[\"”’»')]{{0,3}}((?:\s*{ONE_CITATION})+\.?)(?=\s|\Z)")
# A key as a word of a sentence: `@key found …`
_SUBJECT = re.compile(r"(?<!\S)@(?=\w)")
# A line that names whose words a block quotation has
_ATTRIBUTION = re.compile(r"\n[ \t>|]*(?:—|–|-{2,3})[ \t]*")
# What sets the source of a block quotation apart in LaTeX, and the first line of a directive.
_LAYOUT = re.compile(
    r"\\\\\*?(?:\[[^\[\]]*\])?|\\(?:hfill|hspace\*?\{[^{}]*\}|raggedleft|flushright|par|noindent|medskip|smallskip|bigskip)"
    r"(?![A-Za-z])"
)
_DIRECTIVE = re.compile(
    r"\A\s*(?:`{3,}|:{3,}|~{3,}) ?(?:\{[\w.-]+|\.?[A-Za-z])[^\n]*\n(?:[ \t]*:[\w-]+:[^\n]*\n)*"
    r"|\n\s*(?:`{3,}|:{3,}|~{3,})\s*\Z"
)
_LEAST_SIGNS = 16
"""Least signs of a quotation of four words that can be an altered copy."""


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


def of_quotation(
    quotation: Quotation,
    begin: int,
    behind: Sequence[Cited],
    kind: Kind,
    *,
    own: bool,
    apart: bool = False,
    denied: bool = False,
    others: bool = False,
) -> Diagnostic | None:
    """Return what is wrong with a quotation by what `behind` cites. `own` says that its own sentence does, `apart` that
    other words stand between, `denied` that the words before it have a negation, and `others` that the words around it
    say whose it may be."""
    artifacts = [each.artifact for each in behind if each.artifact is not None]
    if not artifacts or len(artifacts) < len(behind) or any(not each.kept for each in artifacts):
        return None
    sources = [words for each in artifacts for words in each.kept]
    if quotation.of_a_figure and not (own and quotation.sure and not apart and not others):
        return None
    speech = False
    if quotation.cites:
        heard = hear(quotation.words, kind, sources)
        if heard.true:
            return None
        quotation, speech = replace(quotation, words=heard.words), heard.speech
    if quotation.sure:
        readings = forms(quotation.words, kind)
        words, stands = readings[0], standing(readings, sources, denied=denied)
    else:
        words, stands = altered(quotation.words, sources, kind)
    if not words:
        return None
    start, end = begin + quotation.start, begin + quotation.end
    related = tuple(SeeAlso(each.path, 1, "what is kept of the work") for each in artifacts)
    subject = f"{words} | {' '.join(sorted(each.path for each in artifacts))}"

    def told(code: str, level: Level, said: str) -> Diagnostic:
        return Diagnostic(start, end, code, level, said, subject, related=related)

    if quotation.short and own and not (stands.found or others or apart):
        titles = [each.title for each in artifacts]
        if figure := other_figure(words, [*sources, *titles]):
            return told("unknown", "unknown", "the figure is not what the artifact holds beside these words: "
                        f"“{figure}”. Quote it as it stands there, or say where it is from")  # fmt: skip
    if quotation.of_a_figure:
        return None
    if stands.found:
        if stands.doubt:
            return told("unknown", "unknown", f"the words are the work's, but {stands.doubt}; whether the work says "
                        "this cannot be told. Quote the words in full")  # fmt: skip
        return None
    if quotation.sure and standing(readings, [each.title for each in artifacts]).found:
        return None
    if quotation.sure and not (speech or others):
        inner = quotations(quotation.words, kind)
        others = any(
            reports(quotation.words[: each.start], sources) and standing(forms(each.words, kind), sources).found
            for each in inner
        )
    near = resembles(words, sources, RESEMBLES if quotation.sure and own else RESEMBLES_SURELY)
    if quotation.short:
        return None if near is None or len(words) < _LEAST_SIGNS else told(
            "unknown", "unknown", f"these words are few, and resemble what the artifact holds: “{shortened(near)}”. "
            "Quote them as they stand there, or without quotation marks")  # fmt: skip
    if speech and near is None:
        return None
    if (others or speech) and (near is not None or (own and quotation.sure)):
        shown = f": “{shortened(near)}”" if near is not None else ""
        return told("unknown", "unknown", f"the quotation is not word for word what the artifact holds{shown}. By the "
                    "words around it, it may be somebody else's; whether it is cannot be told")  # fmt: skip
    if near is not None and apart and quotation.sure:
        return told("unknown", "unknown", "the quotation is not word for word what the artifact holds, and may be of "
                    f"another work: “{shortened(near)}”. Cite the work that it is from beside it")  # fmt: skip
    if near is not None:
        return told("quote-altered", "error", "the quotation is not word for word what the artifact holds. Quote it as "
                    f"it stands there: “{shortened(near)}”")  # fmt: skip
    if not quotation.sure:
        return None
    if not own:
        return told("unknown", "unknown", "the quotation has no citation of its own, and stands in nothing that is "
                    "kept of the work that is cited beside it. Cite it where it is from")  # fmt: skip
    if all(each.text for each in artifacts) and not apart:
        return told("quote-altered", "error", "the quotation stands nowhere in the stored text of the work. Quote "
                    "what stands there, or take the quotation marks out")  # fmt: skip
    return told("quote-not-found", "warning", "the quotation stands neither in the excerpts nor in the abstract, which "
                "is all that is kept of the work. Compare it with the work itself")  # fmt: skip


def altered(words: str, sources: Sequence[str], kind: Kind) -> tuple[str, Standing]:
    """Return the first sentence that is an altered copy of a source's words, or else the first whose sense is in
    doubt; nothing if none is. A block quotation has its citation inside, and may go on in words of its writer."""
    doubtful = "", Standing(True)
    words = _LAYOUT.sub("\n", words) if kind == "latex" else _DIRECTIVE.sub("\n", words)
    for chunk in _ATTRIBUTION.split(CITATION.sub("", words)):
        readings = forms(chunk, kind)
        if standing(readings, sources) == Standing(True):
            continue
        whole = readings[0]
        for start, end in sentences_of(whole):
            each = whole[start:end].strip(" -–—")
            if len(each.split()) < MIN_WORDS:
                continue
            stands = standing((each,), sources)
            if not stands.found and resembles(each, sources, RESEMBLES_SURELY) is not None:
                return each, stands
            if stands.doubt and not doubtful[0]:
                doubtful = each, stands
    return doubtful


def sentences_of(paragraph: str) -> Iterator[tuple[int, int]]:
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


def shortened(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:299]}…"
