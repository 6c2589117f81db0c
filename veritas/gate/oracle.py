"""The oracle seam: does the source exist, and does it say what is quoted? By retrieval, never from memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas.frozen import Frozen
from veritas.gate.finding import Attribution, Finding

OracleVerdict = Literal["confirmed", "fabricated", "misattributed", "cannot-confirm", "unavailable"]


class OracleAnswer(Frozen):
    """An oracle's answer. `correction` are the right sources, where it is `misattributed` and they are known;
    `evidence` are sentences that say what was found where."""

    oracle: str
    verdict: OracleVerdict
    rationale: str
    evidence: tuple[str, ...] = ()
    correction: tuple[Attribution, ...] = ()


@runtime_checkable
class Oracle(Protocol):
    """A source of truth about the existence and attribution of a finding's sources. One that cannot answer says
    `unavailable`, or raises `veritas.errors.Unavailable`, which is read the same way (I5)."""

    @property
    def name(self) -> str: ...

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return one answer about all sources and passages of the finding."""
        ...


class Oracles:
    """Several oracles as one: they are asked in order, and the first that does not confirm decides."""

    def __init__(self, oracles: Sequence[Oracle]) -> None:
        if not oracles:
            raise ValueError("no oracle confirms nothing")
        self._oracles = tuple(oracles)
        self.name = " + ".join(oracle.name for oracle in oracles)

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return the first answer that is not `confirmed`, else all answers in one."""
        answers: list[OracleAnswer] = []
        for oracle in self._oracles:
            answer = await oracle.confirm(finding)
            if answer.verdict != "confirmed":
                return answer
            answers.append(answer)
        return OracleAnswer(
            oracle=self.name,
            verdict="confirmed",
            rationale="; ".join(answer.rationale for answer in answers),
            evidence=tuple(sentence for answer in answers for sentence in answer.evidence),
        )
