"""The gate as the stages use it: lenses judge claims against passages in units of work (I4, I5)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from veritas.answers.runtime import Runtime
from veritas.claims.envelope import SpanRef
from veritas.claims.graph import Event, StageName
from veritas.claims.judgment import ClaimJudgment, Judgment, Purpose
from veritas.council.succession import Absence
from veritas.engine.units import Step, Work, asked
from veritas.frozen import Frozen
from veritas.gate import Ask, Attribution, Decision, Finding, Gate, Oracle
from veritas.gate.lens_calls import first_judged, groups, unavailable
from veritas.judging.lens import Lens, Pair
from veritas.policy.gate_policy import FindingKind, GatePolicy
from veritas.text.plural import plural

BATCH = 25
"""Pairs a unit: keeps an orchestrated run at some 200 units for 5,000 claims."""


class JudgeUnit(Frozen):
    """A batch for one lens, from the named stage. `successors` judge the pairs that the lens did not answer."""

    lens: str
    stage: StageName
    pairs: tuple[Pair, ...]
    successors: tuple[str, ...] = ()


class Judgments(Frozen):
    """The answers, in the pairs' order, and for each the lenses that failed to answer it."""

    judgments: tuple[Judgment, ...]
    absent: tuple[tuple[Absence, ...], ...] = ()


async def _judge(unit: JudgeUnit, runtime: Runtime) -> Judgments:
    lenses = [runtime.council.lenses[name] for name in (unit.lens, *unit.successors)]
    return await asked(
        _answers(lenses, unit.pairs, runtime.gate),
        lambda found: Judgments(judgments=tuple(j for j, _ in found), absent=tuple(a for _, a in found)),
        who=unit.lens,
        turn="judge",
        stage=unit.stage,
        count=len(unit.pairs),
        about=[p.model_dump() for p in unit.pairs],
    )


async def _answers(
    lenses: Sequence[Lens], pairs: Sequence[Pair], gate: GatePolicy
) -> list[tuple[Judgment, tuple[Absence, ...]]]:
    # At the same time: a model's own rate limit sets how many are under way, and how long it is waited for.
    parts = groups(lenses[0], pairs, gate.together)
    found = await asyncio.gather(*(first_judged(lenses, part, gate.lens_seconds) for part in parts))
    return [one for ones in found for one in ones]


JUDGE = Step("judge", "verify", _judge, lambda unit: f"{unit.lens}: {plural(len(unit.pairs), 'claim')}")


@dataclass(frozen=True)
class Question:
    """A claim to be judged. `author` and `family` are the asserting seat's: they decide who may judge (I4)."""

    subject_id: str
    claim: str
    passages: tuple[str, ...]
    spans: tuple[SpanRef, ...]
    author: str
    family: str
    purpose: Purpose = "verify"
    round: int = 0
    kind: FindingKind = "research-claim"

    def finding(self) -> Finding:
        """Return the question as a finding for the gate."""
        return Finding(
            finding_id=self.subject_id,
            kind=self.kind,
            claim=self.claim,
            passages=self.passages,
            sources=tuple(Attribution(document_id=i) for i in dict.fromkeys(s.document_id for s in self.spans)),
            family=self.family,
            author=self.author,
        )


class Judged(NamedTuple):
    """A decision for each question, by (subject, purpose), and every judgment behind them, in the questions' order.

    `moved` records for each lens that failed which one judged in its place, and how often.
    """

    decisions: dict[tuple[str, Purpose], Decision]
    judgments: tuple[ClaimJudgment, ...]
    moved: tuple[Event, ...] = ()


async def judge_all(
    questions: Sequence[Question],
    rule: str,
    oracle: Oracle,
    runtime: Runtime,
    work: Work,
    stage: StageName = "verify",
) -> Judged:
    """Return the gate's decisions by the rule of that name; the lenses are the council's."""
    council = runtime.council
    absent: list[tuple[Absence, str]] = []

    async def ask(asks: Sequence[Ask]) -> Sequence[Judgment]:
        return await _in_units(asks, stage, runtime, work, absent)

    gate = Gate(oracle, lambda f, r: council.bench(f.author, r), policy=runtime.gate, rule=rule, ask=ask)
    decisions = await gate.decide_all([q.finding() for q in questions])
    record: list[ClaimJudgment] = []
    for q, decision in zip(questions, decisions, strict=True):
        nobody = Judgment(label="unavailable", score=0.0, rationale=decision.reason, lens="none", family="")
        record.extend(
            ClaimJudgment(
                **given.model_dump(),
                subject_id=q.subject_id,
                purpose=q.purpose,
                passage_ids=tuple(s.passage_id for s in q.spans),
                round=q.round,
            )
            for given in decision.judgments or (nobody,)
        )
    found = {(q.subject_id, q.purpose): d for q, d in zip(questions, decisions, strict=True)}
    return Judged(found, tuple(record), _moved(absent, stage))


def _moved(absent: Sequence[tuple[Absence, str]], stage: StageName) -> tuple[Event, ...]:
    """Return a row for each lens that failed and each that judged in its place."""
    rows = []
    for (name, by), each in groupby(sorted(absent, key=_pair), key=_pair):
        why = [absence.why for absence, _ in each]
        said = "; ".join(sorted(dict.fromkeys(why)))
        reason = f"{by} gave {len(why)} judgment(s) in its place: {said}"
        rows.append(Event(stage=stage, kind="turn-moved", subject_id=name, member=name, reason=reason))
    return tuple(rows)


def _pair(one: tuple[Absence, str]) -> tuple[str, str]:
    return one[0].name, one[1]


async def _in_units(
    asks: Sequence[Ask], stage: StageName, runtime: Runtime, work: Work, absent: list[tuple[Absence, str]]
) -> list[Judgment]:
    """Ask in batches, one lens and its successors a batch, as units of work; return each answer in its ask's place.
    Lenses that gave none are added to `absent`, with the one that answered."""
    todo: dict[tuple[str, ...], list[int]] = {}
    for i, ask in enumerate(asks):
        todo.setdefault((ask.lens.name, *(lens.name for lens in ask.successors)), []).append(i)
    units: list[JudgeUnit] = []
    places: list[list[int]] = []
    for (name, *others), indices in todo.items():
        indices.sort(key=lambda i: asks[i].context)  # claims of one document go into one call
        for at in range(0, len(indices), BATCH):
            batch = indices[at : at + BATCH]
            pairs = tuple(asks[i].pair for i in batch)
            units.append(JudgeUnit(lens=name, stage=stage, pairs=pairs, successors=tuple(others)))
            places.append(batch)
    outcomes = await work(JUDGE, units, runtime)
    answers = [unavailable(ask.lens, "the judge gave no answer to this claim") for ask in asks]
    for batch, outcome in zip(places, outcomes, strict=True):
        given = outcome.value.judgments if outcome.value is not None else ()
        for n, i in enumerate(batch):
            if n < len(given):
                answers[i] = given[n]
                if outcome.value is not None and n < len(outcome.value.absent):
                    absent.extend((a, given[n].lens) for a in outcome.value.absent[n])
            elif outcome.unavailable:
                answers[i] = unavailable(asks[i].lens, outcome.unavailable)
    return answers
