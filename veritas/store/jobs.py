"""Jobs: runs in processes of their own, each with a folder under `VERITAS_HOME/jobs`, named after its run.

`job.json` says what was asked; `events.jsonl` holds its events, one a line, and is only appended to; `cancel` asks it
to stop, and `log` has the output of its process. The process holds the lock on `lock`, which ends with it: a job that
began, has not ended, and has no lock was interrupted.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from veritas.errors import StoreUnavailable, UnknownRun
from veritas.files import write_new, write_together, write_whole
from veritas.frozen import Frozen
from veritas.keys import withheld
from veritas.store._process_lock import ProcessLock, is_held
from veritas.store.paths import is_run_id, run_path


class JobLine(Frozen):
    """A line of a job's events. `number` counts from 1 and never changes; `fields` are JSON values."""

    number: int
    at: datetime
    kind: str
    fields: dict[str, Any]


def jobs_folder(home: Path) -> Path:
    """Return the folder of the jobs."""
    return home / "jobs"


def job_folder(home: Path, run_id: str) -> Path:
    """Return the folder of a run's job, which need not exist. Raises `InputError` for an invalid id."""
    run_path(home, run_id)
    return jobs_folder(home) / run_id


def job_ids(home: Path) -> list[str]:
    """Return the ids of all jobs, in the order of their making."""
    try:
        names = sorted(entry.name for entry in os.scandir(jobs_folder(home)) if entry.is_dir(follow_symlinks=False))
    except OSError:
        return []
    return [name for name in names if is_run_id(name) and (jobs_folder(home) / name / "job.json").exists()]


def has_job(home: Path, run_id: str) -> bool:
    """Return whether a run was begun in the background."""
    return (job_folder(home, run_id) / "job.json").exists()


def write_job(home: Path, run_id: str, asked: Frozen) -> bool:
    """Store the request of a job; return False, and change nothing, if the job exists already."""
    return write_new(job_folder(home, run_id) / "job.json", asked.model_dump_json())


def read_job(home: Path, run_id: str, kind: type[Any]) -> Any:
    """Return the request of a job, as a `kind`. Raises `UnknownRun`, and `StoreUnavailable` if it cannot be read."""
    path = job_folder(home, run_id) / "job.json"
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise UnknownRun(f"nothing with the id {run_id!r} was begun in the background") from None
    except (OSError, ValidationError) as error:
        raise StoreUnavailable(f"{path} cannot be read") from error


def made_folder(home: Path, run_id: str) -> Path:
    """Return the folder of a job's output files."""
    return job_folder(home, run_id) / "made"


def remove_job(home: Path, run_id: str) -> bool:
    """Remove the job of a removed run, with its events and output; return whether there was one. An active job stays.
    Raises `StoreUnavailable`."""
    folder = job_folder(home, run_id)
    if not folder.is_dir() or is_carried_out(home, run_id):
        return False
    mark_done(home, run_id)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise StoreUnavailable(f"{folder} cannot be removed: {error.strerror or error}") from error
    return True


def write_files(home: Path, run_id: str, files: Mapping[str, str]) -> None:
    """Store the results of a job, one text for each file. Raises `StoreUnavailable`."""
    write_together({made_folder(home, run_id) / name: text for name, text in files.items()})


def read_file(home: Path, run_id: str, name: str) -> str:
    """Return one of a job's result texts. Raises `UnknownRun` if there is none of that name."""
    if not re.fullmatch(r"[a-z]+\.[a-z]+", name):
        raise UnknownRun(f"there is no file {name!r} of {run_id}")
    try:
        return (made_folder(home, run_id) / name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UnknownRun(f"there is no file {name!r} of {run_id}") from None
    except OSError as error:
        raise StoreUnavailable(f"the file {name} of {run_id} cannot be read") from error


def _open_marks(home: Path) -> Path:
    return jobs_folder(home) / ".open"


def mark_open(home: Path, run_id: str) -> None:
    """Add a job to the open ones. Raises `StoreUnavailable`."""
    write_whole(_open_marks(home) / run_id, b"")


def mark_done(home: Path, run_id: str) -> None:
    """Remove a job from the open ones."""
    with suppress(OSError):
        (_open_marks(home) / run_id).unlink(missing_ok=True)


def open_jobs(home: Path) -> list[str]:
    """Return the ids of the jobs that wait or are active, without reading the finished ones."""
    try:
        return sorted(name for name in os.listdir(_open_marks(home)) if is_run_id(name))
    except OSError:
        return []


def remembered(home: Path, name: str, text: str) -> str:
    """Return the text stored under a name; store `text` if there is none. Concurrent processes all get the same text.
    """
    path = jobs_folder(home) / ".asked" / f"{name}.json"
    if write_new(path, text):
        return text
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror or error}") from error


