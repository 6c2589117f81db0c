"""The ledger of model calls (I9): requests are hashed, and an answer that was paid for is never paid for again.

A paid answer with an invalid form is kept until a valid one comes.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import duckdb
from pydantic import Field, ValidationError

from veritas.files import write_whole
from veritas.frozen import Frozen
from veritas.keys import withheld
from veritas.store.open_file import first
from veritas.store.packing import to_text
from veritas.store.rows import utc, writable_text

IN_PLACE_OF = "in_place_of"
"""A key in the request of an entry that is no call: it names the one in whose turn another's answer was taken."""


class LedgerEntry(Frozen):
    """An answered call. `request_hash` covers everything that could change the answer; `request` is the same in
    readable form.

    Tokens and seconds are those of the original call; `cost_usd` is None if the price is unknown.
    """

    request_hash: str = Field(min_length=1)
    model: str
    prompt: str
    """Name and version of the prompt."""
    request: Any
    """JSON values."""
    answer: str
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost_usd: float | None = None
    seconds: float = Field(default=0.0, ge=0)
    at: datetime

    @property
    def fits(self) -> bool | None:
        """True if the answer matched the required schema; None if that was not recorded."""
        fits = self.request.get("fits") if isinstance(self.request, dict) else None
        return fits if isinstance(fits, bool) else None

    def goes_before(self, other: LedgerEntry | None) -> bool:
        """Return whether it replaces the existing entry, because that one is invalid or unchecked."""
        return other is None or (self.fits is not None and not other.fits)


@runtime_checkable
class Ledger(Protocol):
    """A store of answers of calls. Usable from several threads."""

    def get(self, request_hash: str) -> LedgerEntry | None:
        """Return the entry, or None if there is no answer."""
        ...

    def put(self, entry: LedgerEntry) -> None:
        """Store the entry durably. Of two with the same hash the first stays, unless it is invalid (`goes_before`)."""
        ...


class MemoryLedger:
    """A ledger that lasts as long as the object."""

    def __init__(self) -> None:
        self._entries: dict[str, LedgerEntry] = {}
        self._lock = threading.Lock()

    def get(self, request_hash: str) -> LedgerEntry | None:
        return self._entries.get(request_hash)

    def put(self, entry: LedgerEntry) -> None:
        with self._lock:
            if entry.goes_before(self._entries.get(entry.request_hash)):
                self._entries[entry.request_hash] = entry

    def __len__(self) -> int:
        return len(self._entries)


_COLUMNS = (
    "request_hash, model, prompt, request, answer, answer_bytes, input_tokens, output_tokens, cost_usd, seconds, "
    "answered_at"
)


def read_entry(connection: duckdb.DuckDBPyConnection, request_hash: str) -> LedgerEntry | None:
    """Return one entry of a run's file."""
    row = first(connection, f"SELECT {_COLUMNS} FROM ledger WHERE request_hash = ?", [request_hash])
    return _entry(row) if row else None


def read_entries(connection: duckdb.DuckDBPyConnection) -> dict[str, LedgerEntry]:
    """Return all entries of a run's file."""
    entries = (_entry(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM ledger").fetchall())
    return {entry.request_hash: entry for entry in entries}


def write_entry(connection: duckdb.DuckDBPyConnection, entry: LedgerEntry) -> None:
    """Write and commit one entry, unless a better one exists."""
    if not entry.goes_before(read_entry(connection, entry.request_hash)):
        return
    answer = withheld(entry.answer)
    shown = writable_text(answer)
    request = to_text(entry.request, f"the request {entry.request_hash}")
    if writable_text(request) != request:
        request = json.dumps(entry.request)
    connection.execute(
        f"INSERT OR REPLACE INTO ledger ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            entry.request_hash,
            entry.model,
            entry.prompt,
            request,
            shown,
            None if shown == answer else answer.encode("utf-8", "surrogatepass"),
            entry.input_tokens,
            entry.output_tokens,
            entry.cost_usd,
            entry.seconds,
            utc(entry.at),
        ],
    )


def _entry(row: tuple[Any, ...]) -> LedgerEntry:
    request_hash, model, prompt, request, answer, answer_bytes, tokens_in, tokens_out, cost, seconds, at = row
    return LedgerEntry(
        request_hash=request_hash,
        model=model,
        prompt=prompt,
        request=json.loads(request),
        answer=answer if answer_bytes is None else answer_bytes.decode("utf-8", "surrogatepass"),
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cost_usd=cost,
        seconds=seconds,
        at=at.replace(tzinfo=UTC),
    )


class RunLedger:
    """The ledger of a run: its own file first, then the answers that its ancestors paid for.

    The ancestors' entries are read once, when first needed, and their files closed at once; they are never written.
    """

    def __init__(
        self,
        read: Callable[[str], LedgerEntry | None],
        write: Callable[[LedgerEntry], None],
        inherited: Callable[[], dict[str, LedgerEntry]],
        own: Callable[[], dict[str, LedgerEntry]] = dict,
    ) -> None:
        self._read = read
        self._write = write
        self._own = own
        self._load = inherited
        self._inherited: dict[str, LedgerEntry] | None = None
        self._lock = threading.Lock()

    def get(self, request_hash: str) -> LedgerEntry | None:
        entry = self._read(request_hash)
        if entry is not None:
            return entry
        return self._of_ancestors().get(request_hash)

    def _of_ancestors(self) -> dict[str, LedgerEntry]:
        with self._lock:
            if self._inherited is None:
                self._inherited = self._load()
            return self._inherited

    def entries(self) -> list[LedgerEntry]:
        """Return every answer that `get` would find."""
        return list((self._of_ancestors() | self._own()).values())

    def own_entries(self) -> list[LedgerEntry]:
        """Return the answers that this run itself paid for."""
        return list(self._own().values())

    def put(self, entry: LedgerEntry) -> None:
        self._write(entry)


class FolderLedger:
    """A `Ledger` in a folder that outlasts runs, for checks that store no run of their own. Several threads
    and processes may use it at once. A damaged file counts as absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def _path(self, request_hash: str) -> Path:
        return self._folder / request_hash[:2] / f"{request_hash}.json"

    def get(self, request_hash: str) -> LedgerEntry | None:
        """See `Ledger`."""
        try:
            return LedgerEntry.model_validate_json(self._path(request_hash).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, entry: LedgerEntry) -> None:
        """See `Ledger`. Raises `StoreUnavailable` where it cannot be written."""
        if entry.goes_before(self.get(entry.request_hash)):
            write_whole(self._path(entry.request_hash), withheld(entry.model_dump_json()))
