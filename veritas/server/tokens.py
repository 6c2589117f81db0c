"""Tokens and their roles. Only their hashes are stored, in a file that only its owner can read."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Literal, get_args

from pydantic import ValidationError

from veritas.errors import InputError, StoreUnavailable
from veritas.frozen import Frozen

Role = Literal["read", "run", "approve"]
ROLES: tuple[Role, ...] = get_args(Role)
"""`read` sees everything, and checks what asks nobody; `run` begins runs as well; `approve` decides cases, no more."""


class Token(Frozen):
    """A stored token, as its hash. `budget_usd` limits the total cost of its runs, None for no limit."""

    token_id: str
    label: str
    roles: frozenset[Role]
    sha256: str
    made_at: datetime
    expires_at: datetime | None = None
    budget_usd: float | None = None

    def allows(self, role: Role) -> bool:
        """Return whether the token has a role; `run` includes `read`."""
        return role in self.roles or (role == "read" and "run" in self.roles)

    def expired(self, now: datetime | None = None) -> bool:
        """Return whether the token has expired."""
        return self.expires_at is not None and self.expires_at <= (now or datetime.now(UTC))


def hashed(token: str) -> str:
    """Return the hash under which a token is stored. A token has 256 random bits, so a fast hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def new_token(
    label: str, roles: Iterable[str], *, budget_usd: float | None = None, days: float | None = None
) -> tuple[str, Token]:
    """Return a new token and its record, which is not stored yet. Raises `InputError` for an unknown role."""
    wanted = frozenset(roles)
    if not wanted or not wanted <= set(ROLES):
        raise InputError(f"a token has one or more of the roles {', '.join(ROLES)}")
    if (budget_usd is not None and not 0 <= budget_usd < float("inf")) or (days is not None and not 0 < days < 36_500):
        raise InputError("a budget is US dollars, 0 or more, and a time more than 0 days")
    token, now = secrets.token_urlsafe(32), datetime.now(UTC)
    return token, Token(
        token_id=secrets.token_hex(4), label=label, roles=wanted, sha256=hashed(token), made_at=now,
        expires_at=now + timedelta(days=days) if days is not None else None, budget_usd=budget_usd,
    )  # fmt: skip


class Keeper:
    """The tokens of a server: those of the file, which other processes may change, and `own` ones of this process."""

    def __init__(self, home: Path, own: Iterable[Token] = ()) -> None:
        self.path = home / "server" / "tokens.json"
        self._own = tuple(own)
        self._stamp: tuple[int, int] | None = None
        self._kept: tuple[Token, ...] = ()

    def kept(self) -> tuple[Token, ...]:
        """Return the tokens of the file. Raises `StoreUnavailable` where it cannot be read."""
        try:
            there = self.path.stat()
        except FileNotFoundError:
            self._stamp, self._kept = None, ()
            return ()
        except OSError as error:
            raise StoreUnavailable(f"the file of tokens cannot be read: {error.strerror or error}") from error
        stamp = (there.st_mtime_ns, there.st_ino)
        if stamp != self._stamp:
            try:
                rows = json.loads(self.path.read_bytes())
                self._kept = tuple(Token.model_validate_json(json.dumps(row)) for row in rows)
            except (OSError, ValueError, TypeError, ValidationError) as error:
                raise StoreUnavailable("the file of tokens cannot be read") from error
            self._stamp = stamp
        return self._kept

    def find(self, token: str) -> Token | None:
        """Return the record of a token, None for an unknown or expired one. The time does not depend on the token."""
        sought, found = hashed(token), None
        for each in (*self._own, *self.kept()):
            if hmac.compare_digest(each.sha256, sought):
                found = each
        return None if found is None or found.expired() else found

    def is_valid(self, token: Token) -> bool:
        """Return whether a known token is still valid: not revoked, not expired, and its file exists."""
        try:
            return not token.expired() and token in (*self._own, *self.kept())
        except StoreUnavailable:
            return False

    def add(self, token: Token) -> None:
        """Store a token's record."""
        self._write((*self.kept(), token))

    def revoke(self, token_id: str) -> Token:
        """Remove the token of an id, or of an unambiguous beginning of one. Raises `InputError`
        where there is none."""
        found = [each for each in self.kept() if token_id and each.token_id.startswith(token_id)]
        if len(found) != 1:
            raise InputError(f"{len(found) or 'no'} tokens have an id that begins with {token_id!r}")
        self._write(each for each in self.kept() if each != found[0])
        return found[0]

    def _write(self, tokens: Iterable[Token]) -> None:
        text = json.dumps([each.model_dump(mode="json") for each in tokens], indent=1)
        aside = self.path.with_name(f".tokens.{secrets.token_hex(6)}")
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            file = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as out:
                out.write(text)
                out.flush()
                os.fsync(out.fileno())
            os.replace(aside, self.path)
        except OSError as error:
            raise StoreUnavailable(f"the tokens cannot be stored: {error.strerror or error}") from error
        finally:
            with contextlib.suppress(OSError):
                aside.unlink(missing_ok=True)
