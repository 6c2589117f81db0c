"""Desks on disk: `VERITAS_HOME/desks/<desk>/`, with the desk as it was made and each decision in a file of its own.

`desk.<n>.json` are the desks as they were made, the last of which counts; `<concern>.<n>.json` are the decisions on a
concern. Every file is written whole under a new name and none is changed: of two persons who decide at the same moment,
one is first and the other is told.
"""

from __future__ import annotations

import os
import re
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from veritas.errors import InputError, StoreUnavailable, UnknownRun
from veritas.files import write_new
from veritas.frozen import Frozen
from veritas.papers.desk.concern import DeskDecision
from veritas.papers.desk.desk import Desk

_DESK = re.compile(r"desk\.([1-9]\d{0,5})\.json")
_DECISION = re.compile(r"(k-[0-9a-f]{12})\.([1-9]\d{0,5})\.json")
_ID = re.compile(r"p-[0-9a-f]{12}")
Model = TypeVar("Model", bound=Frozen)
LARGEST = 50_000_000
"""Bytes of a file of a desk, at most."""
TRIES = 5
"""Attempts to write a desk while others write the same one."""


class DeskLine(Frozen):
    """A desk as a line of a list."""

    desk_id: str
    title: str = ""
    design: str = ""
    checklists: tuple[str, ...] = ()
    concerns: int = 0
    accepted: int = 0
    dismissed: int = 0
    made_at: datetime | None = None
    problem: str | None = None
    """Why it cannot be read."""


class DeskFolder:
    """The desks of one `VERITAS_HOME`."""

    def __init__(self, home: Path) -> None:
        self.path = home / "desks"

    def ids(self) -> list[str]:
        """Return the ids of all desks, sorted."""
        if not self.path.is_dir():
            return []
        return sorted(name for name in os.listdir(self.path) if _ID.fullmatch(name))

    def find(self, name: str) -> str:
        """Return the id meant by an id, an unambiguous beginning of one, or `latest`. Raises `UnknownRun`."""
        ids = self.ids()
        if name == "latest" and ids:
            return max(ids, key=lambda each: (self._newest(each)[1], each))
        if name in ids:
            return name
        matches = [each for each in ids if name and each.startswith(name)]
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise UnknownRun(f"{len(matches)} desks begin with {name!r}: give more of the id")
        near = get_close_matches(name, ids, n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}?" if near else "veritas desk --list lists them"
        raise UnknownRun(f"no desk {name[:80]!r} in {self.path}: {hint if ids else 'there are none yet'}")

    def keep(self, desk: Desk) -> Desk:
        """Write a desk that was made, and return it with the decisions on file. The same desk is not written twice."""
        for _ in range(TRIES):
            count = self._count(desk.desk_id)
            if count:
                last = self._desk(desk.desk_id, count)
                same = desk.model_copy(update={"made_at": last.made_at, "decisions": ()})
                if same == last:
                    return self.load(desk.desk_id)
            bare = desk.model_copy(update={"decisions": ()})
            path = self.path / desk.desk_id / f"desk.{count + 1}.json"
            if write_new(path, bare.model_dump_json() + "\n"):
                return self.load(desk.desk_id)
        raise StoreUnavailable(f"{self.path / desk.desk_id} is being written by others: try again")

    def load(self, name: str) -> Desk:
        """Return a desk with its decisions. Raises `UnknownRun`, and `StoreUnavailable` for a file that is damaged."""
        desk_id = self.find(name)
        count = self._count(desk_id)
        if not count:
            raise UnknownRun(f"the folder of desk {desk_id} holds no desk: open the paper again")
        return self._desk(desk_id, count).model_copy(update={"decisions": self._decisions(desk_id)})

    def decide(self, desk: Desk, decision: DeskDecision) -> Desk:
        """Add a decision, and return the desk with it. Raises `InputError` if somebody decided since the desk was
        loaded, or if the decision does not follow from the one before."""
        held = desk.decision(decision.concern)
        if decision.verdict == "withdraw" and held is None:
            raise InputError(f"nobody has decided about {decision.concern}: there is nothing to withdraw")
        if decision.verdict != "withdraw" and held is not None:
            done = {"accept": "accepted", "dismiss": "dismissed"}[held.verdict]
            raise InputError(f"{held.name} has {done} {decision.concern}: withdraw that first")
        path = self.path / desk.desk_id / f"{decision.concern}.{decision.number}.json"
        if not write_new(path, decision.model_dump_json() + "\n"):
            raise InputError(f"somebody else has just decided about {decision.concern}: look at it again")
        return self.load(desk.desk_id)

    def lines(self) -> list[DeskLine]:
        """Return all desks, newest first. Never fails on a single one."""
        found = []
        for desk_id in self.ids():
            try:
                desk = self.load(desk_id)
            except (StoreUnavailable, UnknownRun) as error:
                found.append(DeskLine(desk_id=desk_id, problem=str(error)))
                continue
            held = [said for each in desk.concerns if (said := desk.decision(each.id)) is not None]
            found.append(
                DeskLine(
                    desk_id=desk_id, title=desk.paper.title, design=desk.design.said,
                    checklists=tuple(each.title for each in desk.checklists), concerns=len(desk.concerns),
                    accepted=sum(each.verdict == "accept" for each in held),
                    dismissed=sum(each.verdict == "dismiss" for each in held), made_at=desk.made_at,
                )
            )  # fmt: skip
        return sorted(found, key=lambda each: each.made_at.timestamp() if each.made_at else 0.0, reverse=True)

    def _count(self, desk_id: str) -> int:
        folder = self.path / desk_id
        names = os.listdir(folder) if folder.is_dir() else []
        return max((int(match[1]) for match in map(_DESK.fullmatch, names) if match), default=0)

    def _newest(self, desk_id: str) -> tuple[str, float]:
        path = self.path / desk_id / f"desk.{self._count(desk_id)}.json"
        return desk_id, path.stat().st_mtime if path.is_file() else 0.0

    def _desk(self, desk_id: str, number: int) -> Desk:
        path = self.path / desk_id / f"desk.{number}.json"
        found = _parsed(path, Desk)
        if found.desk_id != desk_id:
            raise StoreUnavailable(f"{path} belongs to another desk")
        return found

    def _decisions(self, desk_id: str) -> tuple[DeskDecision, ...]:
        folder = self.path / desk_id
        found = []
        for match in map(_DECISION.fullmatch, sorted(os.listdir(folder))):
            if match is None:
                continue
            said = _parsed(folder / match[0], DeskDecision)
            if (said.concern, said.number) != (match[1], int(match[2])):
                raise StoreUnavailable(f"{folder / match[0]} belongs to another concern")
            found.append(said)
        return tuple(sorted(found, key=lambda each: (each.concern, each.number)))


def _parsed(path: Path, model: type[Model]) -> Model:
    try:
        data = path.read_bytes()
        if len(data) > LARGEST:
            raise StoreUnavailable(f"{path} is larger than {LARGEST:,} bytes: that is no file of a desk")
        return model.model_validate_json(data)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be read: {error.strerror or error}") from error
    except ValidationError as error:
        raise StoreUnavailable(f"{path} is damaged: {error.error_count()} of its fields are wrong") from error
