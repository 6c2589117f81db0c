"""A difference of an entry from the records of the work that it cites."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.frozen import Frozen
from veritas.works.records import BibRecord


class Difference(Frozen):
    """A field in which the entry differs from the records, with both values; None where there is none.

    `code` tells differences of one field apart: `invented`, `given_name`, `order`, `omitted`, `body`, `misspelt`,
    `surname`, `unlisted` for authors; `subtitle`, `shortened`, `near` (a word or two), `other` for a title;
    `unseen_edition` for a year that only an edition without a record could have. It is empty where the field says it
    all.
    """

    field: str
    cited: str | None
    found: str | None
    minor: bool
    code: str = ""


def changed(field: str, cited: object, found: object, minor: bool, code: str = "") -> Difference:
    """Return a difference of two values, as text."""
    return Difference(
        field=field,
        cited=None if cited is None else str(cited),
        found=None if found is None else str(found),
        minor=minor,
        code=code,
    )


def people(record: BibRecord) -> str | None:
    """Return the first six authors of a record in one line; None without authors."""
    names = [str(name) for name in record.authors[:6]]
    return "; ".join(names) + ("; …" if len(record.authors) > 6 else "") if names else None


def this(fields: Sequence[str]) -> str:
    """Return field names behind "this" or "these"."""
    plural = fields[0] in ("authors", "pages")
    return f"{'these' if plural else 'this'} {', '.join(fields)}"
