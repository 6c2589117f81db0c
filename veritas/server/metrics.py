"""What Prometheus reads of a server: counts of its answers, its followers, the runs that wait and are carried out."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, generate_latest

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
