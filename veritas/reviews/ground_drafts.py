"""I1 and I2 for a corpus: look every draft's quote up in the stored text; code alone sets its place."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from veritas.documents.document import Document
from veritas.documents.paper_sections import page_of
from veritas.documents.verbatim import fold_whitespace, locate
from veritas.reviews.canonical_sections import UNREAD, sections
from veritas.reviews.corpus_claim import CorpusClaim, corpus_claim_id
from veritas.reviews.drafts import ClaimDraft
from veritas.text.instructions import is_instruction

_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")

NOT_VERBATIM = "its quote is not in the document"
OTHER_NUMBERS = "it states a number that its quote does not; the quote's own words were kept instead"


def ground(
    document: Document, drafts: Iterable[ClaimDraft], paper_key: str, extractor: str
) -> tuple[tuple[CorpusClaim, ...], Counter[str]]:
    """Return the claims whose quotes are verbatim in the document, in its order, and a count of the others by reason.

    A claim whose own words state a number that its quote lacks is given the quote's words.
    """
    left_out: Counter[str] = Counter()
    found: dict[str, CorpusClaim] = {}
    names = sections(document.text)
    for draft in drafts:
        place = locate(draft.quote, document.text, within=draft.within)
        if place is None:
            left_out[NOT_VERBATIM] += 1
            continue
        start, end = place
        verbatim = fold_whitespace(document.text[start:end])
        text = fold_whitespace(draft.text)
        section = names.at(start)
        if is_instruction(verbatim) or is_instruction(text):
            left_out["it gives orders to a language model"] += 1
            continue
        if section in UNREAD:
            left_out[f"it is in the {section}"] += 1
            continue
        if not numbers(text) <= numbers(verbatim):
            left_out[OTHER_NUMBERS] += 1
            text = verbatim
        claim_id = corpus_claim_id(document.document_id, start, end, text)
        if claim_id in found:
            left_out["it was drawn twice"] += 1
            continue
        found[claim_id] = CorpusClaim(
            claim_id=claim_id,
            text=text,
            verbatim=verbatim,
            paper_key=paper_key,
            authors=document.authors,
            year=document.published_at.year if document.published_at else None,
            doi=document.doi,
            section=section,
            page=page_of(document.page_starts, start),
            claim_type=draft.claim_type,
            evidence_type=draft.evidence_type,
            document_id=document.document_id,
            start=start,
            end=end,
            extractor=extractor,
        )
    return tuple(sorted(found.values(), key=lambda claim: (claim.start, claim.end, claim.claim_id))), left_out


def numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text states in digits, without separators of thousands."""
    return frozenset(re.sub(r",(?=\d{3}(?!\d))", "", found) for found in _NUMBER.findall(text))
