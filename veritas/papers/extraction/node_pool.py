"""Join K sampled graphs into one pool of nodes: a statement in a role is one node, in however many graphs it stands."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.documents.paper_parts import MainStatement
from veritas.frozen import Frozen
from veritas.papers.audit import AuditNode, PaperEvent, SampledGraph
from veritas.papers.extraction.construct import Constructed, renumbered
from veritas.papers.extraction.proposal import CheckedNode
from veritas.papers.reading.paper_text import PaperText

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
