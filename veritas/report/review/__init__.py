"""The report of a review: sentence beside quotes, verdict and decision; what each layer caught, drawn."""

from veritas.report.review.review_html import render_review_html

__all__ = ["render_review_html"]
