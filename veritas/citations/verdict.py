"""Outcomes of triangulation: the conflicts that reject, and the accepted differences with their reasons."""

from __future__ import annotations

import re
import unicodedata

from veritas.frozen import Frozen
from veritas.policy.triangulation_policy import Rule, TriangulationPolicy
from veritas.text.likeness import ratio
from veritas.text.markup import MAX_TEXT
from veritas.works.names import normalise_surname
from veritas.works.records import BibRecord

Value = str | int | None


class Conflict(Frozen):
    """A decisive field on which two records disagree; values as the records state them, None where one has none.

    Fields: `doi`, `arxiv_id`, `title`, `first_author_surname`, `authors`, `year`, `work` (two works); `cited.<field>`
    where a citation disagrees with both records, which then hold the values.
    """

    field: str
    primary: Value = None
    secondary: Value = None


class Triangulation(Frozen):
    """The outcome of triangulation. `verified`: the gate passes. `same_work`: the records describe one work, whatever
    else is wrong with them.

    `independent` is False where agreement counts for one source (the notes give the reason). `notes` are `code:
    sentence`.
    """

    verified: bool
    same_work: bool
    independent: bool
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
    rule: Rule


class Comparison(Frozen):
    """The outcome of one rule on one pair of records, before sources and citation are considered."""

    same_work: bool
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()


def compare_strict(primary: BibRecord, secondary: BibRecord, policy: TriangulationPolicy) -> Comparison:
    """Compare DOI, arXiv id, title, first author's surname and year; a field missing from one record is only noted."""
    conflicts, notes = [], []
    one, other = primary.authors[:1], secondary.authors[:1]
    fields: list[tuple[str, str | int | None, str | int | None, bool]] = [
        ("doi", primary.doi, secondary.doi, primary.doi == secondary.doi),
        ("arxiv_id", primary.arxiv_id, secondary.arxiv_id, primary.arxiv_id == secondary.arxiv_id),
        ("title", primary.title, secondary.title, _title_ratio(primary, secondary) >= policy.strict.title_ratio),
        (
            "first_author_surname",
            one[0].family if one else None,
            other[0].family if other else None,
            bool(one and other) and normalise_surname(one[0].family) == normalise_surname(other[0].family),
        ),
        ("year", primary.year, secondary.year, primary.year == secondary.year),
    ]
    for name, mine, theirs, agree in fields:
        if mine is None or theirs is None:
            if name == "title":
                conflicts.append(Conflict(field=name, primary=mine, secondary=theirs))
            elif mine != theirs:
                notes.append(f"{name}_not_compared: {'primary' if mine is None else 'secondary'} has none")
        elif not agree:
            conflicts.append(Conflict(field=name, primary=mine, secondary=theirs))
    return Comparison(same_work=not conflicts, conflicts=tuple(conflicts), notes=tuple(notes))


def _title_ratio(primary: BibRecord, secondary: BibRecord) -> float:
    return ratio(strict_title(primary.title or ""), strict_title(secondary.title or ""))


def strict_title(title: str) -> str:
    """Normalise a title as section 5.2 says: NFKD, lower case, no punctuation, whitespace folded. Idempotent."""
    folded = unicodedata.normalize("NFKD", title[:MAX_TEXT]).lower()
    text = "".join(sign for sign in folded if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^\w\s]|_", "", unicodedata.normalize("NFKD", text)).split())
