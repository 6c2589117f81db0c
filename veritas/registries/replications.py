"""A file of FORRT's library of replications as an index on this machine: studies that repeated a paper's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veritas.registries.notice_index import Notice, build, look_up
from veritas.settings import home
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Update, UpdateKind

_WHAT = "file of FORRT's library of replications"
_COLUMNS = ("doi_o", "doi_r", "outcome")
"""Columns without which a file is not that library: the DOIs of the original and of its replication, and what came of
it."""
_NOTHING = frozenset({"", "na", "nan", "none"})


def replications_path() -> Path:
    """Return where the index is kept."""
    return home() / "replications.sqlite"


def index_replications(source: Path, target: Path | None = None) -> int:
    """Make the index of the library's CSV file and return how many replications it holds.

    Raises `InputError` for a file that cannot be read or has other columns, `StoreUnavailable` for an index that cannot
    be written.
    """
    return build(source, target or replications_path(), _WHAT, _COLUMNS, _of_a_row)


def _of_a_row(row: Mapping[str, str | None]) -> Iterator[Notice]:
    original, study = normalise_doi(row.get("doi_o")), normalise_doi(row.get("doi_r"))
    if original is None or original == study:
        return
    said = [_value(row, name) for name in ("type", "outcome")]
    year = _value(row, "year_r")
    detail = ", ".join(each for each in said if each)
    yield Notice(original, UpdateKind.REPLICATION.value, study, year or None, detail or "outcome not stated")


def _value(row: Mapping[str, str | None], name: str) -> str:
    value = (row.get(name) or "").strip()[:60]
    return "" if value.lower() in _NOTHING else value


def replications_of(doi: str | None, path: Path | None = None) -> Sequence[Update]:
    """Return the studies that repeated a paper's, by the index; none if there is no index.

    None of them changes the standing of the paper: what a failed replication means is for the reader to weigh. Raises
    `InputError` for an index that cannot be read.
    """
    return [
        Update(
            kind=UpdateKind.REPLICATION, of_this=True, doi=each.doi, date=each.date,
            asserted_by=f"FORRT ({each.detail})",
        )
        for each in look_up(path or replications_path(), [doi] if doi else [], _WHAT)
    ]  # fmt: skip
