"""The agreement meter as a curve in inline SVG, and the swatches of the tiers. Neither needs colour to be read."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from veritas.claims.contestation import Round
from veritas.report.wording import ROUNDS

PATTERNS = Markup(
    '<svg class="defs" width="0" height="0" aria-hidden="true"><defs>'
    '<pattern id="tier-2" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" class="ground"/><rect width="3" height="6" class="ink"/></pattern>'
    '<pattern id="tier-3" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<rect width="6" height="6" class="ground"/><circle cx="3" cy="3" r="1.4" class="ink"/></pattern>'
    '<pattern id="tier-4" width="6" height="6" patternUnits="userSpaceOnUse">'
    '<rect width="6" height="6" class="ground"/><path d="M0 0 6 6M6 0 0 6" class="line"/></pattern>'
    '</defs></svg>'
)
"""Patterns of the tiers, to be put once into a page."""


def agreement_curve(rounds: Sequence[Round]) -> Markup:
    """Draw the agreement over the rounds; empty when no round has a value."""
    width, height, left, top, floor = 440, 190, 48, 24, 150
    step = (width - left - 80) / 2
    measured = [(r.round, r.agreement) for r in rounds if r.agreement is not None]
    points = [(left + 40 + step * (number - 1), floor - (floor - top) * share, share) for number, share in measured]
    if not points:
        return Markup("")
    parts = []
    for share in (0.0, 0.5, 1.0):
        y = floor - (floor - top) * share
        parts.append(f'<line x1="{left}" x2="{width}" y1="{y:.1f}" y2="{y:.1f}" class="grid"/>'
                     f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    for number, label in ((1, "assert"), (2, "contest"), (3, "respond")):
        x = left + 40 + step * (number - 1)
        parts.append(f'<text x="{x:.1f}" y="{floor + 20}" text-anchor="middle">R{number} {label}</text>'
                     f'<text x="{x:.1f}" y="{floor + 35}" text-anchor="middle">{ROUNDS[number]}</text>')
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)
    parts.append(f'<polyline points="{path}" class="curve"/>')
    for x, y, share in points:
        above = y - 11
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" class="point"/>'
                     f'<text x="{x:.1f}" y="{above:.1f}" text-anchor="middle" class="value">{share:.0%}</text>')
    said = ", ".join(f"R{number}, {ROUNDS[number]}, {share:.0%}" for number, share in measured)
    return Markup(
        '<svg class="curve-figure" viewBox="0 0 {} {}" role="img" aria-label="Agreement by round: {}">{}</svg>'
    ).format(width, height, said, Markup("".join(parts)))


def swatch(tier: str) -> Markup:
    """Return the small square of a tier for a legend."""
    return Markup('<svg class="swatch" viewBox="0 0 21 12" aria-hidden="true">'
                  '<rect x="0.5" y="0.5" width="20" height="11" class="segment {}"/></svg>').format(_fill(tier))


def _fill(tier: str) -> str:
    return "solid" if tier == "1" else f"pattern-{'4' if tier == 'wikipedia' else tier}"
