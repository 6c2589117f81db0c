"""A file of notices about papers as an index on this machine: what it says, by the DOI or PubMed id of the paper."""

from __future__ import annotations

import csv
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from veritas.errors import InputError, StoreUnavailable

_FIELD_LIMIT = 1_000_000
_FORM = 1
"""Form of the index; one of another form is built again from the file."""


class Notice(NamedTuple):
    """A row: the paper it is about (`10.…` or `pmid:…`), its kind, its own DOI, its date, and what it says besides."""

    paper: str
    kind: str
    doi: str | None
    date: str | None
    detail: str


def build(
    source: Path,
    target: Path,
    what: str,
    columns: Sequence[str],
    of_a_row: Callable[[Mapping[str, str | None]], Iterable[Notice]],
) -> int:
    """Make the index of a CSV file and return how many notices about DOIs it holds.

    The file replaces an earlier index at once or not at all. Raises `InputError` for a file that cannot be read or
    lacks one of the columns, and where no row names a paper, `StoreUnavailable` for an index that cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.new")
    beside.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(beside)) as base, base:
            base.execute("create table notices (paper text, kind text, doi text, date text, reasons text)")
            rows = (notice for row in _rows(source, what, columns) for notice in of_a_row(row))
            base.executemany("insert into notices values (?, ?, ?, ?, ?)", rows)
            base.execute("create index papers on notices (paper)")
            base.execute(f"pragma user_version = {_FORM}")
            (count,) = base.execute("select count(distinct rowid) from notices where paper like '10.%'").fetchone()
        if not count:
            raise InputError(f"{source}: no row names the DOI of a paper")
        beside.replace(target)
    except sqlite3.Error as error:
        raise StoreUnavailable(f"{target} cannot be written: {error}") from error
    finally:
        beside.unlink(missing_ok=True)
    return int(count)


def _rows(source: Path, what: str, columns: Sequence[str]) -> Iterator[Mapping[str, str | None]]:
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        with source.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            lacking = [name for name in columns if name not in (reader.fieldnames or ())]
            if lacking:
                raise InputError(f"{source} is no {what}: it has no column {', '.join(lacking)}")
            yield from reader
    except (OSError, csv.Error) as error:
        raise InputError(f"{source} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def look_up(path: Path, papers: Sequence[str], what: str) -> list[Notice]:
    """Return the notices about papers in the order of their dates, each once; none if there is no index.

    Raises `InputError` for an index that cannot be read.
    """
    if not papers or not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
            if base.execute("pragma user_version").fetchone() != (_FORM,):
                raise InputError(f"{path} is an index of another form: make it again from the {what}")
            marks = ", ".join("?" * len(papers))
            found = base.execute(
                f"select distinct '', kind, doi, date, reasons from notices where paper in ({marks}) order by date",
                tuple(papers),
            ).fetchall()
    except sqlite3.Error as error:
        raise InputError(f"{path} cannot be read as an index of a {what}: {error}") from error
    return [Notice(*row) for row in found]
