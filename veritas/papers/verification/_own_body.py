"""The paper's body as a witness for one of its statements: without the statement and its repetitions.

Recognise copies and versions of the audited paper, which are no witnesses for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.documents.document import Document
from veritas.papers.audit import AuditNode
from veritas.papers.extraction.statements import Statements
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification.own_tables import figures_in
from veritas.text.stems import stem
from veritas.text.tokens import terms

RUN = 6
"""Number of words in a run that is searched for."""
TRIED = 120
"""Number of runs of the paper that are searched for in a document, spread evenly."""
SHARE = 0.3
"""Share of the runs from which a document is a copy; quotations stay far below it, versions far above."""

_WORD = re.compile(r"[^\W\d_]{2,}")


class Copies:
    """A recogniser of the paper's own words. Line numbers, hyphenation and layout do not hide them."""

    def __init__(self, text: str) -> None:
        runs = list(_runs(text))
        step = max(1, len(runs) // TRIED)
        self._runs = runs[::step][:TRIED]
        self._known: dict[str, bool] = {}

    def is_copy(self, document: Document) -> bool:
        """Return whether a document is the paper itself, or another version of it."""
        known = self._known.get(document.document_id)
        if known is None:
            said = f" {' '.join(_words(document.text))} "
            found = sum(f" {run} " in said for run in self._runs)
            known = bool(self._runs) and found >= SHARE * len(self._runs)
            self._known[document.document_id] = known
        return known


def _words(text: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(text.replace("-\n", ""))]


def _runs(text: str) -> Iterator[str]:
    words = _words(text)
    for at in range(0, max(0, len(words) - RUN), RUN):
        yield " ".join(words[at : at + RUN])


MASKED = frozenset({"title", "abstract", "introduction", "conclusion", "references", "acknowledgements"})
"""Sections that repeat a paper's claims, and so are no witness for them; its body is."""
SIMILAR = 0.75
"""Likeness from which a sentence elsewhere is the statement again, even with other figures: papers say the same of one
year and the next, and taking that for a contradiction would be a false accusation."""

_SUPPOSED = re.compile(
    r"\b(?:we|i|us|they|is|are|was|were|been|be|which|that)\s+(?:\w+ly\s+)?(?:assum|hypothesi[sz]|suppos|postulat|presum"
    r"|conjectur|presuppos|posit(?:s|ed)?\b)|\b(?:our|the|this|that|an?|its|under|by)\s+(?:\w+\s+)?(?:assumption|hypothes[ie]s"
    r"|premise|presupposition|supposition|conjecture)\b|\bassum(?:e|ed|ing) that\b|\btake[ns]? (?:it )?for granted\b",
    re.IGNORECASE,
)
_OF_NO_CASE = frozenset(
    stem(word)
    for word in (
        "average averaged mean total overall about approximately respectively result results show showed shown find"
        " found observe observed measure measured report reported study table figure fig see only thus"
    ).split()
)
"""Words that do not tell what a figure measures."""

def supposed(text: str) -> bool:
    """Return whether a sentence assumes something, or puts it up to be tested, and so is no witness for it."""
    return bool(_SUPPOSED.search(text))


def body_beside(node: AuditNode, paper: PaperText, statements: Statements) -> str:
    """Return the paper's text with blanks for the statement, its repetitions, suppositions, captions, and sections that
    only announce or sum up. All offsets stay the same."""
    text = paper.text
    hidden = [(node.place.start, node.place.end)]
    hidden += [(s.place.start, s.place.end) for s in paper.sections if s.name in MASKED]
    hidden += [(f.place.start, f.place.end) for f in paper.figures]
    mine = next((s for s in statements.found if s.place.start == node.place.start), None)
    if mine is not None:
        hidden += [
            (s.place.start, s.place.end)
            for s in statements.found
            if s is not mine and statements.likeness(mine, s) > SIMILAR
        ]
    hidden += [(s.place.start, s.place.end) for s in statements.found if supposed(s.text)]
    pieces: list[str] = []
    at = 0
    for start, end in sorted(hidden):
        if end <= at:
            continue
        pieces.append(text[at : max(at, start)])
        pieces.append("".join(c if c == "\n" else " " for c in text[max(at, start) : end]))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)


def unhidden(masked: str, original: str, start: int, end: int) -> list[tuple[int, int]]:
    """Return the stretches of `[start, end)` that were not blanked: a sentence found in the masked text may run over
    blanks, and hidden text must not be shown as evidence."""
    found: list[tuple[int, int]] = []
    at = start
    while at < end:
        while at < end and (masked[at] != original[at] or original[at].isspace()):
            at += 1
        begun = last = at
        while at < end and masked[at] == original[at]:
            last = at + 1 if not original[at].isspace() else last
            at += 1
        if last > begun:
            found.append((begun, last))
    return found


def other_case(statement: str, passage: str) -> bool:
    """Return whether two passages that give different figures are about different cases: another year, group or site.
    Papers report one quantity of many cases, so a different figure contradicts only if no telling word differs."""
    said, there = figures_in(statement), figures_in(passage)
    if not (said - there and there - said):
        return False
    words, others = ({t for t in terms(text) if t.isalpha()} - _OF_NO_CASE for text in (statement, passage))
    return bool(words ^ others)
