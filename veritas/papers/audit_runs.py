"""Audits of papers: begin one, go on with one that was cut off, replay from a stage, load, list."""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Any, cast

from veritas.approvals.person import Person
from veritas.claims.graph import Run
from veritas.engine.progress import Progress
from veritas.engine.staged_run import Around, plain
from veritas.engine.stored_runs import Parent, begun, in_use, open_for_more, parent_of
from veritas.errors import InputError, NotFinished, UnknownRun, VeritasError
from veritas.frozen import Frozen
from veritas.papers.approval import noted_now
from veritas.papers.audit import PAPER_STAGES, PaperAudit, PaperStage
from veritas.papers.audit_request import PaperRequest, make_paper_request
from veritas.papers.audit_runtime import PaperRuntime, build_paper_runtime
from veritas.papers.audit_stages import AUDITS, Auditing, Reported
from veritas.papers.headline import headline_of
from veritas.papers.reading.find_paper import Confirm, read_paper
from veritas.papers.reading.paper_text import PaperText
from veritas.reading.corpus import Corpus
from veritas.settings import home as default_home
from veritas.store import RunStore
from veritas.store.listing import held
from veritas.store.open_file import StoreLocked
from veritas.store.paths import run_ids


def papers_home(home: Path | None = None) -> Path:
    """Return the folder where audits are stored, one file each, below `VERITAS_HOME`."""
    return AUDITS.home(home or default_home())


async def start(
    request: PaperRequest,
    *,
    home: Path | None = None,
    audit_id: str | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    confirm: Confirm | None = None,
    yes: bool = False,
    paper: PaperText | None = None,
    person: Person | None = None,
) -> PaperAudit:
    """Begin an audit and return it. A paper that is not found leaves nothing in the store; a given `paper` is audited
    as it is. `person` is waited for if the gate could not decide about a statement."""
    runtime = build_paper_runtime(request, corpus)
    store = RunStore.create(papers_home(home), _begun(request, runtime, audit_id))

    async def read() -> PaperText:
        return paper if paper is not None else await _found(request, runtime, confirm, yes)

    return await _carry_out(store, runtime, read, None, progress, around, home=home, person=person, new=True)


async def resume(
    audit: str,
    *,
    home: Path | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    person: Person | None = None,
) -> PaperAudit:
    """Resume an audit after its last stored stage. A finished one is returned as it is."""
    place = papers_home(home)
    store = open_for_more(place, find_audit(place, audit))
    try:
        done = _reported(store)
        if done is not None:
            store.close()
            return noted_now(done, home or default_home())
        request = _request_of(store.run)
        runtime = build_paper_runtime(request, corpus)
        parent = parent_of(AUDITS, place, store.run)
    except BaseException:
        store.close()
        raise
    read = functools.partial(_found, request, runtime, None, True)
    return await _carry_out(store, runtime, read, parent, progress, around, home=home, person=person)


async def replay(
    audit: str,
    start_stage: str,
    *,
    home: Path | None = None,
    changes: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    around: Around = plain,
    corpus: Corpus | None = None,
    audit_id: str | None = None,
) -> PaperAudit:
    """Begin an audit that takes the stages before `start_stage` from another and does the rest anew, with changed
    settings. The other is read and never written; the paper cannot change unless it is replayed from `read`."""
    place = papers_home(home)
    with RunStore.open(place, find_audit(place, audit), read_only=True) as store:
        parent = Parent(AUDITS, store, start_stage)
    before = _request_of(parent.run)
    given = {key: value for key, value in (changes or {}).items() if value is not None}
    request = make_paper_request(before.asked, **{**before.settings(), **given})
    _check_in_time(request, before, start_stage)
    runtime = build_paper_runtime(request, corpus)
    made = RunStore.create(place, _begun(request, runtime, audit_id, parent))
    read = functools.partial(_found, request, runtime, None, True)
    return await _carry_out(made, runtime, read, parent, progress, around, home=home, new=True)


def _begun(request: PaperRequest, runtime: PaperRuntime, audit_id: str | None, parent: Parent | None = None) -> Run:
    return begun(
        request.asked, request.settings(), tier="paper", seed=request.seed, policy_hash=runtime.fingerprint,
        run_id=audit_id, parent=parent,
    )  # fmt: skip


def _request_of(run: Run) -> PaperRequest:
    """Return the request that a stored audit was made from."""
    own = {key: value for key, value in run.settings.items() if key in PaperRequest.model_fields}
    return PaperRequest.model_validate({"asked": run.question, **own})


def _reported(store: RunStore) -> PaperAudit | None:
    """Return the audit if it is finished, else None."""
    output = AUDITS.stored("report", store.stage_output("report"))
    if output is None:
        return None
    audit = Reported.model_validate(output).audit
    return audit if audit.headline is not None else audit.model_copy(update={"headline": headline_of(audit)})


