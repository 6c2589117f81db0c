"""Audits, for Python programs and for the commands: begin one, go on with one that was cut off, replay from a stage.

    import asyncio
    from veritas.papers.audit_runs import audit_paper

    audit = asyncio.run(audit_paper("paper.pdf", corpus=["library/"]))
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from time import perf_counter
from typing import Any, cast

from veritas import __version__
from veritas.approvals.person import Person
from veritas.claims.graph import Run
from veritas.council.spending import within_budget
from veritas.errors import InputError, StoreUnavailable, UnknownRun, VeritasError
from veritas.frozen import Frozen
from veritas.papers.approval import noted_now
from veritas.papers.audit import PAPER_STAGES, PaperAudit, PaperStage
from veritas.papers.audit_request import PaperRequest, make_paper_request
from veritas.papers.audit_runtime import PaperRuntime, build_paper_runtime
from veritas.papers.audit_stages import Around, Auditing, PaperProgress, Reported, _plain, stored_outputs
from veritas.papers.reading.find_paper import Confirm, read_paper
from veritas.papers.reading.paper_text import PaperText
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import RunStore, new_run_id
from veritas.store.paths import run_ids


def papers_home(home: Path | None = None) -> Path:
    """Where audits are stored: a store of their own below `VERITAS_HOME`, a file an audit."""
    return (home or default_home()) / "papers"


async def audit_paper(asked: str, *, home: Path | None = None, **settings: Any) -> PaperAudit:
    """Audits a paper; `settings` are `PaperRequest`'s fields (`mode`, `corpus`, `graphs`, `rules` …)."""
    return await start(make_paper_request(asked, **settings), home=home)


async def start(
    request: PaperRequest,
    *,
    home: Path | None = None,
    audit_id: str | None = None,
    progress: PaperProgress | None = None,
    around: Around = _plain,
    corpus: Corpus | None = None,
    confirm: Confirm | None = None,
    yes: bool = False,
    paper: PaperText | None = None,
    person: Person | None = None,
) -> PaperAudit:
    """A new audit. Nothing is stored before the paper is found and read; `paper`, when given, is audited as it is;
    `person` is waited for where the gate could not decide about a statement."""
    runtime = build_paper_runtime(request, corpus)
    begun = perf_counter()
    found = paper if paper is not None else await _found(request, runtime, confirm, yes)
    reading = perf_counter() - begun
    run = Run(
        run_id=audit_id or new_run_id(),
        question=request.asked,
        tier="paper",
        seed=request.seed,
        started_at=datetime.now(UTC),
        version=__version__,
        settings=request.settings(),
        policy_hash=runtime.fingerprint,
    )
    store = RunStore.create(papers_home(home), run)
    return await _carry_out(store, runtime, found, None, progress, around, reading, home=home, person=person)


async def resume(
    audit: str,
    *,
    home: Path | None = None,
    progress: PaperProgress | None = None,
    around: Around = _plain,
    corpus: Corpus | None = None,
    person: Person | None = None,
) -> PaperAudit:
    """Goes on with an audit that was cut off, after its last stored stage. A finished one is given back as it is."""
    place = papers_home(home)
    store = RunStore.open(place, find_audit(place, audit))
    try:
        stored = store.stage_output("report")
        if stored is not None:
            store.close()
            return noted_now(Reported.model_validate(stored.value()["output"]).audit, home or default_home())
        run = store.run
        request = PaperRequest.model_validate({"asked": run.question, **_own(run.settings)})
        runtime = build_paper_runtime(request, corpus)
        taken: dict[str, Any] | None = None
        if run.parent_run_id is not None:
            with RunStore.open(place, run.parent_run_id, read_only=True) as parent:
                taken = stored_outputs(parent, str(run.settings["replayed_from"]))
        found = None
        if store.stage_output("read") is None and not (taken and "read" in taken):
            found = await _found(request, runtime, None, True)
    except BaseException:
        store.close()
        raise
    return await _carry_out(store, runtime, found, taken, progress, around, home=home, person=person)


async def replay(
    audit: str,
    start_stage: str,
    *,
    home: Path | None = None,
    changes: Mapping[str, Any] | None = None,
    progress: PaperProgress | None = None,
    around: Around = _plain,
    corpus: Corpus | None = None,
) -> PaperAudit:
    """A new audit that takes the stages before `start_stage` from another and does the rest anew, with changed
    settings. The other is read and never written; the paper cannot change unless it is replayed from `read`."""
    place = papers_home(home)
    with RunStore.open(place, find_audit(place, audit), read_only=True) as store:
        old = store.run
        taken = stored_outputs(store, start_stage)
    given = {key: value for key, value in (changes or {}).items() if value is not None}
    request = make_paper_request(old.question, **{**_own(old.settings), **given})
    _check_in_time(request, PaperRequest.model_validate({"asked": old.question, **_own(old.settings)}), start_stage)
    runtime = build_paper_runtime(request, corpus)
    found = None if "read" in taken else await _found(request, runtime, None, True)
    child = Run(
        run_id=new_run_id(),
        parent_run_id=old.run_id,
        question=request.asked,
        tier="paper",
        seed=request.seed,
        started_at=datetime.now(UTC),
        version=__version__,
        settings={**request.settings(), "replayed_from": start_stage},
        policy_hash=runtime.fingerprint,
    )
    made = RunStore.create(place, child)
    return await _carry_out(made, runtime, found, taken, progress, around, home=home)


