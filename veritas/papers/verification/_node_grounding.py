"""Decide the grounding of nodes by the gate: outside evidence first, else the paper's own body, which proves less.

Whether a passage says the contrary of a statement, by the judge: a lens may take another subject for the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.council.families import PERSON
from veritas.council.seated_council import Council
from veritas.documents.document import Document
from veritas.gate import Decision, Finding, Gate, OracleSetup, council_gate, oracle_for
from veritas.gate.stored_documents import attribution
from veritas.judging.evidence import NEAREST, find
from veritas.judging.sameness import exclusion
from veritas.meaning.relation import NOWHERE, Setting
from veritas.papers.audit import AuditNode, Grounding, PaperEvidence
from veritas.papers.audit import Decision as Label
from veritas.papers.verification.metrics import OUTSIDE

NOT_PLAIN = (
    "a lens reads it as saying otherwise, and nothing shows that both speak of the same thing and cannot both be true"
)

_SPEAKER = re.compile(
    r"^(?:(?:in (?:summary|conclusion)|therefore|thus|hence|overall|moreover|furthermore|however),?\s+)?"
    r"(?:(?:we|the authors|i)\s+(?:\w+ly\s+)?(?:conclude[sd]?|find|found|show(?:ed)?|report(?:ed)?|observed?"
    r"|demonstrate[sd]?|hypothesi[sz]ed?|propose[sd]?|argued?|suggest(?:ed)?|claim(?:ed)?|predict(?:ed)?|expect(?:ed)?)"
    r"\s+that\s+"
    r"|it (?:is|was|has been) (?:\w+ )?(?:shown|found|known|concluded|hypothesi[sz]ed|expected) that\s+)",
    re.IGNORECASE,
)


def content(statement: str) -> str:
    """Return a statement without the words that name its speaker ("we conclude that")."""
    said = _SPEAKER.sub("", " ".join(statement.split()))
    return said[:1].upper() + said[1:]


def opposes(
    statement: str, passage: str, *, of_statement: Setting = NOWHERE, of_passage: Setting = NOWHERE
) -> str | None:
    """Return why one of the nearest sentences of a passage cannot be true beside the statement, or None.

    A paper's own body speaks of the same thing as its statements; another document may have studied something else.
    """
    said = content(statement)
    near = find(said, passage)
    for at in near.order[:NEAREST]:
        sentence = near.sentence(at)
        found = exclusion(sentence, said, of_first=of_passage, of_second=of_statement)
        # A paper gives one quantity of many cases: two figures need the same words, wherever they stand.
        if found is not None and (found.difference is None or exclusion(sentence, said) is not None):
            return found.reason
    return None


NOT_ASKED = frozenset({"Assumption", "Limitation", "Method"})
"""Roles that state no finding, but an assumption, an admission or a procedure."""
MOST = 3
"""Passages put before the gate for a node, at most."""


async def ground(
    nodes: Sequence[AuditNode],
    evidence: Sequence[PaperEvidence],
    documents: Sequence[Document],
    council: Council,
) -> tuple[dict[str, Grounding], tuple[Decision, ...]]:
    """Return a decision for every node, by its id, and the gate's own decisions on which a person has the last word.
    The author is a person, so every lens of the council may judge."""
    stored = {d.document_id: d for d in documents}
    oracle = oracle_for(OracleSetup(kind="paper-node", documents=tuple(stored.values())))
    gate: Gate = council_gate(oracle, council)
    made: dict[str, Grounding] = {}
    findings: list[Finding] = []
    chosen: dict[str, tuple[bool, list[PaperEvidence]]] = {}
    for node in nodes:
        if node.base_role in NOT_ASKED:
            why = f"a {node.base_role} is not something that evidence bears out or contradicts"
            made[node.id] = Grounding(decision="not-asked", reason=why)
            continue
        outside, pieces = _chosen([e for e in evidence if e.node == node.id and e.document_id in stored])
        if not pieces:
            made[node.id] = Grounding(decision="unverified", reason="no passage was found that is about it")
            continue
        chosen[node.id] = outside, pieces
        sources = {e.document_id: stored[e.document_id] for e in pieces if e.document_id is not None}
        findings.append(
            Finding(
                finding_id=node.id,
                kind="paper-node",
                claim=content(node.text),
                passages=tuple(e.text for e in pieces),
                sources=tuple(attribution(d) for d in sources.values()),
                family=PERSON,
            )
        )
    decisions = await gate.decide_all(findings)
    for decision in decisions:
        outside, pieces = chosen[decision.finding_id]
        label: Label = "unverified"
        if decision.action == "halted":
            label = "halted"
        elif decision.admitted:
            label = "grounded" if outside else "unverified"
        elif decision.verdict == "refutes" and any(_opposed(decision.finding.claim, e) for e in pieces):
            label = "contradicted"
        reason = decision.reason
        if decision.verdict == "refutes" and label == "unverified":
            reason = f"{NOT_PLAIN} ({reason})"
        if decision.admitted and not outside:
            reason = f"the paper's own body bears it out, and nothing outside it was found that does ({reason})"
        made[decision.finding_id] = Grounding(
            decision=label,
            reason=reason,
            judgments=decision.judgments,
            evidence=tuple(e.id for e in pieces),
            by="outside" if outside else "paper",
        )
    return made, tuple(d for d in decisions if d.needs_person)


def _opposed(statement: str, piece: PaperEvidence) -> bool:
    """Return whether a piece of evidence excludes a statement. The paper's own body speaks of the same as its nodes."""
    where = Setting(document=piece.document_id or "", subject=piece.title)
    own = where if piece.source == "paper" else NOWHERE
    return opposes(statement, piece.text, of_statement=own, of_passage=where) is not None


def _chosen(evidence: Sequence[PaperEvidence]) -> tuple[bool, list[PaperEvidence]]:
    """Return the plainest passages, and whether they are outside ones: the plainer side's, else the paper's own."""
    outside = [e for e in evidence if e.source in OUTSIDE and e.label in ("supports", "refutes")]
    own = [e for e in evidence if e.source == "paper" and e.label in ("supports", "refutes")]
    pool = outside or own
    if not pool:
        pool = [e for e in evidence if e.source in OUTSIDE and e.label == "silent"][:1]
        return bool(pool), pool
    best = max(pool, key=lambda e: e.score)
    side = sorted((e for e in pool if e.label == best.label), key=lambda e: -e.score)
    return bool(outside), side[:MOST]
