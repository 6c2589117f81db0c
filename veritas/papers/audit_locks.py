"""Who audits which paper: a file a paper, made by the first that comes, so that two watchers never do the same one."""

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
    """`key` is the SHA-256 of a file's bytes, or an arXiv id with its version. `audit_id` is chosen before the audit
    begins, so that one that was cut off can be gone on with."""

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
    """The claims of one folder: `<key>.json`, and `<key>.json.<n>` of the n-th that took a paper over. The highest
    number counts. A file is made once and never in another's place, so that of several that come at the same time,
    from whatever they read before, exactly one has the claim."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _newest(self, key: str) -> tuple[Path, Path | None]:
        """Where the next claim on a paper goes, and the file of the one that counts."""
        first = self._folder / f"{''.join(c if c.isalnum() or c in '.-' else '_' for c in key)}.json"
        path, newest, number = first, None, 0
        while path.exists():
            newest, number = path, number + 1
            path = first.with_name(f"{first.name}.{number}")
        return path, newest

    def read(self, key: str) -> Claimed | None:
        """The claim on a paper; None where there is none, or it cannot be read."""
        return _read(self._newest(key)[1])

    def take(self, key: str, asked: str, audit_id: str) -> Claimed | None:
        """The claim, if it could be had: nobody has one, or whoever had it is gone before the end. The audit to go on
        with is then that of the claim, be it an earlier one. None for a paper that is done or being done.

        Raises `StoreUnavailable` when the folder cannot be written.
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
        """What became of it. Raises `StoreUnavailable`."""
        done = claim.model_copy(update={"outcome": outcome, "reason": reason, "score": score, "at": datetime.now(UTC)})
        following, newest = self._newest(claim.key)
        write_whole(newest or following, json.dumps(done.model_dump(mode="json")) + "\n")

    def release(self, claim: Claimed) -> None:
        """Gives a paper back: nothing was decided about it, and it is to be tried again."""
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
    """Whether the process that holds a claim may still be at it; of another machine's nothing is known, so it may."""
    if claim.host != socket.gethostname():
        return (datetime.now(UTC) - claim.at).total_seconds() < 86_400
    try:
        os.kill(claim.process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
