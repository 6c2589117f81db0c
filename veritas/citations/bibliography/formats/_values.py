"""Values of other formats as those of BibTeX: lists of authors, and plain text that may hold signs of LaTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from veritas.citations.record_exports import field

_OTHERS = re.compile(r"et\.? al\.?,?|others", re.IGNORECASE)
_TEXT = ("title", "journal", "booktitle", "series", "publisher", "school")


def author_field(names: Iterable[str]) -> str:
    """Return the `author` field of names that stand one by one as `Family, Given, Suffix`.

    A name that ends in a comma is a body's, as EndNote marks it; so is one without a comma that holds `and`.
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
    """Return the fields that have a value; plain text is escaped as BibTeX asks."""
    return {
        name: field(value.strip()) if name in _TEXT else value.strip()
        for name, value in fields.items()
        if value and value.strip()
    }


def venue_name(kind: str) -> str:
    """Return the BibTeX field in which an entry of this type names where it appeared."""
    if kind in ("inproceedings", "incollection"):
        return "booktitle"
    return {"book": "series", "phdthesis": "school", "dataset": "howpublished"}.get(kind, "journal")
