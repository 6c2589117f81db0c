"""Citation keys: identify works, and give each a key that it keeps as long as the corpus lives."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from veritas.citations.slugs import title_keyword
from veritas.works.folding import fold
from veritas.works.records import BibRecord
from veritas.works.title_comparison import normalise_title

_USABLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_:.+/-]{0,119}")


def work_of(record: BibRecord, source: str) -> str:
    """Return what identifies a work: its DOI, arXiv id, or title, first author and year; without an author, only the
    place it was found in (`source`)."""
    if record.doi:
        return f"doi:{record.doi}"
    if record.arxiv_id:
        return f"arxiv:{record.arxiv_id}"
    title = normalise_title(record.title or "")
    if title and record.authors:
        return f"title:{title}|{_surname(record)}|{record.year or ''}"
    return f"source:{source}"


def usable_key(key: str | None) -> str | None:
    """Return a key as its owner gave it if LaTeX and Pandoc can cite it, else None."""
    return key if key and _USABLE.fullmatch(key) else None


def base_key(record: BibRecord) -> str:
    """Return first author and year, `tang2005`; `tangnd` without a year; a title word without an author."""
    return f"{_surname(record) or title_keyword(record.title or '')[:20] or 'paper'}{record.year or 'nd'}"


def assign(wanted: Sequence[tuple[str, str | None, BibRecord]], held: Mapping[str, str]) -> dict[str, str]:
    """Return a key for each work, given as (work, key its owner gave, record), beside those already `held` (work to
    key).

    A work keeps its key, unless its owner gave another that is free. A new work gets its owner's key, else author and
    year, with `a`, `b` … behind it if that is taken. BibTeX rejects keys that differ only in case.
    """
    keys = dict(held)
    taken = {key.casefold(): work for work, key in keys.items()}
    for work, given, record in wanted:
        own = usable_key(given)
        if own is not None and taken.get(own.casefold(), work) == work:
            taken.pop(keys.get(work, "").casefold(), None)
            keys[work] = own
            taken[own.casefold()] = work
        elif work not in keys:
            base = own or base_key(record)
            key = next(key for key in _suffixed(base) if key.casefold() not in taken)
            keys[work] = key
            taken[key.casefold()] = work
    return {work: keys[work] for work, _, _ in wanted}


def _suffixed(base: str) -> Iterable[str]:
    yield base
    letters = "abcdefghijklmnopqrstuvwxyz"
    suffixes = list(letters)
    while True:
        for suffix in suffixes:
            yield base + suffix
        suffixes = [first + last for first in suffixes for last in letters]


def _surname(record: BibRecord) -> str:
    if not record.authors:
        return ""
    return "".join(sign for sign in fold(record.authors[0].family) if sign.isascii() and sign.isalnum())[:40]
