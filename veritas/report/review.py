"""A review as one HTML file: the text, and beside each sentence its quotes, the verdict and the decision."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace

from markupsafe import Markup

from veritas.files import write_together
from veritas.report import run_charts as tiers
from veritas.report.graph_json import in_a_page, json_text
from veritas.report.html_report import render_page
from veritas.report.tally import expense
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import EVIDENCE_KINDS
from veritas.reviews.manuscript import TABLE_HEAD, numbers_of
from veritas.reviews.rendering.latex_manuscript import latex
from veritas.reviews.rendering.pandoc_manuscript import markdown
from veritas.reviews.review_document import Layers, Review
from veritas.reviews.reviewing.review_verdicts import VERDICTS

VERDICT_WORDS = {
    "VERIFIED": ("✓", "verified"),
    "UNVERIFIED": ("✗", "unverified: its sources do not support it"),
    "OVERGENERALISED": ("∀", "overgeneralised: it says more than its sources"),
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
    "verbatim": "Unmarked quotation",
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
        figures=SimpleNamespace(waterfall=waterfall, stacked=stacked, swatch=swatch),
        patterns=tiers.PATTERNS,
        table_head=TABLE_HEAD,
        numbers_of=numbers_of,
        total=expense(review.calls),
        cuts=tuple(dict.fromkeys(cut for call in review.calls for cut in call.cuts)),
        content_hash=review.content_hash(),
        settings=json.dumps(review.settings, indent=1, sort_keys=True, ensure_ascii=False, default=str),
        data=Markup(in_a_page(review.model_dump(mode="json"))),
    )


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


_FILLS = {"experimental": "solid", "computational": "pattern-2", "review": "pattern-3", "theoretical": "pattern-4"}


def waterfall(layers: Layers) -> Markup:
    """Draw how many sentences were drafted, stopped by each layer, passed at once, and restored (spec, figure 4)."""
    steps = [
        ("drafted", "sentences drafted", layers.drafted, 0, "total"),
        ("corpus", "layer 1: not in the corpus", layers.gaps, layers.drafted - layers.gaps, "loss"),
        ("reviewer", "layer 2: the reviewer", layers.reviewer, layers.drafted - layers.gaps - layers.reviewer, "loss"),
        ("person", "layer 3: a person", layers.person, layers.passed, "loss"),
        ("passed", "passed all layers", layers.passed, 0, "total"),
        ("restored", "repaired and verified", layers.restored, layers.passed, "gain"),
    ]
    most = max(layers.drafted, layers.passed + layers.restored, 1)
    left, width, row = 190, 420, 30
    parts: list[Markup] = []
    before = 0.0
    for number, (name, label, count, base, kind) in enumerate(steps):
        y = number * row
        start, size = left + width * base / most, width * count / most
        parts.append(
            Markup(
                '<text x="{}" y="{:.0f}" text-anchor="end">{}</text>'
                '<rect class="bar {}" data-step="{}" x="{:.2f}" y="{:.0f}" width="{:.2f}" height="18"/>'
                '<text x="{:.2f}" y="{:.0f}" class="value">{}{}</text>'
            ).format(
                left - 10, y + 14, label, kind, name, start, y, max(size, 1.0 if count else 0.0),
                start + size + 6, y + 14, "−" if kind == "loss" and count else "+" if kind == "gain" and count else "",
                count,
            )
        )  # fmt: skip
        edge = start + (size if kind != "loss" else 0)
        if number:
            parts.append(
                Markup('<line class="step" x1="{:.2f}" x2="{:.2f}" y1="{:.0f}" y2="{:.0f}"/>').format(
                    before, before, y - row + 18, y
                )
            )
        before = edge
    said = ", ".join(f"{label}: {count}" for _, label, count, _, _ in steps)
    return Markup('<svg class="waterfall" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        left + width + 60, len(steps) * row, said, Markup("").join(parts)
    )


def stacked(kinds: Mapping[str, Mapping[str, int]]) -> Markup:
    """Draw claim types as bars, cut by evidence type (spec, figure 3)."""
    most = max((sum(counts.values()) for counts in kinds.values()), default=0)
    if not most:
        return Markup("")
    left, width, row = 110, 460, 30
    parts: list[Markup] = []
    for number, (kind, counts) in enumerate(kinds.items()):
        y, x = number * row, float(left)
        parts.append(Markup('<text x="{}" y="{}" text-anchor="end">{}</text>').format(left - 10, y + 14, kind))
        for evidence, count in counts.items():
            size = width * count / most
            if count:
                parts.append(
                    Markup(
                        '<rect class="segment {}" x="{:.2f}" y="{}" width="{:.2f}" height="18">'
                        "<title>{}, {}: {}</title></rect>"
                    ).format(_FILLS.get(evidence, "solid"), x, y, size, kind, evidence, count)
                )
            x += size
        total = sum(counts.values())
        parts.append(Markup('<text x="{:.2f}" y="{}" class="value">{}</text>').format(x + 6, y + 14, total))
    said = "; ".join(f"{k}: " + ", ".join(f"{n} {e}" for e, n in c.items()) for k, c in kinds.items())
    return Markup('<svg class="stacked" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        left + width + 60, len(kinds) * row, said, Markup("").join(parts)
    )


def swatch(evidence: str) -> Markup:
    """Return the small square of an evidence type for the legend."""
    return Markup(
        '<svg class="swatch" viewBox="0 0 21 12" aria-hidden="true"><rect x="0.5" y="0.5" width="20" height="11" '
        'class="segment {}"/></svg>'
    ).format(_FILLS.get(evidence, "solid"))
