"""The argument graph as SVG: roles by shape and colour, trust by intensity, the best path by weight of line.

It is used alone (an export) and in the page, whose style sheet and script address it by its classes and `data-`
attributes.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from textwrap import shorten, wrap

from markupsafe import Markup, escape

from veritas.report.paper.graph_layout import Point, layered
from veritas.report.paper.view import Bounds, EdgeView, NodeView, PaperView, spoken
from veritas.text.visible import one_line

# Paul Tol's muted scheme, two of its colours darkened to stand on white: distinct under every colour blindness.
COLOURS: dict[str, str] = {
    "Hypothesis": "#332288",
    "Context": "#7a7a7a",
    "Assumption": "#b59a2a",
    "Method": "#44aa99",
    "Evidence": "#117733",
    "Result": "#999933",
    "Claim": "#aa4499",
    "Counterevidence": "#cc6677",
    "Limitation": "#4a9cc9",
    "Conclusion": "#882255",
}
"""Colours by role, in the order of the legend."""

_BAD, _WARN = "#9b1c1c", "#7a4e05"
HATCH = (
    '<pattern id="unknown" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<line x1="0" y1="0" x2="0" y2="7" stroke="#8b867b" stroke-width="1.6" opacity="0.45"/></pattern>'
)
_STYLE = (
    "text{font-family:'Liberation Sans',Arial,sans-serif;fill:#1d1c1a}"
    ".ground{fill:#fff}.edge{fill:none;stroke:#5d5a53}.edge.path{stroke:#1d1c1a}.label{font-size:10px;fill:#5d5a53}"
    f".edge.weak{{stroke:{_WARN}}}.unsure{{fill:{_WARN}}}.flag{{fill:{_BAD}}}"
    ".flag,.unsure{stroke:#fff;stroke-width:2.5px;paint-order:stroke}"
    ".far-only,.close-only{display:none}"
)


@dataclass(frozen=True)
class _Card:
    """The size of nodes, and the amount of text in them."""

    size: Point
    gap: Point
    font: float
    lines: int
    columns: int
    stacked: bool = False
    """True if trust stands below the words, with the id, because the role takes the whole width."""


_CARDS = (
    (28, _Card((196, 84), (26, 50), 11.0, 3, 30)),
    (90, _Card((124, 60), (16, 44), 10.0, 1, 18, stacked=True)),
    (10**9, _Card((54, 24), (10, 34), 9.0, 0, 0)),
)
_SMALL = 4.2
"""Font size of the words in small nodes, legible when zoomed in."""
_SLANTED = frozenset({"Hypothesis", "Method", "Assumption", "Counterevidence"})
"""Shapes with slanted sides, from which words keep a larger distance."""
_MARGIN = 14.0


def draw(view: PaperView, alone: bool = False) -> Markup:
    """Draw the graph; empty if there is none. `alone`: with its own style, to be saved as a file."""
    if not view.nodes:
        return Markup("")
    card = next(card for most, card in _CARDS if len(view.nodes) <= most)
    layout = layered(len(view.nodes), [(e.tail, e.head) for e in view.edges], card.size, card.gap)
    width, height = layout.width + 2 * _MARGIN, layout.height + 2 * _MARGIN
    lines = [_edge(view, e, layout.edges[e.place], card) for e in sorted(view.edges, key=lambda e: e.on_path)]
    row = {v: number for number, layer in enumerate(layout.layers) for v in layer}
    order = [v for layer in layout.layers for v in layer]
    boxes = [_node(view, view.nodes[v], layout.nodes[v], card, row[v]) for v in order]
    parts = [
        Markup('<svg xmlns="http://www.w3.org/2000/svg" id="argument"{} viewBox="0 0 {:.1f} {:.1f}"').format(
            Markup("") if card.lines > 1 else Markup(' class="large"'), width, height
        ),
        Markup(' width="{:.0f}" height="{:.0f}"').format(width, height),
        Markup(' role="group" aria-label="Argument graph: {} nodes, {} edges">').format(
            len(view.nodes), len(view.edges)
        ),
        Markup("<style>{}</style>").format(Markup(_STYLE)) if alone else Markup(""),
        Markup("<title>{}</title>").format(one_line(view.audit.paper.title)) if alone else Markup(""),
        Markup(
            '<defs>{}<marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
            'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.5 8 4 0 7.5z" class="head" fill="#5d5a53"/>'
            "</marker></defs>"
        ).format(Markup(HATCH)),
        Markup('<g class="edges">{}</g><g class="nodes">{}</g></svg>').format(
            Markup("").join(lines), Markup("").join(boxes)
        ),
    ]
    return Markup("").join(parts)


def _edge(view: PaperView, edge: EdgeView, points: tuple[Point, ...], card: _Card) -> Markup:
    """Draw a smooth line through its points, as thick as its confidence; dashed if that is unknown. Through a layer it
    goes straight down, since a bend there would run behind the node beside it."""
    half = card.size[1] / 2
    through = [(x + _MARGIN, y + _MARGIN) for x, y in points]
    (x0, y0), (xn, yn) = through[0], through[-1]
    through[0], through[-1] = (x0, y0 + half), (xn, yn - half - 1)
    path = f"M{through[0][0]:.1f} {through[0][1]:.1f}"
    for place, ((ax, ay), (bx, by)) in enumerate(pairwise(through), 1):
        top, bottom = (ay + half if place > 1 else ay), (by - half if place < len(through) - 1 else by)
        bend = (bottom - top) * 0.6
        path += f"V{top:.1f}C{ax:.1f} {top + bend:.1f} {bx:.1f} {bottom - bend:.1f} {bx:.1f} {bottom:.1f}"
    names = view.nodes[edge.tail].node.id, view.nodes[edge.head].node.id
    line = Markup(
        '<path d="{}" class="edge{}{}" data-edge="{}" stroke-width="{}" {}marker-end="url(#arrow)">'
        "<title>{} to {}: confidence {}{}</title></path>"
    ).format(
        path,
        " path" if edge.on_path else "",
        " weak" if edge.points else "",
        edge.place,
        f"{thickness(edge.confidence, edge.on_path):.2f}",
        Markup('stroke-dasharray="4 3" ') if open_ended(edge.confidence) else Markup(""),
        *map(one_line, names),
        spoken(edge.confidence),
        "".join(f"; unsure link: {one_line(point.why)}" for point in edge.points),
    )
    if not edge.points:
        return line
    # The label is on the line, halfway down its last bend.
    (ax, ay), (bx, by) = through[-2:]
    x, y = (ax + bx) / 2, ((ay + half if len(through) > 2 else ay) + by) / 2
    return line + Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="15" text-anchor="middle" class="unsure" data-flag="{}" '
        'aria-hidden="true">?</text>'
    ).format(x, y + 5, edge.place)


def thickness(confidence: Bounds | None, on_path: bool) -> float:
    """Return the width of an edge's line, in the drawing's units, by the lower bound of its confidence."""
    return 0.8 + 2.4 * (confidence[0] if confidence else 0.0) + (1.6 if on_path else 0.0)


def open_ended(bounds: Bounds | None) -> bool:
    """Return whether a number is not known to the second digit."""
    return bounds is None or bounds[1] - bounds[0] > 0.01


def _node(view: PaperView, item: NodeView, at: Point, card: _Card, row: int) -> Markup:
    node, (w, h) = item.node, card.size
    colour = COLOURS.get(node.base_role, "#7a7a7a")
    outline = shape(node.base_role, w, h)
    trust = spoken(item.trust)
    ground = Markup('<path d="{}" class="ground" fill="#fff"/>').format(outline)
    fill = Markup('<path d="{}" class="fill" fill="{}" fill-opacity="{:.3f}"/>').format(
        outline, colour, intensity(item.trust)
    )
    hatch = Markup('<path d="{}" class="hatch" fill="url(#unknown)"{}/>').format(
        outline, Markup("") if open_ended(item.trust) else Markup(' visibility="hidden"')
    )
    line = Markup('<path d="{}" class="outline" fill="none" stroke="{}" stroke-width="{}"/>').format(
        outline, colour, "2.6" if item.on_path else "1.4"
    )
    if node.base_role == "Conclusion":
        inner = 7 if card.lines else 3
        line += Markup('<path d="{}" class="outline" fill="none" stroke="{}" stroke-width="1"/>').format(
            shape(node.base_role, w - inner, h - inner), colour
        )
    text = one_line(node.text)
    link = Markup(
        '<a href="#{}" class="node" id="at-{}" data-node="{}" data-role="{}" data-row="{}" {}'
        'transform="translate({:.1f} {:.1f})"><title>{} {}, trust {}: {}</title>'
    ).format(
        f"node-{item.place}",
        item.place,
        item.place,
        node.base_role,
        row,
        Markup('data-flawed="1" ') if item.flagged else Markup(""),
        at[0] + _MARGIN,
        at[1] + _MARGIN,
        one_line(node.role),
        one_line(node.id),
        trust,
        shorten(text, 400, placeholder=" …"),
    )
    return link + ground + fill + hatch + line + _words(item, text, card, trust) + Markup("</a>")


def _words(item: NodeView, text: str, card: _Card, trust: str) -> Markup:
    w, h = card.size
    role = one_line(item.node.role)
    flag = "⚑ " if item.flagged else ""
    short = shorten(one_line(item.node.id), 9, placeholder="…") or one_line(item.node.id)[:8]
    if not card.lines:
        far = Markup('<text text-anchor="middle" y="8" font-size="24" class="flag far-only">⚑</text>')
        return Markup('<text text-anchor="middle" y="3" font-size="{}" class="head">{}{}</text>{}{}').format(
            card.font, flag, short, far if item.flagged else Markup(""), _small(text, card, flag + role, short, trust)
        )
    inset = 18 if item.node.base_role in _SLANTED and not card.stacked else 14
    left, right, top, bottom = -w / 2 + inset, w / 2 - inset, -h / 2 + card.font + 7, h / 2 - 9
    head = Markup(
        '<text x="{:.1f}" y="{:.1f}" font-size="{}" font-weight="600">{}{}</text>'
        '<text x="{:.1f}" y="{:.1f}" font-size="{}" text-anchor="end" class="trust">{}</text>'
    ).format(
        left, top, card.font, flag, shorten(role, 20, placeholder="…"),
        right, bottom if card.stacked else top, card.font, trust,
    )  # fmt: skip
    if card.stacked:
        head += Markup('<text x="{:.1f}" y="{:.1f}" font-size="{}" class="id">{}</text>').format(
            left, bottom, card.font, short
        )
    body = wrap(text, card.columns, max_lines=card.lines, placeholder=" …", break_long_words=True) if text else []
    lines = Markup("").join(
        Markup('<text x="{:.1f}" y="{:.1f}" font-size="{}">{}</text>').format(
            left, top + (number + 1) * (card.font + 4), card.font, escape(line)
        )
        for number, line in enumerate(body)
    )
    return head + lines


def _small(text: str, card: _Card, role: str, name: str, trust: str) -> Markup:
    """Return a small node's text: role, the beginning of its words, id and trust."""
    left, right, font = -card.size[0] / 2 + 6, card.size[0] / 2 - 6, _SMALL
    rows = [shorten(role, 20, placeholder="…")]
    rows += wrap(text, 20, max_lines=2, placeholder=" …", break_long_words=True) if text else []
    rows += [""] * (3 - len(rows))
    lines = Markup("").join(
        Markup('<text x="{:.1f}" y="{:.1f}" font-size="{}"{}>{}</text>').format(
            left, -7.0 + 5.0 * number, font, Markup(' font-weight="600"') if not number else Markup(""), row
        )
        for number, row in enumerate([*rows, name])
        if row
    )
    end = Markup('<text x="{:.1f}" y="8.0" font-size="{}" text-anchor="end" class="trust">{}</text>')
    return Markup('<g class="close-only">{}{}</g>').format(lines, end.format(right, font, trust))


