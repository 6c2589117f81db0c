"""Who judges what, and what the judges say: wherever a claim meets a passage (I4, I5)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veritas.claims.envelope import SpanRef
from veritas.claims.graph import StageName
from veritas.claims.judgment import ClaimJudgment, Judgment, Purpose
from veritas.errors import InvariantBroken, Unavailable
from veritas.frozen import Frozen
from veritas.stages.runtime import Runtime
from veritas.stages.steps import Outcome, Step, Work, asked
from veritas.verifying.lens import Lens
from veritas.verifying.quorum import Mode, Verdict, combine

BATCH = 25
"""Pairs a unit: keeps an orchestrated run at some 200 units for 5,000 claims."""


class Pair(Frozen):
    """A bare claim and a passage: all that a lens sees (I4)."""

    claim: str
    passage: str


class JudgeUnit(Frozen):
    """A batch for one lens, of the stage that asks."""

    lens: str
    stage: StageName
    pairs: tuple[Pair, ...]


class Judgments(Frozen):
    """The lens's answers, in the pairs' order."""

    judgments: tuple[Judgment, ...]


async def _judge(unit: JudgeUnit, runtime: Runtime) -> Judgments:
    lens = runtime.council.lenses[unit.lens]
    return Judgments(
        judgments=await asked(
            _answers(lens, unit.pairs),
            who=lens.name,
            turn="judge",
            stage=unit.stage,
            count=len(unit.pairs),
            about=[p.model_dump() for p in unit.pairs],
        )
    )


async def _answers(lens: Lens, pairs: Sequence[Pair]) -> tuple[Judgment, ...]:
    async def one(pair: Pair) -> Judgment:
        try:
            return await lens.judge(pair.claim, pair.passage)
        except Unavailable as problem:
            return unavailable(lens.name, lens.family, str(problem))

    # At the same time: a model's own rate limit says how many are under way.
    return tuple(await asyncio.gather(*(one(pair) for pair in pairs)))


JUDGE = Step("judge", "verify", _judge, lambda unit: f"{unit.lens}: {len(unit.pairs)} claim(s)")


def unavailable(lens: str, family: str, reason: str) -> Judgment:
    """The judgment that is none."""
    return Judgment(label="unavailable", score=0.0, rationale=reason, lens=lens, family=family)


@dataclass(frozen=True)
class Question:
    """Something to be judged. `author` and `family` are the asserting seat's: they decide who may judge (I4)."""

    subject_id: str
    claim: str
    passages: tuple[str, ...]
    spans: tuple[SpanRef, ...]
    author: str
    family: str
    purpose: Purpose = "verify"
    round: int = 0


async def judge_all(
    questions: Sequence[Question], mode: Mode, runtime: Runtime, work: Work, stage: StageName = "verify"
) -> tuple[dict[tuple[str, Purpose], Verdict], tuple[ClaimJudgment, ...]]:
    """A verdict for each question, by (subject, purpose), and every judgment behind it, in the questions' order."""
    council = runtime.council
    judges: list[tuple[Lens, ...]] = []
    for q in questions:
        if mode == "quorum":
            judges.append(council.peers_for(q.author, q.family) or ())
        else:
            one = council.verifier_for(q.family)
            judges.append((one,) if one else ())
    todo: dict[str, list[int]] = {}
    for i, lenses in enumerate(judges):
        for lens in lenses:
            if lens.family == questions[i].family:
                raise InvariantBroken("I4", f"{lens.name} would judge a claim of its own family")
            todo.setdefault(lens.name, []).append(i)
    units: list[JudgeUnit] = []
    places: list[list[int]] = []
    for name, indices in todo.items():
        for at in range(0, len(indices), BATCH):
            batch = indices[at : at + BATCH]
            pairs = tuple(Pair(claim=questions[i].claim, passage="\n\n".join(questions[i].passages)) for i in batch)
            units.append(JudgeUnit(lens=name, stage=stage, pairs=pairs))
            places.append(batch)
    outcomes = await work(JUDGE, units, runtime)
    answers: Mapping[tuple[int, str], Judgment] = _by_place(units, places, outcomes, runtime)

    verdicts: dict[tuple[str, Purpose], Verdict] = {}
    record: list[ClaimJudgment] = []
    for i, (q, lenses) in enumerate(zip(questions, judges, strict=True)):
        given = [answers[i, lens.name] for lens in lenses]
        if not given:
            given = [unavailable("none", "", f"no judge of another family than {q.family} is in the council")]
        verdicts[q.subject_id, q.purpose] = combine(given, mode)
        record.extend(
            ClaimJudgment(
                **g.model_dump(),
                subject_id=q.subject_id,
                purpose=q.purpose,
                passage_ids=tuple(s.passage_id for s in q.spans),
                round=q.round,
            )
            for g in given
        )
    return verdicts, tuple(record)


def _by_place(
    units: Sequence[JudgeUnit],
    places: Sequence[Sequence[int]],
    outcomes: Sequence[Outcome[Judgments]],
    runtime: Runtime,
) -> dict[tuple[int, str], Judgment]:
    answers: dict[tuple[int, str], Judgment] = {}
    for unit, batch, outcome in zip(units, places, outcomes, strict=True):
        family = runtime.council.lenses[unit.lens].family
        given = outcome.value.judgments if outcome.value is not None else ()
        for n, i in enumerate(batch):
            # A judge that answers too little, or in another's name, has not answered.
            if n < len(given) and given[n].lens == unit.lens and given[n].family == family:
                answers[i, unit.lens] = given[n]
            else:
                reason = outcome.unavailable or "the judge gave no answer to this claim"
                answers[i, unit.lens] = unavailable(unit.lens, family, reason)
    return answers
