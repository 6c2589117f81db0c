"""Conversion in separate processes, each with a limit on time and memory, and the cache."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import LifoQueue
from typing import Any

from veritas.errors import CorpusError, Unavailable
from veritas.long_waits import waiting_for
from veritas.reading._archive import tidy
from veritas.reading._cache import ConversionCache, from_json
from veritas.reading.formats import Converted, Kind, longest, reader_of
from veritas.reading.formats.converted import without_keys

WORKERS = 2
COMMAND = [sys.executable, "-m", "veritas.reading.worker"]


class GivenUp(CorpusError):
    """A file that took too much time or memory, crashed the process or changed meanwhile; a later attempt may succeed.
    """


class Workshop:
    """Up to `workers` processes, started on demand; used in a `with` block, from as many threads.

    `seconds` is the time limit for one file, by default from `providers.yaml`: `convert_seconds`, or `plugin_seconds`
    for a plug-in.
    """

    def __init__(self, cache: Path, *, workers: int = WORKERS, seconds: float | None = None) -> None:
        self._folder, self._cache, self._grown = cache, ConversionCache(cache), False
        self._seconds = seconds
        self._idle: LifoQueue[subprocess.Popen[bytes] | None] = LifoQueue()
        for _ in range(workers):
            self._idle.put(None)
        self._workers = workers

    def __enter__(self) -> Workshop:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes, and keep the cache within its limits."""
        for _ in range(self._workers):
            process = self._idle.get()
            if process is not None:
                _end(process)
        if self._grown:
            tidy(self._folder)

    def convert(self, data: bytes, kind: Kind) -> Converted:
        """Convert a file's bytes, or take the result from the cache. Raises `CorpusError` with the reason as a
        predicate of the file, `GivenUp` for a timeout, too much memory or a crash; `Unavailable` if no process can be
        started."""
        digest = hashlib.sha256(data).hexdigest()
        known = self._cache.get(digest, kind)
        if known is not None:
            cleaned = without_keys(known)
            if cleaned is not known:  # it was kept before a key was set that is in it
                self._cache.put(digest, kind, cleaned)
            return cleaned
        process = self._idle.get()
        try:
            if process is not None and process.poll() is not None:
                _end(process)
                process = None
            process = process or _begin()
            seconds, who = self._seconds or longest(kind), reader_of(kind)
            with waiting_for(who, seconds):
                answer = self._ask(process, data, kind, seconds)
        finally:
            self._idle.put(process if process is not None and process.poll() is None else None)
        if "problem" in answer:
            raise (GivenUp if answer["passing"] else CorpusError)(answer["problem"])
        converted = without_keys(from_json(answer["converted"]))
        self._grown = True
        self._cache.put(digest, kind, converted)
        return converted

    def _ask(self, process: subprocess.Popen[bytes], data: bytes, kind: Kind, seconds: float) -> dict[str, Any]:
        assert process.stdin is not None
        assert process.stdout is not None
        too_long = threading.Event()

        def stop() -> None:
            too_long.set()
            process.kill()

        timer = threading.Timer(seconds, stop)
        timer.start()
        try:
            process.stdin.write(json.dumps({"kind": kind, "size": len(data)}).encode() + b"\n" + data)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:
            line = b""
        finally:
            timer.cancel()
        if line.endswith(b"\n"):
            answer: dict[str, Any] = json.loads(line)
            return answer
        _end(process)
        if too_long.is_set():
            raise GivenUp(f"takes longer than {seconds:g} s to read, and {reader_of(kind)} was given up")
        raise GivenUp(f"makes the converter crash: {reader_of(kind)}")


def _begin() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError as error:
        raise Unavailable(f"no process can be begun to convert documents in: {error.strerror or error}") from error


def _end(process: subprocess.Popen[bytes]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.kill()
    process.wait()
