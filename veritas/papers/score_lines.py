"""The lines that `veritas score` reads and writes: classify each, and answer in the form of the golden vectors."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from veritas.errors import InputError
from veritas.scoring.evaluation import RULES, Rules
from veritas.scoring.graph import RECONCILE, NotAGraph, PaperGraph, Reconcile, Verdict, read_graph
from veritas.scoring.graph_exports import fingerprint, node_matrix
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, Parameters, read_parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.score import Scoring, as_numbers, score, significant
from veritas.scoring.streaming import Session, visiting_order


@dataclass(frozen=True)
class Options:
    """Options that apply to every line."""

    rules: Rules
    parameters: Parameters


def options(rules: str, weights: Path | None) -> Options:
    """Return checked options. Raises `InputError`."""
    if rules not in RULES:
        raise InputError(f"--rules is {rules!r}, none of {', '.join(RULES)}")
    return Options(rules, read_parameters(weights))


@contextmanager
def opened(file: Path | None) -> Iterator[BinaryIO]:
    """Open the bytes to read: a file, or standard input for None and `-`. Raises `InputError`."""
    if file is None or str(file) == "-":
        yield sys.stdin.buffer
        return
    try:
        stream = file.open("rb")
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror or error}") from error
    with stream:
        yield stream


def answers(stream: BinaryIO, chosen: Options) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the answers to every line as it comes, each with whether its graph was to be scored and cannot be.

    Raises `InputError`, naming the line, for a line that is no JSON object of a known kind.
    """
    for number, document in documents(stream):
        try:
            answered = _of_audit(document, chosen) if is_audit(document) else [answer(document, number, chosen)]
        except InputError as error:
            raise InputError(f"line {number}: {error}") from error
        yield from answered


def is_audit(document: dict[str, Any]) -> bool:
    """Return whether an object is a paper's audit (`veritas paper --json`), and no line with a graph of its own."""
    return "audit_id" in document and "graph" not in document and "input" not in document


def documents(stream: BinaryIO) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each line's number and object. A file that is one object over many lines counts as one line."""
    for number, line in enumerate(stream, start=1):
        if not line.strip():
            continue
        try:
            value = _parsed(line)
        except InputError as error:
            if number == 1:
                rest = stream.read()
                if rest.strip():
                    try:
                        value = _parsed(line + rest)
                    except InputError:
                        raise InputError(f"line 1: {error}") from None
                    yield 1, _object(value, 1)
                    return
            raise InputError(f"line {number}: {error}") from None
        yield number, _object(value, number)


def answer(document: dict[str, Any], number: int, chosen: Options) -> tuple[dict[str, Any], bool]:
    """Return the answer to one line, and whether its graph was to be scored and cannot be."""
    case = document.get("case", document.get("paper", f"line {number}"))
    if "input" in document and "graph" not in document:
        return {"case": case, "by_reconcile": {mode: _check(document["input"], mode) for mode in RECONCILE}}, False
    if "graph" in document:
        graph_json = document["graph"]
    elif "nodes" in document:
        graph_json = document
    else:
        raise InputError('there is no "graph" to score and no "input" to check')
    try:
        verdict = read_graph(graph_json)
    except NotAGraph as error:
        return {"case": case, "expected": [], "raises": "ValueError", "message": str(error)}, True
    if verdict.graph is None:
        return {"case": case, "expected": [], **verdict.as_json()}, True
    if "settings" not in document and ("steps" in document or "order" in document):
        return {"case": case, **_streamed(verdict, verdict.graph, chosen)}, False
    return {"case": case, "expected": _scored(verdict.graph, document.get("settings"), chosen)}, False


