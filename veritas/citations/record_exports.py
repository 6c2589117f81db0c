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
_KIND_OF_ENTRY = {entry: kind for kind, entry in _ENTRY.items() if kind is not Kind.PREPRINT}
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
_INITIAL = re.compile(r"[A-Z]\.$")
_ACRONYM = re.compile(r"\b(?=\w*[A-Z]\w*[A-Z0-9]|\w+[A-Z])[\w-]+")


def export(record: BibRecord, form: str) -> str:
    """Return the record in one of `FORMATS`."""
    if form == "bibtex":
        return bibtex(record)
    if form == "csl-json":
        return json.dumps([csl_json(record)], ensure_ascii=False, indent=2) + "\n"
    return ris(record) if form == "ris" else cff(record)


def of_artifact(artifact: Artifact, form: str) -> str:
    """Return a verified artifact in one of `FORMATS`, or its plain citation for `text`."""
    if form == "text":
        return artifact.snippet
    if form == "bibtex":
        return artifact.bibtex
    names = [parse_name(name) for name in artifact.authors]
    entry = artifact.bibtex.removeprefix("@").partition("{")[0]
    preprint = is_preprint_doi(artifact.doi) or not artifact.doi
    record = BibRecord(
        source="bibtex",
        title=artifact.title,
        authors=tuple(name for name in names if name is not None),
        year=artifact.year,
        doi=artifact.doi,
        arxiv_id=artifact.arxiv_id,
        venue=artifact.venue,
        kind=Kind.PREPRINT if preprint else _KIND_OF_ENTRY.get(entry, Kind.UNKNOWN),
    )
    return export(record, form)


def tex(text: str) -> str:
    """Escape plain text for a BibTeX field."""
    return "".join(_TEX.get(sign, sign) for sign in " ".join(text.split()))


def bibtex(record: BibRecord, key: str | None = None) -> str:
    """Return a BibTeX entry. Words whose capitals matter are braced, so that no style lowers them."""
    authors = " and ".join(_tex_name(name) for name in record.authors)
    fields = {"title": _tex_title(record.full_title or ""), "author": authors}
    arxiv_id = record.arxiv_id or arxiv_of_doi(record.doi)
    if record.kind is Kind.PREPRINT and arxiv_id:
        fields["journal"] = f"arXiv preprint arXiv:{arxiv_id}"
    elif record.venue:
        fields["booktitle" if record.kind in (Kind.PROCEEDINGS, Kind.CHAPTER) else "journal"] = tex(record.venue)
    if record.year:
        fields["year"] = str(record.year)
    if record.doi:
        # A brace in it would close the field, and whoever registered it could write the next one.
        fields["doi"] = record.doi.replace("{", "%7B").replace("}", "%7D")
    if arxiv_id:
        fields |= {"eprint": arxiv_id, "archiveprefix": "arXiv"}
    kind = _ENTRY.get(record.kind, "article" if record.venue else "misc")
    if kind == "book" or kind == "phdthesis":
        fields.pop("journal", None)
    lines = [f"  {name}={{{value}}}" for name, value in fields.items() if value]
    return f"@{kind}{{{key or citation_key(record)},\n" + ",\n".join(lines) + "\n}\n"


def _tex_title(title: str) -> str:
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


def _tex_name(name: PersonName) -> str:
    if name.corporate:
        return "{" + tex(name.family) + "}"
    return tex(f"{name.family}, {name.given}") if name.given else "{" + tex(name.family) + "}"


def csl_json(record: BibRecord) -> dict[str, Any]:
    """Return an item of CSL-JSON, as Zotero and Pandoc read it."""
    item: dict[str, Any] = {
        "id": citation_key(record),
        "type": _CSL.get(record.kind, "article"),
        "title": record.full_title,
        "author": [
            {"literal": name.family}
            if name.corporate
            else {"family": name.family} | ({"given": name.given} if name.given else {})
            for name in record.authors
        ],
    }
    if record.year:
        item["issued"] = {"date-parts": [[record.year]]}
    if record.venue:
        item["container-title"] = record.venue
    if record.doi:
        item["DOI"] = record.doi
    if record.pmid:
        item["PMID"] = record.pmid
    if arxiv_id := record.arxiv_id or arxiv_of_doi(record.doi):
        item["number"] = f"arXiv:{arxiv_id}"
    if url := landing_page(record):
        item["URL"] = url
    return item


def ris(record: BibRecord) -> str:
    """Return a RIS record."""
    lines = [("TY", _RIS.get(record.kind, "GEN")), ("TI", record.full_title or "")]
    lines += [("AU", f"{name.family}, {name.given}".rstrip(", ")) for name in record.authors]
    if record.year:
        lines.append(("PY", str(record.year)))
    if record.venue:
        lines.append(("T2", record.venue))
    if record.doi:
        lines.append(("DO", record.doi))
    if arxiv_id := record.arxiv_id or arxiv_of_doi(record.doi):
        lines.append(("AN", f"arXiv:{arxiv_id}"))
    if url := landing_page(record):
        lines.append(("UR", url))
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
            people.append(f"  - family-names: {scalar(name.family)}")
            if name.given:
                people.append(f"    given-names: {scalar(name.given)}")
    work = [f"type: {_CFF.get(record.kind, 'generic')}", f"title: {title}", *people]
    if record.year:
        work.append(f"year: {record.year}")
    if record.venue:
        where = "collection-title" if record.kind in (Kind.PROCEEDINGS, Kind.CHAPTER) else "journal"
        work.append(f"{where}: {scalar(record.venue)}")
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
