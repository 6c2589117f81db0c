"""What the routes of one server share, and its metrics."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Annotated, cast

from fastapi import Depends, Request
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, generate_latest

from veritas.server.settings import Settings
from veritas.server.streams import Streams
from veritas.server.tokens import Keeper, Token
from veritas.server.uploads import Uploads


@dataclass
class Health:
    """What keeps the store from being written or read, None where nothing does."""

    problem: str | None = None


@dataclass(frozen=True)
class Context:
    """The server's settings, its tokens, the runs that are followed, its counts, and what was uploaded."""

    settings: Settings
    keeper: Keeper
    streams: Streams
    metrics: Metrics
    uploads: Uploads
    own: frozenset[str] = frozenset()
    """Ids of the tokens of the person who started the server."""
    beginning: Lock = field(default_factory=Lock)
    """Held while a run begins that is counted against a budget."""
    health: Health = field(default_factory=Health)

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


MEDIA_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_WAITING = ("queued", "running", "interrupted")


class Metrics:
    """The counts of one server. No label holds what a caller wrote."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        labels = ("method", "status")
        self._answers = Counter("veritas_http_answers", "Answers of the server", labels, registry=self._registry)
        self._followers = Gauge("veritas_followers", "Connections that follow a run", registry=self._registry)
        said = "Runs of the background that are not finished"
        self._runs = Gauge("veritas_background_runs", said, ["state"], registry=self._registry)

    def answered(self, method: str, status: int) -> None:
        """Count an answer."""
        self._answers.labels(method if method in _METHODS else "other", str(status)).inc()

    def text(self, states: Iterable[str], followers: int) -> bytes:
        """Return all metrics in Prometheus' form; `states` are those of the runs that are not finished."""
        found = Tally(states)
        for state in _WAITING:
            self._runs.labels(state).set(found[state])
        self._followers.set(followers)
        return generate_latest(self._registry)
