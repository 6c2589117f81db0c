"""The report of a review: each sentence beside its quotes, verdict and decision; a figure of the layers; its files."""

from veritas.report.review._review_files import write_review
from veritas.report.review._review_html import render_review_html

__all__ = ["render_review_html", "write_review"]
