"""What the routes of one server share."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, cast

from fastapi import Depends, Request

from veritas.server.settings import Settings
from veritas.server.streams import Streams
from veritas.server.tokens import Keeper


@dataclass(frozen=True)
class Context:
    """The server's settings, its tokens, and the runs that are followed."""

    settings: Settings
    keeper: Keeper
    streams: Streams

    @property
    def home(self) -> Path:
        """The folder where runs are stored."""
        return self.settings.home


def context_of(request: Request) -> Context:
    """Return the context of the server that got a request."""
    return cast("Context", request.app.state.context)


Here = Annotated[Context, Depends(context_of)]
"""The parameter of a route that needs the context."""
