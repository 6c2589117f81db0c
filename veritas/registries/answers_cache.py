"""A cache of registries' answers, one file each: `<VERITAS_HOME>/cache/registries/`."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from json.encoder import encode_basestring_ascii as _quoted
from pathlib import Path

VERSION = 1
DAY = 86_400.0


@dataclass(frozen=True)
class Kept:
    """A cached answer: its text (None if the registry said "not found"), whether it means that there is nothing, and
    its time in seconds since 1970."""

    text: str | None
    nothing: bool
    at: float


class AnswersCache:
    """A folder of JSON files. A damaged entry counts as absent, and a folder that cannot be written is ignored.

    Found answers are valid for `answers_days`, misses for `misses_days`. Answers older than `newer_than` (seconds since
    1970) are not used, for an audit that has to ask anew.
    """

    def __init__(
        self, folder: Path | None, *, answers_days: float = 30, misses_days: float = 1, newer_than: float = 0.0
    ) -> None:
        self._folder = folder
        self._root = None if folder is None else os.path.join(folder, "")
        self._answers, self._misses = answers_days * DAY, misses_days * DAY
        self._newer_than = newer_than

    @property
    def keeps(self) -> bool:
        """True if there is a folder to keep answers in."""
        return self._folder is not None

    def get(self, key: str, *, offline: bool = False) -> Kept | None:
        """Return the valid answer under a key, or None. Offline a found answer is valid at any age, but a miss only as
        long as ever: that a paper was not there last year says nothing."""
        if self._root is None:
            return None
        try:
            with open(f"{self._root}{key[:2]}/{key}.json", "rb") as file:  # thousands of misses: no Path for each
                entry = json.loads(file.read())
            kept = Kept(entry["text"], bool(entry["nothing"]), float(entry["at"]))
            if entry["version"] != VERSION or not isinstance(kept.text, str | None):
                return None
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        age = time.time() - kept.at
        if offline and not kept.nothing:
            return kept
        counts = kept.at >= self._newer_than and -DAY < age < (self._misses if kept.nothing else self._answers)
        return kept if counts else None

    def put(self, key: str, text: str | None, *, nothing: bool) -> None:
        """Keep an answer; `nothing` marks it as a miss."""
        if self._folder is None:
            return
        entry = {"version": VERSION, "at": time.time(), "text": text, "nothing": nothing}
        folder = self._folder / key[:2]
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                    json.dump(entry, file)
                os.replace(name, folder / f"{key}.json")
            except OSError:
                with suppress(OSError):
                    os.unlink(name)
                raise


def cache_key(base: str, path: str, params: Mapping[str, str]) -> str:
    """Return the SHA-256 of a request, the same for every user: contact and keys are left out."""
    asked = ", ".join(
        f"[{_quoted(name)}, {_quoted(value)}]"
        for name, value in sorted(params.items())
        if name not in ("mailto", "email", "api_key")
    )
    # What `json.dumps([base, path, asked])` gives, in a third of the time.
    return hashlib.sha256(f"[{_quoted(base)}, {_quoted(path)}, [{asked}]]".encode()).hexdigest()
