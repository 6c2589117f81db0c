"""A run's journal: its events with times, as JSON lines that other processes can read while the run is active.

DuckDB locks the file of a run for its writer. The journal (`runs/<run id>.journal`) lies beside it, with the mark that
asks a run to stop (`runs/<run id>.cancel`). The process that writes a journal holds the operating system's lock on it,
which ends with the process; the lock shows that a run is active. Events of the store itself: `begun` (`kind`,
`question`), `resumed`, `stored` (`stage`), `finished`, `closed`. An engine adds its own; `stage` (`stage`) says that
one begins. A journal is for watching; the run's file is authoritative.
"""

from __future__ import annotations

import json
import logging
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from veritas.errors import InputError, StoreUnavailable
from veritas.frozen import Frozen
from veritas.keys import withheld
from veritas.store._process_lock import ProcessLock, is_held
from veritas.store.open_file import StoreLocked
from veritas.store.paths import cancel_path, journal_path, run_path, unknown_run

logger = logging.getLogger(__name__)

BOUND = 1_000_000
"""Bytes after which a journal takes no further events but those of `_ALWAYS`, some ten a run."""

LONGEST = 300
"""Most characters of a text in an event: a name, a question, a reason; never a document."""

_LINE = 4_000
_ALWAYS = frozenset({"begun", "resumed", "stage", "stored", "waiting", "cancelled", "finished", "failed", "closed"})

PATIENCE = 1.0
"""Seconds to wait for a journal. A check whether a run is live holds its lock for microseconds."""

_open: dict[Path, Journal] = {}
_opens: Counter[Path] = Counter()
_opening = threading.Lock()


class JournalEvent(Frozen):
    """A line of a journal. `number` counts from 1 and never changes."""

    number: int
    at: datetime
    event: str
    fields: dict[str, Any]
    """JSON values."""


class Journal:
    """The journal of one run, open for writing. Usable from several threads."""

    def __init__(self, home: Path, run_id: str, lock: ProcessLock | None) -> None:
        self.home, self.run_id = home, run_id
        self.path, self._cancel = journal_path(home, run_id), cancel_path(home, run_id)
        self._lock = lock
        self._mutex = threading.Lock()
        self._size = self._mend()

    @classmethod
    def open(
        cls, home: Path, run_id: str, *, question: str = "", kind: str = "research", anew: bool = False
    ) -> Self:
        """Open the run's journal and hold it until `close`; an earlier request to stop is removed.

        With `anew` it begins empty, because its content belongs to a removed run. `RunStore.create` and `RunStore.open`
        have opened it already (`store.journal`): opened again in the same process it is the same journal, and it is
        closed when all have closed it. Raises StoreLocked if another process holds it. If it cannot be written the run
        continues without one.
        """
        path = journal_path(home, run_id).absolute()
        with _opening:
            there = _open.get(path)
            if isinstance(there, cls):
                _opens[path] += 1
                return there
            lock: ProcessLock | None = None
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                lock = ProcessLock.take(path, PATIENCE)
                if lock is None:
                    raise StoreLocked(f"run {run_id} is going on in another process ({path} is held)")
                if anew and lock.file is not None:
                    os.ftruncate(lock.file, 0)
            except OSError as error:
                logger.warning("run %s continues without a journal: %s", run_id, error)
            journal = cls(home, run_id, lock)
            begun = journal._size > 0
            if lock is not None:
                _open[path], _opens[path] = journal, 1
                with suppress(OSError):
                    journal._cancel.unlink(missing_ok=True)
        if begun:
            journal.write("resumed")
        else:
            journal.write("begun", kind=kind, question=question)
        return journal

    def write(self, event: str, **fields: Any) -> None:
        """Append one event; readers see it at once. Texts are cut to `LONGEST` characters and contain no keys. Never
        raises: an event that cannot be written is left out and logged."""
        try:
            line = _line(event, fields)
            with self._mutex:
                file = self._lock.file if self._lock is not None else None
                if file is None or (self._size + len(line) > BOUND and event not in _ALWAYS):
                    return
                self._size += os.write(file, line)
        except Exception as error:  # noqa: BLE001 - a journal must never stop the run that it tells of
            logger.warning("the journal of run %s lacks an event %r: %s", self.run_id, event, error)

    def cancel_asked(self) -> bool:
        """Return whether the run was asked to stop."""
        return self._cancel.exists()

    def close(self) -> None:
        """Release the journal, once all users have closed it."""
        path = self.path.absolute()
        with _opening:
            if _open.get(path) is not self:
                return
            _opens[path] -= 1
            if _opens[path]:
                return
            self.write("closed")
            del _open[path], _opens[path]
            self._release()

    def _release(self) -> None:
        with self._mutex:
            if self._lock is not None:
                self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _mend(self) -> int:
        """End an incomplete line of a killed process, so that the next event has its own; return the file's size in
        bytes."""
        file = self._lock.file if self._lock is not None else None
        if file is None:
            return 0
        with suppress(OSError):
            size = os.fstat(file).st_size
            os.lseek(file, max(0, size - 1), os.SEEK_SET)
            if size and os.read(file, 1) != b"\n":
                size += os.write(file, b"\n")
            return size
        return 0


