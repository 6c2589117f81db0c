"""The manuscript as files other programs take: LaTeX with natbib, Markdown with Pandoc citations, and their `.bib`."""

from veritas.reviews.rendering.review_files import write_review

__all__ = ["write_review"]
