"""The stages of a review: retrieve, write, review, revise, then apply persons' decisions."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from veritas.approvals.person import Person
from veritas.council.spending import OverBudget, Spending
from veritas.engine.current_run import skip_unit, unit_done
from veritas.engine.progress import Progress
from veritas.engine.staged_run import Around, StagedRun, Waiting
from veritas.engine.stored_runs import Parent
from veritas.errors import InputError, Unavailable
from veritas.frozen import Frozen
from veritas.gate import Gate, OracleSetup, council_gate, oracle_for
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.conclude import ask_about_corpus, settled
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.corpus_file import CorpusLedger
from veritas.reviews.manuscript import Manuscript, ManuscriptSection, ReviewDraft
from veritas.reviews.review_document import (
    CorpusState,
    Review,
    ReviewTiming,
    Revision,
    state_of,
)
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_store import (
    REVIEWS,
    inputs_of,
)
from veritas.reviews.reviewing.review_verdicts import lines_of
from veritas.reviews.reviewing.reviewer import review
from veritas.reviews.stage_outputs import Retrieved, Reviewed, Revised, Slot, Written
from veritas.reviews.writing.resolve_citations import LayerOne, fault, resolved
from veritas.reviews.writing.retrieve_claims import AUTO, Structure, Task, read_structure, retrieve
from veritas.reviews.writing.writer import EmbeddedWriter, ReviewWriter
from veritas.store.call_record import collecting_calls, record_call
from veritas.store.run_file import RunStore
from veritas.text.plural import plural

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

M = TypeVar("M", bound=Frozen)


@dataclass(frozen=True)
class _Bench:
    """The writer and the judges of a review."""

    writer: ReviewWriter
    gate: Gate
    council: str


class Reviewing(StagedRun[Review]):
    """A review that runs through its stages."""

    kind = REVIEWS

    def __init__(
        self,
        store: RunStore,
        request: ReviewRequest,
        corpus: Corpus,
        state: CorpusState,
        person: Person | None,
        home: Path | None,
        progress: Progress | None,
        around: Around,
        parent: Parent | None = None,
    ) -> None:
        inputs = inputs_of(request, state.content_hash)
        super().__init__(
            store, inputs, spending=Spending(request.budget), parent=parent, progress=progress, person=person,
            around=around,
        )  # fmt: skip
        self.request, self.corpus, self.state, self.home = request, corpus, state, home
        self.structure = read_structure(request.structure)

    def status(self, made: Review) -> str:
        """Return `approved` or `draft`."""
        return "approved" if made.approved else "draft"

    async def stages(self) -> Review:
        """Run all stages, then apply persons' decisions."""
        review_id = self.store.run_id
        corpus_stop = await ask_about_corpus(self.state, self.request, review_id, self.person, self.home)
        if corpus_stop.state == "rejected":
            raise InputError(f"the corpus was rejected by {corpus_stop.by}: nothing is written from it")
        if self.request.stop and corpus_stop.state != "approved":
            raise Waiting(
                review_id,
                corpus_stop.approval_id,
                f"{review_id} waits for a person to approve the corpus: veritas approve {corpus_stop.approval_id} "
                f"--name NAME --reason WHY, then veritas review --resume {review_id}",
            )
        async with self._bench() as bench:
            retrieved = await self.stage(
                "retrieve", Retrieved, lambda: self._whole(self._retrieve(bench)), _said_retrieve
            )
            written = await self.stage(
                "write", Written, lambda: self._whole(self._write(retrieved, bench)), _said_write
            )
            reviewed = await self.stage(
                "review", Reviewed, lambda: self._whole(self._judge(written, bench)), _said_review
            )
            revised = await self.stage(
                "revise",
                Revised,
                lambda: self._whole(self._revise(retrieved, written, reviewed, bench)),
                _said_revise,
            )
        begun = self.store.run
        return await settled(
            written,
            reviewed.report,
            revised,
            self.person,
            self.home,
            review_id=review_id,
            parent_review_id=begun.parent_run_id,
            topic=self.request.topic,
            corpus=self.state,
            structure=self.request.structure,
            settings={**self.request.model_dump(mode="json", exclude={"topic"}), "council": bench.council},
            corpus_stop=corpus_stop,
            cut_back=_cut_back(self.refused),
            calls=tuple(self.calls),
            timings=tuple(ReviewTiming.model_validate(timing._asdict()) for timing in self.timings),
            started_at=begun.started_at,
            finished_at=datetime.now(UTC),
            version=begun.version,
        )

    @asynccontextmanager
    async def _bench(self) -> AsyncIterator[_Bench]:
        """Open the active council: its writer, its lenses of other families; answers go into the ledger."""
        from veritas.council.connections import Switchboard
        from veritas.council.seated_council import build_council
        from veritas.council.select_council import choose_council

        chosen = choose_council(self.request.council)
        board = Switchboard(chosen.policy.providers)
        board.bind(CorpusLedger(self.corpus.file))
        council = build_council(chosen.policy, board)
        named = next(m for m in chosen.policy.members if m.name == chosen.policy.writers[0])
        model = named.as_model()
        writer: ReviewWriter = EmbeddedWriter()
        if model is not None:
            from veritas.reviews.writing.model_writer import ModelWriter

            writer = ModelWriter(named.name, model.family or "", board.connect(model))
        try:
            oracle = oracle_for(OracleSetup(kind="review-sentence", corpus=self.corpus))
            yield _Bench(writer, council_gate(oracle, council), chosen.name)
        finally:
            await board.close()

    async def _whole(self, making: Awaitable[M]) -> M:
        """Return what a stage makes. Raises `InputError` if the corpus changed meanwhile."""
        made = await making
        if state_of(self.corpus).content_hash != self.state.content_hash:
            raise InputError(
                f"the corpus {self.corpus.name} was changed while {self.store.run_id} was at work; begin it anew, or "
                f"replay it: veritas review --replay {self.store.run_id} --from retrieve"
            )
        return made

    async def _retrieve(self, bench: _Bench) -> Retrieved:
        structure = self.structure
        if isinstance(bench.writer, EmbeddedWriter):
            structure = read_structure("thematic") if self.request.structure == AUTO else structure
            if structure.title == Structure.model_fields["title"].default:
                structure = structure.model_copy(update={"title": "{topic}: an annotated outline"})
        found = await retrieve(self.request.topic, structure, self.corpus, self.request.filters)
        return Retrieved(title=found.title, tasks=found.tasks, off_topic=found.off_topic, corpus=self.state)

    async def _write(self, retrieval: Retrieved, bench: _Bench) -> Written:
        async def one(task: Task) -> Sequence[ReviewDraft]:
            if skip_unit():
                return ()
            with collecting_calls() as calls:
                drafted = await bench.writer.write(self.request.topic, task)
            for call in calls:
                record_call(call)
            unit_done(calls)
            return drafted

        self.units_begun("section", len(retrieval.tasks))
        _keep_back(self.spending, 0.5)
        drafts = await asyncio.gather(*map(one, retrieval.tasks), return_exceptions=True)
        unpaid = [drafted for drafted in drafts if isinstance(drafted, OverBudget)]
        for drafted in drafts:  # raised only now, when the answers of the others are in the ledger
            if isinstance(drafted, BaseException) and (drafted not in unpaid or len(unpaid) == len(drafts)):
                raise drafted
        slots: list[Slot] = []
        for task, drafted in zip(retrieval.tasks, drafts, strict=True):
            if isinstance(drafted, BaseException):
                slots.append(_unwritten(task.section, str(drafted), self.request.topic))
                continue
            claims = {c.claim_id: c for c in task.claims}
            slots += [_slot(draft, task.section, claims, self.request.topic) for draft in drafted]
        manuscript = Manuscript(
            topic=self.request.topic,
            title=retrieval.title,
            sections=tuple(task.section for task in retrieval.tasks),
            sentences=tuple(slot.sentence for slot in slots if slot.sentence is not None),
            writer=bench.writer.name,
            family=bench.writer.family,
            off_topic=retrieval.off_topic,
        )
        return Written(draft=manuscript, slots=tuple(slots))

    async def _judge(self, written: Written, bench: _Bench) -> Reviewed:
        _keep_back(self.spending, 0.2)
        return Reviewed(report=await review(lines_of(written.draft), self.corpus, bench.gate, written.draft.family))

    async def _revise(self, retrieval: Retrieved, written: Written, reviewed: Reviewed, bench: _Bench) -> Revised:
        """Send each faulty sentence back to the writer, once, and check what comes back like the first."""
        tasks = {t.section.section_id: t for t in retrieval.tasks}
        todo: list[tuple[Slot, str]] = []
        for slot in written.slots:
            verdict = reviewed.report.of(slot.sentence.sentence_id) if slot.sentence else None
            if slot.caught is not None and slot.draft.kind != "gap":
                todo.append((slot, slot.caught.why))
            elif verdict is not None and verdict.verdict not in ("VERIFIED", "UNAVAILABLE"):
                todo.append((slot, f"{verdict.verdict}: {verdict.reason}"))
        _keep_back(self.spending, 0.4)
        answers = await asyncio.gather(
            *(self._again(slot, why, tasks[slot.section], bench.writer) for slot, why in todo)
        )
        changed = [r.after for r in answers if r.after is not None]
        _keep_back(self.spending, 0.0)
        manuscript = written.draft.model_copy(update={"sentences": tuple(changed)})
        report = await review(lines_of(manuscript), self.corpus, bench.gate, manuscript.family)
        return Revised(revisions=tuple(answers), report=report)

    async def _again(
        self, slot: Slot, why: str, task: Task, writer: ReviewWriter
    ) -> Revision:
        claims = {c.claim_id: c for c in task.claims}
        made = Revision(sentence_id=slot.subject, section=slot.section, before=slot.draft.text, why=why)
        cited = [claims[i] for i in slot.draft.claim_ids if i in claims]
        if skip_unit():
            return made
        try:
            draft = await writer.revise(slot.draft, why, cited or tuple(claims.values()))
        except Unavailable as problem:
            return made.model_copy(update={"fault": f"the writer did not answer: {problem}"})
        if draft is None or draft.kind == "gap":
            return made
        wrong = fault(draft, claims)
        if wrong is not None:
            return made.model_copy(update={"fault": wrong[1]})
        return made.model_copy(update={"after": resolved(draft, task.section, claims, self.request.topic)})


