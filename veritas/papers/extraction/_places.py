"""The places of each role in a paper: its sections, and within an abstract its parts."""

from __future__ import annotations

from veritas.documents.paper_parts import SectionName
from veritas.papers.extraction.abstract_labels import Part
from veritas.papers.extraction.sentence_model import OWN, Chances

SECTIONS: dict[str, dict[SectionName, float]] = {
    "Hypothesis": {"abstract": 1.4, "introduction": 1.2, "theory": 0.5},
    "Context": {"introduction": 1.4, "background": 1.2, "abstract": 0.8},
    "Assumption": {"theory": 0.7, "methods": 0.7, "introduction": 0.2, "discussion": 0.2, "limitations": 0.2},
    "Method": {"methods": 1.5, "data": 1.4, "theory": 0.6, "abstract": 0.3, "other": 0.4, "results": 0.2},
    "Evidence": {"background": 1.0, "introduction": 0.9, "discussion": 0.6, "data": 0.3},
    "Result": {"results": 1.8, "abstract": 0.9, "conclusion": 0.5, "discussion": 0.5, "other": 0.3},
    "Claim": {"introduction": 0.6, "discussion": 1.0, "methods": 0.5, "results": 0.4, "theory": 0.6, "other": 0.5},
    "Counterevidence": {"results": 0.8, "discussion": 0.7},
    "Limitation": {"limitations": 2.2, "discussion": 0.6, "conclusion": 0.3, "results": 0.1},
    "Conclusion": {"conclusion": 2.4, "abstract": 0.5, "discussion": 0.7},
}
"""Weight for a role of a statement's kind of section."""

AT_HOME: dict[str, frozenset[SectionName]] = {
    "Counterevidence": frozenset({"results", "discussion", "limitations", "conclusion", "abstract", "other"}),
    "Conclusion": frozenset({"conclusion", "abstract", "discussion", "results", "introduction", "other"}),
    "Hypothesis": frozenset({"abstract", "introduction", "theory", "background", "other"}),
}
"""The only sections in which a statement of one of these roles can stand."""

WITHIN: dict[str, dict[Part, float]] = {
    "Hypothesis": {"background": -2.0, "objective": 3.0, "methods": -1.5, "results": -0.8, "conclusions": -1.5},
    "Context": {"background": 3.0, "objective": -2.0, "methods": -2.5, "results": -2.5, "conclusions": -2.5},
    "Assumption": {"background": -0.5, "objective": -0.5, "methods": 0.5, "results": -1.0, "conclusions": -0.5},
    "Method": {"background": -2.5, "objective": -1.5, "methods": 3.0, "results": -2.0, "conclusions": -2.5},
    "Evidence": {"background": 0.8, "objective": -1.5, "methods": -2.5, "results": -1.5, "conclusions": -1.5},
    "Result": {"background": -2.5, "objective": -2.5, "methods": -2.0, "results": 3.0, "conclusions": -1.0},
    "Claim": {"background": -1.5, "objective": -1.5, "methods": -2.5, "results": -1.0, "conclusions": 2.0},
    "Counterevidence": {"background": -2.0, "objective": -2.5, "methods": -2.5, "results": 1.2, "conclusions": -0.5},
    "Limitation": {"background": -2.5, "objective": -2.5, "methods": -1.5, "results": -1.5, "conclusions": 0.8},
    "Conclusion": {"background": -2.5, "objective": -2.5, "methods": -2.5, "results": -1.0, "conclusions": 3.2},
}
"""Weight for a role of a sentence's part, in an abstract that stands alone. Above a body it counts half, because there
the sections hold the full argument."""
ABOVE_A_BODY = 0.5

LIKELY = 0.35
"""Least chance of one of its parts that a statement of these roles must have in an abstract."""
PARTS_OF: dict[str, tuple[Part, ...]] = {
    "Context": ("background",),
    "Method": ("methods",),
    "Result": ("results",),
    "Evidence": ("background", "results"),
    "Conclusion": ("conclusions",),
}
AT_THE_END = 0.1
"""The least chance for a conclusion at the very end of an abstract, where many stop at a finding."""
CERTAIN = 0.9
"""The chance from which a sentence is an abstract's aim even if it does not mention the paper's own work."""


def within(role: str, chances: Chances) -> float:
    """Return the weight for a role of the parts of the abstract that a sentence may belong to."""
    return sum(chance * WITHIN[role][part] for part, chance in chances.items())


def likely(role: str, chances: Chances, last: bool = False) -> bool:
    """Return whether a sentence of an abstract may be of a role by its part. `last`: it is the last of the abstract."""
    least = AT_THE_END if last and role == "Conclusion" else LIKELY
    return role not in PARTS_OF or sum(chances[part] for part in PARTS_OF[role]) >= least


def is_aim(text: str, chances: Chances) -> bool:
    """Return whether a sentence of an abstract stands where its aim does, and mentions the paper's own work."""
    return chances["objective"] >= (LIKELY if OWN.search(text) else CERTAIN)
