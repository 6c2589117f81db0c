"""Reports for people: the answer as HTML, Markdown, JSON and terminal text, each with the work behind it."""

from veritas.report.graph_json import render_json
from veritas.report.html_report import render_html
from veritas.report.markdown_report import render_markdown
from veritas.report.report_files import write_report
from veritas.report.terminal import render_terminal

__all__ = ["render_html", "render_json", "render_markdown", "render_terminal", "write_report"]
