"""The oracle seam: does the source exist, and does it say what is quoted? By retrieval, never from memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from veritas.frozen import Frozen
from veritas.gate.finding import Attribution, Finding

OracleVerdict = Literal["confirmed", "fabricated", "misattributed", "cannot-confirm", "unavailable"]


class OracleAnswer(Frozen):
    """An oracle's answer. `correction` are the right sources, if it is `misattributed` and they are known; `evidence`
    are sentences about what was found where."""

    oracle: str
    verdict: OracleVerdict
    rationale: str
    evidence: tuple[str, ...] = ()
    correction: tuple[Attribution, ...] = ()


@runtime_checkable
class Oracle(Protocol):
    """Checks whether a finding's sources exist and say what is quoted. One that cannot answer returns `unavailable`, or
    raises `veritas.errors.Unavailable` (I5)."""

    @property
    def name(self) -> str: ...

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return one answer about all sources and passages of the finding."""
        ...


def parts_of(oracle: Oracle) -> tuple[Oracle, ...]:
    """Return the oracles that an oracle consists of, or itself."""
    return oracle.parts if isinstance(oracle, Oracles) else (oracle,)


class Oracles:
    """Several oracles as one: asked in order, and the first that does not confirm decides. The gate asks each of its
    `parts` separately, so that an error names the right one."""

    def __init__(self, oracles: Sequence[Oracle]) -> None:
        if not oracles:
            raise ValueError("no oracle confirms nothing")
        self.parts = tuple(oracles)
        self.name = " + ".join(oracle.name for oracle in oracles)

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return the first answer that is not `confirmed`, else all answers joined."""
        answers: list[OracleAnswer] = []
        for oracle in self.parts:
            answer = await oracle.confirm(finding)
            if answer.verdict != "confirmed":
                return answer
            answers.append(answer)
        return self.joined(answers)

    def joined(self, answers: Sequence[OracleAnswer]) -> OracleAnswer:
        """Return the confirming answers of all parts as one."""
        return OracleAnswer(
            oracle=self.name,
            verdict="confirmed",
            rationale="; ".join(answer.rationale for answer in answers),
            evidence=tuple(sentence for answer in answers for sentence in answer.evidence),
        )
