"""Papers to calibrate on, with their sampled graphs and metrics, from audits or from lines of graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veritas.errors import InputError
from veritas.frozen import content_hash
from veritas.papers import score_lines
from veritas.papers._audited_graphs import audit_in, sampled_graphs
from veritas.scoring.graph import NotAGraph, read_graph
from veritas.scoring.roles import METRICS
from veritas.scoring.uncertainty import GraphSamples, samples_of


@dataclass(frozen=True, eq=False)
class CachedPaper:
    """A paper with all its sampled graphs. `names` are those a label may use for it; `content` is equal for papers
    whose nodes have the same texts."""

    names: tuple[str, ...]
    graphs: tuple[GraphSamples, ...]
    content: str

    @property
    def name(self) -> str:
        """The name used in reports."""
        return self.names[0]


@dataclass
class _Gathered:
    names: list[str]
    graphs: list[GraphSamples] = field(default_factory=list)


def read_runs(path: Path) -> tuple[list[CachedPaper], list[str]]:
    """Return the papers of a file or of all `.json` and `.jsonl` files below a folder, and lines on what could not be
    used.

    A document is a paper audit (`veritas paper --json`), `{paper, graph}` as `veritas score` reads it, or a bare graph.
    Graphs with the same `paper` (or else `case`) are readings of one paper; a node's `metrics` may be a list of
    objects, repeated assessments. Raises `InputError` if nothing can be read.
    """
    gathered: dict[str, _Gathered] = {}
    problems: list[str] = []
    for file in _files(path):
        with score_lines.opened(file) as stream:
            try:
                for number, document in score_lines.documents(stream):
                    where = f"{file.name}, line {number}"
                    reading = _of_audit if score_lines.is_audit(document) else _of_line
                    names, graphs = reading(document, file, where)
                    paper = gathered.setdefault(names[0].casefold(), _Gathered(list(names)))
                    paper.names += [name for name in names if name not in paper.names]
                    for graph in graphs:
                        if isinstance(graph, str):
                            problems.append(graph)
                        else:
                            paper.graphs.append(graph)
            except InputError as error:
                raise InputError(f"{file}: {error}") from error
    papers = []
    for found in gathered.values():
        if not found.graphs:
            problems.append(f"{found.names[0]}: left out, none of its graphs can be scored")
            continue
        content = content_hash(sorted({text for each in found.graphs for text in each.graph.texts}))
        papers.append(CachedPaper(tuple(found.names), tuple(found.graphs), content))
    if not papers:
        raise InputError(f"{path} holds no graph that can be scored" + (f": {problems[0]}" if problems else ""))
    return papers, problems


def _files(path: Path) -> Iterator[Path]:
    if not path.is_dir():
        yield path
        return
    found = sorted(each for each in path.rglob("*") if each.suffix in (".json", ".jsonl") and each.is_file())
    if not found:
        raise InputError(f"{path} has no .json or .jsonl file in it")
    yield from found


_Given = tuple[list[str], list[GraphSamples | str]]


def _of_line(document: Mapping[str, Any], file: Path, where: str) -> _Given:
    graph = document.get("graph", document)
    if not isinstance(graph, dict) or "nodes" not in graph:
        raise InputError(f"{where}: neither a paper audit nor an object with a graph")
    given = document.get("paper", document.get("case"))
    name = str(given).strip() if given is not None else file.stem
    return [name or file.stem], [_samples(graph, where)]


def _of_audit(document: Mapping[str, Any], file: Path, where: str) -> _Given:
    try:
        audit = audit_in(document)
        sampled_ones = sampled_graphs(audit)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    paper = audit.paper
    asked = Path(paper.asked) if paper.how_found == "file" else Path()
    names = (
        paper.doi, paper.arxiv_id, paper.title.strip(), paper.url, paper.asked, asked.name, asked.stem, audit.audit_id,
        file.stem,
    )  # fmt: skip
    by_id = {node.id: node for node in audit.nodes}
    graphs: list[GraphSamples | str] = []
    for sampled, made in sampled_ones:
        if not sampled.ok:
            graphs.append(f"{where}: graph {sampled.index} left out: {sampled.errors[0]}")
            continue
        for node in made["nodes"]:
            metrics = by_id[node["id"]].metrics
            most = max((len(metric.samples) for metric in metrics.values()), default=0)
            if most > 1:
                node["metrics"] = [
                    {name: m.samples[i % len(m.samples)] if m.samples else m.value for name, m in metrics.items()}
                    for i in range(most)
                ]
        graphs.append(_samples(made, where))
    return list(dict.fromkeys(name for name in names if name)), graphs


def _samples(document: Mapping[str, Any], where: str) -> GraphSamples | str:
    """Return the graph with its metric samples, or the reason why it cannot be scored."""
    nodes = document["nodes"]
    whole = isinstance(nodes, list) and all(isinstance(node, dict) for node in nodes)
    if not whole or not any(isinstance(node.get("metrics"), list) for node in nodes):
        return _checked(document, where)
    listed = [_as_list(node.get("metrics")) for node in nodes]
    found = _checked({"nodes": [node | {"metrics": None} for node in nodes]}, where)
    # every assessment goes through the same check as a single one
    for place in range(max(map(len, listed))):
        if isinstance(found, str):
            return found
        chosen = [metrics[place] if place < len(metrics) else None for metrics in listed]
        nodes = [node | {"metrics": metrics} for node, metrics in zip(nodes, chosen, strict=True)]
        found = _checked({"nodes": nodes}, where)
    if isinstance(found, str):
        return found
    graph = found.graph
    values = {
        name: [{m: given.get(m) for m in METRICS} if given else {} for given in metrics]
        for name, metrics in zip(graph.ids, listed, strict=True)
    }
    return samples_of(graph, values)


def _as_list(metrics: Any) -> Sequence[Any]:
    return metrics if isinstance(metrics, list) else [metrics]


def _checked(document: Mapping[str, Any], where: str) -> GraphSamples | str:
    try:
        verdict = read_graph(document)
    except NotAGraph as error:
        return f"{where}: {error}"
    if verdict.graph is None:
        return f"{where}: left out: {verdict.errors[0]}"
    return GraphSamples(verdict.graph, verdict.graph.metrics[None])