def intensity(trust: Bounds | None) -> float:
    """Return how strongly a node is filled, by the lower bound of its trust; text on it is legible at any value."""
    return 0.0 if trust is None else 0.05 + 0.5 * trust[0]


def shape(role: str, w: float, h: float) -> str:
    """Return the outline of a role as an SVG path, centred on the origin."""
    x, y, c = w / 2, h / 2, min(11.0, h / 3)
    points = {
        "Hypothesis": [(-x + c, -y), (x - c, -y), (x, 0), (x - c, y), (-x + c, y), (-x, 0)],
        "Conclusion": [
            (-x + c, -y), (x - c, -y), (x, -y + c), (x, y - c), (x - c, y), (-x + c, y), (-x, y - c), (-x, -y + c),
        ],
        "Method": [(-x + c, -y), (x - c, -y), (x, y), (-x, y)],
        "Result": [(-x, -y), (x - c, -y), (x, -y + c), (x, y), (-x, y)],
        "Assumption": [(-x + c, -y), (x, -y), (x - c, y), (-x, y)],
        "Counterevidence": [(-x, -y), (x, -y), (x - c, 0), (x, y), (-x, y), (-x + c, 0)],
        "Limitation": [(-x, -y), (x, -y), (x, y - c), (x - c, y), (-x + c, y), (-x, y - c)],
        "Evidence": [(-x, -y), (x, -y), (x, y), (-x, y)],
    }.get(role)
    if points:
        return "M" + "L".join(f"{px:.1f} {py:.1f}" for px, py in points) + "z"
    r = min(22.0, y) if role == "Context" else min(7.0, y)
    return (
        f"M{-x + r:.1f} {-y:.1f}H{x - r:.1f}A{r:.1f} {r:.1f} 0 0 1 {x:.1f} {-y + r:.1f}V{y - r:.1f}"
        f"A{r:.1f} {r:.1f} 0 0 1 {x - r:.1f} {y:.1f}H{-x + r:.1f}A{r:.1f} {r:.1f} 0 0 1 {-x:.1f} {y - r:.1f}"
        f"V{-y + r:.1f}A{r:.1f} {r:.1f} 0 0 1 {-x + r:.1f} {-y:.1f}z"
    )


def swatch(role: str) -> Markup:
    """Return the small shape of a role for the legend."""
    outline, colour = shape(role, 24, 14), COLOURS.get(role, "#7a7a7a")
    inner = Markup('<path d="{}" fill="none" stroke="{}" stroke-width="0.8"/>').format(shape(role, 19, 9), colour)
    return Markup(
        '<svg class="role-mark" viewBox="-13 -8 26 16" aria-hidden="true"><path d="{}" fill="{}" fill-opacity="0.35" '
        'stroke="{}" stroke-width="1.3"/>{}</svg>'
    ).format(outline, colour, colour, inner if role == "Conclusion" else Markup(""))
