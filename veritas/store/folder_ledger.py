"""A ledger that outlasts runs: one file for each answer, for checks that store no run of their own."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from veritas.files import write_whole
from veritas.keys import withheld
from veritas.store.ledger import LedgerEntry


class FolderLedger:
    """A `Ledger` in a folder. Several threads and processes may use it at once. A damaged file counts as absent."""

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
