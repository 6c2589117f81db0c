"""From a part of a passage that answers to a draft: the sentence that answers is the claim, the part is its quote."""

from __future__ import annotations

import re

from veritas.answering.ranking import Found
from veritas.council.embedded.assertable import BOILERPLATE, REFERENCE
from veritas.council.embedded.claim_types import claim_type
from veritas.council.embedded.statements import CUT, statements_of
from veritas.council.turns import Draft, Quote
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.text.languages import plainly_foreign

NEVER = frozenset({REFERENCE, CUT})
"""Faults of a sentence that is not shown at all."""
BRIEF = 10
"""Words from which on a sentence with a word of boilerplate may be on what that names: cookies, logging in, pull
requests. A shorter one is an invitation or a link."""
_NOTICE = re.compile(
    r"(?i)©|\bcopyright\b|all rights reserved|\bwarrant(?:y|ies)\b|hereby granted|are permitted|\btrademarks?\b|"
    r"newsletter|privacy policy|terms of (?:use|service)"
)


def draft(found: Found) -> Draft | None:
    """Return the draft of a part; None for what is no statement at all, such as a copyright notice.

    The claim is the sentence that answers, with the one before it if it points back to that one. A sentence that cannot
    stand alone is not parted from its paragraph, and the claim is then all that is shown with it; a program or a list
    is not parted from the words before it.
    """
    start, end = found.start, found.end
    beside = fold_whitespace(found.passage.text[found.unit.shown_start : found.unit.shown_end])
    claim = beside
    if found.unit.kind == "prose" and plainly_foreign(found.core):
        # Which sentences can stand alone is known of English ones.
        claim = fold_whitespace(found.passage.text[found.unit.said_from : found.unit.end])
        start = min(start, found.unit.said_from)
    elif found.unit.kind in ("prose", "list"):
        told = [s for s in statements_of(found.passage) if s.end == found.unit.end and s.start <= found.unit.start]
        whole = next((s for s in told if s.fault is None and bool(s.items) == found.unit.whole), None)
        if whole is not None:
            claim, start = whole.claim, min(start, whole.start)
        elif any(s.fault in NEVER or (s.fault == BOILERPLATE and _notice(s.text)) for s in told):
            return None
    unit, text = found.unit, found.passage.text
    if claim == beside and (unit.kind != "prose" or unit.attached):
        claim = fold_whitespace(text[max(start, unit.said_from) : min(end, max(unit.end, unit.said_to))])
    quote = found.passage.text[start:end]
    if len(fold_whitespace(quote)) < MIN_QUOTE:
        return None
    return Draft(
        claim=claim,
        claim_type=claim_type(claim),
        confidence=round(min(0.99, found.chance), 4),
        quotes=(Quote(passage_id=found.passage.passage_id, quote=quote),),
    )


def _notice(said: str) -> bool:
    """Return whether a sentence with a word of boilerplate is a notice of law or an invitation, and tells nothing."""
    return len(said.split()) < BRIEF or _NOTICE.search(said) is not None