def _unwritten(section: ManuscriptSection, why: str, topic: str) -> Slot:
    """A section that the budget did not allow: a gap, and a row that says so."""
    draft = ReviewDraft(text=f"the section {section.title} was not written", kind="gap")
    caught = LayerOne(section=section.section_id, problem="gap", text=draft.text, why=why)
    return Slot(section=section.section_id, draft=draft, sentence=resolved(draft, section, {}, topic), caught=caught)


def _slot(draft: ReviewDraft, section: ManuscriptSection, claims: dict[str, CorpusClaim], topic: str) -> Slot:
    wrong, name = fault(draft, claims), section.section_id
    if wrong is None:
        return Slot(section=name, draft=draft, sentence=resolved(draft, section, claims, topic))
    caught = LayerOne(section=name, problem=wrong[0], text=draft.text, why=wrong[1])
    return Slot(section=name, draft=draft, caught=caught)


def _said_retrieve(o: Retrieved) -> str:
    return f"{plural(sum(len(t.claims) for t in o.tasks), 'claim')} for {plural(len(o.tasks), 'section')}"


def _said_write(o: Written) -> str:
    caught = sum(slot.caught is not None for slot in o.slots)
    return f"{plural(len(o.slots), 'sentence')} by {o.draft.writer}" + (f", {caught} refused by code" if caught else "")


