"""Splitting a question into sub-queries that together cover it (stage 0, section III)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veritas.council.turns import SubQueryDraft
from veritas.text.sentences import statements
from veritas.text.tokens import terms

MAX_SUB_QUERIES = 6
"""Most sub-queries of a question; one is the least."""
AS_ASKED = "as asked"
"""The facet of a part of the question itself."""
LEAST = 2
"""Words with a topic of a part that is asked by itself; one with fewer is asked with the first part beside it."""

_ASKS = (
    r"(?:what|which|who|when|where|why|how|whether|does|do|did|is|are|was|were|can|could|should|would|will|has|have)"
)
_JOINT = re.compile(rf"(?i)\s*[;?]\s*|\s*,?\s+(?:and|but|or)\s+(?:also\s+)?(?={_ASKS}\b\s+\S)")


def sub_queries(question: str) -> tuple[SubQueryDraft, ...]:
    """Return one to six sub-queries that together cover the question, in order, without duplicates.

    A claim or keywords are kept as one. Several questions, or questions joined by "and", are separated; a later one
    that says little by itself gets the first one in brackets.
    """
    asked = _in_a_line(question)
    drafts: dict[frozenset[str], SubQueryDraft] = {}
    for _, whole in _parts(asked):
        if key := frozenset(terms(whole)):
            drafts.setdefault(key, SubQueryDraft(text=whole, facet=AS_ASKED))
    return tuple(drafts.values())[:MAX_SUB_QUERIES] or (SubQueryDraft(text=asked or "?", facet=AS_ASKED),)


def own_words(question: str) -> Mapping[str, str]:
    """Return the parts of a question as `sub_queries` words them -> as they stand in the question, with a capital and a
    question mark."""
    return {whole: own for own, whole in _parts(_in_a_line(question))}


def _in_a_line(question: str) -> str:
    return " ".join(question.encode("utf-8", "replace").decode().split())


def _parts(asked: str) -> list[tuple[str, str]]:
    """Return the questions in a text, each as written and as a question by itself; none if there is only one."""
    pieces = [
        piece.strip(" ,;?.")
        for start, end in statements(asked)
        if asked[start:end].endswith("?")
        for piece in _JOINT.split(asked[start:end])
    ]
    pieces = [piece for piece in pieces if piece]
    if len(pieces) < 2:
        return []
    first = pieces[0]
    found = []
    for piece in pieces:
        own = f"{piece[0].upper()}{piece[1:]}"
        leans = piece is not first and len(set(terms(piece))) < LEAST
        found.append((f"{own}?", f"{own} ({first})?" if leans else f"{own}?"))
    return found
