"""`veritas export`: a run as JSON, Markdown, HTML or Parquet."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer


def export(
    run: Annotated[str, typer.Argument(help="The run's id, a beginning of it, or `latest`.")] = "latest",
    format: Annotated[
        Literal["json", "markdown", "html", "parquet"], typer.Option("--format", "-f", help="What to write.")
    ] = "json",
    out: Annotated[Path | None, typer.Option("--out", "-o", help="File (parquet: folder); else stdout.")] = None,
    json: Annotated[bool, typer.Option("--json", help="The same as --format json.")] = False,
) -> None:
    """Write a stored run: claim graph as JSON, answer as Markdown, report as HTML, or its tables as Parquet."""
    from veritas.cli.stored import stored_graph
    from veritas.errors import InputError
    from veritas.files import write_whole
    from veritas.settings import home

    kind = "json" if json else format
    if kind == "parquet":
        from veritas.store import export_parquet, find_run

        if out is None:
            raise InputError("--format parquet writes several files: name a folder with --out")
        for path in export_parquet(home(), find_run(home(), run), out):
            print(path)
        return
    from veritas.report import render_html, render_json, render_markdown

    graph = stored_graph(run)
    text = {"json": render_json, "markdown": render_markdown, "html": render_html}[kind](graph)
    if out is None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    if out.is_dir():
        raise InputError(f"--out {out} is a folder: name a file")
    write_whole(out, text)
    print(out, file=sys.stderr)
