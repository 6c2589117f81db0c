"""Runs in the store: created, opened to be resumed, and taken over by a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.claims.graph import Run, StageName
from veritas.engine.kind import Kind
from veritas.errors import InputError
from veritas.frozen import text_hash
from veritas.store.creation import remove
from veritas.store.open_file import StoreDamaged, StoreLocked
from veritas.store.paths import beside, cancel_path, journal_path, new_run_id, run_path
from veritas.store.run_file import RunStore, is_written_here
from veritas.store.stage_record import StoredStage
from veritas.version import __version__

if TYPE_CHECKING:
    from veritas.council.connections import Switchboard


class Parent:
    """A replay's parent: its stored stages before the one at which the replay starts."""

    def __init__(self, kind: Kind, store: RunStore, start: str) -> None:
        """Read the stages. Raises `InputError` for an unknown stage, or one without a stored output."""
        self.start = kind.check(start)
        self.run = store.run
        self.documents: dict[str, dict[str, Any]] = {}
        for stage in kind.before(start):
            stored = store.stage_output(stage)
            if stored is None:
                raise InputError(
                    f"{kind.name} {store.run_id} has no output of stage {stage}, so it cannot be replayed from "
                    f"{start}: replay from {stage} or earlier, or finish it with {kind.resume.format(run=store.run_id)}"
                )
            self.documents[stage] = unchanged(store, stored).value()


def unchanged(store: RunStore, stored: StoredStage) -> StoredStage:
    """Return the stage. Raises `StoreDamaged` if its output does not match the stored hash."""
    if text_hash(stored.text) != stored.output_hash:
        raise StoreDamaged(
            f"{store.path} was changed: the output of stage {stored.stage} does not fit its hash. Move it out of the "
            "store"
        )
    return stored


def parent_of(kind: Kind, home: Path, run: Run) -> Parent | None:
    """Return the parent that a replay takes over; None for any other run. `home` is that of its kind."""
    start = run.replayed_from or run.settings.get("replayed_from")
    if run.parent_run_id is None or start is None:
        return None
    with RunStore.open(home, run.parent_run_id, read_only=True) as store:
        return Parent(kind, store, start)


def begun(
    question: str, settings: dict[str, Any], *, tier: str, run_id: str | None = None, seed: int = 0,
    parent: Parent | None = None, replayed_from: StageName | None = None, policy_hash: str = "",
) -> Run:  # fmt: skip
    """Return the row of a new run; with a `parent`, it is a replay of it. If its first stage is no `StageName`, the
    settings hold `replayed_from`."""
    return Run(
        run_id=run_id or new_run_id(),
        parent_run_id=parent.run.run_id if parent is not None else None,
        replayed_from=replayed_from,
        question=question,
        tier=tier,
        seed=seed,
        started_at=datetime.now(UTC),
        version=__version__,
        settings=settings if parent is None or replayed_from else {**settings, "replayed_from": parent.start},
        policy_hash=policy_hash,
    )


def open_for_more(home: Path, run_id: str) -> RunStore:
    """Open a run's file to resume it. Raises `StoreLocked` while any process uses it, this one too."""
    if is_written_here(path := run_path(home, run_id)):
        raise StoreLocked(f"cannot open {path}: it is in use by this process. Try again when that has ended")
    return RunStore.open(home, run_id)


@asynccontextmanager
async def in_use(store: RunStore, board: Switchboard | None, *, new: bool = False) -> AsyncIterator[None]:
    """Open a run's file and connect its models to its ledger; release both at the end.

    A `new` run that fails with `InputError` before its first stage leaves no file and no journal.
    """
    unusable = False
    if board is not None:
        board.bind(store.ledger)
    try:
        yield
    except InputError:
        unusable = new and not store.stages()
        raise
    finally:
        if board is not None:
            await board.close()
        store.close()
        if unusable:
            remove(*beside(store.path), cancel_path(store.home, store.run_id), journal_path(store.home, store.run_id))
