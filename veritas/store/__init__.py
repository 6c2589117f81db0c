"""The claim graph in DuckDB: a file for each run, and a catalogue over all of them."""

from veritas.store._parquet import export_parquet
from veritas.store.catalogue import merge_run, query, rebuild_catalogue
from veritas.store.ledger import Ledger, LedgerEntry, MemoryLedger
from veritas.store.listing import RunSummary, find_run, list_runs
from veritas.store.paths import new_run_id
from veritas.store.run_file import RunStore
from veritas.store.stage_record import StageRow, StoredStage

__all__ = [
    "Ledger", "LedgerEntry", "MemoryLedger", "RunStore", "RunSummary", "StageRow", "StoredStage",
    "export_parquet", "find_run", "list_runs", "merge_run", "new_run_id", "query", "rebuild_catalogue",
]