def _of_audit(document: dict[str, Any], chosen: Options) -> list[tuple[dict[str, Any], bool]]:
    """Return an answer for each reading of the paper, the shown one first, with the audit's id and its number."""
    from veritas.papers._audited_graphs import audit_in, sampled_graphs

    audit = audit_in(document)
    answers: list[tuple[dict[str, Any], bool]] = []
    for sampled, graph in sampled_graphs(audit):
        named = {"case": f"{audit.audit_id}, graph {sampled.index}"}
        if sampled.ok:
            made, failed = answer(named | {"graph": graph}, 1, chosen)
        else:
            made, failed = {"expected": [], **Verdict(None, sampled.errors).as_json()}, True
        answers.append((named | {"paper": audit.paper.title, "shown": sampled.index == audit.primary} | made, failed))
    if not answers:
        nothing = Verdict(None, ("no argument could be read in the paper",)).as_json()
        answers = [({"case": audit.audit_id, "paper": audit.paper.title, "expected": [], **nothing}, True)]
    return answers


def _check(document: Any, mode: Reconcile) -> dict[str, Any]:
    try:
        return read_graph(document, mode).as_json()
    except NotAGraph as error:
        return {"raises": "ValueError", "message": str(error)}


def _scored(graph: PaperGraph, settings: Any, chosen: Options) -> list[dict[str, Any]]:
    if settings is None:
        settings = [{"name": "default"}]
    if not isinstance(settings, list) or not all(isinstance(setting, dict) for setting in settings):
        raise InputError('"settings" is not a list of objects')
    structure = Structure(graph)
    results = []
    for place, setting in enumerate(settings):
        try:
            parameters = chosen.parameters.changed(setting)
        except InputError as error:
            raise InputError(f"settings[{place}]: {error}") from error
        made: Scoring = score(graph, parameters, chosen.rules, structure)
        results.append({"setting": setting.get("name", f"settings[{place}]"), **made.as_json()})
    return results


def _streamed(verdict: Verdict, graph: PaperGraph, chosen: Options) -> dict[str, Any]:
    session = Session(graph.with_metrics(np.full(graph.metrics.shape, np.nan)), chosen.parameters, chosen.rules)
    order = visiting_order(graph)
    known = dict(zip(graph.ids, graph.metrics.tolist(), strict=True))
    start = {"start_score": significant(session.score), "start_components": _significant(session.components)}
    start |= _interval(session.interval, chosen.rules)
    steps = []
    for node, following in zip(order, [*order[1:], None], strict=True):
        metrics = {name: None if np.isnan(value) else value for name, value in zip(METRICS, known[node], strict=True)}
        update = session.update(node, metrics)
        edges = sorted([tail, head, round(confidence, 3)] for tail, head, confidence in session.edges_below(node))
        steps.append(
            {
                "node": node,
                "next": following,
                "updated_edges": edges,
                "components": _significant(update.components),
                "score": significant(update.score),
                **_interval(update.interval, chosen.rules),
            }
        )
    confidence = np.array([confidence for _, _, confidence in session.confidences()])
    vector = fingerprint(graph, [session.components[name] for name in COMPONENTS], confidence)
    matrix = node_matrix(graph)
    values = np.where(matrix.mask, matrix.values, np.nan)
    return {
        "order": order,
        "warnings": list(verdict.warnings),
        **start,
        "steps": steps,
        "fingerprint_length": len(vector),
        "fingerprint_nonzero": {name: significant(value) for name, value in vector.items() if value},
        "node_matrix_ids": list(matrix.rows),
        "node_matrix_columns": list(matrix.columns),
        "node_matrix": [as_numbers(row) for row in values],
    }


def _interval(ends: tuple[float, float], rules: Rules) -> dict[str, list[float]]:
    return {"score_interval": [significant(end) for end in ends]} if rules == "veritas" else {}


def _significant(components: dict[str, float]) -> dict[str, float]:
    return {name: significant(value) for name, value in components.items()}


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise InputError(f"not UTF-8 text at byte {error.start + 1}") from None
    except RecursionError:
        raise InputError("nested too deeply") from None
    except ValueError as error:
        raise InputError(f"not JSON ({error})") from None


def _object(value: Any, number: int) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InputError(f"line {number}: not a JSON object but {type(value).__name__}")
    return value
