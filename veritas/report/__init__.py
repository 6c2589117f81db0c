"""What a person sees: the answer as HTML, Markdown, JSON and terminal text, each with the work behind it.

Names are loaded when they are first asked for: a line of an audit on the terminal needs no templates.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from veritas.report._terminal import render_terminal
    from veritas.report.graph_json import render_json
    from veritas.report.html_report import render_html, write_report
    from veritas.report.markdown_report import render_markdown

_HOMES = {
    "render_html": "html_report", "render_json": "graph_json", "render_markdown": "markdown_report",
    "render_terminal": "_terminal", "write_report": "html_report",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)


__all__ = ["render_html", "render_json", "render_markdown", "render_terminal", "write_report"]
