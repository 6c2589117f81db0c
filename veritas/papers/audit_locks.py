"""Claims of auditors on papers: a file for each paper, so that two watchers never audit the same one."""

from __future__ import annotations

import json
import os
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from veritas.files import write_new, write_whole
from veritas.frozen import Frozen

Outcome = Literal["auditing", "audited", "failed"]


class Claimed(Frozen):
    """A claim on a paper. `key` is the SHA-256 of a file's bytes, or an arXiv id with its version. `audit_id` is chosen
    before the audit begins, so that an interrupted one can be resumed."""

    key: str
    asked: str
    audit_id: str
    outcome: Outcome = "auditing"
    reason: str = ""
    score: float | None = None
    host: str = ""
    process: int = 0
    at: datetime


class Claims:
    """The claims of a folder: `<key>.json`, and `<key>.json.<n>` of the n-th that took a paper over. The highest number
    counts. A file is created once and never replaced by another claim's, so that of several at the same time exactly
    one gets the claim, whatever they read before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _newest(self, key: str) -> tuple[Path, Path | None]:
        """Return the path of the next claim on a paper, and the path of the one that counts."""
        first = self._folder / f"{''.join(c if c.isalnum() or c in '.-' else '_' for c in key)}.json"
        path, newest, number = first, None, 0
        while path.exists():
            newest, number = path, number + 1
            path = first.with_name(f"{first.name}.{number}")
        return path, newest

    def read(self, key: str) -> Claimed | None:
        """Return the claim on a paper; None if there is none, or it cannot be read."""
        return _read(self._newest(key)[1])

    def take(self, key: str, asked: str, audit_id: str) -> Claimed | None:
        """Claim a paper that nobody has claimed, or whose claimant died before the end; return the claim. Its audit,
        perhaps an earlier one, is the one to go on with. Return None for a paper that is done or being done.

        Raises `StoreUnavailable` if the folder cannot be written.
        """
        path, newest = self._newest(key)
        held = _read(newest)
        if held is not None and (held.outcome != "auditing" or _is_alive(held)):
            return None
        mine = Claimed(
            key=key,
            asked=asked,
            audit_id=audit_id if held is None else held.audit_id,
            host=socket.gethostname(),
            process=os.getpid(),
            at=datetime.now(UTC),
        )
        return mine if write_new(path, mine.model_dump_json()) else None

    def settle(self, claim: Claimed, outcome: Outcome, reason: str = "", score: float | None = None) -> None:
        """Record the outcome of a claim. Raises `StoreUnavailable`."""
        done = claim.model_copy(update={"outcome": outcome, "reason": reason, "score": score, "at": datetime.now(UTC)})
        following, newest = self._newest(claim.key)
        write_whole(newest or following, json.dumps(done.model_dump(mode="json")) + "\n")

    def release(self, claim: Claimed) -> None:
        """Give a paper back undecided, to be tried again."""
        newest = self._newest(claim.key)[1]
        if newest is not None and _read(newest) == claim:
            with suppress(OSError):
                newest.unlink(missing_ok=True)


def _read(path: Path | None) -> Claimed | None:
    if path is None:
        return None
    try:
        return Claimed.model_validate_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _is_alive(claim: Claimed) -> bool:
    """Return whether a claim's process may still run. On another machine it counts as running for a day."""
    if claim.host != socket.gethostname():
        return (datetime.now(UTC) - claim.at).total_seconds() < 86_400
    try:
        os.kill(claim.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
