"""The two figures of a review: the waterfall of the layers' catches, and the corpus by claim and evidence type.

Nothing depends on colour alone: every bar carries its number, and the parts of a bar differ by pattern.
"""

from __future__ import annotations

from collections.abc import Mapping

from markupsafe import Markup

from veritas.reviews.review_document import Layers

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
