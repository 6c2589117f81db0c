"""Export an audit's shown graph for other programs: tables of nodes and edges, feature matrices, random walks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from veritas.errors import InputError
from veritas.files import write_together
from veritas.papers.audit import PaperAudit
from veritas.scoring.evaluation import Rules
from veritas.scoring.graph import read_graph
from veritas.scoring.graph_exports import edge_matrix, fingerprint, node_matrix, random_walks
from veritas.scoring.parameters import read_parameters
from veritas.scoring.roles import METRICS
from veritas.scoring.score import Scoring, score

NODE_COLUMNS = (
    "id", "role", "base_role", "text", "page", "start", "end", "decision", *METRICS, "quality", "trust", "trust_low",
    "trust_high", "on_best_path", "cites",
)  # fmt: skip
EDGE_COLUMNS = (
    "parent", "child", "why", "raw_confidence", "confidence", "confidence_low", "confidence_high", "alignment",
    "parent_quality", "child_quality", "on_best_path",
)  # fmt: skip


def scoring_of(audit: PaperAudit) -> Scoring:
    """Score the shown graph under the headline's rules, anew from the audit's metrics. Raises `InputError` for an audit
    without a graph that could be scored."""
    graph = read_graph(audit.graph_document()).graph if audit.primary is not None else None
    if graph is None:
        raise InputError(
            f"audit {audit.audit_id} has no argument that could be scored, so there is no graph to export: "
            "--format json and --format html say what was found"
        )
    return score(graph, read_parameters(), cast(Rules, audit.rules))


def node_table(audit: PaperAudit, scoring: Scoring) -> str:
    """Return CSV, a line for each node in the order of the graph, `NODE_COLUMNS` first. Unknown values are empty."""
    rows = []
    for place, name in enumerate(scoring.graph.ids):
        node = audit.node(name)
        metrics = {metric: node.metrics[metric].value if metric in node.metrics else None for metric in METRICS}
        low, high = scoring.trust_ends[place].tolist()
        rows.append(
            {
                "id": name,
                "role": node.role,
                "base_role": node.base_role,
                "text": node.text,
                "page": node.place.page,
                "start": node.place.start,
                "end": node.place.end,
                "decision": node.grounding.decision if node.grounding is not None else None,
                **metrics,
                "quality": scoring.quality[place],
                "trust": scoring.trust[place],
                "trust_low": low,
                "trust_high": high,
                "on_best_path": int(name in scoring.best_path),
                "cites": " ".join(node.cites),
            }
        )
    return _table(NODE_COLUMNS, rows)


def edge_table(audit: PaperAudit, scoring: Scoring) -> str:
    """Return CSV with a line for each edge in the order of the graph, `EDGE_COLUMNS` first."""
    sampled = next(graph for graph in audit.graphs if graph.index == audit.primary)
    why = {(edge.parent, edge.child): edge.why for edge in sampled.edges}
    path = set(zip(scoring.best_path, scoring.best_path[1:], strict=False))
    features = edge_matrix(scoring)
    rows = []
    for place, (parent, child) in enumerate(scoring.graph.edges):
        low, high = scoring.confidence_ends[place].tolist()
        measured = dict(zip(features.columns, features.values[place].tolist(), strict=True))
        known = dict(zip(features.columns, features.mask[place].tolist(), strict=True))
        rows.append(
            {
                "parent": parent,
                "child": child,
                "why": why.get((parent, child), ""),
                "confidence_low": low,
                "confidence_high": high,
                "on_best_path": int((parent, child) in path),
                **{name: measured[name] if known[name] else None for name in EDGE_COLUMNS if name in measured},
            }
        )
    return _table(EDGE_COLUMNS, rows)


def matrices(scoring: Scoring) -> dict[str, npt.NDArray[Any]]:
    """Return the arrays for `.npz`: of nodes and edges `…_values` (rows, columns), `…_mask` (the same; false for an
    unknown value), `…_rows` and `…_columns` (names); and the paper's `fingerprint` with `fingerprint_names`."""
    made: dict[str, npt.NDArray[Any]] = {}
    for name, matrix in (("node", node_matrix(scoring.graph)), ("edge", edge_matrix(scoring))):
        made[f"{name}_values"], made[f"{name}_mask"] = matrix.values, matrix.mask
        made[f"{name}_rows"], made[f"{name}_columns"] = np.array(matrix.rows, str), np.array(matrix.columns, str)
    vector = fingerprint(scoring.graph, list(scoring.components.values()), scoring.confidence)
    return made | {"fingerprint": np.array(list(vector.values())), "fingerprint_names": np.array(list(vector), str)}


def walk_corpus(audit: PaperAudit, scoring: Scoring) -> str:
    """Return random walks with the audit's seed, a line for each, ids separated by spaces."""
    return "".join(f"{' '.join(walk)}\n" for walk in random_walks(scoring, seed=audit.seed))


def write_matrices(path: Path, scoring: Scoring) -> None:
    """Write `matrices` to a file, whole or not at all. Raises `StoreUnavailable`."""
    made = io.BytesIO()
    np.savez_compressed(made, allow_pickle=False, **matrices(scoring))
    write_together({path: made.getvalue()})


def _table(columns: Sequence[str], rows: Iterable[dict[str, Any]]) -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([_cell(row[name]) for name in columns])
    return out.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return ""
    if isinstance(value, float):
        return repr(float(value))
    said = "".join(sign if sign >= " " and not "\ud800" <= sign <= "\udfff" else " " for sign in str(value))
    # A paper is a stranger's, so a cell that a spreadsheet would take for a formula is made text.
    return f"'{said}" if isinstance(value, str) and said[:1] in ("=", "+", "-", "@") else said