ACTS_IN: dict[str, PaperStage] = {
    "mode": "extract", "graphs": "extract", "nodes": "extract",
    "corpus": "verify", "web": "verify", "samples": "verify", "policy": "verify", "verification": "verify",
    "council": "verify", "budget": "verify",
    "rules": "propagate", "weights": "propagate", "seed": "propagate",
}  # fmt: skip
"""The last stage in which a setting has an effect; a replay from a later stage would ignore it."""


def _check_in_time(request: PaperRequest, before: PaperRequest, start: str) -> None:
    for name, stage in ACTS_IN.items():
        late = PAPER_STAGES.index(cast("PaperStage", start)) > PAPER_STAGES.index(stage)
        if late and getattr(request, name) != getattr(before, name):
            raise InputError(f"{name} has no effect after stage {stage}: replay from {stage} or earlier, not {start}")


def load_audit(audit: str, home: Path | None = None) -> PaperAudit:
    """Return a finished audit from the store. Raises `UnknownRun`; `NotFinished` for one that is not finished."""
    place = papers_home(home)
    with RunStore.open(place, find_audit(place, audit), read_only=True) as store:
        audit_made = _reported(store)
        if audit_made is None:
            said = f"audit {store.run_id} is not finished: go on with veritas paper --resume {store.run_id}"
            raise NotFinished(said, run_id=store.run_id, state="interrupted")
        return noted_now(audit_made, home or default_home())


class AuditSummary(Frozen):
    """An audit as a line of a list."""

    audit_id: str
    status: str
    asked: str = ""
    title: str = ""
    score: float | None = None
    """The headline's: None too where no outside source bears on a statement."""
    scored: bool = False
    """Whether its argument was read and has a graph with numbers, though perhaps no headline score."""
    searched: bool | None = None
    """Whether anybody outside the paper was asked. None without an audit."""
    started_at: datetime | None = None
    stages: tuple[str, ...] = ()
    stage: str | None = None
    """The stage that one under way is at."""
    stage_since: datetime | None = None
    problem: str | None = None


def list_audits(home: Path | None = None) -> list[AuditSummary]:
    """Return all audits, newest first. Never fails on a single one; the journal of one under way describes it."""
    place = papers_home(home)
    found = []
    for audit_id in sorted(run_ids(place), reverse=True):
        try:
            with RunStore.open(place, audit_id, read_only=True, patience=0.1) as store:
                run, stages = store.run, tuple(row.stage for row in store.stages())
                audit = _reported(store)
        except StoreLocked as error:
            its = held(place, audit_id, error)
            found.append(
                AuditSummary(
                    audit_id=audit_id, status=its.status, asked=its.question or "", started_at=its.started_at,
                    stage=its.stage, stage_since=its.stage_since,
                    problem=its.problem if its.started_at is None else None,  # whoever holds it is at work on it
                )
            )  # fmt: skip
            continue
        except VeritasError as error:
            found.append(AuditSummary(audit_id=audit_id, status="unreadable", problem=str(error)))
            continue
        found.append(
            AuditSummary(
                audit_id=audit_id,
                status="finished" if audit is not None else "interrupted",
                asked=run.question,
                title=audit.paper.title if audit is not None else "",
                score=audit.headline.score if audit is not None and audit.headline is not None else None,
                scored=audit is not None and audit.scoring() is not None,
                searched=bool(audit.asked_outside) if audit is not None else None,
                started_at=run.started_at,
                stages=stages,
            )
        )
    return found


def find_audit(place: Path, name: str) -> str:
    """Return the id meant by an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`."""
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
    read: Callable[[], Awaitable[PaperText]],
    parent: Parent | None,
    progress: Progress | None,
    around: Around,
    *,
    home: Path | None,
    person: Person | None = None,
    new: bool = False,
) -> PaperAudit:
    auditing = Auditing(
        store, runtime, read, home=home or default_home(), parent=parent, progress=progress, around=around,
        person=person,
    )  # fmt: skip
    async with in_use(store, runtime.switchboard, new=new):
        return await auditing.run()


async def _found(
    request: PaperRequest, runtime: PaperRuntime, confirm: Confirm | None, yes: bool
) -> PaperText:
    """Return the paper. A file needs no web; for anything else it may be asked, since such a name calls for it."""
    from veritas.registries.file_names import is_file_name

    if is_file_name(request.asked):
        return await read_paper(request.asked)
    from veritas.reading.web.web_reader import WebReader
    from veritas.registries.all_registries import Registries

    registries = cast("Registries | None", runtime.registries) or Registries()
    reader = runtime.reader or WebReader(runtime.policy)
    return await read_paper(request.asked, registries=registries, reader=reader, confirm=confirm, yes=yes)