ACTS_IN: dict[str, PaperStage] = {
    "mode": "extract", "graphs": "extract", "nodes": "extract",
    "corpus": "verify", "web": "verify", "samples": "verify", "policy": "verify", "verification": "verify",
    "council": "verify", "budget": "verify",
    "rules": "propagate", "weights": "propagate", "seed": "propagate",
}  # fmt: skip
"""The last stage in which a setting has an effect: a replay from a later one would take it and do nothing with it."""


def _check_in_time(request: PaperRequest, before: PaperRequest, start: str) -> None:
    for name, stage in ACTS_IN.items():
        late = PAPER_STAGES.index(cast("PaperStage", start)) > PAPER_STAGES.index(stage)
        if late and getattr(request, name) != getattr(before, name):
            raise InputError(f"{name} has no effect after stage {stage}: replay from {stage} or earlier, not {start}")


def load_audit(audit: str, home: Path | None = None) -> PaperAudit:
    """A finished audit from the store. Raises `UnknownRun`; `InputError` for one that is not finished."""
    place = papers_home(home)
    with RunStore.open(place, find_audit(place, audit), read_only=True) as store:
        stored = store.stage_output("report")
        if stored is None:
            raise InputError(f"audit {store.run_id} is not finished: go on with veritas paper --resume {store.run_id}")
        return noted_now(Reported.model_validate(stored.value()["output"]).audit, home or default_home())


def latest_scored(home: Path | None = None) -> str | None:
    """The id of the newest finished audit that has a score; None where there is none. Never fails on a single one."""
    for audit_id in sorted(run_ids(papers_home(home)), reverse=True):
        try:
            audit = load_audit(audit_id, home)
        except VeritasError:
            continue
        if audit.scoring() is not None:
            return audit_id
    return None


class AuditSummary(Frozen):
    """An audit as a line of a list."""

    audit_id: str
    status: str
    asked: str = ""
    title: str = ""
    score: float | None = None
    started_at: datetime | None = None
    stages: tuple[str, ...] = ()
    problem: str | None = None


def list_audits(home: Path | None = None) -> list[AuditSummary]:
    """All audits, newest first. Never fails on a single one."""
    place = papers_home(home)
    found = []
    for audit_id in sorted(run_ids(place), reverse=True):
        try:
            with RunStore.open(place, audit_id, read_only=True, patience=0.1) as store:
                run, stages = store.run, tuple(row.stage for row in store.stages())
                stored = store.stage_output("report")
                audit = Reported.model_validate(stored.value()["output"]).audit if stored else None
        except StoreUnavailable as error:
            found.append(AuditSummary(audit_id=audit_id, status="in use", problem=str(error)))
            continue
        except VeritasError as error:
            found.append(AuditSummary(audit_id=audit_id, status="unreadable", problem=str(error)))
            continue
        scoring = audit.scoring() if audit is not None else None
        found.append(
            AuditSummary(
                audit_id=audit_id,
                status="finished" if audit is not None else "interrupted",
                asked=run.question,
                title=audit.paper.title if audit is not None else "",
                score=scoring.score if scoring is not None else None,
                started_at=run.started_at,
                stages=stages,
            )
        )
    return found


def find_audit(place: Path, name: str) -> str:
    """The id meant by an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`."""
    ids = run_ids(place)
    if name == "latest" and ids:
        return ids[-1]
    if name in ids:
        return name
    matches = [i for i in ids if name and i.startswith(name)]
    if len(matches) > 1:
        raise UnknownRun(f"{len(matches)} audits begin with {name!r}: give more of the id")
    if not matches:
        near = get_close_matches(name, ids, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "veritas paper --list lists them"
        raise UnknownRun(f"no audit {name!r} in {place}: {hint if ids else 'there are none yet'}")
    return matches[0]


async def _carry_out(
    store: RunStore,
    runtime: PaperRuntime,
    found: PaperText | None,
    taken: dict[str, Any] | None,
    progress: PaperProgress | None,
    around: Around,
    reading: float = 0.0,
    *,
    home: Path | None = None,
    person: Person | None = None,
) -> PaperAudit:
    async def read() -> PaperText:
        return cast("PaperText", found)

    runtime.switchboard.bind(store.ledger)
    try:
        auditing = Auditing(
            store, runtime, read, taken=taken, progress=progress, around=around, reading=reading, home=home,
            person=person,
        )  # fmt: skip
        with within_budget(auditing.spending):
            return await auditing.run()
    finally:
        await runtime.switchboard.close()
        store.close()


async def _found(
    request: PaperRequest, runtime: PaperRuntime, confirm: Confirm | None, yes: bool
) -> PaperText:
    """The paper. A file needs no web; anything else may ask for it, for that is what was asked for."""
    from veritas.papers.reading.file_names import is_file_name

    if is_file_name(request.asked):
        return await read_paper(request.asked)
    from veritas.reading.web.web_reader import WebReader
    from veritas.registries.all_registries import Registries

    registries = cast("Registries | None", runtime.registries) or Registries()
    reader = runtime.reader or WebReader(runtime.policy)
    return await read_paper(request.asked, registries=registries, reader=reader, confirm=confirm, yes=yes)


def _own(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if key in PaperRequest.model_fields}
