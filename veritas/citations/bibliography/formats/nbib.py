"""NBIB, the tagged format in which PubMed saves citations (MEDLINE): up to four letters, a dash, continuation lines."""

from __future__ import annotations

import re

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats._values import author_field, filled, venue_name
from veritas.citations.bibliography.formats.tagged_lines import NBIB_LINE, TaggedLine, tagged_lines
from veritas.text.line_index import LineNumbers

BEGIN = re.compile(r"^\ufeff?PMID ?- ?\d", re.MULTILINE)
_DOI = re.compile(r"(10\.\d{4,9}/\S+) \[doi\]")
_KINDS = (("Preprint", "article"), ("Dataset", "dataset"), ("Books", "book"))


def read_nbib(text: str, file: str) -> list[Entry]:
    """Return the citations of a file in order. The key is the PMID; `FAU`, the full names, go before `AU`."""
    starts = [found.start() for found in BEGIN.finditer(text)]
    lines = LineNumbers(text)
    return [
        _entry(tagged_lines(text, start, end, NBIB_LINE), file, lines.at(start), (start, end))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]


def _entry(lines: list[TaggedLine], file: str, line: int, span: tuple[int, int]) -> Entry:
    def every(tag: str) -> list[str]:
        return [each.value for each in lines if each.tag == tag and each.value]

    def first(*tags: str) -> str | None:
        return next((value for tag in tags for value in every(tag)), None)

    types = every("PT")
    kind = next((kind for said, kind in _KINDS if said in types), "article" if first("JT", "TA") else "misc")
    if kind == "article" and first("BTI"):
        kind = "incollection"
    bodies = [f"{{{name}}}" for name in every("CN")]
    doi = next((found[1] for value in (*every("LID"), *every("AID")) if (found := _DOI.search(value))), None)
    pmid = re.match(r"\d+", first("PMID") or "")
    fields = {
        "title": _without_stop(first("TI", "BTI")),
        "author": author_field([*(every("FAU") or every("AU")), *bodies]),
        "year": (re.findall(r"\d{4}", first("DP", "DEP") or "") or [None])[0],
        venue_name(kind): first("JT", "BTI", "TA"),
        "volume": first("VI"),
        "number": first("IP"),
        "pages": first("PG"),
        "doi": doi,
        "pmid": pmid.group() if pmid else None,
        "publisher": first("PB"),
        "isbn": first("ISBN"),
        "type": "preprint" if "Preprint" in types else None,
    }
    return Entry(file=file, key=pmid.group() if pmid else "", line=line, type=kind, fields=filled(fields), span=span)


def _without_stop(title: str | None) -> str | None:
    """Return a title without the full stop that PubMed puts after every one."""
    return title.removesuffix(".") if title and not title.endswith("..") else title
