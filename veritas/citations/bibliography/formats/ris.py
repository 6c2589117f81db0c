"""RIS, as EndNote, Mendeley and publishers' pages write it: two letters, two spaces, a dash."""

from __future__ import annotations

import re
from collections import defaultdict

from veritas.citations.bibliography.entry import Entry
from veritas.text.line_index import LineNumbers

_LINE = re.compile(r"^([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$")
_TYPES = {
    "JOUR": "article", "JFULL": "article", "EJOUR": "article", "CONF": "inproceedings", "CPAPER": "inproceedings",
    "CHAP": "incollection", "ECHAP": "incollection", "BOOK": "book", "EBOOK": "book", "EDBOOK": "book",
    "THES": "phdthesis", "RPRT": "techreport", "ELEC": "online", "WEB": "online", "BLOG": "online", "ICOMM": "online",
    "COMP": "software", "DATA": "dataset", "STAND": "standard", "PAT": "patent", "NEWS": "news", "MGZN": "news",
    "UNPB": "article", "INPR": "article", "STAT": "legal", "CASE": "legal",
}  # fmt: skip


def read_ris(text: str, file: str) -> list[Entry]:
    """Return the records of a file in order. A line without a tag continues the one before."""
    found: list[Entry] = []
    lines = LineNumbers(text)
    tags: dict[str, list[str]] = defaultdict(list)
    began = at = 0
    last: str | None = None
    for line in text.splitlines(keepends=True):
        tag = _LINE.match(line.rstrip("\r\n").lstrip("\ufeff"))
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

    kind = _TYPES.get((first("TY") or "").upper(), "misc")
    venue = first("T2", "JF", "JO", "BT", "JA", "J2")
    fields = {
        "title": first("TI", "T1", "CT"),
        "author": " and ".join(name for name in (*tags.get("AU", []), *tags.get("A1", [])) if name) or None,
        "year": (first("PY", "Y1", "DA") or "")[:4] or None,
        "booktitle" if kind in ("inproceedings", "incollection") else "journal": venue,
        "doi": first("DO", "DI") or next((value for value in tags.get("M3", []) if "10." in value), None),
        "url": first("UR", "L1", "L2"),
        "volume": first("VL"),
        "number": first("IS"),
        "pages": "--".join(part for part in (first("SP"), first("EP")) if part) or None,
        "publisher": first("PB"),
        "isbn": first("SN"),
        "note": first("AN", "N1"),
    }
    return Entry(
        file=file,
        key=first("ID") or str(number),
        line=lines.at(span[0]),
        type=kind,
        fields={name: value for name, value in fields.items() if value},
        span=span,
    )
