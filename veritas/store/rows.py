"""The claim graph as rows for each table, in the columns of migrations/0001_claim_graph.sql."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Any

import duckdb

from veritas.claims import Citation, ClaimGraph, Run, SpanRef
from veritas.keys import redactor, withheld

Row = dict[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")

GRAPH_TABLES: tuple[str, ...] = (
    "runs", "members", "sub_queries", "schedule", "searches", "hits", "sources", "passages", "claims", "citations",
    "quotes", "judgments", "contestations", "rounds", "sentences", "bibliography", "events", "calls",
    "overrides",
)
"""Tables filled from the claim graph when a run finishes."""

CATALOGUE_TABLES: tuple[str, ...] = (*GRAPH_TABLES, "stages")
"""Tables that the catalogue takes over from a run's file."""

RUN_TABLES: tuple[str, ...] = (*CATALOGUE_TABLES, "outputs", "ledger")
"""All tables of a run's file."""


def utc(moment: datetime | None) -> datetime | None:
    """Return a time as the store keeps it: UTC without a zone. A time without a zone is taken for UTC."""
    if moment is None or moment.tzinfo is None:
        return moment
    return moment.astimezone(UTC).replace(tzinfo=None)


def run_row(run: Run, *, status: str) -> Row:
    """Return the row of a run without an answer."""
    return {
        "run_id": run.run_id,
        "parent_run_id": run.parent_run_id,
        "replayed_from": run.replayed_from,
        "status": status,
        "question": run.question,
        "tier": run.tier,
        "seed": run.seed,
        "started_at": utc(run.started_at),
        "finished_at": utc(run.finished_at),
        "version": run.version,
        "policy_hash": run.policy_hash,
        "settings": json.dumps(run.model_dump(mode="json")["settings"], separators=(",", ":")),
        "degraded": list(run.degraded),
        "answer_status": None,
        "answer_reason": None,
        "written_by": None,
        "content_hash": None,
    }


def graph_rows(graph: ClaimGraph, content_hash: str) -> dict[str, list[Row]]:
    """Return every row of a finished run, by table."""
    answer = graph.answer
    run = run_row(graph.run, status="finished") | {
        "answer_status": answer.status,
        "answer_reason": answer.reason,
        "written_by": answer.written_by,
        "content_hash": content_hash,
    }
    tables: dict[str, list[Row]] = {
        "runs": [run],
        "members": _numbered(m.model_dump() for m in graph.council),
        "sub_queries": _numbered(q.model_dump() for q in graph.sub_queries),
        "schedule": _numbered(b.model_dump() for b in graph.schedule),
        "searches": _numbered(s.model_dump(exclude={"hits"}) for s in graph.searches),
        "hits": [{"search_id": s.search_id} | h.model_dump() for s in graph.searches for h in s.hits],
        "sources": _numbered(
            s.model_dump(exclude={"fetch"}) | {"tier": str(s.tier), "authors": list(s.authors), "fetched": s.fetch}
            for s in graph.sources
        ),
        "passages": _numbered(
            {
                "passage_id": p.passage_id,
                "document_id": p.document_id,
                "span_start": p.start,
                "span_end": p.end,
                "text": p.text,
                "page": p.page,
                "text_before": p.before,
                "text_after": p.after,
            }
            for p in graph.passages
        ),
        "claims": _numbered(
            c.model_dump(exclude={"citations", "source_passages", "spans", "provenance"})
            | {
                "family": c.provenance.family,
                "sub_query_id": c.provenance.sub_query_id,
                "stage": c.provenance.stage,
                "prompt": c.provenance.prompt,
                "stands_on": list(c.stands_on),
                "badges": list(c.badges),
                "best_tier": c.best_tier,
            }
            for c in graph.claims
        ),
        "citations": [],
        "quotes": [],
        "judgments": _numbered(j.model_dump() | {"passage_ids": list(j.passage_ids)} for j in graph.judgments),
        "contestations": _numbered(
            {
                "contestation_id": c.contestation_id,
                "claim_id": c.claim_id,
                "challenger": c.challenger,
                "objection": c.objection,
                "counter_claim": c.counter_claim,
                "resolution": c.resolution,
                "ruling": c.ruling,
                "response": c.response,
                "successor_id": c.successor_id,
            }
            for c in graph.contestations
        ),
        "rounds": [r.model_dump() for r in graph.rounds],
        "sentences": _numbered(
            {
                "sentence_id": s.sentence_id,
                "paragraph": s.paragraph,
                "kind": s.kind,
                "text": s.text,
                "claim_ids": list(s.claim_ids),
                "reference_numbers": list(s.references),
                "footnote": s.footnote,
                "badges": list(s.badges),
            }
            for s in answer.sentences
        ),
        "bibliography": [
            r.model_dump() | {"tier": str(r.tier), "authors": list(r.authors)} for r in answer.bibliography
        ],
        "events": _numbered(e.model_dump() for e in graph.events),
        "calls": _numbered(c.model_dump(exclude={"count", "cuts"}) | {"questions": c.count} for c in graph.calls),
        "overrides": _numbered(
            o.model_dump(exclude={"at"}) | {"decided_at": utc(o.at), "signed": o.signed} for o in graph.overrides
        ),
    }
    for claim in graph.claims:
        tables["citations"] += _citations(claim.claim_id, "claim", claim.citations)
        tables["quotes"] += _quotes(claim.claim_id, "claim", claim.source_passages, claim.spans)
    for flag in graph.contestations:
        name = flag.contestation_id
        tables["citations"] += _citations(name, "counter", flag.counter_citations)
        tables["citations"] += _citations(name, "response", flag.response_citations)
        tables["quotes"] += _quotes(name, "counter", flag.counter_passages, flag.counter_spans)
        tables["quotes"] += _quotes(name, "response", flag.response_passages, flag.response_spans)
    for rows in tables.values():
        for row in rows:
            row["run_id"] = graph.run.run_id
    return tables


