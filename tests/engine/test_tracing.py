"""Spans: one a stage and one a call, without a word of what was asked or read; nothing where nobody traces."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags

import veritas
from tests.pumps import QUESTION, ROWS, write_corpus
from veritas import tracing


class Kept:
    """A tracer that keeps what it is told."""

    def __init__(self) -> None:
        self.spans: list[tuple[str, dict[str, Any]]] = []
        self.parents: list[Any] = []

    @contextmanager
    def start_as_current_span(self, name: str, context: Any, attributes: dict[str, Any], **_: Any) -> Iterator[Any]:
        self.parents.append(context)
        self.spans.append((name, attributes))
        span = NonRecordingSpan(SpanContext(1, 2, is_remote=False, trace_flags=TraceFlags(1)))
        with trace.use_span(span):
            yield span

    def start_span(self, name: str, attributes: dict[str, Any], start_time: int) -> Any:
        self.spans.append((name, attributes))
        return NonRecordingSpan(SpanContext(1, 3, is_remote=False))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    made = Kept()
    monkeypatch.setattr(trace, "get_tracer", lambda name: made)
    return made


def test_a_run_has_a_span_a_stage_and_a_call_and_no_text_in_them(kept: Kept, tmp_path: Path) -> None:
    graph = veritas.research(QUESTION, corpus=write_corpus(tmp_path), tier="quick")
    stages = [told["veritas.stage"] for name, told in kept.spans if name.startswith("run ")]
    assert stages == ["decompose", "research", "extract", "verify", "debate", "synthesize", "render"]
    calls = [told for _, told in kept.spans if "veritas.who" in told]
    assert sorted((told["veritas.who"], told["veritas.turn"]) for told in calls) == sorted(
        (call.who, call.turn) for call in graph.calls
    )  # fmt: skip
    said = json.dumps(kept.spans)
    assert not [text for text in (QUESTION, *(str(row["text"]) for row in ROWS)) if text in said]


def test_where_nobody_traces_nothing_is_made_or_imported(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "opentelemetry.trace")
    with tracing.stage_span("run", "r", "verify"):
        tracing.call_spans(())
    assert tracing.for_child() == {}
    assert kept.spans == []
    assert "opentelemetry.trace" not in sys.modules
