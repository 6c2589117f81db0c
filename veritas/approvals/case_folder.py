"""Approvals on disk: `VERITAS_HOME/approvals/<id>.json` for the case, and separate files for the decisions.

They are files and not rows, because a waiting run holds the lock on its DuckDB file. Every file is written whole under
its own name: if two people decide at the same moment, one is first and the other is told; a kill leaves at most a file
without effect. Writing to the folder alone decides nothing: cases are compared with `VERITAS_HOME/asked`, and with a
roster of approvers decisions are signed and chained (`veritas.approvals.chain`).
"""

from __future__ import annotations

import contextlib
import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from veritas.approvals._cases import Cases, damaged, parsed
from veritas.approvals._roster import load_roster
from veritas.approvals.approval import Approval
from veritas.approvals.chain import Chain, Heads, Statement, read_regular
from veritas.claims.override import PersonDecision
from veritas.errors import Absent, InputError, StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen

logger = logging.getLogger(__name__)

_FILE = re.compile(r"(a-[0-9a-f]{12})(?:\.([1-9][0-9]{0,2})(?:\.([0-9a-f]{32}))?)?\.json")
_ID = re.compile(r"[ad]-[0-9a-f]{1,12}")


class _Decided(Frozen):
    """A decision's file. It names its approval, so that a copied file decides nothing else."""

    approval_id: str
    number: int
    decision: PersonDecision

    def on_file(self) -> str:
        """Return the text of the file."""
        return self.model_dump_json(exclude={"decision": {"key", "signed", "void"}}) + "\n"


class _Names(NamedTuple):
    """Names on file: ids of cases, highest numbers of unsigned decisions, files of signed ones, and the heads."""

    cases: list[str]
    unsigned: dict[str, int]
    signed: dict[str, list[str]]
    heads: Heads


@dataclass(frozen=True)
class Unreadable:
    """An approval whose files cannot be trusted; it admits nothing."""

    approval_id: str
    problem: str
    asked: Approval | None = None
    """The case as it was asked, without decisions, where there is a record of it."""
    decided: bool = False
    """True if persons have decided about it, by its head; without a roster, by the files of their decisions."""


