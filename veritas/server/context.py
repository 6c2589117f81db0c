"""What the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Annotated, cast

from fastapi import Depends, Request

from veritas.server.metrics import Metrics
from veritas.server.settings import Settings
from veritas.server.streams import Streams
from veritas.server.tokens import Keeper, Token
from veritas.server.uploads import Uploads


@dataclass(frozen=True)
class Context:
    """The server's settings, its tokens, the runs that are followed, its counts, and what was uploaded."""

    settings: Settings
    keeper: Keeper
    streams: Streams
    metrics: Metrics
    uploads: Uploads
    own: frozenset[str] = frozenset()
    """Ids of the tokens of whoever started the server."""
    beginning: Lock = field(default_factory=Lock)
    """Held while a run begins that is counted against a budget."""

    @property
    def home(self) -> Path:
        """The folder where runs are stored."""
        return self.settings.home

    def may_sign(self, who: Token) -> bool:
        """Return whether decisions of a caller are signed with the key of the person who started the server: those of
        that person, where nobody else can reach the server."""
        return self.settings.local and who.token_id in self.own


def context_of(request: Request) -> Context:
    """Return the context of the server that got a request."""
    return cast("Context", request.app.state.context)


Here = Annotated[Context, Depends(context_of)]
"""The parameter of a route that needs the context."""
