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
_LATIN = str.maketrans(
    dict(zip("абвгдеёзийклмнопрстуфыэіїґ", "abvgdeeziiklmnoprstufyeiig", strict=True))
    | {"є": "ye"}
    | {"ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ь": "", "ъ": ""}
    | dict(zip("αβγδεζηικλμνξοπρστυφω", "abgdeziiklmnxoprstyfo", strict=True))
    | {"θ": "th", "χ": "ch", "ψ": "ps"}
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
    """Return the key of the BibTeX entry: `zhang2025sok`, ASCII alone.

    Cyrillic and Greek letters are written in Latin ones. A key of which no letter is left, as of Chinese names, is
    `ref2020` with six digits of a hash, so that two such works have two keys.
    """
    surname, year, keyword = _surname(record), str(record.year or ""), title_keyword(record.title or "")
    key = "".join(_latin(part) for part in (surname, year, keyword))
    if any(sign.isalpha() for sign in key):
        return key
    said = f"{surname} {normalise_title(record.title or '')}".encode("utf-8", "replace")
    return f"ref{year}{hashlib.sha256(said).hexdigest()[:6]}"


def _latin(text: str) -> str:
    return text.translate(_LATIN).encode("ascii", "ignore").decode()


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
