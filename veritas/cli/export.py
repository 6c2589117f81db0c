"""`veritas export`: a run or a paper's audit in the forms that other programs read."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from veritas import PaperAudit

OF_GRAPHS = ("graphml", "svg", "nodes", "edges", "matrices", "walks")
OF_AUDITS = ("json", "html", *OF_GRAPHS, "all")


def export(
    run: Annotated[
        str, typer.Argument(help="The id of a run or of a paper's audit, or its beginning; or `latest` (a run).")
    ] = "latest",
    format: Annotated[
        str,
        typer.Option(
            "--format",
            "-f",
            help="Of a run json, markdown, html, terminal, parquet, or what a plug-in renders. Of an audit json, html, "
            "graphml, svg, nodes and edges (CSV), matrices (npz), walks, or all of them.",
        ),
    ] = "json",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File (parquet and all: folder); else stdout.")
    ] = None,
    audit: Annotated[bool, typer.Option("--audit", help="Export an audit; `latest` is then the latest audit.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a stored run: claim graph as JSON, answer as Markdown, report as HTML, or its tables as Parquet.

    Of a paper's audit: the audit as JSON, its report, and the argument's graph as GraphML, SVG, tables, feature
    matrices and random walks.

    Example: veritas export latest --audit --format all --out audit/
    """
    from veritas.errors import UnknownRun
    from veritas.use_cases.papers import load_paper_audit
    from veritas.use_cases.run_archive import find_run

    kind = "json" if json else format
    run_id = None
    if not audit:
        try:
            run_id = find_run(run)
        except UnknownRun:
            if _is_no_audit(run):
                raise
    if run_id is not None:
        _export_run(run_id, kind, out)
        return
    meant = load_paper_audit(run)
    if run == "latest" and kind in OF_GRAPHS and meant.scoring() is None:
        _refuse_latest(meant.audit_id, kind)
    _export_audit(meant, kind, out)


def _refuse_latest(audit_id: str, kind: str) -> NoReturn:
    """Raise `InputError`, naming the audit to take instead of a latest one that has no graph."""
    from veritas.errors import InputError
    from veritas.use_cases.reports import latest_scored_audit

    scored = latest_scored_audit()
    instead = f"the latest that has one is {scored}: veritas export {scored} --format {kind}" if scored else (
        "and no other audit has one"
    )
    raise InputError(
        f"the latest audit, {audit_id}, has no argument that could be scored, so there is no graph to export; {instead}"
    )


def _is_no_audit(name: str) -> bool:
    from veritas.errors import InputError, UnknownRun
    from veritas.use_cases.papers import load_paper_audit

    try:
        load_paper_audit(name)
    except UnknownRun:
        return True
    except InputError:  # there is one, and it is not finished
        return False
    return False


def _export_run(run_id: str, kind: str, out: Path | None) -> None:
    from veritas.errors import InputError
    from veritas.use_cases.reports import export_tables, render_report, report_forms

    if kind == "parquet":
        if out is None:
            raise InputError("--format parquet writes several files: name a folder with --out")
        for path in export_tables(run_id, out):
            print(path)
        return
    if kind not in report_forms():
        of_audits = " is of audits of papers (--audit);" if kind in OF_AUDITS else ": there is no such format;"
        raise InputError(f"--format {kind}{of_audits} a run is written as {', '.join((*report_forms(), 'parquet'))}")
    _write(render_report(run_id, kind), out)


def _export_audit(audit: PaperAudit, kind: str, out: Path | None) -> None:
    from veritas.errors import InputError
    from veritas.use_cases.reports import export_audit, render_audit, write_matrices

    if kind not in OF_AUDITS:
        raise InputError(f"--format {kind} is of research runs; an audit is written as {', '.join(OF_AUDITS)}")
    if kind in ("matrices", "all"):
        if out is None:
            wanted = "folder" if kind == "all" else "file"
            raise InputError(f"--format {kind} cannot be printed: name a {wanted} with --out")
        if kind == "all":
            for path in export_audit(audit, out):
                print(path)
            return
        if out.is_dir():
            raise InputError(f"--out {out} is a folder: name a file")
        write_matrices(audit, out)
        print(out, file=sys.stderr)
        return
    _write(render_audit(audit, kind), out)


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
