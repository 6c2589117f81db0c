"""Spans for OpenTelemetry: one a stage and one a call of a model, a lens or a search provider.

They go wherever the program around VERITAS sends its traces: VERITAS brings the interface alone and no exporter, and
without one nothing is made. A span holds names, numbers and kinds; never a text, a question or a key.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veritas.claims.graph import Call

_PARENT = "TRACEPARENT"
"""The variable by which a child process learns in which trace it works (W3C trace context)."""


def _tracer() -> Any:
    """Return the tracer, None where nobody traces; then nothing is imported."""
    if "opentelemetry.trace" not in sys.modules and not any(name.startswith("OTEL_") for name in os.environ):
        return None
    from opentelemetry import trace

    return trace.get_tracer("veritas")


@contextmanager
def stage_span(kind: str, run_id: str, stage: str) -> Iterator[None]:
    """Make what is done inside a span: a stage of a run of a kind (`run`, `audit`, `review`)."""
    tracer = _tracer()
    if tracer is None:
        yield
        return
    attributes = {"veritas.kind": kind, "veritas.run_id": run_id, "veritas.stage": stage}
    with tracer.start_as_current_span(
        f"{kind} {stage}", context=_parent(), attributes=attributes, record_exception=False,
        set_status_on_exception=False,
    ) as span:  # fmt: skip
        try:
            yield
        except BaseException as error:
            span.set_attribute("error.type", type(error).__name__)  # its words may hold anything
            raise


def call_spans(calls: Sequence[Call]) -> None:
    """Make a span of each of the calls that have just ended."""
    tracer = _tracer()
    if tracer is None:
        return
    now = time.time_ns()
    for call in calls:
        attributes = {
            "veritas.stage": call.stage, "veritas.who": call.who, "veritas.turn": call.turn,
            "veritas.count": call.count,
            "gen_ai.usage.input_tokens": call.input_tokens, "gen_ai.usage.output_tokens": call.output_tokens,
            "veritas.from_ledger": call.from_ledger, "veritas.failed": call.error is not None,
        }  # fmt: skip
        if call.model is not None:
            attributes["gen_ai.request.model"] = call.model
        if call.cost_usd is not None:
            attributes["veritas.cost_usd"] = call.cost_usd
        start = now - int(call.seconds * 1e9)
        tracer.start_span(call.turn, attributes=attributes, start_time=start).end(end_time=now)


def for_child() -> dict[str, str]:
    """Return the variables by which a child process goes on with the present trace."""
    if _tracer() is None:
        return {}
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    carrier: dict[str, str] = {}
    TraceContextTextMapPropagator().inject(carrier)
    return {_PARENT: carrier["traceparent"]} if "traceparent" in carrier else {}


def _parent() -> Any:
    """Return the context that a parent process gave, None where a span is under way here or none was given."""
    from opentelemetry import trace
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    given = os.environ.get(_PARENT)
    if given is None or trace.get_current_span().get_span_context().is_valid:
        return None
    return TraceContextTextMapPropagator().extract({"traceparent": given})
