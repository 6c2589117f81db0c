"""Find the flaws that a reviewer should look at, gravest first, each with its reason."""

from __future__ import annotations

import re

from veritas.documents.paper_parts import Reference
from veritas.papers.audit import AuditNode, Flaw, GraphScoring, PaperAudit
from veritas.papers.reading.dangling import dangling
from veritas.papers.verification.metrics import with_article
from veritas.papers.verification.self_check import ASSUMPTION_JUDGE
from veritas.scoring.parameters import Parameters
from veritas.scoring.roles import METRICS, ROLE_NUMBER

LOW = 0.35
"""Quality below which a node is a flaw, and metrics below which they are named as the reason."""
_GRAVE = {"fabricated": 0.95, "retracted": 0.95, "withdrawn": 0.9, "misattributed": 0.7}
STRONG = 0.6
"""Confidence from which a link is listed only if it is the weakest of all."""
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
BEGGED = 0.75
"""Severity of a finding or conclusion that the paper assumes."""
LINKS = 3
"""Number of weakest links that are listed."""


def find_flaws(audit: PaperAudit, parameters: Parameters) -> tuple[Flaw, ...]:
    """Return the flaws of the primary graph and of the reference list, gravest first; a missing graph is one."""
    found = _of_references(audit)
    scoring = audit.scoring()
    if scoring is None:
        said = dict.fromkeys(error for graph in audit.graphs for error in graph.errors[:2])
        language = next((event.reason for event in audit.events if event.kind == "language"), "")
        reasons = language or "; ".join(said)[:400] or "no statement was found"
        why = f"no argument could be read: {reasons}"
        if audit.partly_read is not None:
            return tuple(found)  # it may stand in a part that was not found
        return (Flaw(subject="paper", kind="missing-part", severity=1.0, why=why), *found)
    nodes = [audit.node(name) for name in scoring.nodes]
    against = {piece.id for piece in audit.evidence if piece.label == "refutes"}
    found += _of_nodes(nodes, parameters, audit.asked_outside, against)
    found += _begged(audit, nodes)
    found += _of_links(nodes, scoring)
    found += _of_parts(audit, nodes)
    kept: dict[tuple[str, str], Flaw] = {}
    for flaw in sorted(found, key=lambda f: -f.severity):
        kept.setdefault((flaw.subject, flaw.kind), flaw)
    return tuple(kept.values())


def _of_references(audit: PaperAudit) -> list[Flaw]:
    carrying = {key for node in audit.nodes for key in node.cites}
    found = []
    for reference in audit.references:
        severity = _GRAVE.get(reference.verdict)
        if severity is None:
            continue
        weight = 1.0 if reference.key in carrying else 0.6
        cited = "cited once" if reference.cited == 1 else f"cited {reference.cited} times"
        cited += ", also where the argument rests on it" if weight == 1.0 else ""
        why = f"reference [{reference.key}] {_short(reference)}: {reference.verdict} ({reference.reason}); {cited}"
        found.append(Flaw(subject=f"reference:{reference.key}", kind="citation", severity=severity * weight, why=why))
    return found


def _of_nodes(nodes: list[AuditNode], parameters: Parameters, outside: bool, against: set[str]) -> list[Flaw]:
    """Return the flaws of nodes. `against` are the ids of the passages that contradict a node."""
    found = []
    for node in nodes:
        grounding = node.grounding
        if grounding is not None and grounding.decision == "contradicted":
            by = "outside sources" if grounding.by == "outside" else "another passage of the paper"
            severity = 1.0 if grounding.by == "outside" else 0.8
            found.append(Flaw(subject=node.id, kind="contradicted", severity=severity, why=f"{by}: {grounding.reason}"))
        if grounding is not None and grounding.decision == "halted":
            why = f"no judge could decide: {grounding.reason}"
            found.append(Flaw(subject=node.id, kind="not-assessable", severity=0.3, why=why))
        if node.base_role in ("Limitation", "Counterevidence"):
            continue  # a weak case against the paper is no flaw of it
        weights = dict(zip(METRICS, parameters.role_weights[ROLE_NUMBER[node.base_role]].tolist(), strict=True))
        # An irrelevant statement is no flaw; one without support is.
        counted = [(weight, name) for name, weight in weights.items() if weight > 0 and name != "relevance"]
        known = [(weight, name) for weight, name in counted if _value(node, name) is not None]
        if not known:
            why = "; ".join(node.metrics[name].why for _, name in counted[:1] if name in node.metrics)
            found.append(Flaw(subject=node.id, kind="not-assessable", severity=0.25, why=why))
            continue
        value = sum(w * (_value(node, n) or 0.0) for w, n in known) / sum(w for w, _ in known)
        low = sorted(((_value(node, name) or 0.0, name) for _, name in known))
        if grounding is not None and grounding.decision == "contradicted":  # said above, so only other reasons count
            low = [(v, name) for v, name in low if v < LOW and against.isdisjoint(node.metrics[name].evidence)]
            low = [(v, name) for v, name in low if node.metrics[name].applies]
        if value < LOW and low and outside and _can_lack_support(node, low[0][1]):
            share = sum(w for w, _ in known) / sum(w for w, _ in counted)
            severity = round((0.35 + 0.4 * (1 - value)) * share, 4)
            found.append(Flaw(subject=node.id, kind="unsupported", severity=severity, why=_why(node, [low[0][1]])))
    return found


