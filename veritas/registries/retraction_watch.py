"""A Retraction Watch file as an index on this machine: notices by the DOI or PubMed id of the paper they are about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from veritas.registries.notice_index import Notice, build, look_up
from veritas.settings import home
from veritas.works.identifiers import normalise_doi
from veritas.works.records import Update, UpdateKind

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
    """Return where the index is kept."""
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
