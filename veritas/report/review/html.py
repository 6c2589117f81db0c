"""A review as one HTML file: the text, and side by side with each sentence its quotes, the verdict and the decision."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter

from markupsafe import Markup

from veritas.report import charts as tiers
from veritas.report.graph_json import in_a_page
from veritas.report.html import environment, package_file
from veritas.report.review import charts
from veritas.report.tally import expense
from veritas.reviews.claim import EVIDENCE_KINDS
from veritas.reviews.corpus import Corpus
from veritas.reviews.review import Review
from veritas.reviews.reviewing.verdicts import VERDICTS

VERDICT_WORDS = {
    "VERIFIED": ("✓", "verified"),
    "UNVERIFIED": ("✗", "unverified: what it cites does not carry it"),
    "UNGROUNDED": ("∅", "ungrounded: it cites nothing of the corpus"),
    "VAGUE": ("~", "vague: nothing to check"),
    "UNAVAILABLE": ("?", "nobody could judge it"),
}
FLAG_WORDS = {
    "overgeneralisation": "May say too much",
    "condition": "A condition is left away",
    "idle-citation": "A citation lends nothing",
    "logic": "Logic",
    "contradiction": "Contradiction",
    "repetition": "Repetition",
    "style": "Writing",
}


def render_review_html(review: Review, corpus: Corpus) -> str:
    """The whole report as one HTML document. It loads nothing, and runs one script, which its CSP names by hash."""
    script = package_file("review/review.js")
    papers = {paper.paper_key: paper for paper in corpus.papers()}
    manuscript = review.manuscript
    counted = Counter(v.verdict for v in review.first.verdicts)
    left_out = {entry.sentence.sentence_id: entry for entry in review.left_out}
    return environment().get_template("review/report.html").render(
        review=review,
        manuscript=manuscript,
        papers={key: papers[key] for key in manuscript.keys if key in papers},
        claims={c.claim_id: c for s in manuscript.sentences for i in s.claim_ids if (c := corpus.claim(i)) is not None},
        left_out=left_out,
        counted=[(name, counted.get(name, 0)) for name in VERDICTS],
        verdict_words=VERDICT_WORDS,
        flag_words=FLAG_WORDS,
        evidence_kinds=EVIDENCE_KINDS,
        figures=charts,
        patterns=tiers.PATTERNS,
        total=expense(review.calls),
        cuts=tuple(dict.fromkeys(cut for call in review.calls for cut in call.cuts)),
        content_hash=review.content_hash(),
        settings=json.dumps(review.settings, indent=1, sort_keys=True, ensure_ascii=False, default=str),
        style=Markup(package_file("report.css") + package_file("review/review.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        data=Markup(in_a_page(review.model_dump(mode="json"))),
    )
