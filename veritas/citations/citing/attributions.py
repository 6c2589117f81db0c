"""Attributions in a claim or a hint: who is said to have written the paper, when, and under which title."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.citations._work_aware import best_title
from veritas.citations.bibliography._author_differences import author_differences
from veritas.citations.bibliography._record_differences import years_of
from veritas.citations.bibliography.formats.reference_lists import reference_entry
from veritas.citations.verdict import Conflict
from veritas.frozen import Frozen
from veritas.policy.citation_policy import BibSettings
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.scholarly_source import identifier_in
from veritas.works.folding import words
from veritas.works.names import PersonName, same_family
from veritas.works.records import BibRecord
from veritas.works.title_comparison import TitleDifference, title_words

_NAME = r"(?:(?:Mc|Mac|O['’]|De|La|Le|Van|von|van|de)\s?)?[A-Z][a-zà-öø-ÿ'’-]+(?:-[A-Z][a-zà-öø-ÿ]+)?"
_YEAR = r"((?:19|20)\d\d)[a-z]?"
_YEAR_BESIDE = rf",? \(?{_YEAR}\)?"
_FORMS = (
    # `Liu et al. (2025)`, `Yifei Liu et al.`; two names need a year: `Loss and Accuracy` are no authors
    re.compile(rf"\s*\(?(?:\b[A-Z][\w'’-]+ )?\b([A-Z][\w'’-]+) et al\b\.?(?:{_YEAR_BESIDE})?\)?"),
    re.compile(rf"\s*\(?(?:\b[A-Z][\w'’-]+ )?\b([A-Z][\w'’-]+) (?:and|&) [A-Z][\w'’-]+{_YEAR_BESIDE}\)?"),
    # `Liu and colleagues (2025)`
    re.compile(
        rf"\s*\b({_NAME}) (?:and|&) (?:(?:his|her|their) )?(?:colleagues|co-?workers|collaborators|co-?authors|team)\b"
        rf"(?:{_YEAR_BESIDE})?"
    ),
    # `Liu, Y., Chen, X. (2025)`
    re.compile(rf"\s*\b({_NAME}), (?:[A-Z]\.[ -]?){{1,3}}(?:[,;&]| and\b)?[^()\d]{{0,300}}(?:\(?{_YEAR}\)?)?"),
    # `Liu (2025)`, `(Liu, 2025)`
    re.compile(rf"\s*\b({_NAME})(?:['’]s)? \({_YEAR}\)"),
    re.compile(rf"\s*\(({_NAME}),? {_YEAR}\)"),
    # `Liu's benchmark`; a law or a method may bear the name of somebody else
    re.compile(
        rf"\s*\b({_NAME})['’]s? (?:(?:recent|earlier|\d{{4}}|original|new|own) )?"
        r"(?=(?:paper|study|studies|article|work|benchmark|survey|review|report|experiments?|evaluation|findings)\b)"
    ),
)
_NO_NAMES = frozenset(
    "january february march april may june july august september october november december figure table section "
    "chapter equation appendix theorem the this these in since until from before after version release spring summer "
    "autumn winter fall today".split()
)
_LONG_HINT = 6
"""Words from which a hint with authors and year is read as a whole reference."""


class Attributed(Frozen):
    """An attribution: the first author's surname, the year, and the passage of the text that says so."""

    surname: str
    year: int | None = None
    start: int
    end: int


def find_attribution(text: str) -> Attributed | None:
    """Return the first attribution in a text; None without one."""
    found = []
    for form in _FORMS:
        for match in form.finditer(text[:5_000]):
            year = next((group for group in match.groups()[1:] if group), None)
            if match[1].casefold() in _NO_NAMES:
                continue
            found.append(
                Attributed(surname=match[1], year=int(year) if year else None, start=match.start(), end=match.end())
            )
            break
    return min(found, key=lambda each: (each.start, each.year is None), default=None)


def against_attribution(
    record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy, *texts: str | None
) -> tuple[Conflict, ...]:
    """Return conflicts of what the claim and the hint say of the paper with its records (section 5.5).

    An attribution must name the first author and a year that a record has. A hint that is a whole reference, or has a
    title beside an identifier, must say what the records say. `texts` are the claim and then the hint.
    """
    conflicts: list[Conflict] = []
    everything = [record, *records]
    for at, text in enumerate(texts):
        if not text:
            continue
        if at and (whole := _reference(text)) is not None:
            conflicts += _of_a_reference(whole, record, everything, policy)
            continue
        if at and (title := _title_beside_identifier(text)) is not None:
            conflicts += _of_a_title(title, record, everything, policy)
        conflicts += _of_a_name(text, record, everything)
    return tuple(dict.fromkeys(conflicts))


def _of_a_name(text: str, record: BibRecord, records: Sequence[BibRecord]) -> list[Conflict]:
    said = find_attribution(text)
    if said is None or not record.authors or words(said.surname)[0] in title_words(record.full_title or ""):
        return []  # `Gemini (2024)` names the thing that the paper is about
    found = []
    if not any(same_family(PersonName(family=said.surname), each.authors[0]) for each in records if each.authors):
        found.append(_conflict("first_author_surname", record.authors[0].family, said.surname))
    known = years_of(records)
    if said.year is not None and known and said.year not in known:
        found.append(_conflict("year", record.year, said.year))
    return found


def _reference(hint: str) -> BibRecord | None:
    """Return a hint that is a whole reference as a citation; None if authors and title cannot be told apart."""
    if len(hint.split()) < _LONG_HINT:
        return None
    cited = reference_entry(hint, "", "hint", 1).record
    return cited if cited.authors and len(title_words(cited.title or "")) >= 3 else None


def _of_a_reference(
    cited: BibRecord, record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Conflict]:
    found = _of_a_title(cited.full_title or "", record, records, policy)
    for each in author_differences(cited, records, BibSettings(), policy):
        field = "first_author_surname" if each.field == "first author" else "authors"
        if each.code != "omitted":
            found.append(_conflict(field, each.found, each.cited))
    known = years_of(records)
    if cited.year is not None and known and cited.year not in known:
        found.append(_conflict("year", record.year, cited.year))
    return found


def _of_a_title(
    title: str, record: BibRecord, records: Sequence[BibRecord], policy: TriangulationPolicy
) -> list[Conflict]:
    cited = BibRecord(source="bibtex", title=title)
    apart = (TitleDifference.WORDS, TitleDifference.OTHER)
    if all(best_title(cited, each, policy).difference in apart for each in records if each.title):
        return [_conflict("title", record.full_title, title)]
    return []


def _title_beside_identifier(hint: str) -> str | None:
    """Return the words of a hint beside its identifier and its attribution, if they can be a title."""
    if identifier_in(hint) is None:
        return None
    rest = re.sub(
        r"(?:https?://|doi\.org/|www\.)\S+|\b(?:doi|arxiv|pmid)\s*:?\s*\S*\d\S*|\b10\.\d{4,}/\S+|\b\d{4}\.\d{4,5}\S*",
        " ",
        hint,
        flags=re.IGNORECASE,
    )
    if (said := find_attribution(rest)) is not None:
        rest = rest[: said.start] + " " + rest[said.end :]
    rest = " ".join(rest.split()).strip(" ,;:.()“”\"'")
    return rest if len(title_words(rest)) >= 3 else None


def _conflict(field: str, primary: str | int | None, said: str | int | None) -> Conflict:
    return Conflict(field=f"cited.{field}", primary=primary, secondary=said)
