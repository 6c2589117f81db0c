"""Who audits which paper: a file a paper, made by the first that comes, so that two watchers never do the same one."""

from __future__ import annotations

import json
import os
import secrets
import socket
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from veritas.errors import StoreUnavailable
from veritas.files import write_whole
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
    """The claims of one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, key: str) -> Path:
        return self._folder / f"{''.join(c if c.isalnum() or c in '.-' else '_' for c in key)}.json"

    def read(self, key: str) -> Claimed | None:
        """The claim on a paper; None where there is none, or it cannot be read."""
        try:
            return Claimed.model_validate_json(self._path(key).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except (OSError, ValidationError, ValueError):
            return None

    def take(self, key: str, asked: str, audit_id: str) -> Claimed | None:
        """The claim, if it could be had: nobody has one, or whoever had it is gone before the end. The audit to go on
        with is then that of the claim, be it an earlier one. None for a paper that is done or being done.

        Raises `StoreUnavailable` when the folder cannot be written.
        """
        now, host = datetime.now(UTC), socket.gethostname()
        made = Claimed(key=key, asked=asked, audit_id=audit_id, host=host, process=os.getpid(), at=now)
        path = self._path(key)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
            aside.write_text(made.model_dump_json(), encoding="utf-8")
            try:
                os.link(aside, path)  # whole or not at all, and only for the first
                return made
            except FileExistsError:
                return self._taken_over(path, made)
            finally:
                aside.unlink(missing_ok=True)
        except OSError as error:
            raise StoreUnavailable(f"{path} cannot be written: {error.strerror or error}") from error

    def _taken_over(self, path: Path, made: Claimed) -> Claimed | None:
        held = self.read(made.key)
        if held is not None and (held.outcome != "auditing" or _is_alive(held)):
            return None
        # Only one of several that come at the same time can move the stale claim away.
        stale = path.with_name(f".{path.name}.{secrets.token_hex(6)}.stale")
        try:
            os.rename(path, stale)
        except FileNotFoundError:
            return None
        with suppress(OSError):
            stale.unlink()
        mine = made if held is None else made.model_copy(update={"audit_id": held.audit_id})
        aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
        aside.write_text(mine.model_dump_json(), encoding="utf-8")
        try:
            os.link(aside, path)
        except FileExistsError:
            return None
        finally:
            aside.unlink(missing_ok=True)
        return mine

    def settle(self, claim: Claimed, outcome: Outcome, reason: str = "", score: float | None = None) -> None:
        """What became of it. Raises `StoreUnavailable`."""
        done = claim.model_copy(update={"outcome": outcome, "reason": reason, "score": score, "at": datetime.now(UTC)})
        write_whole(self._path(claim.key), json.dumps(done.model_dump(mode="json")) + "\n")

    def release(self, claim: Claimed) -> None:
        """Gives a paper back: nothing was decided about it, and it is to be tried again."""
        with suppress(OSError):
            self._path(claim.key).unlink(missing_ok=True)


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
