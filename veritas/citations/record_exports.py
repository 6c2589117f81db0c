"""Export of a record: BibTeX, CSL-JSON, RIS, CFF, and the plain citation of an artifact."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from veritas.citations.frontmatter import scalar
from veritas.citations.slugs import citation_key
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi
from veritas.works.names import PersonName, parse_name
from veritas.works.records import BibRecord, Kind

if TYPE_CHECKING:
    from veritas.citations.artifacts import Artifact

FORMATS = ("bibtex", "csl-json", "ris", "cff")

_ENTRY = {
    Kind.PROCEEDINGS: "inproceedings", Kind.JOURNAL: "article", Kind.PREPRINT: "article", Kind.CHAPTER: "incollection",
    Kind.BOOK: "book", Kind.THESIS: "phdthesis",
}  # fmt: skip
_CSL = {
    Kind.PROCEEDINGS: "paper-conference", Kind.JOURNAL: "article-journal", Kind.PREPRINT: "article",
    Kind.CHAPTER: "chapter", Kind.BOOK: "book", Kind.THESIS: "thesis", Kind.DATASET: "dataset",
}  # fmt: skip
_RIS = {
    Kind.PROCEEDINGS: "CPAPER", Kind.JOURNAL: "JOUR", Kind.PREPRINT: "UNPB", Kind.CHAPTER: "CHAP", Kind.BOOK: "BOOK",
    Kind.THESIS: "THES", Kind.DATASET: "DATA",
}  # fmt: skip
_CFF = {
    Kind.PROCEEDINGS: "conference-paper", Kind.JOURNAL: "article", Kind.PREPRINT: "article", Kind.CHAPTER: "generic",
    Kind.BOOK: "book", Kind.THESIS: "thesis", Kind.DATASET: "data",
}  # fmt: skip
_VENUE = {
    Kind.PROCEEDINGS: "booktitle", Kind.CHAPTER: "booktitle", Kind.BOOK: "series", Kind.THESIS: "school",
    Kind.DATASET: "howpublished",
}  # fmt: skip
_CSL_VENUE = {Kind.BOOK: "collection-title", Kind.THESIS: "publisher", Kind.DATASET: "publisher"}
_RIS_VENUE = {Kind.THESIS: "PB", Kind.DATASET: "PB"}
"""Where the venue of a work stands that appeared in no journal or volume."""
_IS_TEX = re.compile(r"\\[A-Za-z&%#_{}\"'`^~.=]|\$[^$]*[\\^_{][^$]*\$|\{[A-Z]")
_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "%": r"\%", "&": r"\&", "#": r"\#", "$": r"\$", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_SMALL = frozenset(
    "with from into onto over near under upon than that their through between without within when where while after "
    "before against across among about around along toward towards beyond during versus".split()
)
"""Longer words that stay lower case in a title of capitals."""
_CFF_DOI = re.compile(r"10\.\d{4,9}(?:\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$")
_DASH = re.compile(r"\s*[-–—]+\s*")
_SPAN = re.compile(r"([A-Za-z]*\d+[A-Za-z]*)\s*[-–—]+\s*([A-Za-z]*\d+[A-Za-z]*)$")
_INITIAL = re.compile(r"[A-Z]\.$")
_ACRONYM = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9]|\w+[A-Z])[\w-]+")


def export(record: BibRecord, form: str, key: str | None = None) -> str:
    """Return the record in one of `FORMATS`; `key` is the same in all of them, by default `citation_key(record)`."""
    if form == "bibtex":
        return bibtex(record, key)
    if form == "csl-json":
        return json.dumps([csl_json(record, key)], ensure_ascii=False, indent=2) + "\n"
    return ris(record, key) if form == "ris" else cff(record)


def of_artifact(artifact: Artifact, form: str) -> str:
    """Return a verified artifact in one of `FORMATS`, or its plain citation for `text`."""
    if form == "text":
        return artifact.snippet
    if form == "bibtex":
        return artifact.bibtex
    key, record = _record_of(artifact)
    return export(record, form, key)


def _record_of(artifact: Artifact) -> tuple[str | None, BibRecord]:
    """Return the key and the record of an artifact.

    Identity is what its frontmatter says. Which part of a name is the family name, volume, issue and pages are in its
    BibTeX alone, which was made of the source's record.
    """
    from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex

    entries = read_bibtex(artifact.bibtex, "artifact")
    made = entries[0].record if entries else BibRecord(source="bibtex")
    known = {said: name for name in made.authors for said in (f"{name.given} {name.family}".strip(), str(name))}
    names = [known.get(name) or parse_name(name) for name in artifact.authors]
    preprint = is_preprint_doi(artifact.doi) or (not artifact.doi and made.kind is Kind.UNKNOWN)
    record = made.model_copy(
        update={
            "title": artifact.title,
            "subtitle": None,
            "authors": tuple(name for name in names if name is not None),
            "year": artifact.year,
            "doi": artifact.doi,
            "arxiv_id": artifact.arxiv_id,
            "venue": artifact.venue,
            "kind": Kind.PREPRINT if preprint else made.kind,
        }
    )
    return entries[0].key if entries else None, record


def tex(text: str) -> str:
    """Escape plain text for a BibTeX field."""
    return "".join(_TEX.get(sign, sign) for sign in " ".join(text.split()))


def field(text: str) -> str:
    """Return plain text of another format as the value of a BibTeX field. Text that is LaTeX already stays."""
    return text if _IS_TEX.search(text) else tex(text)


def bibtex(record: BibRecord, key: str | None = None) -> str:
    """Return a BibTeX entry. Words whose capitals matter are braced, so that no style lowers them."""
    names = [tex_name(name) for name in record.authors] + ([] if record.authors_complete else ["others"])
    fields = {"title": tex_title(record.full_title or ""), "author": " and ".join(names)}
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    kind = _ENTRY.get(record.kind, "article" if record.venue and record.kind is not Kind.DATASET else "misc")
    if record.kind is Kind.PREPRINT and arxiv_id:
        fields["journal"] = f"arXiv preprint arXiv:{arxiv_id}"
    elif record.venue:
        fields[_VENUE.get(record.kind, "journal")] = tex(record.venue)
    if record.year:
        fields["year"] = str(record.year)
    fields |= {"volume": tex(record.volume or ""), "number": tex(record.issue or "")}
    if record.pages:
        fields["pages"] = tex_pages(record.pages)
    if record.doi:
        # A brace in it would close the field, and whoever registered it could write the next one.
        fields["doi"] = record.doi.replace("{", "%7B").replace("}", "%7D")
    fields["pmid"] = record.pmid or ""
    if arxiv_id:
        fields |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    if record.kind in (Kind.DATASET, Kind.PREPRINT):
        fields["type"] = record.kind.value
    lines = [f"  {name}={{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key or citation_key(record)},\n" + ",\n".join(lines) + "\n}\n"


def tex_pages(pages: str) -> str:
    """Return the pages of a record as BibTeX has them: `1--9`."""
    span = _SPAN.match(pages)
    return f"{span[1]}--{span[2]}" if span else tex(pages)


def tex_title(title: str) -> str:
    """Escape a title and brace words with inner capitals and abbreviated names (`E. coli`). In a title that is not
    capitalised throughout, brace every capitalised word after the first: there it is a name."""
    words = title.split()
    plain = any(
        len(word) > 3 and word.isalpha() and word.islower() and word not in _SMALL and not _INITIAL.match(before)
        for before, word in pairwise(words)
    )
    return " ".join(
        "{" + tex(word) + "}"
        if _ACRONYM.search(word) or _INITIAL.match(word) or (plain and number and word[0].isupper())
        else tex(word)
        for number, word in enumerate(words)
    )


def tex_name(name: PersonName) -> str:
    """Return a name as BibTeX reads it: `von Family, Jr., Given`, or the whole name in braces."""
    if name.corporate or not name.given:
        return "{" + tex(name.family) + "}"
    return tex(", ".join(part for part in (name.family, name.suffix, name.given) if part))


def csl_json(record: BibRecord, key: str | None = None) -> dict[str, Any]:
    """Return an item of CSL-JSON, as Zotero and Pandoc read it."""
    item: dict[str, Any] = {
        "id": key or citation_key(record),
        "type": _CSL.get(record.kind, "article" if record.venue else "document"),
        "title": record.full_title,
        "author": [_csl_name(name) for name in record.authors],
    }
    if not record.authors_complete:
        item["author"].append({"literal": "others"})
    if record.year:
        item["issued"] = {"date-parts": [[record.year]]}
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    if record.kind is Kind.PREPRINT:
        item["genre"] = "preprint"
    if record.venue and not (record.kind is Kind.PREPRINT and arxiv_id):
        item[_CSL_VENUE.get(record.kind, "container-title")] = record.venue
    given = {"volume": record.volume, "issue": record.issue, "page": _DASH.sub("-", record.pages or "")}
    item |= {name: value for name, value in (given | {"DOI": record.doi, "PMID": record.pmid}).items() if value}
    if arxiv_id:
        item["number"] = f"arXiv:{arxiv_id}"
    if url := landing_page(record):
        item["URL"] = url
    return item


def _csl_name(name: PersonName) -> dict[str, str]:
    if name.corporate:
        return {"literal": name.family}
    particle = name.particle
    parts = {
        "family": name.family.removeprefix(particle).strip(),
        "given": name.given,
        "non-dropping-particle": particle,
        "suffix": name.suffix,
    }
    return {part: value for part, value in parts.items() if value}


def ris_names(record: BibRecord) -> list[str]:
    """Return the authors as RIS and EndNote list them: `Family, Given, Suffix`; a body's name ends in a comma."""
    names = [
        f"{name.family}," if name.corporate else ", ".join(filter(None, (name.family, name.given, name.suffix)))
        for name in record.authors
    ]
    return names if record.authors_complete else [*names, "et al."]


