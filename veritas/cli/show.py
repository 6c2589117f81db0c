"""`veritas show`: the answer of a run, and its report."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import Annotated

import typer


def show(
    run: Annotated[
        str, typer.Argument(help="The id of a run or of a paper's audit, a beginning of it, or `latest` (run).")
    ] = "latest",
    browser: Annotated[bool, typer.Option("--browser", "-b", help="Open the report in the browser.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The claim graph, or the audit, as JSON on stdout.")] = False,
) -> None:
    """Show the answer of a run or the audit of a paper, and write its report again."""
    from veritas.errors import StoreUnavailable, UnknownRun
    from veritas.report import render_terminal, write_report
    from veritas.settings import home
    from veritas.use_cases.stored_graph import stored_graph

    try:
        graph = stored_graph(run)
    except UnknownRun:
        if not _show_audit(run, browser, json):
            raise
        return
    if json:
        print(graph.model_dump_json())
        return
    report = home() / "reports" / graph.run.run_id / "report.html"
    unwritten: StoreUnavailable | None = None
    try:
        write_report(graph, report.parent)
    except StoreUnavailable as problem:  # what is stored can be read where nothing can be written
        unwritten = problem
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(render_terminal(graph, width=width, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    print(f"\nReport: {report if unwritten is None else 'not written'}\nRun:    {graph.run.run_id}")
    if unwritten is not None:
        raise unwritten
    if browser:
        _open(report)


def _show_audit(name: str, browser: bool, json: bool) -> bool:
    """Show the audit of that name as `veritas paper --show` does; return False if there is none."""
    from veritas.cli.paper import print_audit, write_report
    from veritas.errors import StoreUnavailable, UnknownRun
    from veritas.papers.audit_runs import load_audit

    try:
        audit = load_audit(name)
    except UnknownRun:
        return False
    if json:
        print_audit(audit, None, as_json=True)
        return True
    path: Path | None = None
    unwritten: StoreUnavailable | None = None
    try:
        path = write_report(audit, None)
    except StoreUnavailable as problem:
        unwritten = problem
    print_audit(audit, path, as_json=False)
    if unwritten is not None:
        raise unwritten
    if browser and path is not None:
        _open(path)
    return True


def _open(report: Path) -> None:
    import webbrowser

    webbrowser.open(report.resolve().as_uri())