def _can_lack_support(node: AuditNode, name: str) -> bool:
    """Return whether a statement plainly lacks support, `name` being its lowest metric; False in doubt."""
    return node.base_role in ACCUSING and not _NO_FINDING.search(node.text) and node.metrics[name].doubt


def _begged(audit: PaperAudit, nodes: list[AuditNode]) -> list[Flaw]:
    """Return the findings that the paper assumes first: circles, whatever stands between."""
    by_id = {node.id: node for node in nodes}
    return [
        Flaw(
            subject=piece.node,
            kind="unsupported",
            severity=BEGGED,
            why=f"circular: the paper assumes what it says: “{_cut(piece.text)}”",
        )
        for piece in audit.evidence
        if piece.judge == ASSUMPTION_JUDGE
        and piece.node in by_id
        and by_id[piece.node].base_role in ACCUSING
        and not _NO_FINDING.search(by_id[piece.node].text)
    ]


def _of_links(nodes: list[AuditNode], scoring: GraphScoring) -> list[Flaw]:
    """Return the weakest links of the best path, then of the rest of the argument."""
    path = list(zip(scoring.values["best_path_nodes"], scoring.values["best_path_nodes"][1:], strict=False))
    by_id = {node.id: node for node in nodes}
    weighed = [
        (raw, edge)
        for edge, raw in zip(scoring.edges, scoring.values["edge_raw"], strict=True)
        if raw is not None and by_id[edge[1]].base_role != "Limitation" and "Counterevidence" not in (
            by_id[edge[0]].base_role, by_id[edge[1]].base_role
        )
    ]  # fmt: skip
    found = []
    for place, (raw, (parent, child)) in enumerate(sorted(weighed)[:LINKS]):
        if place and raw >= STRONG:
            break
        on_path = (parent, child) in path
        roles = f"{with_article(by_id[child].base_role)} on {with_article(by_id[parent].base_role)}"
        where = ", and the best path leads over it" if on_path else ""
        why = f"the link's confidence is {raw:.2f}{where}: {roles}, {_weaker(by_id[parent], by_id[child], scoring)}"
        severity = (0.75 if on_path else 0.55) * (1.0 - raw)
        found.append(Flaw(subject=f"{parent}->{child}", kind="weak-link", severity=round(severity, 4), why=why))
    return found


def _weaker(parent: AuditNode, child: AuditNode, scoring: GraphScoring) -> str:
    quality = dict(zip(scoring.nodes, scoring.values["node_quality"], strict=True))
    known = [(value, node.id) for node in (parent, child) if (value := quality[node.id]) is not None]
    if not known:
        return "neither end of which is fully assessed"
    value, name = min(known)
    return f"the weaker end is {name} with quality {value:.2f}"


def _of_parts(audit: PaperAudit, nodes: list[AuditNode]) -> list[Flaw]:
    found = []
    if audit.partly_read is None:
        found += _lacking(audit, nodes)
    if audit.paper.standing in ("retracted", "withdrawn"):
        why = f"the paper was {audit.paper.standing}"
        found.append(Flaw(subject="paper", kind="contradicted", severity=1.0, why=why))
    return found


def _lacking(audit: PaperAudit, nodes: list[AuditNode]) -> list[Flaw]:
    """Return the parts that the paper lacks; one that was not read whole cannot be said to lack any."""
    found = []
    roles = {node.base_role for node in nodes}
    for role, severity in (("Method", 0.6), ("Result", 0.6), ("Evidence", 0.45), ("Limitation", 0.3)):
        if role not in roles:
            said = f"none of its statements was read as {with_article(role)}"
            if role == "Limitation":
                said = "no limitation is admitted in what was read"
            found.append(Flaw(subject=f"paper:{role}", kind="missing-part", severity=severity, why=said))
    if not audit.references and any(event.kind == "no-references" for event in audit.events):
        why = "no reference list was found in it"
        found.append(Flaw(subject="paper:references", kind="missing-part", severity=0.4, why=why))
    unresolved = dangling(audit.markers, audit.references)
    if unresolved:
        some = "; ".join(dict.fromkeys(u for m in unresolved for u in m.unresolved))[:160]
        fit = "citation in the text fits" if len(unresolved) == 1 else "citations in the text fit"
        why = f"{len(unresolved)} {fit} no entry of the reference list: {some}"
        found.append(Flaw(subject="paper", kind="dangling", severity=0.35, why=why))
    return found


def _value(node: AuditNode, name: str) -> float | None:
    metric = node.metrics.get(name)
    return metric.value if metric is not None else None


def _why(node: AuditNode, names: list[str]) -> str:
    parts = []
    for name in names:
        metric = node.metrics.get(name)
        if metric is not None:
            value = "not assessable" if metric.value is None else f"{metric.value:.2f}"
            parts.append(f"{name.replace('_', ' ')} {value}: {metric.why}")
    return "; ".join(parts)


def _short(reference: Reference) -> str:
    return f"“{_cut(reference.title, 70)}”"


def _cut(text: str, most: int = 120) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
