"""The files of living questions: a folder each under `VERITAS_HOME/living`, and the list of all."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from veritas.errors import InputError, StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen
from veritas.store._process_lock import ProcessLock
from veritas.use_cases._living_changes import Change

M = TypeVar("M", bound=Frozen)



class Question(Frozen):
    """A living question. `settings` are the fields of a request, but for the question."""

    name: str
    question: str
    settings: Mapping[str, Any]
    added_at: datetime


class Entry(Frozen):
    """What changed about a question's answer, and why. `cost_usd` is that of the run that found it."""

    id: str
    name: str
    question: str
    at: datetime
    run: str
    run_before: str | None
    status: str
    changes: tuple[Change, ...]
    cost_usd: float | None = 0.0


class Memory(Frozen):
    """What is known of a question since it was last asked. `pending` is a run that was begun, and is not known to have
    ended."""

    run: str | None = None
    asked_at: datetime | None = None
    standings: Mapping[str, str] = {}
    pending: str | None = None
    untold: tuple[tuple[str, str], ...] = ()
    """Notices that could not be sent yet: where to, and the entry's id."""


def folder(home: Path) -> Path:
    """Return the folder of all living questions."""
    return home / "living"


def create(home: Path, question: Question) -> None:
    """Write a new question. Raises `InputError` where there is one of its name."""
    place = folder(home) / question.name
    try:
        place.mkdir(parents=True, exist_ok=True)
        new = write_new(place / "question.json", question.model_dump_json(indent=1))
    except OSError as error:
        raise StoreUnavailable(f"the question cannot be saved: {error.strerror or error}") from error
    if not new:
        raise InputError(f"there is a living question {question.name!r} already: choose another --name, or remove it")


def every(home: Path) -> list[Question]:
    """Return all questions, by name. Raises `StoreUnavailable` for one that cannot be read."""
    return [_read(path, Question) for path in sorted(folder(home).glob("*/question.json"))]


def remove(home: Path, name: str) -> None:
    """Remove a question; its entries stay."""
    place = folder(home) / name
    (place / "question.json").unlink(missing_ok=True)
    shutil.rmtree(place, ignore_errors=True)


def memory(home: Path, name: str) -> Memory:
    """Return what is known of a question; nothing of a new one."""
    path = folder(home) / name / "memory.json"
    return _read(path, Memory) if path.exists() else Memory()


def remember(home: Path, name: str, known: Memory) -> None:
    """Write what is known of a question."""
    write_whole(folder(home) / name / "memory.json", known.model_dump_json(indent=1))


def entries(home: Path, name: str | None = None) -> list[Entry]:
    """Return the entries, the newest first, each once; of one question, if it is named."""
    try:
        lines = (folder(home) / "entries.jsonl").read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return []
    found: dict[str, Entry] = {}
    for line in lines:
        with suppress(ValidationError):  # a line that a killed process left half-written
            each = Entry.model_validate_json(line)
            if name in (None, each.name):
                found[each.id] = each
    return sorted(found.values(), key=lambda each: each.at, reverse=True)


def enter(home: Path, entry: Entry) -> None:
    """Append an entry."""
    path = folder(home) / "entries.jsonl"
    with path.open("ab") as file:
        file.write(b"\n" * (file.tell() > 0 and not path.read_bytes().endswith(b"\n")))
        file.write(entry.model_dump_json().encode() + b"\n")


@contextmanager
def held(home: Path, name: str) -> Iterator[None]:
    """Hold a question while it is asked. Raises `InputError` where another process holds it."""
    lock = ProcessLock.take(folder(home) / name / "lock")
    if lock is None:
        raise InputError(f"the living question {name!r} is being asked by another process")
    with lock:
        yield


def _read(path: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise StoreUnavailable(f"{path} cannot be read as a part of a living question") from error
