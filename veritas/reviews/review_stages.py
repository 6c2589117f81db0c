"""Carrying out a review: retrieve, write, review, revise, then what persons decided; every stage stored as it is done.

    review = await start(ReviewRequest(topic="freeze-drying of vaccines", corpus="lyophilization"))
    review = await resume(review.review_id)      # after a person has approved something, or after a kill
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from veritas.approvals.person import Person
from veritas.errors import InputError, StoreUnavailable, Unavailable
from veritas.frozen import Frozen, content_hash
from veritas.gate import Gate, council_gate
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.conclude import ask_about_corpus, settled
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.corpus_file import CorpusLedger
from veritas.reviews.manuscript import Manuscript, ManuscriptSection, ReviewDraft
from veritas.reviews.review_document import REVIEW_STAGES, Review, ReviewStage, ReviewTiming, Revision, state_of
from veritas.reviews.review_request import ReviewRequest, checked
from veritas.reviews.reviewing.quote_oracle import CorpusOracle
from veritas.reviews.reviewing.review_verdicts import lines_of
from veritas.reviews.reviewing.reviewer import review
from veritas.reviews.stage_folder import StageFolder
from veritas.reviews.stage_outputs import Reviewed, Revised, Slot, Written
from veritas.reviews.writing.outline import Structure, read_structure
from veritas.reviews.writing.resolve_citations import LayerOne, fault, resolved
from veritas.reviews.writing.retrieve_claims import Retrieval, Task, retrieve
from veritas.reviews.writing.writer import EmbeddedWriter, ReviewWriter
from veritas.store.call_record import collecting_calls

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

M = TypeVar("M", bound=Frozen)
Told = Callable[[ReviewStage, str], None]
RULES = 2
"""Raised whenever the same inputs would give another review: stored stages of older rules are not gone on from."""


class Waiting(InputError):
    """The review stands at its first stop: a person has to approve the corpus. Nothing failed."""

    def __init__(self, review_id: str, approval_id: str, why: str) -> None:
        super().__init__(why)
        self.review_id, self.approval_id = review_id, approval_id


@dataclass(frozen=True)
class _Bench:
    """Who writes and who judges."""

    writer: ReviewWriter
    gate: Gate
    council: str


async def start(
    request: ReviewRequest,
    *,
    person: Person | None = None,
    told: Told = lambda stage, what: None,
    home: Path | None = None,
) -> Review:
    """A new review. Raises `InputError` for what cannot be used, `Unavailable` when a writer does not answer (resume it
    later), `Waiting` at the first stop if the request says so."""
    request = checked(request)
    Corpus.open(request.corpus, home_folder=home)
    folder = StageFolder.create(request.model_dump(mode="json"), version("veritas-research"), home=home)
    return await _Review(request, folder, person, told, home).run()


async def resume(
    review_id: str,
    *,
    person: Person | None = None,
    told: Told = lambda stage, what: None,
    home: Path | None = None,
) -> Review:
    """Goes on after the last stage that is stored; of a finished review, takes in what persons have decided since."""
    folder = StageFolder.open(review_id, home=home)
    request = ReviewRequest.model_validate(folder.begun.request)
    return await _Review(request, folder, person, told, home).run()


async def replay(
    review_id: str,
    stage: ReviewStage,
    *,
    person: Person | None = None,
    told: Told = lambda stage, what: None,
    home: Path | None = None,
    **changed: object,
) -> Review:
    """A new review that takes the earlier stages of another and does the rest anew, with changed settings if any."""
    parent = StageFolder.open(review_id, home=home)
    request = checked(ReviewRequest.model_validate({**parent.begun.request, **changed}))
    made = _Review(request, None, person, told, home)
    now = version("veritas-research")
    then = parent.corpus_state()
    if stage != "retrieve" and then is not None and then.content_hash != made.state.content_hash:
        raise InputError(
            f"the corpus {request.corpus} is not what {review_id} was written from; what was retrieved then may "
            f"be gone: veritas review --replay {review_id} --from retrieve"
        )
    folder = StageFolder.create(request.model_dump(mode="json"), now, parent=review_id, home=home)
    folder.take_over(parent, stage, {name: made.input_hash(name) for name in REVIEW_STAGES})
    made.folder = folder
    return await made.run()


class _Review:
    def __init__(
        self, request: ReviewRequest, folder: StageFolder | None, person: Person | None, told: Told, home: Path | None
    ) -> None:
        self.request, self.person, self.told, self.home = request, person, told, home
        self.corpus = Corpus.open(request.corpus, home_folder=home)
        self.structure: Structure = read_structure(request.structure)
        self.state = state_of(self.corpus)
        self.timings: list[ReviewTiming] = []
        self._folder = folder
        self._after = ""
        """The hash of the last stage's output."""
        if folder is not None and folder.whole():
            self._as_it_was(folder)
        if not self.state.claims:
            raise InputError(
                f"the corpus {self.corpus.name} holds no claims: nothing could be written. "
                f"veritas corpus add {self.corpus.name} PATH…"
            )

    def _as_it_was(self, folder: StageFolder) -> None:
        """Of a review that is written, only what persons decided is taken in: what its corpus gained since does not
        matter, as long as all that it cites is there."""
        then = folder.corpus_state()
        if then is None or then.content_hash == self.state.content_hash:
            return
        written, revised = folder.read("write", Written), folder.read("revise", Revised)
        stand = (*(slot.sentence for slot in written.slots if slot.sentence), *revised.sentences)
        papers = set(self.state.keys)
        if all(papers.issuperset(s.keys) and all(map(self.corpus.claim, s.claim_ids)) for s in stand):
            self.state = then

    @property
    def folder(self) -> StageFolder:
        """Where its stages are kept."""
        assert self._folder is not None
        return self._folder

    @folder.setter
    def folder(self, folder: StageFolder) -> None:
        self._folder = folder

    def input_hash(self, stage: ReviewStage) -> str:
        """Of everything a stage's output depends on."""
        asked = self.request.model_dump(mode="json", exclude={"stop", "corpus", "structure"})
        return content_hash(
            [RULES, stage, asked, self.structure.model_dump(mode="json"), self.state.content_hash]
        )

    async def run(self) -> Review:
        """All stages, then what persons decided."""
        review_id = self.folder.begun.review_id
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
            retrieval = await self._stage("retrieve", Retrieval, self._retrieve)
            written = await self._stage("write", Written, lambda: self._write(retrieval, bench))
            reviewed = await self._stage("review", Reviewed, lambda: self._judge(written, bench))
            revised = await self._stage("revise", Revised, lambda: self._revise(retrieval, written, reviewed, bench))
        begun = self.folder.begun
        return await settled(
            written,
            reviewed.report,
            revised,
            self.person,
            self.home,
            review_id=begun.review_id,
            parent_review_id=begun.parent_review_id,
            topic=self.request.topic,
            corpus=self.state,
            structure=self.request.structure,
            settings={**self.request.model_dump(mode="json", exclude={"topic"}), "council": bench.council},
            corpus_stop=corpus_stop,
            calls=(*written.calls, *reviewed.calls, *revised.calls),
            timings=tuple(self.timings),
            started_at=begun.started_at,
            finished_at=datetime.now(UTC),
            version=begun.version,
        )

    @asynccontextmanager
    async def _bench(self) -> AsyncIterator[_Bench]:
        """The council that sits: its writer writes, its lenses of other families judge; answers go into the ledger."""
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
            yield _Bench(writer, council_gate(CorpusOracle(self.corpus), council), chosen.name)
        finally:
            await board.close()

    async def _stage(self, stage: ReviewStage, model: type[M], make: Callable[[], Awaitable[M]]) -> M:
        stored = self.folder.load(stage, self.input_hash(stage), self._after, model)
        if stored is None:
            began = time.perf_counter()
            try:
                output = await make()
            except StoreUnavailable:
                raise
            except Unavailable as problem:
                said = str(problem).rstrip(". ")
                raise Unavailable(
                    f"{said}. What was answered is kept; go on with: veritas review --resume "
                    f"{self.folder.begun.review_id}"
                ) from problem
            seconds = round(time.perf_counter() - began, 3)
            if state_of(self.corpus).content_hash != self.state.content_hash:
                raise InputError(
                    f"the corpus {self.corpus.name} was changed while {self.folder.begun.review_id} was at work; begin "
                    f"it anew, or replay it: veritas review --replay {self.folder.begun.review_id} --from retrieve"
                )
            saved = self.folder.save(stage, self.input_hash(stage), self._after, output, seconds, self.state)
            stored = self.folder.load(stage, self.input_hash(stage), self._after, model)
            if stored is None:
                raise StoreUnavailable(f"{self.folder.path} was changed by somebody else while {stage} was stored")
            self.timings.append(ReviewTiming(stage=stage, seconds=stored.seconds, from_store=not saved))
        else:
            self.timings.append(ReviewTiming(stage=stage, seconds=stored.seconds, from_store=True))
            self.told(stage, "from the store")
        self._after = stored.output_hash
        return stored.output

    async def _retrieve(self) -> Retrieval:
        found = await retrieve(self.request.topic, self.structure, self.corpus, self.request.filters)
        self.told("retrieve", f"{sum(len(t.claims) for t in found.tasks)} claims for {len(found.tasks)} sections")
        return found

    async def _write(self, retrieval: Retrieval, bench: _Bench) -> Written:
        import asyncio

        with collecting_calls() as calls:
            drafts = await asyncio.gather(
                *(bench.writer.write(self.request.topic, task) for task in retrieval.tasks), return_exceptions=True
            )
        for drafted in drafts:  # only now: what the others wrote is in the ledger
            if isinstance(drafted, BaseException):
                raise drafted
        slots = [
            _slot(draft, task.section, {c.claim_id: c for c in task.claims}, self.request.topic)
            for task, drafted in zip(retrieval.tasks, drafts, strict=True)
            if not isinstance(drafted, BaseException)
            for draft in drafted
        ]
        manuscript = Manuscript(
            topic=self.request.topic,
            title=retrieval.title,
            sections=tuple(task.section for task in retrieval.tasks),
            sentences=tuple(slot.sentence for slot in slots if slot.sentence is not None),
            writer=bench.writer.name,
            family=bench.writer.family,
        )
        caught = sum(slot.caught is not None for slot in slots)
        self.told("write", f"{len(slots)} sentences by {bench.writer.name}, {caught} caught by code")
        return Written(draft=manuscript, slots=tuple(slots), calls=tuple(calls))

    async def _judge(self, written: Written, bench: _Bench) -> Reviewed:
        with collecting_calls() as calls:
            report = await review(lines_of(written.draft), self.corpus, bench.gate, written.draft.family)
        verified = sum(v.verdict == "VERIFIED" for v in report.verdicts)
        self.told("review", f"{verified} of {len(report.verdicts)} sentences verified")
        return Reviewed(report=report, calls=tuple(calls))

    async def _revise(
        self, retrieval: Retrieval, written: Written, reviewed: Reviewed, bench: _Bench
    ) -> Revised:
        """What was found goes back to the writer, once, and what comes back is checked like the first."""
        import asyncio

        tasks = {t.section.section_id: t for t in retrieval.tasks}
        todo: list[tuple[Slot, str]] = []
        for slot in written.slots:
            verdict = reviewed.report.of(slot.sentence.sentence_id) if slot.sentence else None
            if slot.caught is not None:
                todo.append((slot, slot.caught.why))
            elif verdict is not None and verdict.verdict not in ("VERIFIED", "UNAVAILABLE"):
                todo.append((slot, f"{verdict.verdict}: {verdict.reason}"))
        with collecting_calls() as calls:
            answers = await asyncio.gather(
                *(self._again(slot, why, tasks[slot.section], bench.writer) for slot, why in todo)
            )
            changed = [r.after for r in answers if r.after is not None]
            manuscript = written.draft.model_copy(update={"sentences": tuple(changed)})
            report = await review(lines_of(manuscript), self.corpus, bench.gate, manuscript.family)
        verified = sum(v.verdict == "VERIFIED" for v in report.verdicts)
        self.told("revise", f"{len(todo)} went back, {len(changed)} came back, {verified} of these verified")
        return Revised(revisions=tuple(answers), report=report, calls=tuple(calls))

    async def _again(
        self, slot: Slot, why: str, task: Task, writer: ReviewWriter
    ) -> Revision:
        claims = {c.claim_id: c for c in task.claims}
        made = Revision(sentence_id=slot.subject, section=slot.section, before=slot.draft.text, why=why)
        cited = [claims[i] for i in slot.draft.claim_ids if i in claims]
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


def _slot(draft: ReviewDraft, section: ManuscriptSection, claims: dict[str, CorpusClaim], topic: str) -> Slot:
    wrong, name = fault(draft, claims), section.section_id
    if wrong is None:
        return Slot(section=name, draft=draft, sentence=resolved(draft, section, claims, topic))
    caught = LayerOne(section=name, problem=wrong[0], text=draft.text, why=wrong[1])
    return Slot(section=name, draft=draft, caught=caught)
