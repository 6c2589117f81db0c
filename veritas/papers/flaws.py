"""Find the specific flaws of a paper, gravest first, each with its reason: what can be shown to be false.

They come from the statements of all readings, not of the one that is shown. What could not be assessed is no flaw:
`veritas.papers.open_points`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.documents.paper_parts import Reference
from veritas.papers.audit import AuditNode, PaperAudit
from veritas.papers.flaw import Flaw
from veritas.papers.reading.list_doubt import dangling, doubt_of_citations

GRAVE = {"fabricated": 0.95, "retracted": 0.95, "withdrawn": 0.9, "misattributed": 0.7}
"""Severity of a registry's verdict on a reference that carries the argument."""
ACCUSING = frozenset({"Evidence", "Claim", "Result", "Conclusion"})
"""Roles that state facts. Methods, assumptions and questions need no support."""
_NO_FINDING = re.compile(
    r"^\W*(?:(?:supplementary |extended data )?(?:fig(?:ure)?|table|scheme|box)s?\.?\s*S?\d+[A-Za-z]?\s*[.:|—–-]"
    r"|\([A-Za-z]\)\s)"
    r"|\b(?:be|are|is|were|was) (?:found|shown|given|listed|summari[sz]ed|provided|reported|described|presented"
    r"|defined|detailed|available|depicted|illustrated|discussed) (?:\w+ )?(?:(?:in|by|at|on|from|as)"
    r" .{0,40}\b(?:tables?|fig(?:ure)?s?|sections?|eqs?|equations?|appendix|supplement\w*|files?|https?|github"
    r"|repository|database|ref)\b|below\b|above\b)"
    r"|\b(?:fig(?:ure)?|table|section|eq(?:uation)?|appendix|supplement\w*)s?\.?\s*[\w().-]*\s"
    r"(?:shows?|lists?|gives?|summari[sz]es|presents?|provides?|depicts?|illustrates?|describes?|compares?|reports?)\b"
    r"|\b(?:see|cf\.|refer to) (?:also )?(?:fig|table|section|eq|appendix|supplement)"
    r"|\b(?:defined? (?:as|by|to be)|we (?:define|denote|call)|denotes?|stands? for|refers? to)\b"
    r"|\bfund(?:ed|ing)\b.{0,80}\b(?:by|from|agency|council|foundation|grant)"
    r"|\bsupported by\b.{0,120}\b(?:grant|fund|fellowship|foundation|council|award|program)"
    r"|\b(?:grant (?:no|number|agreement)|acknowledg(?:e|es) |thank(?:s|ful)?\b|conflicts? of interest"
    r"|competing interests?)",
    re.IGNORECASE,
)
"""Captions, cross-references, definitions and acknowledgements: they state no finding that could be supported."""


def find_flaws(audit: PaperAudit) -> tuple[Flaw, ...]:
    """Return the specific flaws of all readings and of the reference list, gravest first. If the reference list may
    not be read whole, nothing in them is about citations."""
    by_id = {node.id: node for node in audit.nodes}
    found = [*_contradicted(audit)]
    if doubt_of_citations(audit.references, audit.markers, audit.events) is None:
        found += [*_of_references(audit), *_dangling(audit)]
    return _each_once(sorted(found, key=lambda flaw: -flaw.severity), by_id)


def states_a_finding(node: AuditNode) -> bool:
    """Return whether a statement is a finding, which can lack support; False for captions, definitions and thanks."""
    return node.base_role in ACCUSING and not _NO_FINDING.search(node.text)


def accused_references(audit: PaperAudit) -> Iterator[tuple[Reference, str]]:
    """Yield the references of which a registry says that they are retracted, another work or none, with the words."""
    carrying = {key for node in audit.nodes for key in node.cites}
    for reference in audit.references:
        if reference.verdict in GRAVE:
            cited = "cited once" if reference.cited == 1 else f"cited {reference.cited} times"
            cited += ", also where the argument rests on it" if reference.key in carrying else ""
            title = f"“{_cut(reference.title, 70)}”"
            yield reference, f"reference [{reference.key}] {title}: {reference.verdict} ({reference.reason}); {cited}"


def _contradicted(audit: PaperAudit) -> Iterator[Flaw]:
    if audit.paper.standing in ("retracted", "withdrawn"):
        yield Flaw(subject="paper", kind="contradicted", severity=1.0, why=f"the paper was {audit.paper.standing}")
    for node in audit.nodes:
        grounding = node.grounding
        if grounding is not None and grounding.decision == "contradicted":
            by = "outside sources" if grounding.by == "outside" else "another passage of the paper"
            severity = 1.0 if grounding.by == "outside" else 0.8
            yield Flaw(subject=node.id, kind="contradicted", severity=severity, why=f"{by}: {grounding.reason}")


def _of_references(audit: PaperAudit) -> Iterator[Flaw]:
    carrying = {key for node in audit.nodes for key in node.cites}
    for reference, why in accused_references(audit):
        severity = GRAVE[reference.verdict] * (1.0 if reference.key in carrying else 0.6)
        yield Flaw(subject=f"reference:{reference.key}", kind="citation", severity=severity, why=why)


def _dangling(audit: PaperAudit) -> Iterator[Flaw]:
    unresolved = dangling(audit.markers, audit.references)
    if unresolved:
        some = "; ".join(dict.fromkeys(u for m in unresolved for u in m.unresolved))[:160]
        fit = "citation in the text fits" if len(unresolved) == 1 else "citations in the text fit"
        why = f"{len(unresolved)} {fit} no entry of the reference list: {some}"
        yield Flaw(subject="paper", kind="dangling", severity=0.35, why=why)


def _each_once(flaws: Sequence[Flaw], nodes: dict[str, AuditNode]) -> tuple[Flaw, ...]:
    """Return flaws without those that say the same of the same words, which readings took in several roles or parts."""
    kept: list[Flaw] = []
    for flaw in flaws:
        if not any(flaw.kind == other.kind and _one_place(flaw, other, nodes) for other in kept):
            kept.append(flaw)
    return tuple(kept)


def _one_place(flaw: Flaw, other: Flaw, nodes: dict[str, AuditNode]) -> bool:
    if flaw.subject == other.subject:
        return True
    one, two = nodes.get(flaw.subject), nodes.get(other.subject)
    if one is None or two is None:
        return False
    return one.place.start < two.place.end and two.place.start < one.place.end


def _cut(text: str, most: int = 120) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
