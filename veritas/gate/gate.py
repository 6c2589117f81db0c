"""The gate every finding passes: existence and attribution by retrieval, groundedness by lenses, then the table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from veritas.claims.judgment import Judgment
from veritas.council.families import may_judge, voice
from veritas.council.panel import panel, rule_for, successors, takes_part
from veritas.errors import InvariantBroken, Unavailable
from veritas.gate.comparing import context, held, recorded
from veritas.gate.decision import Correction, Decision, decided
from veritas.gate.finding import Finding
from veritas.gate.lens_calls import AT_ONCE, Ask, Asker, InProcess, answered, checked
from veritas.gate.oracle import Oracle, OracleAnswer, Oracles, parts_of
from veritas.gate.ruling import PASSES, Ruling, corrected_once, settle, settle_existence
from veritas.judging.floor import FloorPolicy, FloorRuling
from veritas.judging.lens import Lens, ReadsAround
from veritas.policy.gate_policy import CombinationRule, GatePolicy, load_gate_policy

if TYPE_CHECKING:
    from veritas.council.seated_council import Council

Bench = Callable[[Finding, CombinationRule], Sequence[Lens]]
"""The lenses that could judge a finding, in order of preference; the gate leaves out those of its author's family."""


@dataclass(frozen=True)
class _Looked:
    """A finding after the first check: its present state, and the oracle's answers."""

    finding: Finding
    answers: tuple[OracleAnswer, ...]
    corrections: tuple[Correction, ...]


@dataclass
class _Heard:
    """A finding and its judges: `panel` is None if no lens may judge, and empty if no lens is asked."""

    looked: _Looked
    rule: CombinationRule
    panel: tuple[Lens, ...] | None
    given: dict[str, Judgment] = field(default_factory=dict)
    """The judgments that were given, by lens."""
    unheard: dict[str, Judgment] = field(default_factory=dict)
    """Unavailable judgments of panel members, by lens."""
    failed: set[str] = field(default_factory=set)
    floor: FloorRuling = PASSES
    """What the judge says of a finding that the panel supports, held to its passages."""
    context: str | None = None
    """Where its passages stand, once a lens reads it."""
    further: Judgment | None = None
    """The judgment of one lens more, of a finding in doubt."""

    def hear(self, ask: Ask, judgment: Judgment) -> None:
        """Add an answer; a successor that gave it replaces the lens that was asked."""
        if judgment.label == "unavailable":
            self.unheard[ask.lens.name] = judgment
            self.failed.update(lens.name for lens in (ask.lens, *ask.successors))
            return
        self.given[judgment.lens] = judgment
        if judgment.lens != ask.lens.name:
            self.failed.add(ask.lens.name)
            by = next(lens for lens in ask.successors if lens.name == judgment.lens)
            self.panel = tuple(by if lens.name == ask.lens.name else lens for lens in self.panel or ())

    @property
    def judgments(self) -> tuple[Judgment, ...] | None:
        """One judgment for each lens of the panel; None if no lens may judge."""
        if self.panel is None:
            return None
        return tuple(self.given.get(lens.name) or self.unheard[lens.name] for lens in self.panel)


