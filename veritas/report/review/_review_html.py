"""A review as one HTML file: the text, and beside each sentence its quotes, the verdict and the decision."""

from __future__ import annotations

import json
from collections import Counter

from markupsafe import Markup

from veritas.report import run_charts as tiers
from veritas.report._html_report import render_page
from veritas.report.graph_json import in_a_page
from veritas.report.review import _review_charts as review_charts
from veritas.report.tally import expense
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import EVIDENCE_KINDS
from veritas.reviews.review_document import Review
from veritas.reviews.reviewing.review_verdicts import VERDICTS

VERDICT_WORDS = {
    "VERIFIED": ("✓", "verified"),
    "UNVERIFIED": ("✗", "unverified: its sources do not support it"),
    "UNGROUNDED": ("∅", "ungrounded: it cites nothing of the corpus"),
    "VAGUE": ("~", "vague: nothing to check"),
    "UNAVAILABLE": ("?", "could not be checked"),
}
FLAG_WORDS = {
    "overgeneralisation": "May say too much",
    "condition": "A condition is missing",
    "idle-citation": "A citation adds nothing",
    "logic": "Logic",
    "contradiction": "Contradiction",
    "repetition": "Repetition",
    "style": "Writing",
}


def render_review_html(review: Review, corpus: Corpus) -> str:
    """Return the report as one HTML document. It loads nothing, and runs one script, which its CSP names by hash."""
    papers = {paper.paper_key: paper for paper in corpus.papers()}
    manuscript = review.manuscript
    counted = Counter(v.verdict for v in review.first.verdicts)
    return render_page(
        "review/report.html",
        styles=("report.css", "review/review.css"),
        scripts=("review/review.js",),
        review=review,
        manuscript=manuscript,
        papers={key: papers[key] for key in manuscript.keys if key in papers},
        counted=[(name, counted.get(name, 0)) for name in VERDICTS],
        verdict_words=VERDICT_WORDS,
        flag_words=FLAG_WORDS,
        evidence_kinds=EVIDENCE_KINDS,
        figures=review_charts,
        patterns=tiers.PATTERNS,
        total=expense(review.calls),
        cuts=tuple(dict.fromkeys(cut for call in review.calls for cut in call.cuts)),
        content_hash=review.content_hash(),
        settings=json.dumps(review.settings, indent=1, sort_keys=True, ensure_ascii=False, default=str),
        data=Markup(in_a_page(review.model_dump(mode="json"))),
    )
