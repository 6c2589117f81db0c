"""`veritas export`: a run or a paper's audit in the forms that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

if TYPE_CHECKING:
    from veritas.papers.audit import PaperAudit

Format = Literal[
    "json", "markdown", "html", "parquet", "graphml", "svg", "nodes", "edges", "matrices", "walks", "all"
]  # fmt: skip
OF_RUNS = ("json", "markdown", "html", "parquet")
OF_AUDITS = ("json", "html", "graphml", "svg", "nodes", "edges", "matrices", "walks", "all")
OF_GRAPHS = ("graphml", "svg", "nodes", "edges", "matrices", "walks")


def export(
    run: Annotated[
        str, typer.Argument(help="The id of a run or of a paper's audit, a beginning of it, or `latest` (run).")
    ] = "latest",
    format: Annotated[
        Format,
        typer.Option(
            "--format",
            "-f",
            help="Of a run json, markdown, html, parquet. Of an audit json, html, graphml, svg, nodes and edges (CSV), "
            "matrices (npz), walks, or all of them.",
        ),
    ] = "json",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File (parquet and all: folder); else stdout.")
    ] = None,
    audit: Annotated[bool, typer.Option("--audit", help="An audit is meant, also by `latest`.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a stored run: claim graph as JSON, answer as Markdown, report as HTML, or its tables as Parquet.

    Of a paper's audit: the audit as JSON, its report, and the argument's graph as GraphML, SVG, tables, feature
    matrices and random walks.

    Example: veritas export latest --audit --format all --out audit/
    """
    from veritas.errors import UnknownRun
    from veritas.settings import home
    from veritas.store import find_run

    kind = "json" if json else format
    run_id = None
    if not audit:
        try:
            run_id = find_run(home(), run)
        except UnknownRun:
            if _is_no_audit(run):
                raise
    if run_id is not None:
        _export_run(run_id, kind, out)
        return
    from veritas.papers.audit_runs import load_audit

    meant = load_audit(run)
    if run == "latest" and kind in OF_GRAPHS and meant.scoring() is None:
        _refuse_latest(meant.audit_id, kind)
    _export_audit(meant, kind, out)


def _refuse_latest(audit_id: str, kind: str) -> NoReturn:
    """Raise `InputError`, naming the audit to take instead of a latest one that has no graph."""
    from veritas.errors import InputError
    from veritas.papers.audit_runs import latest_scored

    scored = latest_scored()
    instead = f"the latest that has one is {scored}: veritas export {scored} --format {kind}" if scored else (
        "and no other audit has one"
    )
    raise InputError(
        f"the latest audit, {audit_id}, has no argument that could be scored, so there is no graph to export; {instead}"
    )


def _is_no_audit(name: str) -> bool:
    from veritas.errors import UnknownRun
    from veritas.papers.audit_runs import find_audit, papers_home

    try:
        find_audit(papers_home(), name)
    except UnknownRun:
        return True
    return False


def _export_run(run_id: str, kind: str, out: Path | None) -> None:
    from veritas.errors import InputError
    from veritas.settings import home
    from veritas.use_cases.stored_graph import stored_graph

    if kind not in OF_RUNS:
        raise InputError(f"--format {kind} is of audits of papers (--audit); a run is written as {', '.join(OF_RUNS)}")
    if kind == "parquet":
        from veritas.store import export_parquet

        if out is None:
            raise InputError("--format parquet writes several files: name a folder with --out")
        for path in export_parquet(home(), run_id, out):
            print(path)
        return
    from veritas.report import render_html, render_json, render_markdown

    graph = stored_graph(run_id)
    _write({"json": render_json, "markdown": render_markdown, "html": render_html}[kind](graph), out)


def _export_audit(audit: PaperAudit, kind: str, out: Path | None) -> None:
    from veritas.errors import InputError

    if kind not in OF_AUDITS:
        raise InputError(f"--format {kind} is of research runs; an audit is written as {', '.join(OF_AUDITS)}")
    if kind in ("matrices", "all") and out is None:
        wanted = "folder" if kind == "all" else "file"
        raise InputError(f"--format {kind} cannot be printed: name a {wanted} with --out")
    if kind == "all":
        assert out is not None
        _export_folder(audit, out)
        return
    if kind == "json":
        from veritas.report.graph_json import json_text

        _write(json_text(audit.model_dump(mode="json"), indent=2), out)
        return
    if kind == "html":
        from veritas.report.paper import render_paper_html

        _write(render_paper_html(audit), out)
        return
    from veritas.papers import audit_exports
    from veritas.scoring.graph_exports import graphml

    scoring = audit_exports.scoring_of(audit)
    if kind == "matrices":
        assert out is not None
        if out.is_dir():
            raise InputError(f"--out {out} is a folder: name a file")
        audit_exports.write_matrices(out, scoring)
        print(out, file=sys.stderr)
    elif kind == "svg":
        _write(_drawing(audit), out)
    elif kind == "graphml":
        _write(graphml(scoring), out)
    elif kind == "walks":
        _write(audit_exports.walk_corpus(audit, scoring), out)
    else:
        table = audit_exports.node_table if kind == "nodes" else audit_exports.edge_table
        _write(table(audit, scoring), out)


def _export_folder(audit: PaperAudit, folder: Path) -> None:
    """Write everything there is of an audit; without a score only the report and the audit."""
    from veritas.errors import InputError
    from veritas.files import write_together
    from veritas.papers import audit_exports
    from veritas.report.paper import write_paper_report

    if folder.exists() and not folder.is_dir():
        raise InputError(f"--out {folder} is a file: name a folder")
    report = write_paper_report(audit, folder)
    if audit.scoring() is not None:
        scoring = audit_exports.scoring_of(audit)
        write_together(
            {
                folder / "nodes.csv": audit_exports.node_table(audit, scoring),
                folder / "edges.csv": audit_exports.edge_table(audit, scoring),
                folder / "walks.txt": audit_exports.walk_corpus(audit, scoring),
            }
        )
        audit_exports.write_matrices(folder / "matrices.npz", scoring)
    names = ("audit.json", "graph.graphml", "graph.svg", "nodes.csv", "edges.csv", "matrices.npz", "walks.txt")
    for path in (report, *(folder / name for name in names)):
        if path.is_file():
            print(path)


def _drawing(audit: PaperAudit) -> str:
    from veritas.report.paper.drawing import draw
    from veritas.report.paper.view import PaperView
    from veritas.scoring.parameters import read_parameters

    return str(draw(PaperView(audit, read_parameters()), alone=True))


def _write(text: str, out: Path | None) -> None:
    from veritas.errors import InputError
    from veritas.files import write_whole

    if out is None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    if out.is_dir():
        raise InputError(f"--out {out} is a folder: name a file")
    write_whole(out, text)
    print(out, file=sys.stderr)
