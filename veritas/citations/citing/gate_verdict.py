"""The final decision on a citation: the gate decides, and where it cannot, a person (verification-gate spec)."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.citations.artifacts import Excerpt
from veritas.citations.citing.outcomes import (
    CandidateSeen,
    NoSupportingExcerpts,
    NotAdmitted,
    Refused,
    RetriesExhausted,
)
from veritas.errors import StoreUnavailable
from veritas.frozen import content_id
from veritas.settings import policy_file
from veritas.works.records import BibRecord

if TYPE_CHECKING:
    from veritas.approvals import Approval
    from veritas.gate import Decision, Gate
    from veritas.policy.triangulation_policy import TriangulationPolicy
    from veritas.registries.all_registries import Registries

OPTIONS = (
    "approve: it is cited, and its artifact says that you let it in and why",
    "reject: it is not cited, and nobody is asked again",
    "do nothing: it is not cited",
)


def citation_gate(registries: Registries, policy: TriangulationPolicy, council: Path | None = None) -> Gate:
    """Build the gate with registries as its oracle and a council file's lenses, by default those without a model."""
    from veritas.council.seated_council import build_council
    from veritas.council.select_council import choose_council
    from veritas.gate import OracleSetup, council_gate, oracle_for

    seated = choose_council(council or policy_file("councils/embedded.yaml"))
    oracle = oracle_for(OracleSetup(kind="citation", registries=registries, triangulation=policy))
    return council_gate(oracle, build_council(seated.policy))


async def decide(gate: Gate, claim: str, family: str, record: BibRecord, excerpts: Sequence[Excerpt]) -> Decision:
    """Return the gate's decision on a claim, the excerpts it is to rest on and the paper they are attributed to.

    `family` is that of the adviser who chose the excerpts: no lens of it judges them (I4).
    """
    from veritas.citations.work_oracle import of_record
    from veritas.gate import Finding

    finding = Finding(
        finding_id=subject_id(claim, record), kind="citation", claim=claim,
        passages=tuple(excerpt.text for excerpt in excerpts), sources=(of_record(record),), family=family,
    )  # fmt: skip
    return await gate.decide(finding)


def subject_id(claim: str, record: BibRecord | CandidateSeen) -> str:
    """Return the id of a requested citation: of this claim, to this paper."""
    title = record.full_title or "" if isinstance(record, BibRecord) else record.title
    return content_id("f", claim, title.casefold())


def refusal_of(decision: Decision, seen: CandidateSeen) -> Refused:
    """Return the refusal for a decision that does not admit: an outage as such, anything else as `NotAdmitted`."""
    reason = f"the gate ({decision.rule}): {decision.reason}"
    if decision.verdict == "unavailable":
        return RetriesExhausted(reason=reason, problems=(decision.reason,), candidates=(seen,))
    return NotAdmitted(
        reason=reason, verdict=decision.verdict, needs_person=decision.needs_person, candidates=(seen,)
    )


def note_of(decision: Decision) -> str:
    """Return the decision as a note for the artifact."""
    said = [f"{each.lens} {each.label} {each.score:.2f}" for each in decision.judgments]
    return f"gate: {decision.rule}: {', '.join([*(each.oracle for each in decision.answers), *said])}"


async def ask_person(
    claim: str, hint: str | None, refusal: Refused, seen: CandidateSeen, passages: Sequence[str]
) -> Approval | None:
    """Put a refused citation before a person and return the case so far; None if it cannot be kept on disk."""
    from veritas import approvals

    identifier = f" ({seen.identifier})" if seen.identifier else ""
    subject, decision = subject_id(claim, seen), content_id("d", claim, seen.title, refusal.reason)
    source = f"{', '.join(seen.authors[:3])}: {seen.title} ({seen.year}){identifier}"
    sentence = (
        f"You probably expected “{claim[:200]}” to be citable with “{seen.title}”{identifier}; it was left out because "
        f"{refusal.reason.rstrip('. ')}; override with: veritas approve {decision}"
    )
    case = approvals.Case(
        claim=claim, question=f"Does {source} support this claim, and is it what it is said to be?",
        passages=tuple(approvals.CasePassage(text=text, source=source) for text in passages),
        oracle=refusal.reason + _proposed(refusal), why=refusal.reason,
    )  # fmt: skip
    again = ["veritas", "cite", claim, *(["--hint", hint] if hint else [])]
    try:
        return await approvals.ask(
            "citation", subject, sentence, case, decision_id=decision, options=OPTIONS, then=shlex.join(again),
        )  # fmt: skip
    except StoreUnavailable:
        return None


def _proposed(refusal: Refused) -> str:
    """Return the quotes that were proposed and are not in the text; they are no passages of it."""
    rejected = refusal.rejected if isinstance(refusal, NoSupportingExcerpts) else ()
    return "; proposed, and not in the text: " + "; ".join(f"“{quote}”" for quote in rejected) if rejected else ""


def overriding(approval: Approval) -> str | None:
    """Return the reason and name of the person who let it in; None if nobody has."""
    if approval.state() != "approved":
        return None
    return f"{approval.by}: {approval.why} ({approval.approval_id})"