def _said_review(o: Reviewed) -> str:
    verified, asked = sum(v.verdict == "VERIFIED" for v in o.report.verdicts), len(o.report.verdicts)
    return f"{verified} of {plural(asked, 'sentence')} verified" if asked else "no sentence to verify"


def _said_revise(o: Revised) -> str:
    verified = sum(v.verdict == "VERIFIED" for v in o.report.verdicts)
    if not o.revisions:
        return "no sentence to revise"
    sent = plural(len(o.revisions), "sentence")
    return f"{sent} sent back to the writer, {len(o.sentences)} of them reworded, {verified} of those verified"


def _keep_back(spending: Spending, share: float) -> None:
    """Keep a share of what is left, 0 to 1, from the calls to come until the next word: sentences that nobody can judge
    are worth nothing."""
    limit = spending.budget
    usd = share * max(0.0, limit.usd - spending.usd) if limit.usd is not None else 0.0
    calls = int(share * max(0, limit.calls - spending.calls)) if limit.calls is not None else 0
    spending.keep("render", usd, calls)  # which comes after all that writers and judges are asked for


def _cut_back(refused: Mapping[str, Mapping[str, int]]) -> str:
    """Return what the budget did not allow, in a sentence; "" if it allowed all. `refused` are calls by stage and
    limit."""
    counts = {stage: count for stage, limits in refused.items() if (count := sum(limits.values()))}
    if not counts:
        return ""
    named = ", ".join(f"{count} in stage {stage}" for stage, count in counts.items())
    return f"The budget had no room for {sum(counts.values())} call(s) ({named}), so parts are missing or unjudged."