def ris(record: BibRecord, key: str | None = None) -> str:
    """Return a RIS record. A body's name ends in a comma, as EndNote marks it."""
    lines = [("TY", _RIS.get(record.kind, "JOUR" if record.venue else "GEN")), ("TI", record.full_title or "")]
    lines += [("AU", name) for name in ris_names(record)]
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    venue = None if record.kind is Kind.PREPRINT and arxiv_id else record.venue
    first, last = (found.groups() if (found := _SPAN.match(record.pages or "")) else (record.pages, None))
    told = {
        "PY": str(record.year or ""), _RIS_VENUE.get(record.kind, "T2"): venue, "VL": record.volume,
        "IS": record.issue, "SP": first, "EP": last, "DO": record.doi,
    }  # fmt: skip
    lines += [(tag, value) for tag, value in told.items() if value]
    if arxiv_id:
        lines.append(("AN", f"arXiv:{arxiv_id}"))
    if record.pmid:
        lines.append(("AN", f"PMID:{record.pmid}"))
    if url := landing_page(record):
        lines.append(("UR", url))
    lines.append(("ID", key or citation_key(record)))
    return "".join(f"{tag}  - {' '.join(value.split())}\n" for tag, value in lines) + "ER  - \n"


def cff(record: BibRecord) -> str:
    """Return a valid CITATION.cff (CFF 1.2.0) with this one work in its reference list, to be copied into one's own. A
    DOI that the schema of CFF refuses is in the URL alone."""
    title = scalar(record.full_title or "Untitled")
    people = ["authors:"]
    for name in record.authors or (PersonName(family="Anonymous", corporate=True),):
        if name.corporate:
            people.append(f"  - name: {scalar(name.family)}")
        else:
            particle = name.particle
            people.append(f"  - family-names: {scalar(name.family.removeprefix(particle).strip())}")
            parts = {"given-names": name.given, "name-particle": particle, "name-suffix": name.suffix}
            people += [f"    {part}: {scalar(value)}" for part, value in parts.items() if value]
    work = [f"type: {_CFF.get(record.kind, 'generic')}", f"title: {title}", *people]
    if record.year:
        work.append(f"year: {record.year}")
    if record.venue:
        where = "collection-title" if record.kind in (Kind.PROCEEDINGS, Kind.CHAPTER) else "journal"
        work.append(f"{where}: {scalar(record.venue)}")
    first, last = (found.groups() if (found := _SPAN.match(record.pages or "")) else (record.pages, None))
    told = {"volume": record.volume, "issue": record.issue, "start": first, "end": last}
    work += [f"{part}: {scalar(said)}" for part, said in told.items() if said]
    if record.doi and _CFF_DOI.match(record.doi):
        work.append(f"doi: {scalar(record.doi)}")
    if url := landing_page(record):
        work.append(f"url: {scalar(url)}")
    head = ["cff-version: 1.2.0", "message: Please cite the work below.", f"title: {title}", *people]
    return "\n".join([*head, "references:", f"  - {work[0]}", *(f"    {line}" for line in work[1:])]) + "\n"


def landing_page(record: BibRecord) -> str | None:
    """Return the work's URL: its DOI, else its arXiv page; None without either."""
    if record.doi and arxiv_of_doi(record.doi) is None:
        return f"https://doi.org/{record.doi}"
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    return f"https://arxiv.org/abs/{arxiv_id}" if arxiv_id else None


def citation_text(record: BibRecord) -> str:
    """Return the plain citation of section 6.3: authors, title in italics, venue or identifier, year."""
    authors = ", ".join(str(name) for name in record.authors) or "Anonymous"
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    if record.kind is Kind.PREPRINT and arxiv_id:
        where = f"arXiv:{arxiv_id}"
    else:
        parts = [record.venue, f"doi:{record.doi}" if record.doi else f"arXiv:{arxiv_id}" if arxiv_id else None]
        where = ", ".join(part for part in parts if part)
    year = f" ({record.year})" if record.year else ""
    return f"{authors}. *{record.full_title}*. {where}{year}."
