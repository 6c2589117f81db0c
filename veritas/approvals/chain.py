"""The chain of a case's signed decisions in the approvals folder, with its signed head outside it.

A decision's file has two lines: the decision, and the signature over that line. The decision names the hash of the
case, the hash of the previous decision, and its number. The head, which only approvers can write, names the last
decision with its hash and its signature. So a decision that is edited, deleted, copied or restored from an older copy
of the folder does not match, and a decision that no head names has no effect.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
import stat
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal
from unicodedata import normalize

from pydantic import AwareDatetime, Field, ValidationError

from veritas.approvals._roster import Roster
from veritas.approvals.approval import Approval
from veritas.claims.override import MAX_NAME, MAX_REASON, PersonDecision, Verdict
from veritas.errors import InputError, PolicyError, StoreUnavailable
from veritas.files import write_new, write_whole
from veritas.frozen import Frozen

MAX_BYTES = 5_000_000
"""Bytes of the largest file of an approval that is read."""
SKEW = timedelta(minutes=5)
"""Most difference between the clocks of approvers and runs."""

_HEAD = re.compile(r"(a-[0-9a-f]{12}\.[0-9a-f]{32})\.([1-9][0-9]{0,2})\.json")

Heads = Mapping[str, int]
"""Number of the last signed decision, by case (`<approval>.<first half of the case's hash>`)."""


class Statement(Frozen):
    """The signed text of a decision. `case` and `previous` are SHA-256 of a file's bytes, in hex; `previous` is empty
    for the first."""

    format: Literal["veritas-decision-1"] = "veritas-decision-1"
    approval_id: str
    case: str
    number: int = Field(ge=1, le=999)
    previous: str
    verdict: Verdict
    name: str = Field(min_length=1, max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_REASON)
    at: AwareDatetime
    key: str


class Signature(Frozen):
    """The signature: base64 of its 64 bytes."""

    signature: str


class Head(Frozen):
    """The last decision of a case. `decision` is SHA-256 of the bytes of its file."""

    approval_id: str
    case: str
    number: int
    decision: str
    signature: str


def sha256(raw: bytes) -> str:
    """Return the SHA-256 in hex."""
    return hashlib.sha256(raw).hexdigest()


def read_regular(path: Path) -> bytes:
    """Return a file's bytes. Raises `OSError` for a link, a pipe or another special file, and for a large one."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        found = os.fstat(number)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path} is no plain file")
        if found.st_size > MAX_BYTES:
            raise OSError(f"{path} has more than {MAX_BYTES:,} bytes")
        with os.fdopen(number, "rb", closefd=False) as file:
            return file.read(found.st_size)
    finally:
        os.close(number)


