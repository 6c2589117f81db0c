"""Slugs of artifacts and keys of citations: the same for the same paper (section 6.1)."""

from __future__ import annotations

import hashlib

from veritas.citations.file_stems import file_stem
from veritas.works.folding import fold, words
from veritas.works.identifiers import arxiv_of_doi, is_preprint_doi
from veritas.works.records import BibRecord
from veritas.works.title_comparison import normalise_title

_SMALL = frozenset(
    """
    a an the and or but nor of in on at to for from by with without into onto over under about as is are was be been do
    does did can how what when where why which who its it this that these those towards toward via using use not no
    le la les der die das ein eine el los un une et und y de du des
    """.split()
)


def slug_for(record: BibRecord) -> str:
    """Return `{paper_id}-{first_author_surname}-{title_keyword}`.

    The id is the published DOI, else the arXiv id, else any DOI; without these the slug is `noid-…` and ends in a
    hash.
    """
    surname, keyword = _surname(record), title_keyword(record.title or "")
    doi = record.doi
    if doi and not is_preprint_doi(doi):
        paper = file_stem(doi)
    elif record.arxiv_id or arxiv_of_doi(doi):
        paper = file_stem(record.arxiv_id or arxiv_of_doi(doi) or "")
    elif doi:
        paper = file_stem(doi)
    else:
        digest = hashlib.sha256(normalise_title(record.title or "").encode("utf-8", "replace")).hexdigest()
        return f"noid-{surname}-{keyword}-{digest[:4]}"
    return f"{paper}-{surname}-{keyword}"


def citation_key(record: BibRecord) -> str:
    """Return the key of the BibTeX entry: `zhang2025sok`, ASCII alone."""
    parts = (_surname(record), str(record.year or ""), title_keyword(record.title or ""))
    key = "".join(part.encode("ascii", "ignore").decode() for part in parts)
    return key or "paper"


def title_keyword(title: str) -> str:
    """Return the first significant word of a title, folded, letters and digits alone; else `untitled`."""
    found = words(title)
    significant = [word for word in found if word not in _SMALL] or list(found)
    return (significant[0] if significant else "untitled")[:40]


def _surname(record: BibRecord) -> str:
    if not record.authors:
        return "anonymous"
    family = record.authors[0].family
    return "".join(sign for sign in fold(family) if sign.isalnum())[:40] or "anonymous"
