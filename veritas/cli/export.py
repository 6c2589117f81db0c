"""`veritas show` and `veritas export`: the answer of a stored run, its report, its files."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, cast

import typer

if TYPE_CHECKING:
    from veritas import ClaimGraph, PaperAudit
    from veritas.report.cited_documents import CitedDocument
    from veritas.use_cases.given import Form

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
    run_id: str | None = None
    unknown: UnknownRun | None = None
    if not audit:
        try:
            run_id = find_run(run)
        except UnknownRun as error:
            unknown = error
    if run_id is not None:
        _export_run(run_id, kind, out)
        return
    try:
        meant = load_paper_audit(run)
    except UnknownRun as error:
        raise unknown or error from None
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
    _write(render_report(run_id, cast("Form", kind)), out)


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


def show(
    run: Annotated[
        str, typer.Argument(help="The id of a run or of a paper's audit, or its beginning; or `latest` (a run).")
    ] = "latest",
    reference: Annotated[
        int | None, typer.Option("--reference", "-r", min=1, help="The cited document of this number, in full.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser", "-b", help="Open the report in the browser.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The claim graph, or the audit, as JSON on stdout.")] = False,
) -> None:
    """Show the answer of a run or the audit of a paper, and write its report again.

    With --reference the document behind a [number] of the answer is shown in full, with its passages marked; with
    --browser the report is opened there.
    """
    from veritas.cli.runs import report_of
    from veritas.errors import InputError, UnknownRun
    from veritas.report import render_terminal
    from veritas.use_cases.run_states import load_run

    try:
        graph = load_run(run)
    except UnknownRun:
        if reference is not None or not _show_audit(run, browser, json):
            raise
        return
    if reference is not None and json:
        raise InputError("--reference shows a document: it has no --json")
    if json:
        print(graph.model_dump_json())
        return
    page = _cited(graph, reference) if reference is not None else None
    report, unwritten = report_of(graph)
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if page is None:
        print(render_terminal(graph, width=width, color=color))
        print(f"\nReport: {report or 'not written'}\nRun:    {graph.run.run_id}")
    elif not browser:
        _page_through(page, width, color)
    if unwritten is not None:
        raise unwritten
    if browser and report is not None:
        _open(report, page.first if page is not None else "")


def _cited(graph: ClaimGraph, number: int) -> CitedDocument:
    """Return the document behind a reference. Raises `InputError` where there is none of that number,
    `StoreUnavailable` where its text cannot be read."""
    from veritas.errors import InputError, StoreUnavailable
    from veritas.report.cited_documents import CitedDocuments
    from veritas.use_cases.reports import cited_documents

    numbers = [reference.number for reference in graph.answer.bibliography]
    if number not in numbers:
        there = f"it has {', '.join(map(str, numbers))}" if numbers else "it cites nothing"
        raise InputError(f"the answer of {graph.run.run_id} has no reference {number}: {there}")
    page = CitedDocuments(graph, cited_documents(graph)).behind(number)
    if page is None:
        raise StoreUnavailable(f"the document behind reference {number} of {graph.run.run_id} cannot be read now")
    return page


def _page_through(page: CitedDocument, width: int, color: bool) -> None:
    """Print a document; on a terminal that has `less`, begin at its first passage."""
    import subprocess

    from veritas.report._terminal import render_document

    text, line = render_document(page, width, color)
    less = shutil.which("less") if sys.stdout.isatty() else None
    if less is None:
        print(text, end="")
        return
    above = min(line - 1, 5)
    subprocess.run([less, "-R", f"+{line - above}"], input=text.encode(), check=False)


def _show_audit(name: str, browser: bool, json: bool) -> bool:
    """Show the audit of that name as `veritas paper --show` does; return False if there is none."""
    from veritas.cli.paper import print_audit
    from veritas.cli.runs import report_of
    from veritas.errors import UnknownRun
    from veritas.use_cases.papers import load_paper_audit

    try:
        audit = load_paper_audit(name)
    except UnknownRun:
        return False
    if json:
        print_audit(audit, None, as_json=True)
        return True
    path, unwritten = report_of(audit)
    print_audit(audit, path, as_json=False)
    if unwritten is not None:
        raise unwritten
    if browser and path is not None:
        _open(path)
    return True


def _open(report: Path, fragment: str = "") -> None:
    import webbrowser

    webbrowser.open(report.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
