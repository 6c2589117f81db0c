"""The strict rule: the decisive fields of section 5.2 compared exactly, where both records have them."""

from __future__ import annotations

import re
import unicodedata

from veritas.citations.verdict import Comparison, Conflict
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.text.likeness import ratio
from veritas.text.markup import MAX_TEXT
from veritas.works.names import normalise_surname
from veritas.works.records import BibRecord


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
