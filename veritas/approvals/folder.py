"""Approvals on disk: `VERITAS_HOME/approvals/<id>.json` for the case, `<id>.<n>.json` for the n-th decision.

Files and not rows, because a run that waits holds the lock on its DuckDB file, and just then a person must be able to
settle. Every file is written whole under a name of its own and never changed: of two people who decide at the same
moment one is first and the other is told so; a kill at any point leaves at most a hidden file that nobody reads.
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from veritas.approvals.approval import Approval, approval_id
from veritas.claims.override import PersonDecision
from veritas.errors import InputError, StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen

logger = logging.getLogger(__name__)

_FILE = re.compile(r"(a-[0-9a-f]{12})(?:\.([1-9][0-9]{0,2}))?\.json")
_ID = re.compile(r"[ad]-[0-9a-f]{1,12}")
_MOST_ASKED = 100

M = TypeVar("M", bound=Frozen)


class _Decided(Frozen):
    """A decision's file: it says of which approval it is, so that a copied file decides nothing else."""

    approval_id: str
    number: int
    decision: PersonDecision


@dataclass(frozen=True)
class Unreadable:
    """An approval whose files say nothing certain: it lets nothing in."""

    approval_id: str
    problem: str


class Folder:
    """The approvals of one `VERITAS_HOME`."""

    def __init__(self, home: Path) -> None:
        self.path = home / "approvals"

    def _case(self, approval: str) -> Path:
        return self.path / f"{approval}.json"

    def _decision(self, approval: str, number: int) -> Path:
        return self.path / f"{approval}.{number}.json"

    def _names(self) -> tuple[list[str], dict[str, int]]:
        """The ids of the cases on file, and of how many decisions there is a file, by the highest number."""
        cases: list[str] = []
        highest: dict[str, int] = {}
        if self.path.is_dir():
            for match in map(_FILE.fullmatch, os.listdir(self.path)):
                if match and match[2]:
                    highest[match[1]] = max(highest.get(match[1], 0), int(match[2]))
                elif match:
                    cases.append(match[1])
        return sorted(cases), highest

    def ids(self) -> list[str]:
        """The ids of all approvals on file."""
        return self._names()[0]

    def file(self, approval: Approval) -> bool:
        """Files a case; False when it is there already. A file of it that cannot be read is replaced."""
        text = approval.model_copy(update={"decisions": ()}).model_dump_json(exclude={"decisions"}) + "\n"
        if write_new(self._case(approval.approval_id), text):
            return True
        try:
            self._read_case(approval.approval_id)
        except StoreUnavailable as problem:
            logger.warning("filed anew: %s", problem)
            write_whole(self._case(approval.approval_id), text)
            return True
        return False

    def undecided(self, approval: str) -> bool:
        """Whether there is no decision on file."""
        return not self._decision(approval, 1).exists()

    def decide(self, approval: Approval, decision: PersonDecision) -> bool:
        """Adds a decision to those of `approval`; False when somebody else has added one since it was read."""
        number = len(approval.decisions) + 1
        said = _Decided(approval_id=approval.approval_id, number=number, decision=decision)
        return write_new(self._decision(approval.approval_id, number), said.model_dump_json() + "\n")

    def read(self, approval: str) -> Approval | None:
        """The approval with its decisions, or None. Raises `StoreUnavailable` when a file of it cannot be read."""
        return self._read(approval, self._names()[1].get(approval, 0))

    def _read(self, approval: str, decided: int) -> Approval | None:
        case = self._read_case(approval)
        if case is None:
            return None
        decisions: list[PersonDecision] = []
        for number in range(1, decided + 1):
            path = self._decision(approval, number)
            said = _parsed(path, _Decided)
            if (said.approval_id, said.number) != (approval, number):
                raise _damaged(path, "it belongs to another approval")
            decisions.append(said.decision)
        return case.model_copy(update={"decisions": tuple(decisions)})

    def _read_case(self, approval: str) -> Approval | None:
        path = self._case(approval)
        if not path.exists():
            return None
        case = _parsed(path, Approval)
        known = (approval_id(case.kind, case.run_id, case.subject_id, case.case, n) for n in range(_MOST_ASKED))
        if case.approval_id != approval or approval not in known or case.decisions:
            raise _damaged(path, "what it says does not belong to its id")
        return case

    def every(self, *, about: str | None = None) -> Iterator[Approval | Unreadable]:
        """All approvals, those that cannot be read too. `about` keeps to files in which that text stands (a run's id),
        which spares parsing the others."""
        cases, decided = self._names()
        for name in cases:
            try:
                if about is not None and about not in _text(self._case(name)):
                    continue
                found = self._read(name, decided.get(name, 0))
            except StoreUnavailable as problem:
                yield Unreadable(name, str(problem))
                continue
            if found is not None:
                yield found

    def find(self, name: str) -> Approval:
        """The approval of that id, of that beginning of one, or of that decision of the gate (`d-…`; the newest, if
        several runs came to it). Raises `InputError`; `StoreUnavailable` for a damaged one."""
        if not _ID.fullmatch(name):
            raise InputError(f"{name[:80]!r} is no approval's id, which reads like a-0123456789ab: veritas approvals")
        if name.startswith("d-"):
            of_decision = [a for a in self.every(about=name) if isinstance(a, Approval) and a.decision_id == name]
            found = max(of_decision, key=lambda a: a.created_at, default=None)
        else:
            matches = [i for i in self.ids() if i.startswith(name)]
            if len(matches) > 1:
                some = ", ".join(matches[:5])
                raise InputError(f"{len(matches)} approvals begin with {name}: {some}. Give more of the id")
            found = self.read(matches[0]) if matches else None
        if found is None:
            raise InputError(f"no approval {name} in {self.path}: veritas approvals --all lists them")
        return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _damaged(path, str(error)) from error


def _parsed(path: Path, model: type[M]) -> M:
    try:
        return model.model_validate_json(_text(path))
    except (ValidationError, json.JSONDecodeError, RecursionError) as error:
        first = error.errors(include_url=False)[0]["msg"] if isinstance(error, ValidationError) else str(error)
        raise _damaged(path, first) from error


def _damaged(path: Path, why: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"{path} cannot be read as an approval ({why}): it lets nothing in. Remove it, or put back the file as it was"
    )
