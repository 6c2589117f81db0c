"""`veritas show`: the answer of a run, its report, and the documents that it cites."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas import ClaimGraph
    from veritas.report.cited_documents import CitedDocument


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
    from veritas.errors import InputError, StoreUnavailable, UnknownRun
    from veritas.report import render_terminal
    from veritas.settings import home
    from veritas.use_cases.reports import write_report
    from veritas.use_cases.run_archive import load_run

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
    report = home() / "reports" / graph.run.run_id / "report.html"
    unwritten: StoreUnavailable | None = None
    try:
        write_report(graph, report.parent)
    except StoreUnavailable as problem:  # what is stored can be read where nothing can be written
        unwritten = problem
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    color = sys.stdout.isatty() and "NO_COLOR" not in os.environ
    if page is None:
        print(render_terminal(graph, width=width, color=color))
        print(f"\nReport: {report if unwritten is None else 'not written'}\nRun:    {graph.run.run_id}")
    elif not browser:
        _page_through(page, width, color)
    if unwritten is not None:
        raise unwritten
    if browser:
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

    from veritas.report.document_terminal import render_document

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
    from veritas.errors import StoreUnavailable, UnknownRun
    from veritas.use_cases.papers import load_paper_audit
    from veritas.use_cases.reports import write_report

    try:
        audit = load_paper_audit(name)
    except UnknownRun:
        return False
    if json:
        print_audit(audit, None, as_json=True)
        return True
    path: Path | None = None
    unwritten: StoreUnavailable | None = None
    try:
        path = write_report(audit)["report.html"]
    except StoreUnavailable as problem:
        unwritten = problem
    print_audit(audit, path, as_json=False)
    if unwritten is not None:
        raise unwritten
    if browser and path is not None:
        _open(path)
    return True


def _open(report: Path, fragment: str = "") -> None:
    import webbrowser

    webbrowser.open(report.resolve().as_uri() + (f"#{fragment}" if fragment else ""))
