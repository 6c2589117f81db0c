"""`veritas show`: the answer of a run, and its report."""

from __future__ import annotations

import os
import shutil
import sys
from typing import Annotated

import typer


def show(
    run: Annotated[str, typer.Argument(help="The run's id, a beginning of it, or `latest`.")] = "latest",
    browser: Annotated[bool, typer.Option("--browser", "-b", help="Open the report in the browser.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The claim graph as JSON on stdout.")] = False,
) -> None:
    """Show the answer of a run and write its report anew."""
    from veritas.cli.stored import stored_graph
    from veritas.report import render_terminal, write_report
    from veritas.settings import home

    graph = stored_graph(run)
    if json:
        print(graph.model_dump_json())
        return
    paths = write_report(graph, home() / "reports" / graph.run.run_id)
    width = min(shutil.get_terminal_size((100, 24)).columns, 100)
    print(render_terminal(graph, width=width, color=sys.stdout.isatty() and "NO_COLOR" not in os.environ))
    print(f"\nReport: {paths['report.html']}\nRun:    {graph.run.run_id}")
    if browser:
        import webbrowser

        webbrowser.open(paths["report.html"].resolve().as_uri())
