"""Writing of a run's report into a folder: three files, each whole or absent."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from veritas.claims.graph import ClaimGraph
from veritas.documents.document import Document
from veritas.files import write_together
from veritas.report._html_report import render_html
from veritas.report.graph_json import render_json
from veritas.report.markdown_report import render_markdown


def write_report(graph: ClaimGraph, folder: Path, documents: Iterable[Document] = ()) -> dict[str, Path]:
    """Write `answer.md`, `graph.json` and `report.html` into the folder, made if need be; return name -> path. Those
    of `documents` that the answer cites are in the page in full.

    A full disk leaves the earlier report as it was. Raises `StoreUnavailable` when the folder cannot be written.
    """
    page = render_html(graph, documents)
    texts = {"answer.md": render_markdown(graph), "graph.json": render_json(graph), "report.html": page}
    write_together({folder / name: text for name, text in texts.items()})
    return {name: folder / name for name in texts}
