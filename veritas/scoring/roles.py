"""The ten roles of nodes in a paper's argument, their aliases, and the six metrics (Appendix D)."""

from __future__ import annotations

ROLES: tuple[str, ...] = (
    "Assumption",
    "Claim",
    "Conclusion",
    "Context",
    "Counterevidence",
    "Evidence",
    "Hypothesis",
    "Limitation",
    "Method",
    "Result",
)
"""The roles, in the order of every array and export that has a column for each."""

METRICS: tuple[str, ...] = (
    "credibility",
    "relevance",
    "evidence_strength",
    "method_rigor",
    "reproducibility",
    "citation_support",
)
"""The metrics, in the order of every array and export that has a column for each; each lies in [0, 1]."""

ROLE_NUMBER: dict[str, int] = {role: number for number, role in enumerate(ROLES)}

HYPOTHESIS = ROLE_NUMBER["Hypothesis"]
CONCLUSION = ROLE_NUMBER["Conclusion"]
COUNTEREVIDENCE = ROLE_NUMBER["Counterevidence"]
LIMITATION = ROLE_NUMBER["Limitation"]
KEY_ROLES: tuple[int, ...] = (ROLE_NUMBER["Evidence"], ROLE_NUMBER["Method"], ROLE_NUMBER["Result"])
"""The roles whose presence on the bridge is `coverage`."""

_BY_NAME: dict[str, int] = ROLE_NUMBER | {role.lower(): number for role, number in ROLE_NUMBER.items()} | {
    "h": HYPOTHESIS,
    "hypothesisroot": HYPOTHESIS,
    "c": CONCLUSION,
    "conclusionroot": CONCLUSION,
    "contex": ROLE_NUMBER["Context"],
}


def role_number(name: str) -> int | None:
    """Return the index in `ROLES` of a role in any case, with outer blanks, or by an alias; else None."""
    number = _BY_NAME.get(name)
    return number if number is not None else _BY_NAME.get(name.strip().lower())
