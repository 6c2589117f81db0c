"""CSL-JSON and CSL-YAML, as Zotero, Pandoc and Crossref write them: a list of items, or an object that holds one."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import yaml

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.formats.printed.authors import is_body
from veritas.citations.bibliography.formats.tagged_lines import filled, venue_name
from veritas.citations.record_exports import field as escaped
from veritas.errors import InputError
from veritas.registries.records.fields import mapping, objects, raw
from veritas.text.line_index import LineNumbers
from veritas.works.identifiers import normalise_arxiv_id

_TYPES = {
    "article-journal": "article", "article": "article", "paper-conference": "inproceedings", "chapter": "incollection",
    "book": "book", "thesis": "phdthesis", "report": "techreport", "webpage": "online", "post-weblog": "online",
    "post": "online", "software": "software", "dataset": "dataset", "standard": "standard", "patent": "patent",
    "manuscript": "unpublished", "article-newspaper": "news", "article-magazine": "news", "legislation": "legal",
    "legal_case": "legal", "motion_picture": "misc", "speech": "misc", "interview": "misc",
}  # fmt: skip
_PERSON = re.compile(
    r"[^\W\d_a-zß-öø-ÿ][\w’'-]+(?: [^\W\d_a-zß-öø-ÿ]\.?| (?:van|von|de|der|den|del|da|di|la|le|dos|ten|ter)){0,3}"
    r" [^\W\d_a-zß-öø-ÿ][\w’'-]+"
)
"""A given name, initials or particles, and a family name."""
_TEXT = {
    "title": "title", "DOI": "doi", "URL": "url", "publisher": "publisher",
    "volume": "volume", "issue": "number", "page": "pages", "ISBN": "isbn", "PMID": "pmid", "note": "note",
}  # fmt: skip
MAX_DEPTH = 50
"""Limit of nesting in YAML; the C composer does not check its stack."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_csl(text: str, file: str) -> list[Entry]:
    """Read the items of a file. Raises `InputError` if it holds no CSL-JSON."""
    _, data = parse_csl(text, file)
    found, lines, at = [], LineNumbers(text), 0
    for number, item in enumerate(data, 1):
        key = item.get("id")
        place = text.find(json.dumps(key, ensure_ascii=False), at) if isinstance(key, str) and key else -1
        at = place + 1 if place >= 0 else at
        found.append(item_entry(item, file, number, lines.at(at)))
    return found


def parse_csl(text: str, file: str) -> tuple[Any, list[dict[str, Any]]]:
    """Return the JSON document and the items in it. Raises `InputError` if it holds no CSL-JSON."""
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: not JSON ({error})") from error
    return whole, _listed(whole, file, "CSL-JSON")


def _listed(whole: Any, file: str, form: str) -> list[dict[str, Any]]:
    data = whole
    if isinstance(data, dict):
        data = next((data[name] for name in ("items", "references") if isinstance(data.get(name), list)), [data])
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise InputError(f"{file}: {form} is a list of items")
    return data


def item_nodes(text: str, file: str) -> list[yaml.MappingNode]:
    """Return the nodes of the items of CSL-YAML, with their places in the text.

    Aliases are shared, not copied, so none can expand. Raises `InputError` with the line for a file that is no YAML or
    holds no items.
    """
    try:
        _limit_depth(text, file)
        root = next(iter(yaml.compose_all(text, Loader=_LOADER)), None)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{file}, line {mark.line + 1}" if mark else file
        raise InputError(f"{where}: not YAML ({getattr(error, 'problem', None) or error})") from error
    if isinstance(root, yaml.MappingNode):
        inside = (value for name, value in root.value if name.value in ("items", "references"))
        root = next((value for value in inside if isinstance(value, yaml.SequenceNode)), None)
    items = root.value if isinstance(root, yaml.SequenceNode) else []
    if not items or not all(isinstance(item, yaml.MappingNode) for item in items):
        raise InputError(f"{file}: CSL-YAML is a list of items, or has one under `references`")
    return items


