"""Runs of a request: started, gone on with, replayed; in process or over the tasks of a flow (`Means`)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack, cast

from pydantic import ValidationError

from veritas.answers.forecast import Forecast, Forecaster, enough
from veritas.answers.pipeline import RESEARCH_RUNS, Pipeline
from veritas.answers.preflight import preflight
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
from veritas.frozen import first_fault
from veritas.long_waits import overheard
from veritas.reading.corpus import Corpus
from veritas.reading.corpus_names import kept_name
from veritas.reading.packages import check_installed
from veritas.settings import home as default_home
from veritas.store import RunStore, find_run, merge_run
from veritas.store.call_record import Outcome
from veritas.use_cases.given import Paths, given_paths

__all__ = [
    "Corpus", "Forecast", "Means", "Progress", "Ready", "Silent", "forecast", "make_request", "read_documents",
    "replay", "request_of", "resume", "start",
]  # fmt: skip

logger = logging.getLogger(__name__)

Ready = Callable[[Runtime], Awaitable[None]]
"""A function that is called when a run's runtime is built, before its first stage."""


def make_request(**fields: Any) -> Request:
    """Return a request from loose fields: paths made absolute, `InputError` in a sentence for whatever is wrong."""
    given = {key: value for key, value in fields.items() if value is not None or key == "question"}
    if isinstance(given.get("corpus"), str | Path):
        given["corpus"] = [given["corpus"]]
    if "corpus" in given:
        given["corpus"] = tuple(map(kept_name, given["corpus"]))
        for name in given["corpus"]:
            check_installed(name)
    for key in ("policy", "cost_tiers"):
        if key in given:
            given[key] = str(Path(given[key]).expanduser().resolve())
    if "council" in given:
        given["council"] = str(council_file(given["council"]))
    try:
        return Request.model_validate(given)
    except ValidationError as error:
        raise InputError(first_fault(error)) from error


def read_documents(paths: Paths) -> Corpus:
    """Read documents once, for several runs over the same (`Means.corpus`). Raises `CorpusError` for a path that cannot
    be used at all."""
    from veritas.reading.loading import load_corpus

    return load_corpus(given_paths(paths))


def _work(inner: Work) -> Work:
    """Return the work, with its stage made known to the models that are asked in it."""

    async def staged(step: Step[U, R], units: Sequence[U], runtime: Runtime) -> list[Outcome[R]]:
        # A judge's step is that of stage verify wherever it is taken; its units know for which stage they are.
        with within_stage(getattr(units[0], "stage", step.stage)):
            return await inner(step, units, runtime)

    return staged


class Means(TypedDict, total=False):
    """How a run is carried out, whatever it is of. Everything may be left out.

    `corpus` is used in place of reading the request's paths. `person` is waited for where the gate cannot decide;
    without one, what it cannot decide is left out at once (`veritas.approvals`). `work` runs the units and `around`
    each stage; `ready` is called before the first of them. Unless `preflight` is false, it is known that somebody can
    speak before anything is stored or spent: else `Unavailable` is raised.
    """

    home: Path | None
    progress: Progress | None
    corpus: Corpus | None
    person: Person | None
    work: Work | None
    around: Around
    ready: Ready | None
    preflight: bool


def _home(means: Means) -> Path:
    return means.get("home") or default_home()


def _progress(means: Means) -> Progress:
    return means.get("progress") or Silent()


async def _carry_out(
    store: RunStore,
    runtime: Runtime,
    means: Means,
    *,
    waits: Sequence[str],
    parent: Parent | None = None,
    forecaster: Forecaster | None = None,
) -> ClaimGraph:
    """Run the stages of a run that is stored. `waits` are those that came before it was."""
    from veritas.report import render_markdown

    for who in waits:
        store.note("waits", who=who)

    pipeline = Pipeline(
        store, runtime, _work(means.get("work") or in_process), render=render_markdown, parent=parent,
        progress=_progress(means), person=means.get("person"), around=means.get("around", plain),
        forecaster=forecaster or Forecaster.of(runtime, store.home),
    )  # fmt: skip
    async with in_use(store, runtime.switchboard):
        if (ready := means.get("ready")) is not None:
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
        request.question, request.model_dump(mode="json", exclude={"question"}), tier=request.tier, seed=request.seed,
        policy_hash=runtime.policy_hash, run_id=run_id, parent=parent, replayed_from=start,
    )  # fmt: skip


