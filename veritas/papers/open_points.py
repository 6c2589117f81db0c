"""Find what an audit leaves open: what could not be assessed, or was not found.

None of it says anything against the paper: it tells where the audit ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from veritas.papers.audit import AuditNode, PaperAudit
from veritas.papers.flaw import Flaw, OpenPoint
from veritas.papers.flaws import accused_references, states_a_finding
from veritas.papers.reading.list_doubt import doubt_of_citations
from veritas.scoring.parameters import Parameters
from veritas.scoring.roles import METRICS, ROLE_NUMBER

LOW = 0.35
"""Quality below which a finding is said to be supported by nothing, and metrics below which they are the reason."""


def find_open_points(audit: PaperAudit, parameters: Parameters, flaws: tuple[Flaw, ...] = ()) -> tuple[OpenPoint, ...]:
    """Return the open points of the shown reading, of all readings together, and of the reference list. `flaws` are
    those that were found: what a contradiction or a circle says is not said again."""
    found = [*_of_citations(audit)]
    scoring = audit.scoring()
    if scoring is None:
        return (*_without_argument(audit), *found)
    nodes = [audit.node(name) for name in scoring.nodes]
    against = {piece.id for piece in audit.evidence if piece.label == "refutes"}
    said = {flaw.subject: flaw.kind for flaw in flaws}
    for node in nodes:
        found += _of_node(node, parameters, said, audit.asked_outside, against)
    kept = {(point.subject, point.kind): point for point in reversed(found)}
    return tuple(reversed(kept.values()))


def lacking(audit: PaperAudit) -> str:
    """Return which of aim, result and conclusion were not found, without which there is no argument; '' if all were."""
    missing = [f"no main {main.kind}" for main in audit.argument if main.kind != "test" and not main.found]
    said = " and ".join([part for part in (", ".join(missing[:-1]), *missing[-1:]) if part])
    return f"{said} {'was' if len(missing) == 1 else 'were'} found" if missing else ""


def _without_argument(audit: PaperAudit) -> Iterator[OpenPoint]:
    if audit.partly_read is not None:
        return  # it may stand in a part that was not found
    errors = dict.fromkeys(error for graph in audit.graphs for error in graph.errors[:2])
    language = next((event.reason for event in audit.events if event.kind == "language"), "")
    reasons = language or lacking(audit) or "; ".join(errors)[:400] or "no statement was found"
    yield OpenPoint(subject="paper", kind="missing-part", why=f"no argument could be read: {reasons}")


def _of_citations(audit: PaperAudit) -> Iterator[OpenPoint]:
    doubt = doubt_of_citations(audit.references, audit.markers, audit.events)
    if doubt is None:
        return
    accused = list(accused_references(audit))
    for reference, why in accused:
        said = f"{why}. The list may not have been read whole: {doubt}"
        yield OpenPoint(subject=f"reference:{reference.key}", kind="citation", why=said)
    if not accused and audit.partly_read is None:
        why = f"no citation could be checked or found missing: {doubt}"
        yield OpenPoint(subject="paper:references", kind="not-assessable", why=why)


def _of_node(
    node: AuditNode, parameters: Parameters, said: Mapping[str, str], outside: bool, against: set[str]
) -> Iterator[OpenPoint]:
    """Yield what is open about a node. `against` are the ids of the passages that contradict a node."""
    grounding = node.grounding
    if grounding is not None and grounding.decision == "halted":
        yield OpenPoint(subject=node.id, kind="not-assessable", why=f"no judge could decide: {grounding.reason}")
    if node.base_role in ("Limitation", "Counterevidence"):
        return  # a weak case against the paper leaves nothing open about it
    weights = dict(zip(METRICS, parameters.role_weights[ROLE_NUMBER[node.base_role]].tolist(), strict=True))
    # That a statement is irrelevant leaves nothing open; that it lacks support does.
    counted = [(weight, name) for name, weight in weights.items() if weight > 0 and name != "relevance"]
    known = [(weight, value, name) for weight, name in counted if (value := _value(node, name)) is not None]
    if not known:
        why = "; ".join(node.metrics[name].why for _, name in counted[:1] if name in node.metrics)
        yield OpenPoint(subject=node.id, kind="not-assessable", why=why or "nobody assessed it")
        return
    quality = sum(weight * value for weight, value, _ in known) / sum(weight for weight, _, _ in known)
    low = sorted((value, name) for _, value, name in known)
    if said.get(node.id) == "contradicted":  # so only other reasons count
        low = [(v, name) for v, name in low if v < LOW and against.isdisjoint(node.metrics[name].evidence)]
        low = [(v, name) for v, name in low if node.metrics[name].applies]
    if quality < LOW and low and outside and said.get(node.id) != "circular":
        value, name = low[0]
        if states_a_finding(node) and node.metrics[name].doubt:
            why = f"{name.replace('_', ' ')} {value:.2f}: {node.metrics[name].why}"
            yield OpenPoint(subject=node.id, kind="unsupported", why=why)


def _value(node: AuditNode, name: str) -> float | None:
    metric = node.metrics.get(name)
    return metric.value if metric is not None else None
