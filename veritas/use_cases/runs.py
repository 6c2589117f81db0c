"""Runs, for Python programs and for the commands: begin, resume, replay from a stage.

    import asyncio
    from veritas.use_cases.runs import research

    graph = asyncio.run(research("Does Prefect retry failed tasks?", corpus=["docs/"]))
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from veritas.answers.forecast import Forecast, Forecaster
from veritas.answers.pipeline import RESEARCH_RUNS, Pipeline
from veritas.answers.preflight import Preflight
from veritas.answers.preflight import preflight as ask_beforehand
from veritas.answers.request import Request
from veritas.answers.runtime import Runtime, build_runtime
from veritas.approvals.notes import noted_in
from veritas.approvals.person import Person
from veritas.claims.graph import STAGES, ClaimGraph, Run, StageName
from veritas.council.select_council import council_file
from veritas.council.turn_calls import within_stage
from veritas.engine.progress import Progress, Silent
from veritas.engine.staged_run import Around, plain
from veritas.engine.stored_runs import Parent, begun, in_use, open_for_more, parent_of
from veritas.engine.units import R, Step, U, Work, in_process
from veritas.errors import InputError, VeritasError
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import RunStore, find_run, merge_run
from veritas.store.call_record import Outcome

logger = logging.getLogger(__name__)

Ready = Callable[[Runtime], Awaitable[None]]
"""A function that is called when a run's runtime is built, before its first stage."""


def make_request(**fields: Any) -> Request:
    """A request from loose fields: paths made absolute, `InputError` in a sentence for whatever is wrong."""
    given = {key: value for key, value in fields.items() if value is not None}
    if isinstance(given.get("corpus"), str | Path):
        given["corpus"] = [given["corpus"]]
    if "corpus" in given:
        given["corpus"] = tuple(str(Path(p).expanduser().resolve()) for p in given["corpus"])
    for key in ("policy", "cost_tiers"):
        if key in given:
            given[key] = str(Path(given[key]).expanduser().resolve())
    if "council" in given:
        given["council"] = str(council_file(given["council"]))
    try:
        return Request.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InputError(f"{where}: {first['msg']}") from error


def _work(inner: Work) -> Work:
    """Return the work, with its stage made known to the models that are asked in it."""

    async def staged(step: Step[U, R], units: Sequence[U], runtime: Runtime) -> list[Outcome[R]]:
        # A judge's step is that of stage verify wherever it is taken; its units know for which stage they are.
        with within_stage(getattr(units[0], "stage", step.stage)):
            return await inner(step, units, runtime)

    return staged


async def _carry_out(
    store: RunStore,
    runtime: Runtime,
    work: Work | None,
    progress: Progress,
    ready: Ready | None = None,
    parent: Parent | None = None,
    person: Person | None = None,
    around: Around = plain,
    forecaster: Forecaster | None = None,
) -> ClaimGraph:
    from veritas.report import render_markdown

    pipeline = Pipeline(
        store, runtime, _work(work or in_process), render=render_markdown, parent=parent, progress=progress,
        person=person, around=around, forecaster=forecaster or Forecaster.of(runtime, store.home),
    )  # fmt: skip
    async with in_use(store, runtime.switchboard):
        if ready is not None:
            await ready(runtime)
        graph = await pipeline.run()
        lineage = store.lineage()
    _merge(store)
    return noted_in(graph, store.home, lineage)


def _merge(store: RunStore) -> None:
    """Enter a finished run into the catalogue. An error there never fails the run: it is whole in its own file, and
    listing and merging find it there later."""
    try:
        merge_run(store.home, store.run_id)
    except VeritasError as problem:
        logger.warning("the run is stored, but not yet in the catalogue: %s", problem)


def _begun(
    request: Request, runtime: Runtime, run_id: str | None, parent: Parent | None = None, start: StageName | None = None
) -> Run:
    """Return the row of the run that begins; with `parent` and `start`, of a replay."""
    return begun(
        request.question, request.settings(), tier=request.tier, seed=request.seed, policy_hash=runtime.policy_hash,
        run_id=run_id, parent=parent, replayed_from=start,
    )  # fmt: skip


async def start(
    request: Request,
    *,
    home: Path | None = None,
    run_id: str | None = None,
    work: Work | None = None,
    progress: Progress | None = None,
    ready: Ready | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    person: Person | None = None,
    preflight: bool = True,
) -> ClaimGraph:
    """Carry out a new run of `request`, and return its claim graph. `corpus` is used in place of reading the request's
    paths; `person` is waited for where the gate cannot decide, and without one what it cannot decide is left out at
    once (`veritas.approvals`); `around` is how each stage is carried out.

    Nothing is stored before the question, the policies and the documents are found usable, and, unless `preflight` is
    false, before it is known that somebody can speak: else `Unavailable` is raised.
    """
    checked = await _checked(request, progress, corpus, ask=preflight)
    runtime = checked.applied(build_runtime(request, corpus))
    home = home or default_home()
    forecaster = Forecaster.of(runtime, home)
    if said := forecaster.forecast().said:
        (progress or Silent()).noted(said)
    if runtime.switchboard is not None:
        runtime.switchboard.prepare()
    store = RunStore.create(home, _begun(request, runtime, run_id))
    return await _carry_out(
        store, runtime, work, progress or Silent(), ready, person=person, around=around, forecaster=forecaster
    )


