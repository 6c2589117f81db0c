"""Cases for a person, made from the gate's decisions, without additions or omissions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from veritas.approvals.approval import Approval, Case, CasePassage
from veritas.approvals.settlement import ask

if TYPE_CHECKING:
    from veritas.gate import Decision

OPTIONS = (
    "approve: it is used, marked as let in by you, with your reason beside it",
    "reject: it stays out, and nobody is asked again",
    "do nothing: it stays out",
)


def case_of(
    decision: Decision,
    *,
    question: str = "",
    passages: Sequence[CasePassage] = (),
    also: Sequence[Decision] = (),
    asserted_by: Sequence[str] = (),
) -> Case:
    """Return the case of a decision. `passages` name their sources; without them the finding's own are shown. `also`
    are the decisions about the same claim of the other members in `asserted_by`."""
    sources = "; ".join(map(str, decision.sources))
    shown = tuple(passages) or tuple(CasePassage(text=text, source=sources) for text in decision.finding.passages)
    oracle = "; ".join(f"{answer.rationale} ({answer.verdict}, by {answer.oracle})" for answer in decision.answers)
    return Case(
        claim=decision.finding.claim,
        question=question,
        passages=shown,
        oracle=oracle,
        judgments=tuple(dict.fromkeys(judgment for each in (decision, *also) for judgment in each.judgments)),
        asserted_by=tuple(asserted_by),
        why=decision.why,
    )


async def ask_about(
    decision: Decision,
    *,
    question: str = "",
    passages: Sequence[CasePassage] = (),
    also: Sequence[Decision] = (),
    asserted_by: Sequence[str] = (),
    run_id: str | None = None,
    then: str = "",
    options: Sequence[str] = OPTIONS,
    expires_at: datetime | None = None,
    home: Path | None = None,
) -> Approval:
    """Puts a decision of the gate that `needs_person` before a person; returns at once, as `ask` does. `also` and
    `asserted_by`: see `case_of`."""
    return await ask(
        decision.finding.kind,
        decision.finding_id,
        decision.contrast,
        case_of(decision, question=question, passages=passages, also=also, asserted_by=asserted_by),
        run_id=run_id,
        decision_id=decision.decision_id,
        options=options,
        then=then,
        expires_at=expires_at,
        home=home,
    )
