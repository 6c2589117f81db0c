"""A research run as a root: the sources of its claim graph are the papers, its verified claims their claims."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import ValidationError

from veritas.claims import ClaimEnvelope, ClaimGraph, Passage, Source
from veritas.documents.document import Document, document_id
from veritas.errors import CorpusError, InputError
from veritas.reviews.add_papers import root_of
from veritas.reviews.drafts import Candidate, ClaimDraft, Offer, Problem, record_of, sections_of
from veritas.reviews.embedded_claim_extractor import claim_kind, document_evidence

PARTED = "\n\n[…]\n\n"
"""Text put between two passages of a document if the claim graph has only passages of it."""


def offer_run(run: str, home: Path) -> Offer:
    """Return the verified claims of a run, named by its id, a beginning of it, `latest`, or its exported JSON.

    A claim is taken if the verifier supports it and the debate left it standing. A run's file gives whole documents, an
    exported graph only the passages it holds of them. Raises `InputError` for a run that is unknown or not finished,
    `CorpusError` for one without such claims.
    """
    path = Path(run)
    if path.suffix == ".json" or path.is_file():
        return _offer(root_of(path), f"run:{path.stem}", _exported(path), ())
    from veritas.store import RunStore, find_run

    run_id = find_run(home, run)
    with RunStore.open(home, run_id, read_only=True) as store:
        graph = store.graph()
        stage = store.stage_output("research")
        found = stage.value()["output"]["documents"] if stage is not None else []
        documents = [Document.model_validate(each) for each in found]
    if graph is None:
        raise InputError(f"the run {run_id} is not finished: `veritas research --resume {run_id}` resumes it")
    return _offer(f"run:{run_id}", f"run:{run_id}", graph, documents)


def _exported(path: Path) -> ClaimGraph:
    try:
        return ClaimGraph.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError) as error:
        what = "is no claim graph" if isinstance(error, ValidationError) else "cannot be read"
        raise InputError(f"{path} {what}: {' '.join(str(error).split())[:200]}") from error


def stands(claim: ClaimEnvelope) -> bool:
    """Return whether a claim was verified and survived the debate."""
    return claim.verifier_judgment == "supports" and claim.debate_status in ("uncontested", "defended")


def _offer(root: str, extractor: str, graph: ClaimGraph, documents: Sequence[Document]) -> Offer:
    whole = {document.document_id: document for document in documents}
    passages: dict[str, list[Passage]] = defaultdict(list)
    for passage in graph.passages:
        passages[passage.document_id].append(passage)
    by_document: dict[str, list[tuple[str, str, tuple[int, int]]]] = defaultdict(list)
    for claim in graph.claims:
        if stands(claim):
            for quote, span in zip(claim.source_passages, claim.spans, strict=True):
                by_document[span.document_id].append((claim.claim, quote, (span.start, span.end)))
    candidates: list[Candidate] = []
    problems: list[Problem] = []
    for source in graph.sources:
        if source.document_id is None or source.document_id not in by_document:
            continue
        claims = by_document.pop(source.document_id)
        text, starts = _text(whole.get(source.document_id), passages[source.document_id])
        document = _document(source, text)
        shifted = [(said, quote, _within(span, starts)) for said, quote, span in claims]
        candidates.append(
            Candidate(
                source=source.url,
                document=document,
                record=record_of(document),
                item_type="webpage" if source.doi is None else "",
                drafts=_drafts(document, shifted),
                extractor=extractor,
            )
        )
        if source.document_id not in whole:
            problems.append(Problem(source=source.url, reason="is known by its passages alone", kept=True))
    if not candidates:
        raise CorpusError(f"{root} has no claim that was verified and stands")
    return Offer(root=root, candidates=tuple(candidates), problems=tuple(problems))


def _text(whole: Document | None, passages: Iterable[Passage]) -> tuple[str, list[tuple[int, int, int]]]:
    """Return the available text of a document, and for each part of it its old start and end and its new start."""
    if whole is not None:
        return whole.text, [(0, len(whole.text), 0)]
    merged: list[tuple[int, str]] = []
    for passage in sorted(passages, key=lambda p: (p.start, -p.end)):
        if merged and passage.start <= merged[-1][0] + len(merged[-1][1]):
            first, text = merged[-1]
            merged[-1] = (first, text + passage.text[max(0, first + len(text) - passage.start) :])
        else:
            merged.append((passage.start, passage.text))
    parts, length = [], 0
    for first, text in merged:
        parts.append((first, first + len(text), length))
        length += len(text) + len(PARTED)
    return PARTED.join(text for _, text in merged), parts


def _within(span: tuple[int, int], parts: list[tuple[int, int, int]]) -> tuple[int, int]:
    """Return a span's place in the available text; an empty one if no part holds it."""
    for first, last, now in parts:
        if first <= span[0] and span[1] <= last:
            return span[0] - first + now, span[1] - first + now
    return 0, 0


def _document(source: Source, text: str) -> Document:
    from datetime import UTC, datetime

    return Document(
        document_id=document_id(text),
        url=source.url,
        title=source.title or source.url,
        text=text,
        fetched_at=source.fetch or datetime.now(UTC).date(),
        published_at=source.published_at,
        authors=source.authors,
        doi=source.doi,
        arxiv_id=source.arxiv_id,
    )


def _drafts(document: Document, claims: list[tuple[str, str, tuple[int, int]]]) -> tuple[ClaimDraft, ...]:
    names = sections_of(document)
    evidence = document_evidence(document.title, document.text)
    found = []
    for said, quote, within in dict.fromkeys(claims):
        kind = claim_kind(said, names.at(within[0]))
        found.append(
            ClaimDraft(
                text=said,
                quote=quote,
                within=within,
                claim_type=kind,
                evidence_type="review" if kind == "background" else evidence,
            )
        )
    return tuple(found)
