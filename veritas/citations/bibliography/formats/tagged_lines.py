"""The formats RIS and NBIB: each line has a tag and a value. Also the fields that other formats share with them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from veritas.citations.bibliography.entry import Entry
from veritas.citations.record_exports import field
from veritas.text.line_index import LineNumbers
from veritas.works.identifiers import normalise_arxiv_id

_OTHERS = re.compile(r"et\.? al\.?,?|others", re.IGNORECASE)
_TEXT = ("title", "journal", "booktitle", "series", "publisher", "school")


def author_field(names: Iterable[str]) -> str:
    """Return the BibTeX field `author` of a list of names, each `Family, Given, Suffix`.

    A name is an organisation's if it ends in a comma (EndNote's convention), or has no comma and contains `and`.
    """
    found = []
    for name in (" ".join(name.split()) for name in names):
        bare = name.rstrip(" ,")
        if not bare:
            continue
        if _OTHERS.fullmatch(bare):
            found.append("others")
        elif not name.startswith("{") and (name.endswith(",") or ("," not in bare and re.search(r"\sand\s|;", bare))):
            found.append(f"{{{bare}}}")
        else:
            found.append(bare)
    return " and ".join(found)


def filled(fields: Mapping[str, str | None]) -> dict[str, str]:
    """Return the fields that have a value; special characters in text are escaped for BibTeX."""
    return {
        name: field(value.strip()) if name in _TEXT else value.strip()
        for name, value in fields.items()
        if value and value.strip()
    }


def venue_name(kind: str) -> str:
    """Return the BibTeX field that holds the venue of an entry of this type."""
    if kind in ("inproceedings", "incollection"):
        return "booktitle"
    return {"book": "series", "phdthesis": "school", "dataset": "howpublished"}.get(kind, "journal")


RIS_LINE = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*))?$")
NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)$")


@dataclass(frozen=True, slots=True)
class TaggedLine:
    """A tag with its value, continuation lines joined by a space; `start` and `end` are its place in the text."""

    tag: str
    value: str
    start: int
    end: int


def tagged_lines(text: str, start: int, end: int, pattern: re.Pattern[str]) -> list[TaggedLine]:
    """Return the tagged lines of `text[start:end]`. A line without a tag continues the one before."""
    found: list[TaggedLine] = []
    at = start
    for line in text[start:end].splitlines(keepends=True):
        tag = pattern.match(line.rstrip("\r\n").lstrip("\ufeff"))
        if tag is not None:
            found.append(TaggedLine(tag[1], (tag[2] or "").strip(), at, at + len(line)))
        elif found and line.strip():
            last = found[-1]
            found[-1] = TaggedLine(last.tag, f"{last.value} {line.strip()}".strip(), last.start, at + len(line))
        at += len(line)
    return found


def replaced(
    text: str, lines: Sequence[TaggedLine], tags: Iterable[str], new: Sequence[tuple[str, str]], *, before: str
) -> list[tuple[int, int, str]]:
    """Return the edits that replace all lines with one of `tags` by the lines `new`. If there is no such line, `new` is
    inserted before the line with the tag `before`, or at the end of the record."""
    wanted = set(tags)
    old = [line for line in lines if line.tag in wanted]
    model = lines[0]
    written = text[model.start : model.end]
    ending = "\r\n" if written.endswith("\r\n") else "\n"
    width = written.lstrip("\ufeff").index("-")
    said = "".join(f"{tag.ljust(width)}- {value}{ending}" for tag, value in new)
    if not old:
        place = next((line.start for line in lines if line.tag == before), lines[-1].end)
        return [(place, place, said)]
    first, *rest = old
    return [(first.start, first.end, said), *((line.start, line.end, "") for line in rest)]


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
            if "TY" in tags:
                found.append(_entry(tags, lines, (began, at), file, len(found) + 1))
            if "TY" in tags or not tags:
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

    if early := [tag for tag in takewhile(lambda tag: tag != "TY", tags) if "TY" in tags]:
        problem = f"its lines {', '.join(early[:5])} stand before its TY line, which begins a record"
        return Entry(file=file, key=first("ID") or str(number), line=lines.at(span[0]), span=span, problem=problem)
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
        "file": first("L1"),
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


BEGIN = re.compile(r"^\ufeff?PMID ?- ?\d", re.MULTILINE)
_DOI = re.compile(r"(10\.\d{4,9}/\S+) \[doi\]")
_KINDS = (("Preprint", "article"), ("Dataset", "dataset"), ("Books", "book"))


def read_nbib(text: str, file: str) -> list[Entry]:
    """Return the citations of a file in order. The key is the PMID; `FAU`, the full names, go before `AU`."""
    starts = [found.start() for found in BEGIN.finditer(text)]
    lines = LineNumbers(text)
    return [
        _nbib_entry(tagged_lines(text, start, end, NBIB_LINE), file, lines.at(start), (start, end))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]


def _nbib_entry(lines: list[TaggedLine], file: str, line: int, span: tuple[int, int]) -> Entry:
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
    """Return a title without the full stop that PubMed adds."""
    return title.removesuffix(".") if title and not title.endswith("..") else title
