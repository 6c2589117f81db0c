"""Check, before an answer is written, that the cited pages still contain what was read."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from veritas.answers.gather import Research
from veritas.claims.contestation import Contestation
from veritas.claims.envelope import ClaimEnvelope, SpanRef
from veritas.claims.graph import Event, EventKind
from veritas.errors import Unavailable
from veritas.reading.reader import Changed, Confirming, Reader


@dataclass(frozen=True)
class Standing:
    """The claims and contestations that may be used, and a row for each dropped one and each page that could not be
    checked (I7)."""

    claims: tuple[ClaimEnvelope, ...]
    contestations: tuple[Contestation, ...]
    events: tuple[Event, ...] = ()


async def still_standing(
    claims: Sequence[ClaimEnvelope], contestations: Sequence[Contestation], research: Research, reader: Reader
) -> Standing:
    """Return `claims` and `contestations` without those whose page no longer contains the quote.

    A page that cannot be checked counts as unchanged (I5): it is cited as it was read, with a row. A reader that cannot
    check, such as a corpus's, drops nothing.
    """
    whole = Standing(tuple(claims), tuple(contestations))
    if not isinstance(reader, Confirming):
        return whole
    quotes: dict[str, dict[str, None]] = {}
    opposed = [x for x in contestations if x.resolution == "open"]
    for spans, passages in (
        *((c.spans, c.source_passages) for c in claims),
        *((x.counter_spans, x.counter_passages) for x in opposed),
    ):
        for span, passage in zip(spans, passages, strict=True):
            quotes.setdefault(span.document_id, {})[passage] = None
    documents = [d for d in research.documents if d.document_id in quotes]
    found = await asyncio.gather(
        *(reader.confirm(d, tuple(quotes[d.document_id])) for d in documents), return_exceptions=True
    )
    sources = {s.document_id: s.source_id for s in research.sources if s.document_id}
    changed: dict[str, str] = {}
    events: list[Event] = []
    for document, fault in zip(documents, found, strict=True):
        subject = sources.get(document.document_id, document.document_id)
        if isinstance(fault, Changed):
            changed[document.document_id] = str(fault)
            events.append(_row("source-unavailable", subject, str(fault)))
        elif isinstance(fault, Unavailable):
            events.append(_row("note", subject, f"could not be checked again: {fault}"))
        elif isinstance(fault, BaseException):
            raise fault
    if not events:
        return whole

    def why(spans: Sequence[SpanRef]) -> str | None:
        return next((changed[s.document_id] for s in spans if s.document_id in changed), None)

    for claim in claims:
        if (reason := why(claim.spans)) is not None:
            events.append(_row("claim-dropped", claim.claim_id, f"its source can no longer be used: {reason}"))
    for x in opposed:
        if (reason := why(x.counter_spans)) is not None:
            why_not = f"its counter-source can no longer be used: {reason}"
            events.append(_row("contestation-invalid", x.contestation_id, why_not))
    return Standing(
        tuple(c for c in claims if why(c.spans) is None),
        tuple(x for x in contestations if x.resolution != "open" or why(x.counter_spans) is None),
        tuple(events),
    )


def _row(kind: EventKind, subject: str, reason: str) -> Event:
    return Event(stage="synthesize", kind=kind, subject_id=subject, reason=reason)