def read_journal(home: Path, run_id: str, after: int = 0) -> list[JournalEvent]:
    """Return the run's events after number `after`, in order; none for a run without a journal.

    An incomplete line is left out. Raises InputError for an invalid id, StoreUnavailable if the file cannot be read.
    """
    path = journal_path(home, run_id)
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error}") from error
    found = (_event(number, line) for number, line in enumerate(lines, 1) if number > after)
    return [event for event in found if event is not None]


def ask_to_cancel(home: Path, run_id: str) -> None:
    """Ask the run's process to stop. Raises UnknownRun; InputError if the run is not active; StoreUnavailable if the
    mark cannot be created."""
    if not is_live(home, run_id):
        if not run_path(home, run_id).exists():
            raise unknown_run(home, run_id)
        raise InputError(f"run {run_id} is not going on: there is nothing to cancel")
    path = cancel_path(home, run_id)
    try:
        path.touch()
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error}. The run continues") from error


def is_live(home: Path, run_id: str) -> bool:
    """Return whether a process executes the run now: it holds the lock on the journal."""
    return is_held(journal_path(home, run_id))


@contextmanager
def kept_from_running(home: Path, run_id: str) -> Iterator[bool]:
    """Prevent every process from executing the run inside; yield False if one does so already."""
    try:
        lock = ProcessLock.take(journal_path(home, run_id))
    except OSError:
        yield True  # no locks here, or nobody can write the folder: then nobody runs in it either
        return
    if lock is None:
        yield False
        return
    with lock:
        yield True


def _line(event: str, fields: dict[str, Any]) -> bytes:
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    # Keys are taken out of the whole text before it is cut: half a key would not be recognised.
    plain = json.loads(withheld(json.dumps(fields, ensure_ascii=False, default=str)))
    line = json.dumps({**_cut(plain), "at": at, "event": event[:60]}, ensure_ascii=False)
    if len(line) > _LINE:
        line = json.dumps({"at": at, "event": event[:60], "left_out": sorted(str(name)[:60] for name in fields)[:20]})
    return withheld(line).encode("utf-8", "backslashreplace") + b"\n"


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"
    if isinstance(value, list):
        return [_cut(each) for each in value]
    return {key: _cut(each) for key, each in value.items()} if isinstance(value, dict) else value


def _event(number: int, line: bytes) -> JournalEvent | None:
    try:
        fields = json.loads(line)
        return JournalEvent(
            number=number, at=datetime.fromisoformat(fields.pop("at")), event=fields.pop("event"), fields=fields
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
