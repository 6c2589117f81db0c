"""BibTeX: a citation as its author wrote it, a dictionary of fields whose values still hold LaTeX."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from veritas.registries.records.fields import distinct_years, items, mapping, people, printed, raw, text, year, years
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi, normalise_arxiv_id, normalise_doi
from veritas.works.names import PersonName, parse_name, structured_name
from veritas.works.records import BibRecord, Kind

_KINDS = {
    "article": Kind.JOURNAL,
    "inproceedings": Kind.PROCEEDINGS,
    "conference": Kind.PROCEEDINGS,
    "incollection": Kind.CHAPTER,
    "inbook": Kind.CHAPTER,
    "book": Kind.BOOK,
    "phdthesis": Kind.THESIS,
    "mastersthesis": Kind.THESIS,
    "thesis": Kind.THESIS,
    "dataset": Kind.DATASET,
}
_PLACES = {"book": "series", "phdthesis": "school", "mastersthesis": "school", "dataset": "howpublished"}
"""Type of an entry -> the field that says where it appeared, if it is in no journal or volume."""
_INITIALS = re.compile(r"(?:[^\W\d_a-z]\.?[ -]?){1,4}")
_PREPRINT = re.compile(r"\b(arxiv|corr|biorxiv|medrxiv|ssrn|chemrxiv|preprint|research square)\b", re.IGNORECASE)
_DOI_ALONE = re.compile(
    r"\s*(?:\\(?:url|href|doi)\{)?(?:doi\W{0,2}|https?://(?:dx\.)?doi\.org/)\s?(10\.\d{4,9}/[^\s{}]+?)\}?[\s.]*",
    re.IGNORECASE,
)
"""A note that is a DOI. One that has other words may be about another work."""
_OTHERS = re.compile(r"^(?:others|et\.?\s*al\.?|and others|…|\.\.\.)$", re.IGNORECASE)


def normalise(record: Any) -> BibRecord:
    """Read a dictionary of BibTeX (or BibLaTeX) fields; names of fields in any case, `authors` as text or as a list."""
    if not isinstance(record, Mapping):
        return BibRecord(source="bibtex", problems=("record: no object of fields",))
    fields = {str(key).lower(): value for key, value in list(record.items())[:200]}
    if isinstance(fields.get("fields"), Mapping):  # an entry with its fields in an object of their own
        fields |= {str(key).lower(): value for key, value in fields["fields"].items()}
    given_doi = raw(fields.get("doi"))
    problems = []
    doi = normalise_doi(given_doi)
    url = raw(fields.get("url")) or raw(fields.get("howpublished"))
    if given_doi and not doi:
        problems.append(f"doi: {given_doi[:80]!r} is no DOI")
    elif not doi and url and "doi.org/" in url:
        doi = normalise_doi(url)
    elif not doi and (note := raw(fields.get("note"))) and (found := _DOI_ALONE.fullmatch(note)):
        doi = normalise_doi(found[1])
    venue = next(
        filter(None, (text(fields.get(key)) for key in ("journal", "journaltitle", "booktitle", "venue", "container"))),
        None,
    )
    if venue is None:
        kinds = (str(fields.get(name) or "").lower() for name in ("entrytype", "type"))
        venue = next((said for kind in kinds if kind in _PLACES and (said := text(fields.get(_PLACES[kind])))), None)
        venue = None if venue and "://" in venue else venue
    arxiv_id = _arxiv_id(fields, doi, url, venue)
    authors, complete = _authors(fields.get("author") or fields.get("authors"))
    date = year(fields.get("year")) or year(fields.get("date"))
    dates = years(fields.get("year")) or years(fields.get("date"))
    if date is None and raw(fields.get("year")):
        problems.append(f"year: {str(fields['year'])[:20]!r} is no year")
    return BibRecord(
        source="bibtex",
        title=text(fields.get("title")),
        subtitle=text(fields.get("subtitle")),
        authors=authors,
        authors_complete=complete,
        year=date,
        years=dates or distinct_years(date),
        doi=doi,
        arxiv_id=arxiv_id,
        pmid=raw(fields.get("pmid")),
        venue=venue,
        volume=printed(fields.get("volume")),
        issue=printed(fields.get("number") or fields.get("issue")),
        pages=printed(fields.get("pages") or fields.get("eid") or fields.get("articleno")),
        kind=_kind(fields, doi, arxiv_id, venue),
        problems=tuple(problems),
    )


def _arxiv_id(fields: Mapping[str, Any], doi: str | None, url: str | None, venue: str | None) -> str | None:
    if found := arxiv_of_doi(doi):
        return found
    if str(fields.get("archiveprefix") or fields.get("eprinttype") or "arxiv").lower() == "arxiv":
        for key in ("eprint", "arxiv", "arxivid", "arxiv_id"):
            if found := normalise_arxiv_id(raw(fields.get(key))):
                return found
    for value in (url, venue, raw(fields.get("note")), raw(fields.get("volume"))):
        if value and re.search(r"arxiv|\babs/", value, re.IGNORECASE) and (found := normalise_arxiv_id(value)):
            return found
    return None


def _authors(value: Any) -> tuple[tuple[PersonName, ...], bool]:
    """Return the names and whether the list is complete (`and others` and `et al.` make it incomplete)."""
    if isinstance(value, str):
        listed: list[Any] = list(split_authors(value))
    else:
        listed = items(value)
    names: list[PersonName | None] = []
    complete = True
    for entry in listed:
        if isinstance(entry, Mapping):
            family = raw(entry.get("family") or entry.get("last"))
            names.append(
                structured_name(family, raw(entry.get("given") or entry.get("first")))
                if family
                else parse_name(raw(entry.get("name")) or raw(mapping(entry).get("literal")) or "")
            )
        elif isinstance(entry, str):
            if _OTHERS.match(entry.strip(" {},")):
                complete = False
                continue
            shortened = re.sub(r"[,\s]+(?:et\.?\s*al\.?|and others)\s*$", "", entry, flags=re.IGNORECASE)
            complete = complete and shortened == entry
            names.append(parse_name(shortened))
    return people(names), complete


def split_authors(text: str) -> tuple[str, ...]:
    """Return the names of an `author` field: split at `and` outside braces; without one, at `;` or commas, or as in
    `Fong, T., Nourbakhsh, I. & Dautenhahn, K.`, which BibTeX cannot read."""
    text = text[:200_000]
    parts: list[str] = []
    depth, start = 0, 0
    for found in re.finditer(r"\\.|[{}]|\s+and\s+", text, re.IGNORECASE | re.DOTALL):
        token = found.group()
        if token == "{":
            depth += 1
        elif token == "}":
            depth = max(0, depth - 1)
        elif not token.startswith("\\") and depth == 0:
            parts.append(text[start : found.start()])
            start = found.end()
    parts.append(text[start:])
    if len(parts) == 1 and "{" not in text and (pairs := _families_and_initials(text)):
        return pairs
    if len(parts) == 1 and ";" in text and "&" not in text:
        parts = text.split(";")
    elif len(parts) == 1 and text.count(",") > 1 and all(" " in part.strip() for part in text.split(",")):
        parts = text.split(",")
    return tuple(part.strip() for part in parts if part.strip(" ,"))


def _families_and_initials(text: str) -> tuple[str, ...]:
    """Return `Family, I.` of each person of a list in which both alternate between commas; nothing for another text."""
    whole = re.sub(r"[,\s]*\bet\.?\s*al\.?\s*$|[\s,]+$", "", text)
    parts = [part.strip() for part in re.split(r",?\s+\\?&\s+|,", whole)]
    families, initials = parts[::2], parts[1::2]
    if len(families) != len(initials) or len(families) < 2:
        return ()
    if any(_INITIALS.fullmatch(part) for part in families) or not all(_INITIALS.fullmatch(part) for part in initials):
        return ()
    names = [f"{family}, {given}" for family, given in zip(families, initials, strict=True)]
    return (*names, *(["et al."] if re.search(r"\bal\.?\s*$", text) else []))


def _kind(fields: Mapping[str, Any], doi: str | None, arxiv_id: str | None, venue: str | None) -> Kind:
    if is_preprint_doi(doi) or (venue and _PREPRINT.search(venue)) or fields.get("type") == "preprint":
        return Kind.PREPRINT
    for key in ("entrytype", "entry_type", "bibtex_type", "type"):
        if stated := _KINDS.get(str(fields.get(key) or "").lower().lstrip("@")):
            return stated
    if fields.get("booktitle"):
        return Kind.PROCEEDINGS
    if fields.get("journal") or fields.get("journaltitle"):
        return Kind.JOURNAL
    return Kind.PREPRINT if arxiv_id and not venue else Kind.UNKNOWN
