"""The paper's body as a witness for one of its statements: without the statement and what only says it again."""

from __future__ import annotations

from veritas.papers.audit import AuditNode
from veritas.papers.extraction.statements import Statements
from veritas.papers.reading.paper import PaperText

MASKED = frozenset({"title", "abstract", "introduction", "conclusion", "references", "acknowledgements"})
"""Sections that say again what a paper claims: they are no witness for it. Its body is."""
SIMILAR = 0.75
"""Likeness from which a sentence elsewhere is the statement again."""


def body_beside(node: AuditNode, paper: PaperText, statements: Statements) -> str:
    """The paper's text with blanks for the statement, for what repeats it, for captions, and for what only announces
    or sums up; all offsets as they were."""
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
