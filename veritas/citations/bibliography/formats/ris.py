"""RIS, as EndNote, Mendeley and publishers' pages write it: two letters, two spaces, a dash."""

from __future__ import annotations

import re
from collections import defaultdict

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats._values import author_field, filled, venue_name
from veritas.citations.bibliography.formats.tagged_lines import RIS_LINE
from veritas.text.line_index import LineNumbers
from veritas.works.identifiers import normalise_arxiv_id

_TYPES = {
    "JOUR": "article", "JFULL": "article", "EJOUR": "article", "CONF": "inproceedings", "CPAPER": "inproceedings",
    "CHAP": "incollection", "ECHAP": "incollection", "BOOK": "book", "EBOOK": "book", "EDBOOK": "book",
    "THES": "phdthesis", "RPRT": "techreport", "ELEC": "online", "WEB": "online", "BLOG": "online", "ICOMM": "online",
    "COMP": "software", "DATA": "dataset", "STAND": "standard", "PAT": "patent", "NEWS": "news", "MGZN": "news",
    "UNPB": "article", "INPR": "article", "STAT": "legal", "CASE": "legal",
}  # fmt: skip
AUTHORS = ("AU", "A1")
TITLES = ("TI", "T1", "CT")
YEARS = ("PY", "Y1", "DA")
VENUES = ("T2", "JF", "JO", "BT", "JA", "J2")
DOIS = ("DO", "DI")


def read_ris(text: str, file: str) -> list[Entry]:
    """Return the records of a file in order. A line without a tag continues the one before."""
    found: list[Entry] = []
    lines = LineNumbers(text)
    tags: dict[str, list[str]] = defaultdict(list)
    began = at = 0
    last: str | None = None
    for line in text.splitlines(keepends=True):
        tag = RIS_LINE.match(line.rstrip("\r\n").lstrip("\ufeff"))
        if tag is not None and tag[1] == "TY":
            if tags:
                found.append(_entry(tags, lines, (began, at), file, len(found) + 1))
            tags, began = defaultdict(list), at
        at += len(line)
        if tag is not None and tag[1] == "ER":
            if tags:
                found.append(_entry(tags, lines, (began, at), file, len(found) + 1))
            tags, last = defaultdict(list), None
        elif tag is not None:
            last = tag[1]
            tags[last].append((tag[2] or "").strip())
        elif last and line.strip():
            tags[last][-1] += " " + line.strip()
    if tags:
        found.append(_entry(tags, lines, (began, at), file, len(found) + 1))
    return found


def _entry(tags: dict[str, list[str]], lines: LineNumbers, span: tuple[int, int], file: str, number: int) -> Entry:
    def first(*names: str) -> str | None:
        return next((value for name in names for value in tags.get(name, []) if value), None)

    said = (first("TY") or "").upper()
    kind = _TYPES.get(said, "misc")
    accession = [value for value in tags.get("AN", []) if value]
    pmids = [found[1] for value in accession if (found := re.fullmatch(r"(?:PMID:? ?)(\d{1,9})", value))]
    if not pmids and "pubmed" in (first("DB", "DP") or "").lower():
        pmids = [value for value in accession if re.fullmatch(r"\d{1,9}", value)]
    arxiv_id = next((value for value in accession if value.lower().startswith("arxiv")), None)
    others = [value for value in accession if value != arxiv_id and not any(each in value for each in pmids)]
    fields = {
        "title": first(*TITLES),
        "author": author_field(name for tag in AUTHORS for name in tags.get(tag, [])),
        "year": (first(*YEARS) or "")[:4],
        venue_name(kind): first(*VENUES) or (first("PB") if kind in ("phdthesis", "dataset") else None),
        "doi": first(*DOIS) or next((value for value in tags.get("M3", []) if "10." in value), None),
        "url": first("UR", "L1", "L2"),
        "volume": first("VL"),
        "number": first("IS"),
        "pages": "--".join(part for part in (first("SP"), first("EP")) if part),
        "publisher": first("PB"),
        "isbn": first("SN"),
        "pmid": pmids[0] if pmids else None,
        "note": others[0] if others else first("N1"),
        "eprint": normalise_arxiv_id(arxiv_id) if arxiv_id else None,
        "archiveprefix": "arXiv" if arxiv_id else None,
        "type": {"UNPB": "preprint", "DATA": "dataset"}.get(said),
    }
    return Entry(
        file=file, key=first("ID") or str(number), line=lines.at(span[0]), type=kind, fields=filled(fields), span=span
    )
