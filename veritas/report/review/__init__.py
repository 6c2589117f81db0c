"""The report of a review: sentence beside quotes, verdict and decision; what each layer caught, drawn; its files."""

from veritas.report.review.review_files import write_review
from veritas.report.review.review_html import render_review_html

__all__ = ["render_review_html", "write_review"]