def forget(home: Path, name: str) -> None:
    """Remove what is stored under a name."""
    with suppress(OSError):
        (jobs_folder(home) / ".asked" / f"{name}.json").unlink(missing_ok=True)


# -- events -----------------------------------------------------------------------------------------------------------


def events_path(home: Path, run_id: str) -> Path:
    """Return the file of a job's events."""
    return job_folder(home, run_id) / "events.jsonl"


def append_event(home: Path, run_id: str, kind: str, fields: dict[str, Any]) -> None:
    """Append an event, which readers see at once, without the values of keys.

    An incomplete line of a killed process is ended first. Raises `StoreUnavailable`.
    """
    line = json.dumps({"at": datetime.now(UTC).isoformat(timespec="milliseconds"), "kind": kind, **fields})
    path = events_path(home, run_id)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b") as file:
            size = file.seek(0, os.SEEK_END)
            torn = size > 0 and (file.seek(size - 1), file.read(1))[1] != b"\n"
            file.write((b"\n" if torn else b"") + withheld(line).encode() + b"\n")
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror or error}") from error


class EventReader:
    """Reads a job's events from the last position on; nothing is read twice."""

    def __init__(self, home: Path, run_id: str) -> None:
        self._path = events_path(home, run_id)
        self._offset, self._number = 0, 0

    def more(self) -> list[JobLine]:
        """Return the events since the last call.

        A line that is being written comes with the next call; an incomplete line of a killed process is left out, and
        still has its number.
        """
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                text = file.read()
        except FileNotFoundError:
            return []
        except OSError as error:
            raise StoreUnavailable(f"{self._path} cannot be read: {error.strerror or error}") from error
        found = []
        *lines, _ = text.split(b"\n")  # what stands behind the last end of a line is being written
        for line in lines:
            self._offset += len(line) + 1
            self._number += 1
            if (event := _event(self._number, line)) is not None:
                found.append(event)
        return found


def read_events(home: Path, run_id: str, after: int = 0) -> list[JobLine]:
    """Return a job's events after number `after`, in order; none if there is no such job."""
    return [event for event in EventReader(home, run_id).more() if event.number > after]


def _event(number: int, line: bytes) -> JobLine | None:
    try:
        fields = json.loads(line)
        at, kind = datetime.fromisoformat(fields.pop("at")), fields.pop("kind")
        return JobLine(number=number, at=at, kind=kind, fields=fields)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


# -- the process ------------------------------------------------------------------------------------------------------


def hold_job(home: Path, run_id: str) -> ProcessLock | None:
    """Return the lock of a job, None while another process holds it."""
    return ProcessLock.take(job_folder(home, run_id) / "lock")


def hold_line(home: Path, patience: float = 10.0) -> ProcessLock:
    """Return the lock under which jobs start and are queued. Raises `StoreUnavailable` if it cannot be taken."""
    path = jobs_folder(home) / ".line"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = ProcessLock.take(path, patience)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror or error}") from error
    if lock is None:
        raise StoreUnavailable(f"{path} is held by another process")
    return lock


def is_carried_out(home: Path, run_id: str) -> bool:
    """Return whether a process executes the job now."""
    return is_held(job_folder(home, run_id) / "lock")


def log_path(home: Path, run_id: str) -> Path:
    """Return the file with the output of the job's process."""
    return job_folder(home, run_id) / "log"


def ask_job_to_stop(home: Path, run_id: str) -> None:
    """Create the mark that asks the job to stop. Raises `StoreUnavailable`."""
    write_whole(job_folder(home, run_id) / "cancel", b"")


def job_asked_to_stop(home: Path, run_id: str) -> bool:
    """Return whether the job was asked to stop."""
    return (job_folder(home, run_id) / "cancel").exists()


def take_away_mark(home: Path, run_id: str) -> None:
    """Remove the mark that asked the job to stop."""
    with suppress(OSError):
        (job_folder(home, run_id) / "cancel").unlink(missing_ok=True)