class Chain:
    """The signed decisions of an approvals folder, by a roster."""

    def __init__(self, folder: Path, roster: Roster) -> None:
        self.folder, self.roster = folder, roster
        within = folder.resolve()
        for place in (roster.path, roster.heads):
            if roster and within in (place.resolve(), *place.resolve().parents):
                raise PolicyError(
                    f"{place} lies inside {folder}, which workers write: keep the roster of approvers and its heads "
                    "elsewhere"
                )

    def heads(self) -> Heads:
        """Return the number of the last signed decision of every case."""
        last: dict[str, int] = {}
        try:
            names = os.listdir(self.roster.heads)
        except FileNotFoundError:
            return last
        except OSError as error:
            raise StoreUnavailable(f"{self.roster.heads} cannot be read: {error.strerror or error}") from error
        for match in map(_HEAD.fullmatch, names):
            if match:
                last[match[1]] = max(last.get(match[1], 0), int(match[2]))
        return last

    def read(self, asked: Approval, heads: Heads, on_file: int) -> tuple[PersonDecision, ...]:
        """Return the decisions that the head covers, in order, each with its effect. `on_file` is the number of signed
        decisions on file.

        Raises `StoreUnavailable` if one of them is not the one that was signed.
        """
        number = heads.get(_case(asked), 0)
        if not number:
            if on_file and not self.roster.heads.is_dir():
                raise StoreUnavailable(
                    f"{asked.approval_id} has signed decisions, and the folder of their heads, {self.roster.heads}, is "
                    "not there: it admits nothing. Mount it, or make it if nobody has signed anything yet"
                )
            return ()
        chain: list[tuple[Statement, bytes, str]] = []
        head = self._head(asked, number)
        wanted = head.decision
        while number:
            said, line, signature = self._decision(asked, number, wanted)
            chain.append((said, line, signature))
            number, wanted = number - 1, said.previous
        if wanted:
            raise _damaged(asked, "its first decision names one before it")
        if chain[0][2] != head.signature:
            raise _damaged(asked, "its head is signed otherwise than its last decision")
        found: list[PersonDecision] = []
        for said, line, signature in reversed(chain):
            found.append(self._weighed(asked, said, line, signature, found[-1] if found else None))
        return tuple(found)

    def _head(self, asked: Approval, number: int) -> Head:
        path = self._head_path(asked, number)
        try:
            head = Head.model_validate_json(read_regular(path))
        except (OSError, ValidationError) as error:
            raise StoreUnavailable(f"{path} cannot be read as the head of a record: {error}") from error
        if (head.approval_id, head.case, head.number) != (asked.approval_id, asked.fingerprint, number):
            raise _damaged(asked, f"{path} is the head of another one")
        return head

    def _head_path(self, asked: Approval, number: int) -> Path:
        return self.roster.heads / f"{_case(asked)}.{number}.json"

    def _path(self, asked: Approval, number: int, decision: str) -> Path:
        return self.folder / f"{asked.approval_id}.{number}.{decision[:32]}.json"

    def _decision(self, asked: Approval, number: int, wanted: str) -> tuple[Statement, bytes, str]:
        path = self._path(asked, number, wanted)
        try:
            raw = read_regular(path)
        except OSError as error:
            why = f"decision {number}, {path}, is gone or unreadable: {error.strerror or error}"
            raise _damaged(asked, why) from error
        if sha256(raw) != wanted:
            raise _damaged(asked, f"decision {number}, {path}, was changed since it was signed")
        try:
            line, rest = raw.split(b"\n", 1)
            said = Statement.model_validate_json(line)
            signature = Signature.model_validate_json(rest).signature
        except (ValueError, RecursionError) as error:
            raise _damaged(asked, f"decision {number}, {path}, cannot be read") from error
        if (said.approval_id, said.case, said.number) != (asked.approval_id, asked.fingerprint, number):
            raise _damaged(asked, f"{path} is about another case")
        return said, line, signature

    def _weighed(
        self, asked: Approval, said: Statement, line: bytes, signature: str, before: PersonDecision | None
    ) -> PersonDecision:
        """Return a decision with its effect. If its key is not on the roster, it admits nothing; a rejection or
        withdrawal still holds, because the head names it."""
        from veritas.approvals.signing import verified

        holder = self.roster.holders.get(said.key)
        if holder is not None and not verified(holder.key, line, signature):
            raise _damaged(asked, f"the signature of decision {said.number} is not {said.name}'s")
        void = ""
        if holder is None:
            void = "its key is not on the roster of approvers"
        elif holder.approver.name != said.name:
            void = f"the roster calls the owner of its key {holder.approver.name}"
        elif asked.kind not in holder.approver.may:
            void = f"the roster does not let {said.name} decide about a {asked.kind}"
        elif said.at < max(asked.created_at - SKEW, before.at if before else said.at):
            void = "its time lies before what it follows"
        elif said.at > datetime.now(UTC) + SKEW:
            void = "its time lies in the future"
        return PersonDecision(
            verdict=said.verdict,
            name=said.name,
            reason=said.reason,
            at=said.at,
            key=said.key,
            signed=holder is not None,
            void=void if said.verdict == "approve" else "",
        )

    def append(self, asked: Approval, said: PersonDecision, key: Path | None, heads: Heads) -> bool:
        """Sign a decision and make it the head. Return False if another decision was added since `asked` was read.

        If the process is killed in between, the decision has no head and no effect, and must be made again.
        """
        from veritas.approvals.signing import signer, verified

        with_key = signer(key, self.roster.holders)
        name = self._name_of(with_key.fingerprint, asked, said.name)
        signed = [d for d in asked.decisions if d.key]
        if said.at < (signed[-1].at if signed else asked.created_at - SKEW):
            raise InputError("the clock of this machine is behind what the decision follows: set it right")
        if said.verdict == "approve" and ("approve", name) in [(d.verdict, d.name) for d in asked.voices]:
            more = f", and {asked.required} different persons have to" if asked.required > 1 else ""
            raise InputError(f"{name} has approved {asked.approval_id} already{more}")
        number = heads.get(_case(asked), 0) + 1
        statement = Statement(
            approval_id=asked.approval_id,
            case=asked.fingerprint,
            number=number,
            previous=self._head(asked, number - 1).decision if number > 1 else "",
            verdict=said.verdict,
            name=name,
            reason=said.reason,
            at=said.at,
            key=with_key.fingerprint,
        )
        line = statement.model_dump_json().encode()
        signature = base64.b64encode(with_key.sign(line)).decode()
        if not verified(self.roster.holders[with_key.fingerprint].key, line, signature):
            raise InputError("what was signed does not verify with the key on the roster: nothing was kept")
        raw = line + b"\n" + Signature(signature=signature).model_dump_json().encode() + b"\n"
        head = Head(
            approval_id=asked.approval_id,
            case=asked.fingerprint,
            number=number,
            decision=sha256(raw),
            signature=signature,
        )
        path = self._path(asked, number, head.decision)
        try:
            self.roster.heads.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{self.roster.heads} cannot be made: {error.strerror or error}") from error
        write_whole(path, raw)
        try:
            first = write_new(self._head_path(asked, number), head.model_dump_json() + "\n")
        except StoreUnavailable:
            path.unlink(missing_ok=True)
            raise
        if not first:  # after Ctrl-C it stays: the head may name it already
            path.unlink(missing_ok=True)
        return first

    def _name_of(self, fingerprint: str, asked: Approval, given: str) -> str:
        holder = self.roster.holders.get(fingerprint)
        if holder is None:
            raise InputError(f"the key {fingerprint} is on no roster: {self.roster.path} says who may approve")
        name = holder.approver.name
        if given and normalize("NFC", given) != normalize("NFC", name):
            raise InputError(f"the key {fingerprint} is {name}'s, and cannot sign for {given!r}")
        if asked.kind not in holder.approver.may:
            raise InputError(f"{self.roster.path} does not let {name} decide about a {asked.kind}")
        return name


def _case(asked: Approval) -> str:
    return f"{asked.approval_id}.{asked.fingerprint[:32]}"


def _damaged(asked: Approval, why: str) -> StoreUnavailable:
    return StoreUnavailable(
        f"the record of {asked.approval_id} is damaged ({why}): it admits nothing. Put back the files as they were"
    )
