"""Corrections written into RIS, NBIB, EndNote's XML and CSL-YAML; all else in the file stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from xml.sax.saxutils import escape

import yaml

from veritas.citations.bibliography.correction import PRINTED, corrections, csl_changes, edited, found_instead
from veritas.citations.bibliography.entry_verdict import Judged
from veritas.citations.bibliography.formats import endnote_xml
from veritas.citations.bibliography.formats import tagged_lines as ris
from veritas.citations.bibliography.formats.csl import item_nodes
from veritas.citations.bibliography.formats.safe_xml import Node, parse_xml
from veritas.citations.bibliography.formats.tagged_lines import (
    NBIB_LINE,
    RIS_LINE,
    TaggedLine,
    replaced,
    tagged_lines,
)
from veritas.citations.record_exports import ris_names
from veritas.works.records import BibRecord

Edit = tuple[int, int, str]


def mend_ris(text: str, judged: Sequence[Judged]) -> str:
    """Return the text of a RIS file with every correction in its line."""
    return edited(text, (edit for each in judged for edit in _ris_edits(text, each)))


def mend_nbib(text: str, judged: Sequence[Judged]) -> str:
    """Return the text of an NBIB file with every correction in its line."""
    return edited(text, (edit for each in judged for edit in _nbib_edits(text, each)))


def mend_endnote(text: str, judged: Sequence[Judged]) -> str:
    """Return EndNote's XML with every correction in its element, in the style of what stood there."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    data = text.removeprefix("\ufeff").encode("utf-8", "replace")
    records = parse_xml(data, judged[0].entry.file).iterate("record")
    edits = [edit for record, each in zip(records, judged, strict=True) for edit in _xml_edits(data, record, each)]
    return mark + edited(data, ((start, end, new.encode("utf-8", "replace")) for start, end, new in edits)).decode()


def mend_csl_yaml(text: str, judged: Sequence[Judged]) -> str:
    """Return CSL-YAML with every correction in its item; comments and order stay."""
    nodes = item_nodes(text, judged[0].entry.file)
    edits = (edit for node, each in zip(nodes, judged, strict=True) for edit in _yaml_edits(text, node, each))
    return edited(text, edits)


def _plain(judged: Judged) -> tuple[BibRecord, dict[str, str]] | None:
    """Return the record, and the corrections in plain text without the authors; None if nothing is to be mended."""
    changes, record = corrections(judged), judged.match
    if not changes or record is None:
        return None
    right = {
        "title": record.full_title, "year": str(record.year), "doi": record.doi, "eprint": record.arxiv_id,
        **{name: found_instead(judged, field) for field, name in PRINTED.items()},
    }  # fmt: skip
    told = {name: " ".join(value.split()) for name, value in right.items() if name in changes and value}
    return record, told | ({"author": ""} if "author" in changes else {})


def _own(lines: Sequence[TaggedLine], tags: Sequence[str]) -> TaggedLine | None:
    return next((line for tag in tags for line in lines if line.tag == tag and line.value), None)


def _ris_edits(text: str, judged: Judged) -> Iterator[Edit]:
    plain = _plain(judged)
    if plain is None or judged.entry.span is None:
        return
    record, told = plain
    lines = tagged_lines(text, *judged.entry.span, RIS_LINE)
    if "author" in told:
        old = _own(lines, ris.AUTHORS)
        tag = old.tag if old else "AU"
        yield from replaced(text, lines, ris.AUTHORS, [(tag, name) for name in ris_names(record)], before="ER")
    for name, tags in (("title", ris.TITLES), ("year", ris.YEARS), ("venue", ris.VENUES), ("doi", (*ris.DOIS, "M3"))):
        if name in told:
            line = _own(lines, tags)
            if line is not None and line.tag == "M3" and "10." not in line.value:
                line = None
            value = re.sub(r"^\d{4}", told[name], line.value) if name == "year" and line else told[name]
            tag = line.tag if line else {"title": "TI", "year": "PY", "venue": "T2", "doi": "DO"}[name]
            yield from replaced(text, lines, [tag], [(tag, value)], before="ER")
    for name, tag in (("volume", "VL"), ("number", "IS")):
        if name in told:
            yield from replaced(text, lines, [tag], [(tag, told[name])], before="ER")
    if "pages" in told:
        first, _, last = re.sub(r"[-–—]+", "-", told["pages"]).partition("-")
        pages = [("SP", first.strip()), *([("EP", last.strip())] if last else [])]
        yield from replaced(text, lines, ("SP", "EP"), pages, before="ER")
    if "eprint" in told and not any(line.tag == "AN" for line in lines):
        yield from replaced(text, lines, ["AN"], [("AN", f"arXiv:{told['eprint']}")], before="ER")


