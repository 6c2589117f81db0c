"""Compute the six metrics of a node from its findings: definitions as formulas, numbers from the policy, no model."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from veritas.papers.audit import AuditNode, Metric, PaperEvidence
from veritas.papers.verification.metric_policy import VerificationPolicy
from veritas.papers.verification.signals import Found
from veritas.scoring.roles import METRICS
from veritas.text.plural import plural

OUTSIDE = frozenset({"reference", "corpus", "web"})


@dataclass(frozen=True)
class CitedWork:
    """A reference that a node cites, with the result of checking and reading it. `worth` None: not examined."""

    key: str
    worth: float | None
    why: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class Findings:
    """All findings on a node. `searched` names in words the places searched outside the paper, '' for none; `subject`
    is the share of the statement about the paper's subject; `aligned` the share of its words in the best passage found,
    None without one; `figures`: it states quantities, `tabled`: one of them stands elsewhere too."""

    evidence: tuple[PaperEvidence, ...] = ()
    searched: str = ""
    subject: float = 0.0
    aligned: float | None = None
    figures: bool = False
    tabled: str | None = None
    signals: dict[str, tuple[Found, ...]] = field(default_factory=dict)
    cited: tuple[CitedWork, ...] = ()
    reports_others: bool = False
    partly: bool = False
    """True if parts of the paper could not be had, so that nothing unseen can be called missing."""
    withdrawn: str | None = None
    """The reason why the paper itself was withdrawn or retracted; None while it stands."""


def assess(node: AuditNode, found: Findings, policy: VerificationPolicy) -> dict[str, Metric]:
    """Return all six metrics; those the role does not have take the mean of those it has."""
    applies = set(policy.applies.get(node.base_role, METRICS))  # type: ignore[call-overload]
    if found.cited:
        applies.add("citation_support")
    made = {
        "credibility": _credibility(found, policy),
        "relevance": _relevance(found),
        "evidence_strength": _strength(found, policy),
        "method_rigor": _signalled("method_rigor", found),
        "reproducibility": _signalled("reproducibility", found),
        "citation_support": _citations(found),
    }
    known = [m.value for name, m in made.items() if name in applies and m.value is not None]
    mean = sum(known) / len(known) if known else None
    for name in METRICS:
        if name not in applies:
            lacking = f"{with_article(node.base_role)} has no {name.replace('_', ' ')}"
            why = f"{lacking}: it counts as the mean of what it has"
            made[name] = Metric(value=_rounded(mean), why=why, applies=False)
    return {name: made[name] for name in METRICS}


def with_article(role: str) -> str:
    """Return `a Method`, `an Assumption`."""
    return f"{'an' if role[0] in 'AE' else 'a'} {role}"


def _sources(ids: Sequence[str]) -> str:
    return plural(len(ids), "outside source")


def combined(worths: Sequence[float]) -> float:
    """Return the joint worth of independent witnesses: 1 less the chance that all of them are wrong."""
    return 1.0 - math.prod(1.0 - worth for worth in worths)


def _witnesses(found: Findings, label: str, policy: VerificationPolicy) -> tuple[float, list[str]]:
    """Return how strongly sources outside the paper say `label`, each document once, and the ids of their evidence."""
    best: dict[str, PaperEvidence] = {}
    for each in found.evidence:
        if each.source in OUTSIDE and each.label == label:
            key = each.document_id or each.url
            if key not in best or each.score > best[key].score:
                best[key] = each
    chosen = list(best.values())
    return combined([policy.tiers.worth(e.tier) * e.score for e in chosen]), [e.id for e in chosen]


def _own(found: Findings, label: str, policy: VerificationPolicy) -> tuple[float, list[str]]:
    least = policy.own_refutes_from if label == "refutes" else 0.0
    own = [e for e in found.evidence if e.source == "paper" and e.label == label and e.score >= least]
    best = max(own, key=lambda e: e.score, default=None)
    return (best.score, [best.id]) if best else (0.0, [])


def _credibility(found: Findings, policy: VerificationPolicy) -> Metric:
    if found.withdrawn:
        return Metric(value=0.0, why=found.withdrawn)
    supports, ids = _witnesses(found, "supports", policy)
    refutes, against = _witnesses(found, "refutes", policy)
    own, own_ids = _own(found, "supports", policy)
    turned, turned_ids = _own(found, "refutes", policy)
    if not (supports or refutes or own or turned):
        where = found.searched or "nothing outside the paper was searched"
        return Metric(why=f"no evidence for it or against it ({where})")
    # A paper's word is worth half of its full support, and the other half grows with the support of its body.
    borne = policy.own_support * (0.5 + 0.5 * own)
    value = (1.0 - refutes) * (1.0 - turned * policy.own_support) * (1.0 - (1.0 - borne) * (1.0 - supports))
    parts = []
    if supports:
        parts.append(f"supported by {_sources(ids)}")
    if refutes:
        parts.append(f"contradicted by {_sources(against)}")
    if own:
        parts.append("the paper itself bears it out")
    if turned:
        parts.append("another passage of the paper says otherwise")
    if own and not (supports or refutes):
        parts.append(f"nobody else speaks of it ({found.searched or 'nothing outside the paper was searched'})")
    return Metric(
        value=_rounded(value), why="; ".join(parts), evidence=(*ids, *against, *own_ids, *turned_ids),
        doubt=bool(refutes or turned or not own),
    )  # fmt: skip


def _relevance(found: Findings) -> Metric:
    parts = [found.subject]
    why = f"{found.subject:.0%} of what it speaks of is the paper's subject"
    if found.aligned is not None:
        parts.append(found.aligned)
        why += f"; the nearest passage that was found meets {found.aligned:.0%} of its words"
    ids = tuple(e.id for e in found.evidence if e.label != "unavailable")[:3]
    return Metric(value=_rounded(sum(parts) / len(parts)), why=why, evidence=ids)


def _strength(found: Findings, policy: VerificationPolicy) -> Metric:
    supports, ids = _witnesses(found, "supports", policy)
    refutes, against = _witnesses(found, "refutes", policy)
    own, own_ids = _own(found, "supports", policy)
    worth = policy.strength
    base, parts = 0.0, []
    if found.figures:
        base += worth.figures
        parts.append("it states figures")
    if found.tabled:
        base += worth.table
        parts.append(f"one of them stands elsewhere too ({found.tabled})")
    if own:
        base += worth.own * (0.5 + 0.5 * own)
        parts.append("the body of the paper bears it out")
    turned, turned_ids = _own(found, "refutes", policy)
    if turned:
        base *= 1.0 - turned
        parts.append("another passage of the paper says otherwise")
    spoken = [e for e in found.evidence if e.source in OUTSIDE and e.label in ("supports", "refutes", "silent")]
    if not (spoken or own) and found.reports_others:
        return Metric(why=f"what others found is to be looked for with them ({found.searched or 'nobody was asked'})")
    if not parts and not spoken:
        where = found.searched or "nothing outside the paper was searched"
        return Metric(why=f"it gives no data and nothing that was found speaks of it ({where})")
    if supports:
        parts.append(f"supported by {_sources(ids)}")
    if refutes:
        parts.append(f"contradicted by {_sources(against)}")
    if spoken and not (supports or refutes):
        parts.append("what speaks of it outside says neither yes nor no")
    value = (base + (1.0 - base) * supports) * (1.0 - refutes)
    neutral = bool(own or found.figures or (spoken and not supports))
    return Metric(
        value=_rounded(value), why="; ".join(parts), evidence=(*ids, *against, *own_ids, *turned_ids),
        doubt=bool(refutes or turned or not neutral),
    )  # fmt: skip


def _signalled(metric: str, found: Findings) -> Metric:
    signals = found.signals.get(metric, ())
    if not found.signals:
        where = "in what was found of it" if found.partly else ""
        return Metric(why=f"the paper has no text of methods or results {where or 'to read it off'}")
    if not signals and found.partly:
        missing = "none of the signs that are looked for is in the parts of the paper that were found"
        return Metric(why=missing, doubt=False)
    value = min(1.0, sum(s.worth for s in signals))
    named = ", ".join(f"{s.name}{'' if s.near else ' (elsewhere)'}" for s in signals)
    why = f"the paper shows: {named}" if signals else "none of the signs that are looked for is in the paper"
    ids = tuple(s.evidence for s in signals if s.evidence)
    return Metric(value=_rounded(value), why=why, evidence=ids, doubt=False)


def _citations(found: Findings) -> Metric:
    if not found.cited:
        return Metric(why="it cites nothing that was matched with an entry of a reference list")
    known = [c for c in found.cited if c.worth is not None]
    if not known:
        return Metric(why=f"none of the works it cites could be looked at: {found.cited[0].why}")
    value = sum(c.worth for c in known if c.worth is not None) / len(known)
    why = "; ".join(f"[{c.key}] {c.why}" for c in found.cited[:6])
    ids = tuple(i for c in known for i in c.evidence)
    return Metric(value=_rounded(value), why=why, evidence=ids)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(min(1.0, max(0.0, value)), 4)
