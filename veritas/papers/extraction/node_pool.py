"""Join K sampled graphs into one pool of nodes: a statement in a role is one node, in however many graphs it stands.

Algorithm 1: propose a graph, check it, and return it with its errors to be repaired, a bounded number of times.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from veritas.documents.paper_parts import MainStatement
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.papers.audit import AuditEdge, AuditNode, PaperEvent, SampledGraph
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor, described
from veritas.papers.extraction.modes import Mode
from veritas.papers.extraction.proposal import Checked, CheckedNode, Proposal, check
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


BESIDE = 3
"""Characters between a statement's end and a citation that still belongs to it."""


class Extraction(Frozen):
    """Output of the stage `extract`."""

    nodes: tuple[AuditNode, ...] = ()
    graphs: tuple[SampledGraph, ...] = ()
    primary: int | None = None
    argument: tuple[MainStatement, ...] = ()
    events: tuple[PaperEvent, ...] = ()


def pooled(samples: Sequence[Constructed], paper: PaperText, events: Sequence[PaperEvent] = ()) -> Extraction:
    """Return the samples over one pool of nodes, numbered in the order of the primary graph, then of the others.

    Primary is the sound graph that has most in common with the other sound ones; of equals the first.
    """
    sound = [s for s in samples if s.checked.ok]
    primary = max(sound, key=lambda s: (_common(s, sound), -s.index), default=None)
    names: dict[tuple[str, int, int], str] = {}
    pool: dict[str, CheckedNode] = {}
    for sample in sorted(sound, key=lambda s: (s is not primary, s.index)):
        for node in sorted(sample.checked.nodes, key=lambda n: n.place.start):
            name = names.setdefault(_key(node), f"n{len(names) + 1}")
            pool.setdefault(name, node)
    found = list(events)
    graphs = []
    for sample in sorted(samples, key=lambda s: s.index):
        checked = sample.checked
        if checked.ok:
            checked = renumbered(checked, {node.id: names[_key(node)] for node in checked.nodes})
        else:
            found.append(_broken(sample))
        graphs.append(
            SampledGraph(
                index=sample.index,
                seed=sample.seed,
                extractor=sample.extractor,
                nodes=tuple(sorted((n.id for n in checked.nodes), key=lambda i: int(i[1:]))) if checked.ok else (),
                edges=checked.edges if checked.ok else (),
                errors=checked.errors,
                warnings=checked.warnings,
                repairs=sample.repairs,
            )
        )
    return Extraction(
        nodes=tuple(
            AuditNode(
                id=name, role=node.role, base_role=node.base_role, text=node.text, place=node.place,
                cites=_cited(node, paper),
            )
            for name, node in pool.items()
        ),
        graphs=tuple(graphs),
        primary=primary.index if primary is not None else None,
        events=tuple(found),
    )  # fmt: skip


def _key(node: CheckedNode) -> tuple[str, int, int]:
    return node.role, node.place.start, node.place.end


def _common(sample: Constructed, others: Sequence[Constructed]) -> float:
    """Return the mean share of nodes and links that a sample has in common with the others."""
    mine = _parts(sample)
    shares = []
    for other in others:
        if other is not sample:
            theirs = _parts(other)
            shares.append(len(mine & theirs) / (len(mine | theirs) or 1))
    return sum(shares) / len(shares) if shares else 0.0


def _parts(sample: Constructed) -> set[object]:
    at = {node.id: _key(node) for node in sample.checked.nodes}
    edges = {(at[e.parent], at[e.child]) for e in sample.checked.edges if e.parent in at and e.child in at}
    return {*at.values(), *edges}


def _cited(node: CheckedNode, paper: PaperText) -> tuple[str, ...]:
    """Return the references cited within the statement, or right after its end."""
    keys: dict[str, None] = {}
    for marker in paper.markers:
        if node.place.start <= marker.place.start <= node.place.end + BESIDE:
            keys |= dict.fromkeys(marker.references)
    return tuple(keys)


def _broken(sample: Constructed) -> PaperEvent:
    return PaperEvent(
        stage="extract",
        kind="extractor-unavailable" if sample.unavailable else "graph-broken",
        subject=f"graph:{sample.index}",
        reason="; ".join(sample.checked.errors)[:600],
    )
