"""A Retraction Watch file as an index on this machine: notices by the DOI or PubMed id of the paper they are about."""

from __future__ import annotations

import csv
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

from veritas.errors import InputError, StoreUnavailable
from veritas.settings import home
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Update, UpdateKind

SAID_BY = "retraction watch"
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
_FIELD_LIMIT = 1_000_000
_FORM = 1
"""Form of the index; one of another form is built again from the file."""


def index_path() -> Path:
    """Return where the index is kept."""
    return home() / "retraction_watch.sqlite"


def build_index(source: Path, target: Path | None = None) -> int:
    """Make the index of a Retraction Watch CSV file and return how many notices it holds.

    The file replaces an earlier index at once or not at all. Raises `InputError` for a file that cannot be read or has
    other columns, and where no row names a paper, `StoreUnavailable` for an index that cannot be written.
    """
    target = target or index_path()
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.new")
    beside.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(beside)) as base, base:
            base.execute("create table notices (paper text, kind text, doi text, date text, reasons text)")
            base.executemany("insert into notices values (?, ?, ?, ?, ?)", _rows(source))
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


def _rows(source: Path) -> Iterator[tuple[str, str, str | None, str | None, str]]:
    csv.field_size_limit(_FIELD_LIMIT)
    try:
        with source.open(encoding="utf-8-sig", errors="replace", newline="") as file:
            reader = csv.DictReader(file)
            lacking = [name for name in _COLUMNS if name not in (reader.fieldnames or ())]
            if lacking:
                raise InputError(f"{source} is no Retraction Watch file: it has no column {', '.join(lacking)}")
            for row in reader:
                yield from _of_a_row(row)
    except (OSError, csv.Error) as error:
        raise InputError(f"{source} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def _of_a_row(row: Mapping[str, str | None]) -> Iterator[tuple[str, str, str | None, str | None, str]]:
    kind = _NATURES.get((row.get("RetractionNature") or "").strip().lower())
    if kind is None:
        return
    notice = normalise_doi(row.get("RetractionDOI") or "")
    reasons = "; ".join(each.strip(" +") for each in (row.get("Reason") or "").split(";") if each.strip(" +"))
    rest = (kind.value, notice, _date(row.get("RetractionDate") or ""), reasons[:500])
    if doi := normalise_doi(row.get("OriginalPaperDOI") or ""):
        yield doi, *rest
    pmid = (row.get("OriginalPaperPubMedID") or "").strip()
    if pmid.isdecimal() and pmid != "0":
        yield f"pmid:{pmid}", *rest


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
    path = path or index_path()
    names = [name for name in (doi, f"pmid:{pmid}" if pmid else None) if name]
    if not names or not path.is_file():
        return ()
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as base:
            if base.execute("pragma user_version").fetchone() != (_FORM,):
                raise InputError(f"{path} is an index of another form: make it again from the Retraction Watch file")
            marks = ", ".join("?" * len(names))
            found = base.execute(
                f"select distinct kind, doi, date from notices where paper in ({marks}) order by date",
                names,
            ).fetchall()
    except sqlite3.Error as error:
        raise InputError(f"{path} cannot be read as an index of Retraction Watch: {error}") from error
    back = max((date or "" for kind, _, date in found if kind == UpdateKind.OTHER.value), default=None)
    return [
        Update(kind=UpdateKind(kind), of_this=True, doi=notice, date=date, asserted_by=SAID_BY)
        for kind, notice, date in found
        if kind != UpdateKind.OTHER.value and (back is None or (date or "") > back)
    ]