async def start(request: Request, *, run_id: str | None = None, **means: Unpack[Means]) -> ClaimGraph:
    """Return the claim graph of a new run of `request`.

    Nothing is stored before the question, the policies and the documents are found usable.
    """
    runtime, waits = await _runtime(request, means)
    home = _home(means)
    forecaster = Forecaster.of(runtime, home)
    if said := forecaster.forecast().said:
        _progress(means).noted(said)
    if means.get("preflight", True) and (short := enough(runtime, forecaster)):
        _progress(means).noted(short)
    if runtime.switchboard is not None:
        runtime.switchboard.prepare()
    store = RunStore.create(home, _begun(request, runtime, run_id))
    return await _carry_out(store, runtime, means, waits=waits, forecaster=forecaster)


def forecast(request: Request, *, home: Path | None = None, corpus: Corpus | None = None) -> Forecast:
    """Return what a run of `request` is going to take. Nobody is asked. Raises what `build_runtime` raises."""
    return Forecaster.of(build_runtime(request, corpus), home or default_home()).forecast()


async def _runtime(
    request: Request, means: Means, stage: StageName = "decompose", answered: Collection[str] = ()
) -> tuple[Runtime, Sequence[str]]:
    """Build what a run works with from `stage` on, without those who cannot speak, and say who they are. `answered` are
    models of which answers are stored. Return it with the long waits there were, for readers of documents. Raises
    `Unavailable` when nobody can speak."""
    corpus, ask = means.get("corpus"), means.get("preflight", True)
    found = await preflight(request, start=stage, documents=corpus is not None, answered=answered, ask=ask)
    found.check(stage)
    for line in found.said():
        _progress(means).warned(line)
    with overheard() as waits:
        return found.applied(build_runtime(request, corpus)), waits


def request_of(run: Run) -> Request:
    """Return the request a stored run was made from."""
    return Request.model_validate({"question": run.question, **run.settings})


async def resume(run: str, **means: Unpack[Means]) -> ClaimGraph:
    """Go on with a run that was cut off, from its last finished stage. A finished run is given back as it is.

    One that ended `unavailable` goes on as a new run, a replay from the stage at which nobody could speak: a stored run
    never changes (I6), and nothing is paid for twice (I9).
    """
    home = _home(means)
    store = open_for_more(home, find_run(home, run))
    try:
        done = store.graph()
        if done is not None and done.answer.unavailable_at is not None:
            store.close()
            return await replay(store.run_id, done.answer.unavailable_at, **means)
        if done is not None:
            lineage = store.lineage()
            store.close()
            _merge(store)
            return noted_in(done, home, lineage)
        request = request_of(store.run)
        parent = parent_of(RESEARCH_RUNS, home, store.run)
        there = {row.stage for row in store.stages()} | set(parent.documents if parent else ())
        stage = next((name for name in STAGES if name not in there), STAGES[-1])
        runtime, waits = await _runtime(request, means, stage, _answered(store))
    except BaseException:
        store.close()
        raise
    return await _carry_out(store, runtime, means, waits=waits, parent=parent)


def _answered(store: RunStore) -> set[str]:
    """Return the models that have answers in the run's ledger."""
    return {entry.model for entry in store.ledger.entries()}


async def replay(
    run: str,
    start_stage: str,
    *,
    changes: Mapping[str, Any] | None = None,
    run_id: str | None = None,
    **means: Unpack[Means],
) -> ClaimGraph:
    """Return the claim graph of a new run that takes the stages before `start_stage` from `run` and does the rest anew.

    `changes` are `Request`'s fields; the question cannot change, and limits of a budget that are not named stay. The
    parent is read and never written.
    """
    home = _home(means)
    stage = cast("StageName", RESEARCH_RUNS.check(start_stage))
    with RunStore.open(home, find_run(home, run), read_only=True) as store:
        parent = Parent(RESEARCH_RUNS, store, stage)
        answered = _answered(store)
    old = parent.run
    fields = {"question": old.question, **old.settings, **(changes or {})}
    if isinstance(limits := fields.get("budget"), Mapping):
        fields["budget"] = {**(old.settings.get("budget") or {}), **limits}
    request = make_request(**fields)
    runtime, waits = await _runtime(request, means, stage, answered)
    if stage == "render" and runtime.policy_hash != old.policy_hash:
        raise InputError("a new source policy needs the answer written anew: replay from synthesize or earlier")
    made = RunStore.create(home, _begun(request, runtime, run_id, parent, stage))
    return await _carry_out(made, runtime, means, waits=waits, parent=parent)
