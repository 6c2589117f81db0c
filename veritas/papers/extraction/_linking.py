"""Link statements without a language model: by role priors, shared words and numbers, order, discourse.

The ten roles' definitions, and the roles that may rest on each (Appendix D; constraints of Algorithm 1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from veritas.papers.audit import AuditEdge
from veritas.scoring.roles import ROLES
from veritas.text.stems import stem
from veritas.text.tokens import tokenise

DEFINITIONS: dict[str, str] = {
    "Hypothesis": "What the paper sets out to show or to find out: its central proposition, question or contribution.",
    "Context": "Background that frames the work: the problem, its importance, what was known before.",
    "Assumption": "What the work takes for granted: a premise, an idealisation, a condition it does not test.",
    "Method": "How it was done: procedure, algorithm, design, data collection, analysis.",
    "Evidence": "An observation, a datum or a finding of earlier work, given in support of something.",
    "Result": "What came out when the method was applied: a measurement, a comparison, an outcome.",
    "Claim": "What the authors assert on the strength of reasons or evidence, short of the final takeaway.",
    "Counterevidence": "An observation or datum that speaks against a claim or a result of this paper.",
    "Limitation": "A weakness, a restriction of scope or a threat to validity that the paper admits.",
    "Conclusion": "The takeaway that answers the hypothesis and draws the results together.",
}

_ANY = frozenset(ROLES)

ALLOWED: dict[str, frozenset[str]] = {
    # parent -> the children that may rest on it. The hypothesis opens the argument, the conclusion closes it.
    "Hypothesis": _ANY - {"Hypothesis"},
    "Context": _ANY - {"Hypothesis"},
    "Assumption": _ANY - {"Hypothesis", "Context"},
    "Method": _ANY - {"Hypothesis", "Context"},
    "Evidence": _ANY - {"Hypothesis", "Context"},
    "Result": _ANY - {"Hypothesis", "Context", "Assumption"},
    "Claim": _ANY - {"Hypothesis", "Context"},
    "Counterevidence": frozenset({"Claim", "Result", "Conclusion", "Limitation", "Counterevidence"}),
    "Limitation": frozenset({"Limitation", "Claim", "Conclusion"}),
    "Conclusion": frozenset({"Conclusion", "Limitation"}),
}
"""The children that each parent may support. Any other pair reverses the argument."""


def may_support(parent: str, child: str) -> bool:
    """Return whether a node of role `child` may rest on one of role `parent`; both of the ten."""
    return child in ALLOWED[parent]


if TYPE_CHECKING:
    from veritas.papers.extraction.statements import Statements, Taken

RANK = {
    "Hypothesis": 0, "Context": 1, "Assumption": 2, "Method": 3, "Evidence": 4, "Result": 5, "Counterevidence": 6,
    "Claim": 7, "Conclusion": 8, "Limitation": 9,
}  # fmt: skip
"""Ranks of roles. Edges lead from a lower rank to a higher, so there is no cycle."""

# Prior that the child (second) rests on the parent (first). A pair that is missing is not linked.
NATURAL: dict[tuple[str, str], float] = {
    ("Hypothesis", "Context"): 0.5, ("Hypothesis", "Assumption"): 0.45,
    ("Context", "Claim"): 0.5, ("Context", "Evidence"): 0.4, ("Context", "Method"): 0.3,
    ("Assumption", "Method"): 0.7, ("Assumption", "Claim"): 0.55, ("Assumption", "Result"): 0.3,
    ("Hypothesis", "Method"): 0.7, ("Hypothesis", "Evidence"): 0.6, ("Hypothesis", "Claim"): 0.65,
    ("Method", "Result"): 0.85, ("Method", "Evidence"): 0.4, ("Method", "Claim"): 0.35,
    ("Evidence", "Claim"): 0.65, ("Evidence", "Result"): 0.15, ("Evidence", "Conclusion"): 0.45,
    ("Result", "Conclusion"): 0.85, ("Result", "Claim"): 0.6, ("Result", "Limitation"): 0.45,
    ("Claim", "Conclusion"): 0.7, ("Method", "Limitation"): 0.5, ("Claim", "Limitation"): 0.35,
    ("Result", "Counterevidence"): 0.3, ("Method", "Counterevidence"): 0.35,
    ("Counterevidence", "Claim"): 0.7, ("Counterevidence", "Conclusion"): 0.6,
}  # fmt: skip

LAST: dict[tuple[str, str], float] = {("Hypothesis", "Result"): 0.2, ("Hypothesis", "Conclusion"): 0.1}
"""Links that skip steps of the argument: only for a child that no other node in the graph could support."""

ENOUGH = 0.62
"""Least weight of a link beyond the best one of its child."""
MOST_PARENTS = 3
NEAR = 6
"""Statements between two that still count as close together."""
CONSEQUENCE = re.compile(r"(?:therefore|thus|hence|consequently|accordingly|as a result|it follows)\b", re.IGNORECASE)
"""Openings that link a statement to the one before it."""


def link(taken: Sequence[Taken], names: Mapping[int, str], statements: Statements, factor: float) -> list[AuditEdge]:
    """Return the edges: for each node the parents of the highest weight, and a way from the hypothesis to every node
    and on to a conclusion. `factor` makes links harder (above 1) or easier to get."""
    weights = {
        (a.statement.order, b.statement.order): _weight(a, b, statements)
        for a in taken
        for b in taken
        if RANK[a.base] < RANK[b.base] and NATURAL.get((a.base, b.base), 0.0) > 0 and may_support(a.base, b.base)
    }
    edges: dict[tuple[int, int], tuple[float, str]] = {}
    for child in taken:
        offers = sorted(
            ((weight, a, why) for (a, b), (weight, why) in weights.items() if b == child.statement.order),
            key=lambda offer: (-offer[0], offer[1]),
        )
        if not offers:
            roots = [a for a in taken if (a.base, child.base) in LAST]
            made = [(_weight(a, child, statements), a.statement.order) for a in roots]
            offers = [(weight, order, why) for (weight, why), order in sorted(made, reverse=True)[:1]]
        for number, (weight, parent, why) in enumerate(offers[:MOST_PARENTS]):
            if number == 0 or weight >= ENOUGH * factor:
                edges[parent, child.statement.order] = weight, why
    by_order = {t.statement.order: t for t in taken}
    _lead_on(taken, weights, edges)
    return [
        AuditEdge(parent=names[a], child=names[b], why=why, weight=round(min(1.0, weight), 4))
        for (a, b), (weight, why) in sorted(edges.items(), key=lambda e: (e[0][0], e[0][1]))
        if a in by_order and b in by_order
    ]


def _lead_on(
    taken: Sequence[Taken],
    weights: Mapping[tuple[int, int], tuple[float, str]],
    edges: dict[tuple[int, int], tuple[float, str]],
) -> None:
    """Link every node that should lead somewhere, and leads nowhere, to its best child."""
    for node in taken:
        order = node.statement.order
        if node.base in ("Conclusion", "Limitation", "Counterevidence") or any(a == order for a, _ in edges):
            continue
        best = max(
            ((weight, -b, why) for (a, b), (weight, why) in weights.items() if a == order),
            default=None,
        )
        if best is not None:
            edges[order, -best[1]] = best[0], best[2]


def _weight(parent: Taken, child: Taken, statements: Statements) -> tuple[float, str]:
    """Return the weight of the link, 0 to about 1.5, and its strongest reasons in words."""
    one, other = parent.statement, child.statement
    natural = NATURAL.get((parent.base, child.base)) or LAST[parent.base, child.base]
    likeness = statements.likeness(one, other)
    shared = one.figures & other.figures
    gap = other.order - one.order
    said: list[tuple[float, str]] = [(0.55 * natural, f"{parent.base} before {child.base}")]
    if likeness > 0.03:
        words = sorted(one.bag.keys() & other.bag.keys(), key=lambda t: (-statements.rarity[t], t))[:3]
        written = {stem(word): word for word in (*tokenise(one.text), *reversed(tokenise(other.text)))}
        said.append((1.2 * min(0.5, likeness), f"both speak of {', '.join(written.get(t, t) for t in words)}"))
    if shared:
        said.append((0.25, f"both state {', '.join(sorted(shared)[:2])}"))
    if one.place.section == other.place.section and 0 < abs(gap) <= NEAR:
        said.append((0.12 if one.paragraph != other.paragraph else 0.22, "they stand together"))
    if 0 < gap <= 3 and CONSEQUENCE.match(other.text):
        said.append((0.45, f"it opens with “{' '.join(other.text.split()[:2])}” after it"))
    if gap > 0:
        said.append((0.06, "it comes after it"))
    said.sort(key=lambda s: -s[0])
    return sum(weight for weight, _ in said), "; ".join(dict.fromkeys(text for _, text in said[:2]))
