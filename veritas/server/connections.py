"""Connections that have no request under way: how many there may be, and for how long.

The server cannot tell who sends half a request, and whoever opens enough such connections would keep everybody out. So
they have a time to send their headers, and the one that has waited longest makes room where there are too many.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

WAITING = 256
"""Most connections without a request under way."""
PATIENCE = 20.0
"""Seconds in which a connection has to send the headers of a request."""


def bounded(most: int = WAITING, patience: float = PATIENCE) -> type[H11Protocol]:
    """Return the protocol of one server: at most `most` connections wait for a request, each for `patience` seconds."""
    waiting: dict[Bounded, asyncio.TimerHandle] = {}  # the one that has waited longest comes first

    class Bounded(H11Protocol):
        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            super().connection_made(transport)
            self._look()

        def handle_events(self) -> None:
            super().handle_events()
            self._look()

        def on_response_complete(self) -> None:
            super().on_response_complete()
            self._look()

        def connection_lost(self, exc: Exception | None) -> None:
            self._leave()
            super().connection_lost(exc)

        def _look(self) -> None:
            if self.transport.is_closing() or (self.cycle is not None and not self.cycle.response_complete):
                return self._leave()
            if self not in waiting:
                waiting[self] = self.loop.call_later(patience, self.transport.abort)
                if len(waiting) > most:
                    oldest = next(iter(waiting))
                    oldest._leave()
                    oldest.transport.abort()

        def _leave(self) -> None:
            if (timer := waiting.pop(self, None)) is not None:
                timer.cancel()

    return Bounded
