"""Stage 4, debate: over claims, not opinions (section VII).

R1: all members' verified claims stand side by side. R2: each member sees its peers' claims without their citations and
may contest one with a counter-source that passes I1 and that the verifier finds to support the objection. R3: the
asserter defends with further sources, concedes, or refines; new claims and sources are verified too.
"""

from __future__ import annotations

from veritas.answers.contest import contest, contest_values
from veritas.answers.debate_state import Floor
from veritas.answers.gather import Research
from veritas.answers.respond import respond
from veritas.answers.runtime import Runtime
from veritas.answers.verify import Verification
from veritas.claims.contestation import Contestation, Round
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import Event
from veritas.claims.judgment import ClaimJudgment
from veritas.engine.units import Work
from veritas.frozen import Frozen
from veritas.gate import Decision
from veritas.gate.quote_grounding import Ground


class Debate(Frozen):
    """Output of the stage. `live` are the ids of the claims that may be cited; `waiting` as in `Verification`, for
    claims that the debate brought."""

    claims: tuple[ClaimEnvelope, ...]
    live: tuple[str, ...]
    contestations: tuple[Contestation, ...] = ()
    rounds: tuple[Round, ...] = ()
    judgments: tuple[ClaimJudgment, ...] = ()
    events: tuple[Event, ...] = ()
    waiting: tuple[Decision, ...] = ()


async def debate(
    verified: Verification,
    research: Research,
    rounds: int,
    rule: str,
    runtime: Runtime,
    work: Work,
) -> Debate:
    """Run the debate up to `rounds` (1 to 3); the gate's rule of that name judges its claims.

    With one round no member sees a peer's claim: values of one document are compared, and the agreement is measured.
    """
    ground = Ground(research.documents, research.passages, research.sources)
    floor = Floor(verified, research, ground, rule, runtime, work)
    contest_values(floor)
    floor.measure(1)
    if rounds >= 2:
        await contest(floor)
        floor.measure(2)
    if rounds >= 3:
        await respond(floor)
        floor.measure(3)
    return Debate(
        claims=tuple(floor.claims.values()),
        live=tuple(floor.live),
        contestations=tuple(floor.contestations.values()),
        rounds=tuple(floor.rounds),
        judgments=tuple(floor.judgments),
        events=tuple(floor.events),
        waiting=tuple(floor.waiting),
    )