def _limit_depth(text: str, file: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=_LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                line = event.start_mark.line + 1 if event.start_mark else 1
                raise InputError(f"{file}, line {line}: the YAML is nested too deeply")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def read_csl_yaml(text: str, file: str) -> list[Entry]:
    """Read the items of CSL-YAML; `span` is an item's place in the text. Raises `InputError` as `item_nodes` does."""
    found = []
    for number, node in enumerate(item_nodes(text, file), 1):
        line = node.start_mark.line + 1
        try:
            item = yaml.SafeLoader("").construct_document(node)
        except (yaml.YAMLError, ValueError, RecursionError) as error:
            raise InputError(f"{file}, line {line}: the item cannot be read ({error})") from error
        entry = item_entry(item, file, number, line)
        found.append(entry.model_copy(update={"span": (node.start_mark.index, node.end_mark.index)}))
    return found


def item_entry(item: Mapping[str, Any], file: str, number: int, line: int) -> Entry:
    """Convert one item into an entry."""
    fields: dict[str, str | None] = {name: raw(item.get(key)) for key, name in _TEXT.items()}
    kind = _TYPES.get(raw(item.get("type")) or "", "misc")
    place = raw(item.get("container-title")) or (raw(item.get("collection-title")) if kind == "book" else None)
    if kind in ("phdthesis", "dataset"):
        place = fields.get("publisher") or place
    fields[venue_name(kind)] = place
    report = raw(item.get("number")) or ""
    arxiv_id = normalise_arxiv_id(report) if report.lower().startswith("arxiv") else None
    if arxiv_id:
        fields |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    elif not fields.get("number"):
        fields["number"] = report
    if (raw(item.get("genre")) or "").lower() == "preprint":
        fields["type"] = "preprint"
    elif kind == "dataset":
        fields["type"] = "dataset"
    people = objects(item.get("author"))
    persons = len(people) > 1 and all(_whole_name(each) for each in people)
    fields["author"] = " and ".join(name for each in people if (name := _name(each, persons=persons)))
    fields["year"] = _year(item.get("issued"))
    return Entry(file=file, key=raw(item.get("id")) or str(number), line=line, type=kind, fields=filled(fields))


def _whole_name(author: Mapping[str, Any]) -> bool:
    """Return whether an author is given as a person's name that is not cut into its parts."""
    said = "" if raw(author.get("family")) else raw(author.get("literal")) or raw(author.get("name")) or ""
    return _PERSON.fullmatch(said.strip()) is not None and not is_body(said)


def _name(author: Mapping[str, Any], *, persons: bool) -> str | None:
    """Return an author as BibTeX has one; a literal name is a body's, unless all are of `persons`."""
    family, given, suffix = (escaped(raw(author.get(part)) or "") for part in ("family", "given", "suffix"))
    literal = raw(author.get("literal")) or raw(author.get("name"))
    if not family:
        if literal is None:
            return None
        return f"{{{escaped(literal)}}}" if " " in literal.strip() and not persons else literal
    particle = raw(author.get("non-dropping-particle")) or raw(author.get("dropping-particle"))
    family = f"{particle} {family}" if particle else family
    return ", ".join(part for part in (family, suffix, given) if part) if given else f"{{{family}}}"


def _year(issued: Any) -> str | None:
    """Return the year of a CSL date, in any of the forms that JSON and YAML give it."""
    if isinstance(issued, list) and issued:
        issued = issued[0]
    if isinstance(issued, (str, int, date)):
        return str(issued)[:4] if str(issued)[:4].isdigit() else str(issued)
    given = mapping(issued)
    parts = given.get("date-parts")
    year = parts[0][0] if isinstance(parts, list) and parts and isinstance(parts[0], list) and parts[0] else None
    return raw(year or given.get("year") or given.get("raw") or given.get("literal"))


_FIELDS = {"title": "title", "doi": "doi", "year": "year", "journal": "journal", "url": "url"}
_CFF_TYPES = {"article": "article", "book": "book", "conference-paper": "inproceedings"}


def read_cff(text: str, file: str) -> list[Entry]:
    """Return the entries of `references` and `preferred-citation`. Raises `InputError` for what is no YAML."""
    try:
        given = yaml.safe_load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise InputError(f"{file} cannot be read: {str(error).splitlines()[0]}") from error
    if not isinstance(given, dict):
        return []
    listed = given.get("references")
    cited = [*(listed if isinstance(listed, list) else []), given.get("preferred-citation")]
    return [_entry(each, file, number, text) for number, each in enumerate(cited, 1) if isinstance(each, dict)]


def _entry(item: Mapping[str, Any], file: str, number: int, text: str) -> Entry:
    fields = {name: str(item[key]) for key, name in _FIELDS.items() if isinstance(item.get(key), str | int)}
    listed = item.get("authors")
    names = [_cff_name(each) for each in (listed if isinstance(listed, list) else []) if isinstance(each, dict)]
    if any(names):
        fields["author"] = " and ".join(filter(None, names))
    at = max(text.find(str(item.get("title") or "\0")), 0)
    line = text.count("\n", 0, at) + 1
    kind = _CFF_TYPES.get(str(item.get("type")), "misc")
    span = at, at + len(fields.get("title", ""))
    return Entry(file=file, key=str(number), line=line, type=kind, fields=fields, span=span)


def _cff_name(person: Mapping[str, Any]) -> str:
    if person.get("family-names"):
        return ", ".join(str(person[key]) for key in ("family-names", "given-names") if person.get(key))
    return f"{{{person['name']}}}" if person.get("name") else ""