def forecast(request: Request, *, home: Path | None = None, corpus: Corpus | None = None) -> Forecast:
    """Return the forecast of a run of `request`. Nobody is asked. Raises what `build_runtime` raises."""
    return Forecaster.of(build_runtime(request, corpus), home or default_home()).forecast()


async def _checked(
    request: Request,
    progress: Progress | None,
    corpus: Corpus | None,
    stage: StageName = "decompose",
    answered: Collection[str] = (),
    *,
    ask: bool = True,
) -> Preflight:
    """Return who can speak, and tell it to the listener; see `preflight`. Raises `Unavailable` when nobody can."""
    found = await ask_beforehand(request, start=stage, documents=corpus is not None, answered=answered, ask=ask)
    found.check(stage)
    for line in found.said():
        (progress or Silent()).warned(line)
    return found


async def research(
    question: str, *, home: Path | None = None, preflight: bool = True, **settings: Any
) -> ClaimGraph:
    """Answer a question, and return the claim graph; `settings` are `Request`'s fields (`corpus`, `tier`, `policy`,
    `council`, `seed` …)."""
    return await start(make_request(question=question, **settings), home=home, preflight=preflight)


def request_of(run: Run) -> Request:
    """Return the request a stored run was made from."""
    return Request.model_validate({"question": run.question, **run.settings})


async def resume(
    run: str,
    *,
    home: Path | None = None,
    work: Work | None = None,
    progress: Progress | None = None,
    ready: Ready | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    person: Person | None = None,
    preflight: bool = True,
) -> ClaimGraph:
    """Resume a run that was cut off, after its last finished stage, and return its claim graph. A finished run is
    returned as it is.

    One that ended `unavailable` goes on as a new run, a replay from the stage at which nobody could speak: a stored run
    never changes (I6), and nothing is paid for twice (I9).
    """
    home = home or default_home()
    store = open_for_more(home, find_run(home, run))
    try:
        done = store.graph()
        if done is not None and done.answer.unavailable_at is not None:
            store.close()
            return await replay(
                store.run_id, done.answer.unavailable_at, home=home, work=work, progress=progress, ready=ready,
                around=around, corpus=corpus, person=person, preflight=preflight,
            )  # fmt: skip
        if done is not None:
            lineage = store.lineage()
            store.close()
            _merge(store)
            return noted_in(done, home, lineage)
        request = request_of(store.run)
        parent = parent_of(RESEARCH_RUNS, home, store.run)
        there = {row.stage for row in store.stages()} | set(parent.documents if parent else ())
        stage = next((name for name in STAGES if name not in there), STAGES[-1])
        checked = await _checked(request, progress, corpus, stage, _answered(store), ask=preflight)
        runtime = checked.applied(build_runtime(request, corpus))
    except BaseException:
        store.close()
        raise
    return await _carry_out(store, runtime, work, progress or Silent(), ready, parent, person, around)


def _answered(store: RunStore) -> set[str]:
    """Return the models that have answers in the run's ledger."""
    return {entry.model for entry in store.ledger.entries()}


async def replay(
    run: str,
    start_stage: str,
    *,
    home: Path | None = None,
    changes: Mapping[str, Any] | None = None,
    work: Work | None = None,
    progress: Progress | None = None,
    ready: Ready | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    run_id: str | None = None,
    person: Person | None = None,
    preflight: bool = True,
) -> ClaimGraph:
    """A new run that takes the stages before `start_stage` from `run` and does the rest anew, with changed settings.

    `changes` are `Request`'s fields; the question cannot change, and limits of a budget that are not named stay. The
    parent is read and never written.
    """
    home = home or default_home()
    stage = cast("StageName", RESEARCH_RUNS.check(start_stage))
    with RunStore.open(home, find_run(home, run), read_only=True) as store:
        parent = Parent(RESEARCH_RUNS, store, stage)
        answered = _answered(store)
    old = parent.run
    fields = {"question": old.question, **old.settings, **(changes or {})}
    if isinstance(limits := fields.get("budget"), Mapping):
        fields["budget"] = {**(old.settings.get("budget") or {}), **limits}
    request = make_request(**fields)
    checked = await _checked(request, progress, corpus, stage, answered, ask=preflight)
    runtime = checked.applied(build_runtime(request, corpus))
    if stage == "render" and runtime.policy_hash != old.policy_hash:
        raise InputError("a new source policy needs the answer written anew: replay from synthesize or earlier")
    made = RunStore.create(home, _begun(request, runtime, run_id, parent, stage))
    return await _carry_out(made, runtime, work, progress or Silent(), ready, parent, person, around)

