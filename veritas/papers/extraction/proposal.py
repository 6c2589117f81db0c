"""A proposed argument graph and its check: roles, ids, no cycle, role constraints, every quote in the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from veritas.documents.paper_parts import Place
from veritas.documents.paper_sections import page_of, section_at
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace, locate
from veritas.frozen import Frozen
from veritas.papers.audit import AuditEdge
from veritas.papers.extraction._linking import may_support
from veritas.papers.extraction.modes import Mode
from veritas.papers.reading.paper_text import PaperText
from veritas.scoring.graph import read_graph

MAX_QUOTE = 700
"""Longest quote of a node, in characters: one to three sentences."""
MAX_SHOWN = 12
"""Errors that go back at a time."""


def _as_id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _as_ids(value: Any) -> Any:
    return [_as_id(each) for each in value] if isinstance(value, list | tuple) else () if value is None else value


NodeId = Annotated[str, BeforeValidator(_as_id)]
"""A node's id, from text or number: models number their nodes as often as they name them."""
NodeIds = Annotated[tuple[str, ...], BeforeValidator(_as_ids)]


class ProposedNode(Frozen):
    """A node as an extractor puts it: `text` must stand in the paper word for word."""

    id: NodeId
    role: str
    text: str
    parents: NodeIds = ()
    children: NodeIds = ()


class Proposal(Frozen):
    """The JSON a graph is proposed in."""

    nodes: tuple[ProposedNode, ...] = Field(default=())


@dataclass(frozen=True)
class CheckedNode:
    """A node whose text was found in the paper."""

    id: str
    role: str
    base_role: str
    text: str
    place: Place


@dataclass(frozen=True)
class Checked:
    """A checked proposal; nothing of it may be used while there are `errors`."""

    nodes: tuple[CheckedNode, ...] = ()
    edges: tuple[AuditEdge, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """True if the graph may be used."""
        return not self.errors


def check(proposal: Proposal, paper: PaperText, mode: Mode, limit: int) -> Checked:
    """Check a proposal and collect its errors, as sentences that its author can act on. Never raises."""
    if not proposal.nodes:
        return Checked(errors=("there are no nodes",))
    errors: list[str] = []
    if len(proposal.nodes) > limit:
        errors.append(f"there are {len(proposal.nodes)} nodes; at most {limit} are allowed: keep the weightiest")
    found: list[CheckedNode] = []
    taken: dict[tuple[int, int], str] = {}
    for node in proposal.nodes:
        role = mode.named(node.role)
        base = mode.base(node.role)
        if role is None or base is None:
            roles = ", ".join(mode.names)
            errors.append(f"node {node.id!r}: there is no role {node.role[:60]!r}; the roles are {roles}")
            continue
        place = _placed(node, paper, errors)
        if place is None:
            continue
        span = (place.start, place.end)
        same = next((other for at, other in taken.items() if _overlap(at, span) > 0.6), None)
        if same is not None:
            errors.append(f"nodes {same!r} and {node.id!r} are the same words: keep one of them")
            continue
        taken[span] = node.id
        text = fold_whitespace(paper.text[place.start : place.end])
        found.append(CheckedNode(node.id, role, base, text, place))
    document = {
        "nodes": [
            {
                "id": node.id,
                "role": mode.base(node.role) or "Claim",  # an unknown role was reported above
                "text": "",
                "parents": list(node.parents),
                "children": list(node.children) if any(n.children for n in proposal.nodes) else None,
            }
            for node in proposal.nodes
        ]
    }
    verdict = read_graph(document, "union" if not any(n.parents for n in proposal.nodes) else "prefer_parents")
    errors += verdict.errors
    warnings = [w for w in verdict.warnings if not w.startswith("several")]
    edges: list[AuditEdge] = []
    if verdict.graph is not None:
        edges = [AuditEdge(parent=u, child=v) for u, v in verdict.graph.edges]
        errors += _constraint_errors(found, edges)
    return Checked(tuple(found), tuple(edges), tuple(dict.fromkeys(errors)), tuple(warnings))


def _placed(node: ProposedNode, paper: PaperText, errors: list[str]) -> Place | None:
    """Return the place of the node's text (I1), or None after adding an error."""
    quote = fold_whitespace(node.text)
    if len(quote) < MIN_QUOTE or len(quote.split()) < 3:
        errors.append(f"node {node.id!r}: its text {quote[:60]!r} is too short to be a statement")
        return None
    if len(quote) > MAX_QUOTE:
        errors.append(f"node {node.id!r}: its text has {len(quote)} characters; quote at most {MAX_QUOTE}")
        return None
    span = locate(quote, paper.text)
    if span is None:
        errors.append(
            f"node {node.id!r}: its text does not stand in the paper word for word: {quote[:100]!r}. Copy it exactly, "
            "with its punctuation"
        )
        return None
    return place_of(paper, *span)


def place_of(paper: PaperText, start: int, end: int) -> Place:
    """Return a span of the paper with its page and section."""
    section = section_at(paper.sections, start)
    return Place(
        start=start,
        end=end,
        page=page_of(paper.document.page_starts, start),
        section=section.id if section else None,
    )


def _constraint_errors(nodes: Sequence[CheckedNode], edges: Sequence[AuditEdge]) -> list[str]:
    role = {node.id: node.base_role for node in nodes}
    errors = []
    for edge in edges:
        if edge.parent in role and edge.child in role and not may_support(role[edge.parent], role[edge.child]):
            errors.append(
                f"edge {edge.parent} -> {edge.child}: a {role[edge.child]} cannot rest on a {role[edge.parent]}; turn "
                "it round or leave it out"
            )
    for wanted in ("Hypothesis", "Conclusion"):
        if wanted not in role.values():
            errors.append(f"there is no {wanted}: every graph has at least one")
    if not errors and not _connected(role, edges):
        errors.append("no path leads from a Hypothesis to a Conclusion: say what the conclusion rests on")
    return errors


def _connected(role: dict[str, str], edges: Sequence[AuditEdge]) -> bool:
    reached = {name for name, kind in role.items() if kind == "Hypothesis"}
    pending = list(reached)
    while pending:
        here = pending.pop()
        for edge in edges:
            if edge.parent == here and edge.child in role and edge.child not in reached:
                reached.add(edge.child)
                pending.append(edge.child)
    return any(role[name] == "Conclusion" for name in reached)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> float:
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return shared / min(one[1] - one[0], other[1] - other[0]) if shared > 0 else 0.0
