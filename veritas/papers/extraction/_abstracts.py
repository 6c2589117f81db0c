"""Cut a paper into sentences without abstracts' labels, and estimate the part of each sentence of an abstract."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.documents.abstract_labels import Part, is_aside, label_at, label_cuts, parts_of
from veritas.documents.paper_parts import Section, SectionName
from veritas.documents.paper_sections import section_at
from veritas.documents.sentence_parts import Chances, fitted
from veritas.papers.reading.paper_text import PaperText
from veritas.text.sentences import Sentence

MOST = 40
"""Sentences of the longest abstract. A longer one is a paper whose headings were not recognised."""
ITEMS = 2
"""Items of lists that an abstract may hold, except those of labels ("(1) Background: …")."""
BARE = 3
"""Parts that sentences of an abstract must open with ("Methods We …"), for labels without a mark to be such."""
_NO_BODY: frozenset[SectionName] = frozenset(
    {"title", "abstract", "other", "references", "acknowledgements", "disclosures"}
)


_NAME = re.compile(r"[`*]*([\w.-]{2,30})[`*]*\s*(?::|[–—-]\s)\s*\S")


@dataclass(frozen=True)
class Piece:
    """A sentence, `text[start:end]`, without its label; `block` is the paper's, and `first` and `last` are its place in
    the block. `chances` are set in an abstract only."""

    start: int
    end: int
    section: Section | None
    block: int
    first: bool
    last: bool
    chances: Chances | None = None
    parts: tuple[Part, ...] = ()
    """In an abstract, the parts that the label or heading above the sentence names."""


@dataclass(frozen=True)
class _Cut:
    start: int
    end: int
    sentence: Sentence
    number: int
    labelled: bool
    parts: tuple[Part, ...]
    aside: bool


def _is_alone(paper: PaperText, whole: Sequence[Sentence]) -> bool:
    """Return whether there are a title, an abstract and no body: no heading but the title's, the abstract's and its
    labels, and no lists, which notes have."""
    title = paper.identity.title.casefold()
    items = [sentence for sentence in whole if sentence.kind == "item"]
    labelled = {s.block for s in items if label_at(paper.text, s.start, s.end)}
    return len({s.block for s in items} - labelled) <= ITEMS and all(
        section.name in _NO_BODY
        and (section.name != "other" or section.heading.casefold() in ("", title) or bool(parts_of(section.heading)))
        for section in paper.sections
    )


def pieces(paper: PaperText, whole: Sequence[Sentence]) -> list[Piece]:
    """Return the sentences `whole` of a paper in order. Text under a label such as "FUNDING" is left out, and so is a
    title that is written like a sentence, if only an abstract follows."""
    alone = _is_alone(paper, whole)
    abstracts = _abstracts(paper.sections)
    title = _title_end(paper)
    found: list[Piece] = []
    pending: list[tuple[_Cut, Section | None]] = []
    above: tuple[Section | None, tuple[Part, ...], bool] = (None, (), False)
    opening = [s for s in whole if (of := section_at(paper.sections, s.start)) is not None and of.id in abstracts]
    told = {each.parts for s in opening if (each := label_at(paper.text, s.start, s.end, bare=True)) and each.parts}
    for cut in _cuts(paper.text, whole, named_by(paper.identity.title), bare=len(told) >= BARE):
        section = section_at(paper.sections, cut.start)
        abstract = section is not None and (section.id in abstracts or (alone and not abstracts))
        if not abstract:
            if not (cut.labelled and cut.start >= cut.end):
                found.append(_piece(cut, section, whole))
            continue
        under = above
        if above[0] is not section:
            heading = section.heading if section else ""
            under = (section, parts_of(heading), is_aside(heading))
        if cut.labelled:
            under = (section, cut.parts, cut.aside)
        above = under
        if cut.start < cut.end and not under[2] and not (alone and cut.end <= title):
            parts = under[1]
            pending.append((_Cut(cut.start, cut.end, cut.sentence, cut.number, cut.labelled, parts, False), section))
    if 0 < len(pending) <= MOST:
        # Text under "BACKGROUND" includes the aim, unless another label has it.
        aims = any(cut.parts == ("objective",) for cut, _ in pending)
        labels = [
            (*cut.parts, "objective") if "background" in cut.parts and not aims else cut.parts for cut, _ in pending
        ]
        texts = [" ".join(paper.text[cut.start : cut.end].split()) for cut, _ in pending]
        chances: list[Chances | None] = [*fitted().chances(texts, labels)]
    else:
        chances = [None] * len(pending)
    found += [_piece(cut, section, whole, each) for (cut, section), each in zip(pending, chances, strict=True)]
    return sorted(found, key=lambda piece: piece.start)


def _abstracts(sections: Sequence[Section]) -> set[str]:
    """Return the ids of sections called an abstract, and of those below one whose headings are its labels."""
    found: set[str] = set()
    level: int | None = None
    for section in sections:
        if section.name == "abstract":
            found.add(section.id)
            level = section.level if level is None else min(level, section.level)
        elif level is not None and section.level > level and parts_of(section.heading):
            found.add(section.id)
        else:
            level = None
    return found


def _title_end(paper: PaperText) -> int:
    """Return the end of the title that the text opens with, 0 if it opens otherwise."""
    title = paper.identity.title.rstrip(" .")
    opens = bool(title) and paper.text[: 2 * len(title)].casefold().startswith(title.casefold())
    return len(title) + paper.text[len(title) : len(title) + 1].count(".") if opens else 0


def _piece(cut: _Cut, section: Section | None, whole: Sequence[Sentence], chances: Chances | None = None) -> Piece:
    number, block = cut.number, cut.sentence.block
    return Piece(
        cut.start, cut.end, section, block,
        first=number == 0 or whole[number - 1].block != block,
        last=number + 1 == len(whole) or whole[number + 1].block != block,
        chances=chances,
        parts=() if chances is None else cut.parts,
    )  # fmt: skip


def named_by(title: str) -> str:
    """Return the name that a title gives its subject before a colon or a dash ("bumbl: growth of colonies"), or ''."""
    found = _NAME.match(title)
    return found[1] if found else ""


def _cuts(text: str, whole: Sequence[Sentence], name: str, bare: bool) -> Iterator[_Cut]:
    """Yield each sentence without its label, cut in two if another label follows without a space, or if the paper's
    subject follows, whose name is written in small letters."""
    opens = re.compile(rf"(?<=[.!?])\s+(?=[`*_]*{re.escape(name)}\b)") if name and name[0].islower() else None
    for number, sentence in enumerate(whole):
        cuts = label_cuts(text, sentence.start, sentence.end)
        cuts += [found.end() for found in opens.finditer(text, sentence.start + 1, sentence.end)] if opens else []
        begins = [sentence.start, *sorted(set(cuts))]
        for start, end in zip(begins, [*begins[1:], sentence.end], strict=True):
            until = start + len(text[start:end].rstrip())
            label = label_at(text, start, until, bare)
            if label is None:
                yield _Cut(start, until, sentence, number, False, (), False)
            else:
                yield _Cut(label.end, until, sentence, number, True, label.parts, label.aside)
