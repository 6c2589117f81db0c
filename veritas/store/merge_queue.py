"""The queue for the catalogue: finished runs wait here, and one process at a time merges all of them.

A waiting run is an empty file in `merging/`, named after it. The right to merge is the operating system's lock on
`merging/.turn`, which a killed process loses; its unmerged runs still wait.
"""

from __future__ import annotations

import errno
import random
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from veritas.store._process_lock import ProcessLock
from veritas.store.open_file import StoreLocked
from veritas.store.paths import is_run_id, queue_folder

BATCH = 100
"""Most runs that are taken in at once. Their files are open together."""

_ALONE = ".alone"
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.ENOTSUP)


class MergeQueue:
    """The queue of one `VERITAS_HOME`. Methods raise OSError where its folder cannot be written."""

    def __init__(self, home: Path) -> None:
        self.folder = queue_folder(home)

    def enter(self, run_id: str) -> None:
        """Add the run to the queue."""
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / run_id).touch()

    def waits(self, run_id: str) -> bool:
        """Return whether the run still waits."""
        return (self.folder / run_id).exists() or (self.folder / (run_id + _ALONE)).exists()

    def waiting(self) -> list[str]:
        """Return the waiting runs to be merged together, at most `BATCH` of them."""
        try:
            names = sorted(path.name for path in self.folder.iterdir())
        except FileNotFoundError:
            return []
        return [name for name in names if is_run_id(name)][:BATCH]

    def leave(self, run_ids: Iterable[str]) -> None:
        """Remove merged runs from the queue."""
        for run_id in run_ids:
            (self.folder / run_id).unlink(missing_ok=True)
            (self.folder / (run_id + _ALONE)).unlink(missing_ok=True)

    def leave_alone(self, run_id: str) -> None:
        """Leave a run that could not be merged with others to its own process."""
        with suppress(FileNotFoundError):
            self.folder.joinpath(run_id).replace(self.folder / (run_id + _ALONE))

    @contextmanager
    def turn(self, patience: float, run_id: str | None = None) -> Iterator[bool]:
        """Wait for the right to merge; yield False, without it, once another process has merged `run_id`. Raises
        StoreLocked after `patience` seconds."""
        until = time.monotonic() + patience
        self.folder.mkdir(parents=True, exist_ok=True)
        while run_id is None or self.waits(run_id):
            try:
                lock = ProcessLock.take(self.folder / ".turn")
            except OSError as error:
                if error.errno not in _NO_LOCKS:
                    raise
                yield True  # DuckDB's own lock and its patience must do
                return
            if lock is not None:
                with lock:
                    yield run_id is None or self.waits(run_id)
                return
            if time.monotonic() >= until:
                waits = f"; run {run_id} stays in the queue, and the next run that ends takes it in" if run_id else ""
                raise StoreLocked(f"others have been writing the catalogue for {patience:.0f} s{waits}")
            time.sleep(random.uniform(0.005, 0.03))
        yield False
