"""Stored runs: listed, loaded (and kept while their files stay the same), compared, asked to stop."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from veritas.claims.graph import ClaimGraph
from veritas.errors import InputError, UnknownRun
from veritas.frozen import Frozen
from veritas.store.paths import beside, run_path
from veritas.use_cases.given import given_home, given_text

if TYPE_CHECKING:
    from veritas.engine.kind import Kind
    from veritas.store.listing import RunSummary


def list_runs(*, home: str | Path | None = None) -> list[RunSummary]:
    """Return all stored runs, newest first, those that are running or broken with their state. Never fails on one."""
    from veritas.store import list_runs as listed

    return list(listed(given_home(home)))


def find_run(run: str = "latest", *, home: str | Path | None = None) -> str:
    """Return the id of the run that is meant by an id, an unambiguous beginning of one, or `latest`; it may be under
    way. Raises `UnknownRun`."""
    from veritas.store import find_run as found

    return found(given_home(home), given_text(run, "run"))


class Stopping(Frozen):
    """A run that was asked to stop. `kind` is `run`, `audit` or `review`; `resume` the command that goes on with it."""

    run_id: str
    kind: str
    resume: str


def cancel(run: str = "latest", *, home: str | Path | None = None) -> Stopping:
    """Ask a run, an audit or a review that is under way to stop, be it in another process.

    It makes no further paid call; a call under way is waited for. Stored stages stay, and it can be resumed. `run` is
    an id, an unambiguous beginning of one, or `latest`: the newest that is under way. Raises `UnknownRun`;
    `InputError` for one that is not going on.
    """
    from veritas.store.journal import ask_to_cancel, is_live
    from veritas.store.paths import LATEST, run_ids

    place, run = given_home(home), given_text(run, "run")
    every = [(kind, name) for kind in kinds_of_runs() for name in run_ids(kind.home(place))]
    if run == LATEST:
        live = [(kind, name) for kind, name in every if is_live(kind.home(place), name)]
        if not live:
            raise UnknownRun("no run, audit or review is under way: there is nothing to cancel")
        found = [max(live, key=lambda each: each[1])]
    else:
        found = [each for each in every if run and each[1].startswith(run)]
        found = [each for each in found if each[1] == run] or found
    if len(found) > 1:
        raise UnknownRun(f"{len(found)} begin with {run!r}: {', '.join(name for _, name in found[:5])}")
    if not found:
        raise UnknownRun(f"no run, audit or review {run!r}: veritas runs, paper --list and review --list list them")
    ((kind, run_id),) = found
    try:
        ask_to_cancel(kind.home(place), run_id)
    except InputError as error:
        raise InputError(f"{kind.name} {run_id} is not going on: there is nothing to cancel") from error
    return Stopping(run_id=run_id, kind=kind.name, resume=kind.resume.format(run=run_id))


def is_stored(kind: str, run_id: str, *, home: str | Path | None = None) -> bool:
    """Return whether there is a run, an audit or a review (`run`, `audit`, `review`) of that id, finished or not."""
    from veritas.store.paths import run_path

    place = given_home(home)
    return any(each.name == kind and run_path(each.home(place), run_id).exists() for each in kinds_of_runs())


def count_stored(*, home: str | Path | None = None) -> Mapping[str, int]:
    """Return how many runs, audits and reviews are stored, by `run`, `audit` and `review`. Nothing is opened."""
    from veritas.reviews.review_store import review_ids
    from veritas.store.paths import run_ids

    place = given_home(home)
    counts = {kind.name: len(run_ids(kind.home(place))) for kind in kinds_of_runs()}
    return counts | {"review": len(review_ids(place))}


class BeforePersons(Frozen):
    """How many findings of a run wait for a person, how many were let in since it ended, and how many stand in its
    answer as overrides, `unsigned_overrides` of them without a signature."""

    waiting: int = 0
    approved: int = 0
    overrides: int = 0
    unsigned_overrides: int = 0


def before_persons(*, home: str | Path | None = None) -> Mapping[str, BeforePersons]:
    """Return what persons had and have to do with each run, by run id; runs without any are not in it."""
    from veritas.approvals import every
    from veritas.store.catalogue import query

    place = given_home(home)
    states: dict[str, Counter[str]] = {}
    for approval in every(home=place):
        if approval.recorded and approval.run_id is not None:
            states.setdefault(approval.run_id, Counter())[approval.state()] += 1
    # The same words of several members are one claim, as in every count.
    once = "count(DISTINCT coalesce(c.claim, o.claim_id))"
    rows = query(
        place,
        f"SELECT o.run_id, {once} AS n, {once} FILTER (WHERE NOT o.signed) AS unsigned FROM overrides o "
        "LEFT JOIN claims c ON c.run_id = o.run_id AND c.claim_id = o.claim_id GROUP BY o.run_id",
    )
    taken_in = {row["run_id"]: (row["n"], row["unsigned"]) for row in rows}
    found = {}
    for run_id in {*states, *taken_in}:
        asked, (let_in, alone) = states.get(run_id, Counter()), taken_in.get(run_id, (0, 0))
        found[run_id] = BeforePersons(
            waiting=asked["pending"], approved=asked["approved"], overrides=let_in, unsigned_overrides=alone
        )
    return found


def kinds_of_runs() -> tuple[Kind, ...]:
    """Return runs of research, audits of papers and reviews. Loads what they stand for when it is called."""
    from veritas.answers.pipeline import RESEARCH_RUNS
    from veritas.papers.audit_stages import AUDITS
    from veritas.reviews.review_store import REVIEWS

    return RESEARCH_RUNS, AUDITS, REVIEWS


MOST = 16
"""Most graphs that are kept; those that were asked for last."""

Stamp = tuple[tuple[int, int, int], ...]


class Stored(NamedTuple):
    """A finished run: its claim graph, and the ids of the runs it was made from, itself first."""

    graph: ClaimGraph
    lineage: list[str]


_kept: OrderedDict[Path, tuple[Stamp, Stored]] = OrderedDict()
_lock = Lock()


def stamp_of(*paths: Path) -> Stamp:
    """Return what differs where one of these files was written anew, or is not there any more."""
    found = []
    for path in paths:
        with suppress(OSError):
            there = path.stat()
            found.append((there.st_mtime_ns, there.st_size, there.st_ino))
    return tuple(found)


def stored_graph(home: Path, run_id: str) -> Stored | list[str]:
    """Return a finished run; of another one the stages it has finished. Raises `UnknownRun`, `StoreUnavailable`."""
    from veritas.store import RunStore

    path = run_path(home, run_id).absolute()
    stamp = stamp_of(*beside(path))  # before it is read: what is written meanwhile is read the next time
    with _lock:
        known = _kept.get(path)
        if known is not None and known[0] == stamp:
            _kept.move_to_end(path)
            return known[1]
    with RunStore.open(home, run_id, read_only=True) as store:
        graph = store.graph()
        if graph is None:
            return [row.stage for row in store.stages()]
        read = Stored(graph, store.lineage())
    with _lock:
        _kept[path] = (stamp, read)
        _kept.move_to_end(path)
        while len(_kept) > MOST:
            _kept.popitem(last=False)
    return read




