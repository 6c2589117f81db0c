"""The report of a paper's audit: one HTML file to explore the argument in, and the graph for other programs."""

from veritas.report.paper._paper_html import render_paper_html, write_paper_report

__all__ = ["render_paper_html", "write_paper_report"]
