"""The ten roles' definitions, and the roles that may rest on each (Appendix D; constraints of Algorithm 1)."""

from __future__ import annotations

from veritas.scoring.roles import ROLES

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