def _numbered(rows: Iterable[Row]) -> list[Row]:
    return [{"position": i} | row for i, row in enumerate(rows)]


def _citations(subject: str, role: str, citations: Sequence[Citation]) -> list[Row]:
    # `fetch` is a word of SQL.
    plain = _numbered(c.model_dump(exclude={"fetch"}) | {"fetched": c.fetch} for c in citations)
    return [{"subject_id": subject, "role": role} | row for row in plain]


def _quotes(subject: str, role: str, texts: Sequence[str], spans: Sequence[SpanRef]) -> list[Row]:
    return [
        {
            "subject_id": subject,
            "role": role,
            "position": i,
            "text": text,
            "passage_id": span.passage_id if span else None,
            "document_id": span.document_id if span else None,
            "span_start": span.start if span else None,
            "span_end": span.end if span else None,
        }
        for i, (text, span) in enumerate(zip_longest(texts, spans))
    ]


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[Row]) -> None:
    """Insert rows in one statement, column by column: `executemany` takes a second for every 1,500 rows."""
    if not rows:
        return
    said = "\0".join(_texts(rows))
    if redactor().holds(said):
        rows = [_each_text(row, withheld) for row in rows]
    if _SURROGATE.search(said):
        # A lone surrogate is no character and SQL text cannot hold it; the JSON document keeps it as it was.
        rows = [_each_text(row, writable_text) for row in rows]
    held = connection.sql(f"SELECT * FROM {table} LIMIT 0")
    columns = [(name, kind) for name, kind in zip(held.columns, held.types, strict=True)]
    columns = [each for each in columns if any(each[0] in row for row in rows)]
    lists = ", ".join(f"unnest(?::{kind}[])" for _, kind in columns)
    values = [[row.get(name) for row in rows] for name, _ in columns]
    connection.execute(f"INSERT INTO {table} ({', '.join(name for name, _ in columns)}) SELECT {lists}", values)


def _texts(values: Iterable[Any]) -> Iterator[str]:
    for value in values:
        if isinstance(value, str):
            yield value
        elif isinstance(value, list | tuple | dict):
            yield from _texts(value.values() if isinstance(value, dict) else value)


def _each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list | tuple):
        return [_each_text(v, change) for v in value]
    return {k: _each_text(v, change) for k, v in value.items()} if isinstance(value, dict) else value


def writable_text(text: str) -> str:
    """Return `text` with U+FFFD for each lone surrogate."""
    return _SURROGATE.sub("\ufffd", text)
