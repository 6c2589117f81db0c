"""Reader's words for an audit's short codes."""

from __future__ import annotations

from collections.abc import Iterable

from veritas.documents.paper_parts import Reference
from veritas.papers.audit import PaperEvidence
from veritas.papers.flaw import OpenPoint

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

FLAWS = {
    "contradicted": "Contradicted",
    "citation": "Citation at fault",
    "circular": "Circular",
    "uncited": "Cites nobody",
    "dangling": "Citation without an entry",
}
"""Words for the specific flaws."""

OPEN = {
    "unsupported": "Nothing that was asked bears it out",
    "citation": "Citation to look up by hand",
    "missing-part": "Not found by the reader",
    "weak-link": "Unsure link",
    "not-assessable": "Could not be assessed",
}
"""Words for what is left open."""


def reasons(points: Iterable[OpenPoint]) -> list[tuple[str, str, list[str]]]:
    """Return what is open, each kind and reason once, with its subjects."""
    found: dict[tuple[str, str], list[str]] = {}
    for point in points:
        found.setdefault((point.kind, point.why), []).append(point.subject)
    return [(kind, why, subjects) for (kind, why), subjects in found.items()]


DECISIONS = {
    "grounded": ("✓", "grounded"),
    "contradicted": ("✗", "contradicted"),
    "unverified": ("–", "unverified"),
    "halted": ("?", "halted: it could not be checked"),
    "not-asked": ("", "no statement of fact to judge"),
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
    "about": ("", "speaks of it"),
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

_WHERE = ("journal", "booktitle", "publisher", "school", "howpublished")
_SHELVES = {"the paper": "in the paper", "its references": "in its references", "corpus": "in the corpus"}


def looked_for(piece: PaperEvidence, statement: str) -> str:
    """Return by whom and for what words a passage was found, as a sentence; "" if nobody searched."""
    if not piece.query:
        return ""
    where = _SHELVES.get(piece.provider, f"by {piece.provider}")
    words = "the statement's words" if piece.query == statement else f"“{piece.query.rstrip('. ')}”"
    return f"Found {where} for {words}."


def ended(text: str) -> str:
    """Return words with a full stop, unless they end in a mark."""
    said = text.strip()
    return said if not said or said.rstrip("\"'”’)»")[-1:] in tuple(".!?…") else f"{said}."


def cited_as(reference: Reference) -> str:
    """Return a reference for reading: its own words, or those of a `.bib` entry's fields put in order."""
    fields = {name: value.replace("{", "").replace("}", "").strip() for name, value in reference.fields.items()}
    if not (reference.raw.lstrip().startswith("@") and fields.get("title")):
        return reference.raw
    people = "; ".join(name.strip() for name in (fields.get("author") or fields.get("editor") or "").split(" and "))
    place = next((fields[name] for name in _WHERE if fields.get(name)), "")
    dated = ", ".join(part for part in (place, fields.get("year", "")) if part)
    known = f"doi:{fields['doi']}" if fields.get("doi") else f"arXiv:{fields['eprint']}" if fields.get("eprint") else ""
    return " ".join([*(ended(part) for part in (people, fields["title"], dated) if part), *([known] if known else [])])