class Gate:
    """A gate that decides each finding separately. `rule` names one of the policy's rules; by default the policy's
    `uses` names the rule for each kind of finding."""

    def __init__(
        self,
        oracle: Oracle,
        bench: Bench | Sequence[Lens],
        *,
        policy: GatePolicy | None = None,
        rule: str | None = None,
        ask: Asker | None = None,
    ) -> None:
        self.policy = policy or load_gate_policy()
        self.oracle = oracle
        self._bench: Bench = bench if callable(bench) else _always(bench)
        self._rule = rule
        if rule is not None:
            self.policy.rule(rule)
        self._ask = ask or InProcess(self.policy.lens_seconds, self.policy.together)

    async def decide(self, finding: Finding) -> Decision:
        """Return the decision about one finding."""
        return (await self.decide_all([finding]))[0]

    async def decide_all(self, findings: Sequence[Finding]) -> tuple[Decision, ...]:
        """Return a decision for each finding, in their order. No failure of an oracle or a lens raises."""
        names = [self._rule or rule_for(self.policy, f.kind, f.family, partial(self._bench, f)) for f in findings]
        rules = [self.policy.rule(name) for name in names]
        turn = asyncio.Semaphore(AT_ONCE)

        async def look(finding: Finding) -> _Looked:
            async with turn:
                return await self._look(finding)

        looked = await asyncio.gather(*(look(finding) for finding in findings))
        heard = [_Heard(one, rule, self._panel(one, rule)) for one, rule in zip(looked, rules, strict=True)]
        await self._judge(heard)
        await self._compare(heard)
        decisions = []
        for finding, one, name in zip(findings, heard, names, strict=True):
            ruling = self._settled(one)
            looked_at, judgments = one.looked, one.judgments or ()
            if one.floor.step != "pass":
                further = (one.further,) if one.further is not None else ()
                judgments = (*judgments, recorded(one.floor), *further)
            decisions.append(decided(finding, ruling, name, looked_at.answers, judgments, looked_at.corrections))
        return tuple(decisions)

    def _settled(self, one: _Heard) -> Ruling:
        looked = one.looked
        return settle(
            self.policy.table, one.rule, looked.finding.family, looked.answers, one.judgments, one.floor, one.further
        )

    async def _compare(self, heard: Sequence[_Heard]) -> None:
        """Compare every finding that its panel supports with its passages.

        A doubtful one goes to one more lens, of a family that has not judged yet; the lens is not told of the doubt.
        """
        doubtful: list[tuple[_Heard, Ask]] = []
        for one in heard:
            if self._settled(one).verdict != "supports":
                continue
            await asyncio.sleep(0)  # many findings are many comparisons: others go on between them
            one.floor = held(one.looked.finding, self.oracle, self._floor(one))
            lens = self._further(one) if one.floor.step == "defer" else None
            if lens is not None:
                doubtful.append((one, self._question(one, lens)))
        answers = await self._asked([ask for _, ask in doubtful])
        for (one, _), judgment in zip(doubtful, answers, strict=True):
            one.further = judgment if judgment.label != "unavailable" else None

    def _floor(self, one: _Heard) -> FloorPolicy:
        """Return the thresholds for a finding: they are lower if judges of several families support it."""
        finding, rule = one.looked.finding, self.policy.floor
        supporting = [j for j in one.judgments or () if j.label == "supports"]
        families = {voice(j.family, author=finding.family) for j in supporting}
        return FloorPolicy(rule.refuse, rule.agreed if len(families) > 1 else rule.alone)

    def _further(self, one: _Heard) -> Lens | None:
        """Return a lens of the whole bench whose family is neither the author's nor has judged yet."""
        finding = one.looked.finding
        spoken = {voice(judgment.family, author=finding.family) for judgment in one.judgments or ()}
        for lens in self._bench(finding, one.rule.model_copy(update={"judges": "anyone"})):
            new = voice(lens.family, author=finding.family) not in spoken and lens.name not in one.failed
            if new and may_judge(lens.family, finding.family) and takes_part(lens):
                return lens
        return None

    async def _judge(self, heard: Sequence[_Heard]) -> None:
        """Ask every panel. If a lens and all its successors failed, and others of the bench have not been asked, a
        panel with one of those is asked; existing judgments stay."""
        again: Sequence[_Heard] = [one for one in heard if one.panel]
        first = True
        while again:
            asks: list[tuple[_Heard, int, Ask]] = []
            for one in again:
                bench = self._bench(one.looked.finding, one.rule)
                stand_ins = successors(bench, one.panel or (), one.looked.finding.family)
                for place, lens in enumerate(one.panel or ()):
                    if lens.name not in one.given:
                        asks.append((one, place, self._question(one, lens, stand_ins[place] if first else ())))
            given = await self._asked([ask for *_, ask in asks])
            for (one, _, ask), judgment in zip(asks, given, strict=True):
                one.hear(ask, judgment)
            again = [one for one in again if self._reseated(one)]
            first = False

    def _question(self, one: _Heard, lens: Lens, others: tuple[Lens, ...] = ()) -> Ask:
        finding = one.looked.finding
        if any(isinstance(each, ReadsAround) for each in (lens, *others)) and one.context is None:
            one.context = context(finding, self.oracle)
        return Ask(lens, finding.claim, finding.passage, others, one.context or "")

    def _reseated(self, one: _Heard) -> bool:
        """Return whether there is a panel without the failed lenses, and use it."""
        finding = one.looked.finding
        if all(j.label != "unavailable" for j in one.judgments or ()):
            return False
        bench = self._bench(finding, one.rule)
        lenses = panel(bench, one.rule, finding.family, answered=one.given.keys(), without=one.failed)
        if lenses is None:
            return False
        one.panel = self._of_other_families(lenses, finding)
        one.unheard = {}
        return True

    async def _look(self, finding: Finding) -> _Looked:
        """Carry out the first stage, with a second look after a correction."""
        answers = [await self._confirm(finding)]
        if not corrected_once(self.policy.table, answers):
            return _Looked(finding, tuple(answers), ())
        found = answers[0]
        after = finding.model_copy(update={"sources": found.correction})
        answers.append(await self._confirm(after))
        correction = Correction(before=finding.sources, after=after.sources, reason=found.rationale)
        return _Looked(after, tuple(answers), (correction,))

    async def _confirm(self, finding: Finding) -> OracleAnswer:
        if not _says_something(finding.claim):
            return OracleAnswer(oracle=self.oracle.name, verdict="cannot-confirm", rationale="it states nothing")
        answers: list[OracleAnswer] = []
        for oracle in parts_of(self.oracle):
            answers.append(await self._asked_of(oracle, finding))
            if answers[-1].verdict != "confirmed":
                return answers[-1]
        found = self.oracle.joined(answers) if isinstance(self.oracle, Oracles) else answers[0]
        if found.verdict == "confirmed" and not _says_something(finding.passage):
            why = f"{found.rationale}; but no passage of it is at hand for a lens to read"
            return found.model_copy(update={"verdict": "cannot-confirm", "rationale": why})
        return found

    async def _asked_of(self, oracle: Oracle, finding: Finding) -> OracleAnswer:
        try:
            return await answered(
                oracle, lambda: oracle.confirm(finding), OracleAnswer, oracle.name, self.policy.seconds
            )
        except Unavailable as problem:
            return OracleAnswer(oracle=oracle.name, verdict="unavailable", rationale=str(problem))

    def _panel(self, one: _Looked, rule: CombinationRule) -> tuple[Lens, ...] | None:
        """Return the lenses to ask: none if the source is not confirmed, None if no lens may judge."""
        if settle_existence(self.policy.table, one.answers) is not None:
            return ()
        lenses = panel(self._bench(one.finding, rule), rule, one.finding.family)
        return None if lenses is None else self._of_other_families(lenses, one.finding)

    def _of_other_families(self, lenses: tuple[Lens, ...], finding: Finding) -> tuple[Lens, ...]:
        for lens in lenses:
            if not may_judge(lens.family, finding.family):
                raise InvariantBroken("I4", f"{lens.name} would judge a claim of its own family")
        return lenses

    async def _asked(self, asks: Sequence[Ask]) -> list[Judgment]:
        """Return one judgment for each question, in its lens's own name; a missing or invalid one is unavailable."""
        answers: Sequence[object] = await self._ask(asks) if asks else ()
        return [checked(ask, answers[i] if i < len(answers) else None) for i, ask in enumerate(asks)]


def _says_something(text: str) -> bool:
    return any(sign.isalnum() for sign in text)


def _always(lenses: Sequence[Lens]) -> Bench:
    return lambda finding, rule: lenses


def council_gate(oracle: Oracle, council: Council | None = None) -> Gate:
    """Return a gate whose lenses are the council's, by default those of the council that `veritas council` names.
    Raises `InputError` (with `PolicyError`) if the council cannot be used or a policy is wrong."""
    if council is None:
        from veritas.council.seated_council import build_council
        from veritas.council.select_council import choose_council

        council = build_council(choose_council().policy)
    seated = council
    return Gate(oracle, lambda finding, rule: seated.bench(finding.author, rule))