def _nbib_edits(text: str, judged: Judged) -> Iterator[Edit]:
    plain = _plain(judged)
    if plain is None or judged.entry.span is None:
        return
    record, told = plain
    lines = tagged_lines(text, *judged.entry.span, NBIB_LINE)
    end = "SO"
    if "author" in told:
        new = []
        for person in record.authors:
            if person.corporate:
                new.append(("CN", person.family))
                continue
            initials = "".join(part[0] for part in re.split(r"[\s-]+", person.given) if part)
            full = ", ".join(part for part in (person.family, person.given, person.suffix) if part)
            new += [("FAU", full), ("AU", " ".join(part for part in (person.family, initials, person.suffix) if part))]
        yield from replaced(text, lines, ("FAU", "AU", "CN"), new, before=end)
    for name, tag in (
        ("title", "TI"), ("year", "DP"), ("venue", "JT"), ("volume", "VI"), ("number", "IP"), ("pages", "PG"),
    ):  # fmt: skip
        if name in told:
            line = _own(lines, (tag,))
            value = told[name]
            if name == "title" and (line is None or line.value.endswith(".")) and value[-1] not in ".?!":
                value += "."
            if name == "year" and line:
                value = re.sub(r"\d{4}", value, line.value, count=1)
            yield from replaced(text, lines, [tag], [(tag, value)], before=end)
    if "doi" in told:
        old = [line for line in lines if line.tag in ("LID", "AID") and line.value.endswith("[doi]")]
        for line in old:
            yield from replaced(text, [line], [line.tag], [(line.tag, f"{told['doi']} [doi]")], before=end)
        if not old:
            yield from replaced(text, lines, [], [("LID", f"{told['doi']} [doi]")], before=end)


_PATHS = {
    "title": (("titles", "title"),),
    "year": (("dates", "year"),),
    "venue": endnote_xml.VENUES,
    "doi": (("electronic-resource-num",),),
    "volume": (("volume",),),
    "number": (("number",),),
    "pages": (("pages",),),
}


def _xml_edits(data: bytes, record: Node, judged: Judged) -> Iterator[Edit]:
    plain = _plain(judged)
    if plain is None or record.inner is None:
        return
    right, told = plain
    people = record.find("contributors", "authors")
    if "author" in told:
        first = people.find("author") if people else None
        named = "".join(f"<author>{_styled(data, first, name)}</author>" for name in ris_names(right))
        if people is not None and people.inner is not None:
            yield (*people.inner, named)
        else:
            yield record.inner[1], record.inner[1], f"<contributors><authors>{named}</authors></contributors>"
    for name, paths in _PATHS.items():
        if name not in told:
            continue
        nodes = [node for path in paths if (node := record.find(*path)) is not None]
        for node in nodes:
            value = _styled(data, node, told[name])
            yield (*node.inner, value) if node.inner else (node.start, node.end, f"<{node.tag}>{value}</{node.tag}>")
        if not nodes:
            value = escape(told[name])
            for tag in reversed(paths[0]):
                value = f"<{tag}>{value}</{tag}>"
            yield record.inner[1], record.inner[1], value


def _styled(data: bytes, like: Node | None, text: str) -> str:
    """Return escaped text, inside the style that an element's text has."""
    style = like.find("style") if like is not None else None
    if style is None or style.inner is None:
        return escape(text)
    return f"{data[style.start : style.inner[0]].decode()}{escape(text)}</style>"


def _yaml_edits(text: str, item: yaml.MappingNode, judged: Judged) -> Iterator[Edit]:
    there = {key.value: (key, value) for key, value in item.value if isinstance(key, yaml.ScalarNode)}
    new = []
    for name, value in csl_changes(judged).items():
        said = f"{name}: {json.dumps(value, ensure_ascii=False)}"
        if name in there:
            key, old = there[name]
            start, end = key.start_mark.index, old.end_mark.index
            yield start, start + len(text[start:end].rstrip()), said
        else:
            new.append(said)
    start = item.start_mark.index
    if new and item.flow_style:
        yield start + 1, start + 1, "".join(f"{said}, " for said in new)
    elif new:
        indent = "\n" + " " * item.start_mark.column
        yield start, start, "".join(f"{said}{indent}" for said in new)
