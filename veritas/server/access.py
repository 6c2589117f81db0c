"""Authentication: the token of a request, and the role that a route needs."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request

from veritas.server.tokens import Role, Token

NO_TOKEN = "a token is needed: Authorization: Bearer TOKEN, or the address that the server printed"


class Caller:
    """The sender of a request: the record of its token, and whether the token came in a cookie, as from a page."""

    def __init__(self, token: Token, by_cookie: bool) -> None:
        self.token, self.by_cookie = token, by_cookie


class Needs:
    """A dependency that admits a request whose token has a role, and returns its record."""

    def __init__(self, role: Role) -> None:
        self.role = role

    def __call__(self, request: Request) -> Token:
        """Return the caller's token. Raises 401 without one, 403 if it lacks the role."""
        caller: Caller | None = request.scope.get("veritas.caller")
        refused = refusal(caller, self.role)
        if refused is not None:
            raise HTTPException(*refused)
        assert caller is not None
        return caller.token


def refusal(caller: Caller | None, role: Role) -> tuple[int, str] | None:
    """Return status and reason for a caller without the role; None for one with it."""
    if caller is None:
        return 401, NO_TOKEN
    if not caller.token.allows(role):
        has = ", ".join(sorted(caller.token.roles))
        return 403, f"this needs a token with the role {role}; yours has {has}"
    return None


def needs(role: Role) -> Any:
    """Return the dependency of a route on a role: `who: Annotated[Token, needs("read")]`."""
    return Depends(Needs(role))


Reader = Annotated[Token, needs("read")]
Runner = Annotated[Token, needs("run")]
Approver = Annotated[Token, needs("approve")]
"""Parameters of routes, each for a token with a role; every route has one."""
