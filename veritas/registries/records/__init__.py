"""A normaliser for each source, from a record of its API to a `BibRecord`. An unreadable record raises nothing."""

from __future__ import annotations

import importlib
from typing import Any

from veritas.errors import InputError
from veritas.works.records import SOURCES, BibRecord


def normalise(source: str, record: Any) -> BibRecord:
    """Return `record`, as `source` returned it, as a `BibRecord`.

    Envelopes (`message`, `data`, `hits`) around one record are opened. A record that cannot be read comes back without
    a title, with the reason in `problems`. Raises `InputError` for a source that is not known.
    """
    if source not in SOURCES:
        raise InputError(f"unknown source {str(source)[:60]!r}: use one of {', '.join(SOURCES)}")
    module = importlib.import_module(f"veritas.registries.records.{source}_record")
    if isinstance(record, list) and len(record) == 1:
        record = record[0]
    try:
        normalised: BibRecord = module.normalise(record)
    except RecursionError:
        return BibRecord(source=source, problems=("record: nested too deeply",))
    return normalised


__all__ = ["SOURCES", "normalise"]
