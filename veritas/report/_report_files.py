"""Writing of a run's report into a folder: three files, each whole or absent."""

from __future__ import annotations

from pathlib import Path

from veritas.claims.graph import ClaimGraph
from veritas.files import write_together
from veritas.report._html_report import render_html
from veritas.report.graph_json import render_json
from veritas.report.markdown_report import render_markdown


def write_report(graph: ClaimGraph, folder: Path) -> dict[str, Path]:
    """Write `answer.md`, `graph.json` and `report.html` into the folder, made if need be; return name -> path.

    A full disk leaves the earlier report as it was. Raises `StoreUnavailable` when the folder cannot be written.
    """
    texts = {"answer.md": render_markdown(graph), "graph.json": render_json(graph), "report.html": render_html(graph)}
    write_together({folder / name: text for name, text in texts.items()})
    return {name: folder / name for name in texts}
