"""Recording of a run's web access: searches and pages are stored with the models' answers, and returned on replay.

Each request has a file `web/<hash>.json` with its outcome, also a failure. Within a run each request is made once and
shared, so a replay does not depend on the order of requests.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from veritas.council.recording import Recording
from veritas.documents.document import Document
from veritas.errors import InputError, Unavailable
from veritas.event_loop import OfLoop
from veritas.files import write_whole
from veritas.frozen import content_hash
from veritas.reading.reader import Changed, Confirming, Reader
from veritas.search.provider import SearchHit, SearchProvider


class Tape:
    """The recorded outcomes of web requests. With `replay` no request is sent, and an unrecorded one is unavailable."""

    def __init__(self, folder: Path, *, replay: bool) -> None:
        self._folder, self.replay = folder / "web", replay
        self._asked: OfLoop[dict[str, asyncio.Task[Any]]] = OfLoop(dict)

    @classmethod
    def of(cls, recording: Recording) -> Tape | None:
        """Return the tape of a recording; None if nothing is recorded or replayed."""
        folder = recording.replay or recording.record
        return cls(folder, replay=recording.replay is not None) if folder is not None else None

    async def outcome(self, *asked: Any, ask: Callable[[], Awaitable[Any]] | None) -> Any:
        """Return the outcome of a request, as JSON values. Raises the recorded `Unavailable`."""
        key = content_hash(asked)
        heard = self._asked.here()
        task = heard.get(key)
        if task is None:
            made = self._played(key, asked) if self.replay or ask is None else self._kept(key, asked, ask)
            task = heard[key] = asyncio.ensure_future(made)
        return await asyncio.shield(task)

    async def _kept(self, key: str, asked: Sequence[Any], ask: Callable[[], Awaitable[Any]]) -> Any:
        try:
            answer = await ask()
        except Unavailable as problem:
            fault = {"unavailable": str(problem), "changed": isinstance(problem, Changed)}
            await asyncio.to_thread(self._write, key, {"asked": asked, **fault})
            raise
        await asyncio.to_thread(self._write, key, {"asked": asked, "answer": answer})
        return answer

    async def _played(self, key: str, asked: Sequence[Any]) -> Any:
        file = self._folder / f"{key}.json"
        try:
            kept: dict[str, Any] = json.loads(await asyncio.to_thread(file.read_text, encoding="utf-8"))
        except FileNotFoundError:
            what = " ".join(str(part) for part in asked[:3])[:160]
            raise Unavailable(f"the recording {self._folder.parent} does not know what came of “{what}”") from None
        except (OSError, ValueError) as error:
            raise Unavailable(f"what was recorded in {file} cannot be read: {error}") from error
        if "unavailable" in kept:
            raise (Changed if kept.get("changed") else Unavailable)(kept["unavailable"])
        return kept.get("answer")

    def providers(self, live: Callable[[], Sequence[SearchProvider]]) -> tuple[SearchProvider, ...]:
        """Return the providers of the web, on replay those of the recording, whether or not they are configured here.
        Raises `InputError` for a recording made without the web."""
        file = self._folder / "providers.json"
        if not self.replay:
            found = live()
            self._write("providers", [p.name for p in found])
            return tuple(TapedProvider(p.name, p, self) for p in found)
        try:
            names = [str(name) for name in json.loads(file.read_text(encoding="utf-8"))]
        except (OSError, ValueError, TypeError) as error:
            raise InputError(
                f"--replay-calls {self._folder.parent}: it was recorded without the web, so there is nothing to search "
                f"({error}). Name the corpus that it was recorded with"
            ) from error
        return tuple(TapedProvider(name, None, self) for name in names)

    def _write(self, key: str, value: Any) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        write_whole(self._folder / f"{key}.json", json.dumps(value, ensure_ascii=False, indent=1) + "\n")


class TapedProvider:
    """A recorded `SearchProvider`; `inner` is None on replay."""

    def __init__(self, name: str, inner: SearchProvider | None, tape: Tape) -> None:
        self.name, self._inner, self._tape = name, inner, tape
        self.at_once = getattr(inner, "at_once", 4)

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        """Search, or return the recorded hits (see `SearchProvider`)."""
        inner = self._inner

        async def ask() -> list[Any]:
            assert inner is not None
            return [hit.model_dump(mode="json") for hit in await inner.search(query, limit=limit, since=since)]

        day = since.isoformat() if since else None
        hits = await self._tape.outcome("search", self.name, query, limit, day, ask=ask if inner else None)
        return [SearchHit.model_validate(hit) for hit in hits]


class TapedReader:
    """A recorded `Reader`."""

    def __init__(self, inner: Reader, tape: Tape) -> None:
        self._inner, self._tape = inner, tape

    async def read(self, url: str) -> Document:
        """Read a document, or return the recorded one (see `Reader`)."""

        async def ask() -> Any:
            return (await self._inner.read(url)).model_dump(mode="json")

        return Document.model_validate(await self._tape.outcome("read", url, ask=ask))

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check a document, or repeat the recorded outcome (see `Confirming`)."""
        if isinstance(self._inner, Confirming):
            inner = self._inner
            asked = ("confirm", document.url, document.document_id, sorted(quotes))
            await self._tape.outcome(*asked, ask=lambda: inner.confirm(document, quotes))
