"""Algorithm 1: propose a graph, check it, and return it with its errors to be repaired, a bounded number of times."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

from veritas.errors import Unavailable
from veritas.papers.audit import AuditEdge
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor, described
from veritas.papers.extraction.modes import Mode
from veritas.papers.extraction.proposal import Checked, Proposal, check
from veritas.papers.reading.paper_text import PaperText

REPAIRS = 3
"""Times a graph goes back, at most."""


class Proposer(Protocol):
    """A proposer and repairer of graphs: a language model."""

    name: str

    async def propose(self, limit: int, reading: int) -> Proposal: ...

    async def repair(
        self, limit: int, reading: int, before: Proposal, errors: tuple[str, ...], attempt: int
    ) -> Proposal: ...


@dataclass(frozen=True)
class Constructed:
    """A sample: the checked graph after its repairs. `unavailable` is the reason if there is no graph at all."""

    index: int
    seed: int
    extractor: str
    checked: Checked
    repairs: tuple[tuple[str, ...], ...] = ()
    unavailable: str | None = None


async def construct(
    proposer: Proposer, paper: PaperText, mode: Mode, *, limit: int, seed: int, index: int
) -> Constructed:
    """Return a graph by a model. One still broken after `REPAIRS` keeps its errors, and is not scored."""
    sent: list[tuple[str, ...]] = []
    reading = seed * 1000 + index
    try:
        proposal = await proposer.propose(limit, reading)
        checked = check(proposal, paper, mode, limit)
        while not checked.ok and len(sent) < REPAIRS:
            sent.append(checked.errors)
            proposal = await proposer.repair(limit, reading, proposal, checked.errors, len(sent) + 1)
            checked = check(proposal, paper, mode, limit)
    except Unavailable as problem:
        failed = Checked(errors=(f"unavailable: {problem}",))
        return Constructed(index, seed, proposer.name, failed, tuple(sent), str(problem))
    return Constructed(index, seed, proposer.name, checked, tuple(sent))


def construct_embedded(
    extractor: EmbeddedExtractor, paper: PaperText, mode: Mode, *, limit: int, seed: int, index: int
) -> Constructed:
    """Return a graph by the embedded extractor, through the same check. It cannot be asked for repairs."""
    proposal, why = extractor.sample(limit, seed, index)
    checked = described(check(proposal, paper, mode, limit), why)
    return Constructed(index, seed, extractor.name, checked)


def renumbered(checked: Checked, names: dict[str, str]) -> Checked:
    """Return the graph with its nodes' ids replaced by `names`."""
    nodes = tuple(replace(node, id=names[node.id]) for node in checked.nodes)
    edges = tuple(
        AuditEdge(parent=names[e.parent], child=names[e.child], why=e.why, weight=e.weight)
        for e in checked.edges
        if e.parent in names and e.child in names
    )
    return replace(checked, nodes=nodes, edges=edges)
