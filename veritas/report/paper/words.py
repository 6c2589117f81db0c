"""What an audit's short codes are called in front of a reader."""

from __future__ import annotations

METRICS = {
    "credibility": ("Credibility", "whether trustworthy sources say so too"),
    "relevance": ("Relevance", "whether what was found bears on the statement"),
    "evidence_strength": ("Evidence strength", "how much data or proof stands behind it, and of what kind"),
    "method_rigor": ("Method rigor", "whether what was done can carry it"),
    "reproducibility": ("Reproducibility", "whether code, data or steps are there to do it again"),
    "citation_support": ("Citation support", "whether the works it cites exist, stand, and say so"),
}

COMPONENTS = {
    "bridge_coverage": (
        "Bridge coverage",
        "share of the statements that stand between a hypothesis and a conclusion; by the rules veritas each counts as "
        "much as it is trusted",
    ),
    "best_path": ("Best path", "how sure the strongest chain from a hypothesis to a conclusion is"),
    "redundancy": ("Redundancy", "how many ways lead to a conclusion that share nothing"),
    "fragility": ("Fragility", "how little it takes to break the argument: it counts against the score"),
    "coherence": ("Coherence", "share of the links that join roles which belong together"),
    "coverage": ("Coverage", "how many of evidence, method and result are there"),
}

FEATURES = {
    "role_prior": "how plausible a link between such roles is",
    "parent_quality": "quality of the parent",
    "child_quality": "quality of the child",
    "alignment": "words the two share",
    "synergy": "metrics that matter for this pair",
}

FLAWS = {
    "contradicted": "Contradicted",
    "citation": "Citation at fault",
    "unsupported": "Little supports it",
    "weak-link": "Weak link",
    "missing-part": "Missing part",
    "not-assessable": "Could not be assessed",
    "dangling": "Leads nowhere",
}

DECISIONS = {
    "grounded": ("✓", "grounded"),
    "contradicted": ("✗", "contradicted"),
    "unverified": ("–", "unverified"),
    "halted": ("?", "halted: nobody could judge it"),
    "not-asked": ("·", "no statement of fact to judge"),
}

PERSONS = {
    "pending": "waits for a person",
    "approved": "let in by",
    "rejected": "rejected by a person",
    "withdrawn": "a person's word was taken back",
    "expired": "left out when the time was up",
}

SAID = {"approve": "Let in", "reject": "Rejected", "withdraw": "Taken back"}

LABELS = {
    "supports": ("✓", "supports"),
    "refutes": ("✗", "refutes"),
    "silent": ("–", "silent"),
    "about": ("·", "speaks of it"),
    "unavailable": ("?", "unavailable"),
}

SOURCES = {
    "paper": "the paper itself",
    "reference": "a work it cites",
    "corpus": "the corpus",
    "web": "the web",
    "registry": "a registry",
}

VERDICTS = {
    "verified": "exists as cited",
    "minor": "exists, differs in a detail",
    "misattributed": "misattributed",
    "retracted": "retracted",
    "withdrawn": "withdrawn",
    "fabricated": "does not exist",
    "cannot_confirm": "could not be confirmed",
    "unavailable": "could not be checked: unavailable",
    "in_corpus": "in the corpus",
    "not_checked": "not checked",
}
