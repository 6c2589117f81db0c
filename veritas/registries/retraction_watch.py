"""A local index of a Retraction Watch file: notices by the DOI or PubMed id of the paper they are about."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from veritas.errors import InputError, StoreUnavailable
from veritas.settings import home
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Update, UpdateKind

_FIELD_LIMIT = 1_000_000
_FORM = 1
"""Form of the index; one of another form is built again from the file."""


class Notice(NamedTuple):
    """A row: the paper it is about (`10.…` or `pmid:…`), its kind, its own DOI, its date, and further details."""

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


SAID_BY = "retraction watch"
_WHAT = "Retraction Watch file"
_COLUMNS = ("OriginalPaperDOI", "RetractionNature", "RetractionDate")
"""Columns without which a file is no Retraction Watch file."""
_NATURES = {
    "retraction": UpdateKind.RETRACTION,
    "partial retraction": UpdateKind.PARTIAL_RETRACTION,
    "withdrawal": UpdateKind.WITHDRAWAL,
    "expression of concern": UpdateKind.CONCERN,
    "correction": UpdateKind.CORRECTION,
    "reinstatement": UpdateKind.OTHER,
}
_DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})|(\d{4})-(\d{2})-(\d{2})")


def index_path() -> Path:
    """Return the file of the index."""
    return home() / "retraction_watch.sqlite"


def build_index(source: Path, target: Path | None = None) -> int:
    """Make the index of a Retraction Watch CSV file and return how many notices it holds.

    The file replaces an earlier index at once or not at all. Raises `InputError` for a file that cannot be read or has
    other columns, and where no row names a paper, `StoreUnavailable` for an index that cannot be written.
    """
    return build(source, target or index_path(), _WHAT, _COLUMNS, _of_a_row)


def _of_a_row(row: Mapping[str, str | None]) -> Iterator[Notice]:
    kind = _NATURES.get((row.get("RetractionNature") or "").strip().lower())
    if kind is None:
        return
    notice = normalise_doi(row.get("RetractionDOI") or "")
    reasons = "; ".join(each.strip(" +") for each in (row.get("Reason") or "").split(";") if each.strip(" +"))
    rest = (kind.value, notice, _date(row.get("RetractionDate") or ""), reasons[:500])
    if doi := normalise_doi(row.get("OriginalPaperDOI") or ""):
        yield Notice(doi, *rest)
    pmid = (row.get("OriginalPaperPubMedID") or "").strip()
    if pmid.isdecimal() and pmid != "0":
        yield Notice(f"pmid:{pmid}", *rest)


def _date(text: str) -> str | None:
    """Return a date as `2020-06-05`; the file writes `6/5/2020 0:00`."""
    found = _DAY.search(text)
    if found is None:
        return None
    if found[4]:
        return f"{found[4]}-{found[5]}-{found[6]}"
    return f"{found[3]}-{int(found[1]):02d}-{int(found[2]):02d}"


def notices_about(doi: str | None = None, pmid: str | None = None, path: Path | None = None) -> Sequence[Update]:
    """Return the notices about a paper; none if there is no index. A reinstatement takes earlier notices back.

    Raises `InputError` for an index that cannot be read.
    """
    names = [name for name in (doi, f"pmid:{pmid}" if pmid else None) if name]
    found = look_up(path or index_path(), names, _WHAT)
    back = max((each.date or "" for each in found if each.kind == UpdateKind.OTHER.value), default=None)
    return [
        Update(kind=UpdateKind(each.kind), of_this=True, doi=each.doi, date=each.date, asserted_by=SAID_BY)
        for each in found
        if each.kind != UpdateKind.OTHER.value and (back is None or (each.date or "") > back)
    ]