class Folder:
    """The approvals of one `VERITAS_HOME`."""

    def __init__(self, home: Path) -> None:
        self.path = home / "approvals"
        self.roster = load_roster()
        self.cases = Cases(home, checked=bool(self.roster))
        self.chain = Chain(self.path, self.roster)

    def _unsigned(self, approval: str, number: int) -> Path:
        return self.path / f"{approval}.{number}.json"

    def _draft(self, approval: str) -> Path:
        return self.path / f"{approval}.draft.json"

    def _names(self) -> _Names:
        names = _Names([], {}, {}, self.chain.heads() if self.roster else {})
        if self.path.is_dir():
            for match in map(_FILE.fullmatch, os.listdir(self.path)):
                if match and match[3]:
                    names.signed.setdefault(match[1], []).append(match[0])
                elif match and match[2]:
                    names.unsigned[match[1]] = max(names.unsigned.get(match[1], 0), int(match[2]))
                elif match:
                    names.cases.append(match[1])
        names.cases.sort()
        return names

    def ids(self) -> list[str]:
        """Return the ids of all approvals on file, and of those that are missing."""
        return sorted({*self.cases.known(), *self._names().cases})

    def decide(self, approval: Approval, decision: PersonDecision, key: Path | None = None) -> bool:
        """Add a decision to those of `approval`, signed if there is a roster; return False if another one was added
        since it was read."""
        if self.roster:
            signed = sum(bool(d.key) for d in approval.decisions)
            case = f"{approval.approval_id}.{approval.fingerprint[:32]}"
            done = self.chain.append(approval, decision, key, {case: signed})
        else:
            number = self._names().unsigned.get(approval.approval_id, 0) + 1
            if number != sum(not d.key for d in approval.decisions) + 1:
                return False
            said = _Decided(approval_id=approval.approval_id, number=number, decision=decision)
            done = write_new(self._unsigned(approval.approval_id, number), said.on_file())
        if done:
            with contextlib.suppress(OSError):
                self._draft(approval.approval_id).unlink(missing_ok=True)
        return done

    def draft(self, approval: Approval, decision: PersonDecision) -> None:
        """Propose a decision, in place of one that was proposed before."""
        said = _Decided(approval_id=approval.approval_id, number=1, decision=decision)
        write_whole(self._draft(approval.approval_id), said.on_file())

    def read(self, approval: str) -> Approval | None:
        """Return the approval with its decisions, or None. Raises `StoreUnavailable` if one of its files cannot be
        read, or differs from what was asked or signed."""
        return self._read(approval, self._names())

    def _read(self, approval: str, names: _Names) -> Approval | None:
        case = self.cases.read(approval)
        if case is None:
            return None
        case = case.model_copy(update={"required": self.roster.needed(case.kind)})
        count, signed = names.unsigned.get(approval, 0), sorted(names.signed.get(approval, ()))
        if self.roster:
            decisions = (*self._from_before(approval, count), *self.chain.read(case, names.heads, len(signed)))
        else:
            decisions = (*self._local(approval, count), *self._uncheckable(signed))
        draft = self._drafted(approval) if self.roster else None
        return case.model_copy(update={"decisions": decisions, "draft": draft})

    def _local(self, approval: str, count: int) -> list[PersonDecision]:
        """Return the unsigned decisions of a home without a roster."""
        found = []
        for number in range(1, count + 1):
            path = self._unsigned(approval, number)
            said = parsed(path, _Decided)
            if (said.approval_id, said.number) != (approval, number):
                raise damaged(path, "it belongs to another approval")
            found.append(_as_read(said.decision))
        return found

    def _from_before(self, approval: str, count: int) -> list[PersonDecision]:
        """Return unsigned decisions although there is a roster; they are shown and have no effect. Unreadable ones are
        skipped."""
        found = []
        for number in range(1, count + 1):
            try:
                said = parsed(self._unsigned(approval, number), _Decided)
            except StoreUnavailable:
                continue
            if said.approval_id == approval:
                found.append(_as_read(said.decision, "unsigned, and there is a roster of approvers"))
        return found

    def _uncheckable(self, names: Sequence[str]) -> list[PersonDecision]:
        """Return signed decisions where there is no roster to check them by."""
        found = []
        for name in names:
            with contextlib.suppress(OSError, ValueError, RecursionError):
                said = Statement.model_validate_json(read_regular(self.path / name).split(b"\n", 1)[0])
                found.append(
                    PersonDecision(
                        verdict=said.verdict, name=said.name, reason=said.reason, at=said.at, key=said.key,
                        void="signed, and there is no roster of approvers here to check it by",
                    )
                )  # fmt: skip
        return found

    def _drafted(self, approval: str) -> PersonDecision | None:
        try:
            said = parsed(self._draft(approval), _Decided)
        except StoreUnavailable:
            return None
        return _as_read(said.decision, "a draft") if said.approval_id == approval else None

    def every(self, *, about: str | None = None) -> Iterator[Approval | Unreadable]:
        """Yield all approvals, also those that cannot be read or are gone. `about` keeps to files that contain that
        text (a run's id), which spares parsing the others."""
        known = self.cases.known()  # before the folder: what is asked meanwhile is not missed in it
        names = self._names()
        if names.signed and self.roster and not names.heads and self.roster.heads.is_dir():
            logger.warning(
                "%s is empty, and %s holds signed decisions, which count for nothing without their heads: is the right "
                "folder mounted there?", self.roster.heads, self.path,
            )  # fmt: skip
        for name in sorted({*known, *names.cases}):
            try:
                if about is not None and not self.cases.says(name, about):
                    continue
                found = self._read(name, names)
            except StoreUnavailable as problem:
                yield self._unreadable(name, names, str(problem))
                continue
            if found is not None:
                yield found

    def _unreadable(self, name: str, names: _Names, problem: str) -> Unreadable:
        first = self.cases.first(name)
        if self.roster:
            decided = first is not None and f"{name}.{first[1][:32]}" in names.heads
        else:
            decided = name in names.unsigned
        return Unreadable(name, problem, first[0] if first else None, decided)

    def find(self, name: str) -> Approval:
        """Return the approval with that id, with that beginning of an id, or of that decision of the gate.

        For a decision (`d-…`) of several runs, it is the newest. Raises `InputError`; `StoreUnavailable` for a damaged
        one.
        """
        if not _ID.fullmatch(name):
            raise Absent(f"{name[:80]!r} is no approval's id (a-0123456789ab): veritas approvals lists them")
        if name.startswith("d-"):
            of_decision = [a for a in self.every(about=name) if isinstance(a, Approval) and a.decision_id == name]
            found = max(of_decision, key=lambda a: (a.recorded, a.created_at), default=None)
        else:
            matches = [i for i in self.ids() if i.startswith(name)]
            if len(matches) > 1:
                some = ", ".join(matches[:5])
                raise InputError(f"{len(matches)} approvals begin with {name}: {some}. Give more of the id")
            found = self.read(matches[0]) if matches else None
        if found is None:
            raise Absent(f"no approval {name} in {self.path}: veritas approvals --all lists them")
        return found


def _as_read(said: PersonDecision, void: str = "") -> PersonDecision:
    """Return an unsigned decision, whatever its file states about a signature."""
    return said.model_copy(update={"key": "", "signed": False, "void": void})
