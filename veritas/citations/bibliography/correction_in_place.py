"""Corrections written into RIS and CSL-YAML; all else in the file stays as it is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

import yaml

from veritas.citations.bibliography.correction import PRINTED, corrections, csl_changes, edited, found_instead
from veritas.citations.bibliography.entry_verdict import Judged
from veritas.citations.bibliography.formats import tagged_lines as ris
from veritas.citations.bibliography.formats.csl import item_nodes
from veritas.citations.bibliography.formats.tagged_lines import RIS_LINE, TaggedLine, replaced, tagged_lines
from veritas.citations.record_exports import ris_names
from veritas.works.records import BibRecord

Edit = tuple[int, int, str]


def mend_ris(text: str, judged: Sequence[Judged]) -> str:
    """Return the text of a RIS file with every correction in its line."""
    return edited(text, (edit for each in judged for edit in _ris_edits(text, each)))


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
