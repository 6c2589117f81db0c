"""Writing of a review into a folder: manuscript as LaTeX and Markdown, bibliography, JSON, the report."""

from __future__ import annotations

from pathlib import Path

from veritas.files import write_together
from veritas.report.graph_json import json_text
from veritas.report.review._review_html import render_review_html
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.rendering.latex_manuscript import latex
from veritas.reviews.rendering.pandoc_manuscript import markdown
from veritas.reviews.review_document import Review


def write_review(review: Review, corpus: Corpus, folder: Path) -> dict[str, Path]:
    """Write `manuscript.tex`, `manuscript.md`, `references.bib`, `review.json` and `report.html`; return name -> path.

    The `.bib` holds only cited works. All files or none: raises `StoreUnavailable`.
    """
    texts = {
        "manuscript.tex": latex(review),
        "manuscript.md": markdown(review),
        "references.bib": corpus.bibliography(review.manuscript.keys),
        "review.json": json_text(review.model_dump(mode="json"), indent=2) + "\n",
        "report.html": render_review_html(review, corpus),
    }
    write_together({folder / name: text for name, text in texts.items()})
    return {name: folder / name for name in texts}
