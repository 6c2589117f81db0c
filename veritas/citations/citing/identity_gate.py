"""Agreement of registries on authors, title and year: the gate of section 5, over all that know a paper."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.citations.retractions import Status, status_of
from veritas.citations.triangulation import triangulate
from veritas.citations.verdict import Conflict, Triangulation
from veritas.errors import Unavailable
from veritas.frozen import Frozen
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.registries.all_registries import Registries
from veritas.registries.scholarly_source import Found, identifiers_of
from veritas.works.folding import is_cjk
from veritas.works.names import same_family
from veritas.works.records import BibRecord, Update

_REGISTRIES = ("crossref", "arxiv", "datacite", "europepmc")
"""Sources that are registrants of identifiers, in the order in which identity is taken from them."""


class Identity(Frozen):
    """A paper as its sources know it. `record` is what is cited; `conflicts` reject it.

    `problems` are sources that did not answer: where they leave the gate undecided, nothing is known.
    """

    record: BibRecord
    found: tuple[Found, ...]
    verified: bool
    alone: bool = False
    primary: str
    secondary: str | None = None
    checked: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[str, ...] = ()
    consulted: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    status: Status = Status()


async def establish(candidate: Found, registries: Registries, policy: TriangulationPolicy) -> Identity:
    """Look a candidate up by its identifiers wherever it can be, and triangulate. Raises nothing for an outage."""
    found: dict[str, Found] = {}
    problems: list[str] = []
    consulted: dict[str, None] = {candidate.record.source: None}
    for identifier in identifiers_of(candidate.record):
        for answer in await registries.look_up(identifier):
            consulted[answer.source] = None
            if answer.problem:
                problems.append(answer.problem)
            for each in answer.found:
                if each.record.source != candidate.record.source and each.record.title:
                    found.setdefault(each.record.source, each)
    others = sorted(found.values(), key=lambda each: _rank(candidate.record, each.record, policy))
    verdicts = [(each, triangulate(candidate.record, each.record, policy=policy)) for each in others]
    conflicts = tuple(conflict for _, verdict in verdicts for conflict in verdict.conflicts)
    conflicts += tuple(c for each in others for c in first_author_unknown(candidate.record, each.record))
    agreeing = [(each, verdict) for each, verdict in verdicts if verdict.verified]
    alone = None if others else triangulate(candidate.record, None, policy=policy)
    verified = (bool(agreeing) and not conflicts) or bool(alone and alone.verified)
    secondary = next((each for each, verdict in agreeing if verdict.independent), agreeing[0][0] if agreeing else None)
    everything = (candidate, *(each for each, _ in agreeing))
    record = _identity([each.record for each in everything])
    notices, more = await _notices(record, registries)
    return Identity(
        record=record, found=everything, verified=verified, alone=bool(alone and alone.verified),
        primary=candidate.record.source, secondary=secondary.record.source if secondary else None,
        checked=_fields(candidate.record, secondary.record if secondary else None),
        conflicts=tuple(dict.fromkeys(conflicts)) or (alone.conflicts if alone else ()),
        notes=_notes(verdicts, alone), consulted=tuple(consulted),
        problems=tuple(dict.fromkeys([*problems, *more])),
        status=status_of([each.record for each in everything], notices),
    )  # fmt: skip


def first_author_unknown(one: BibRecord, other: BibRecord) -> tuple[Conflict, ...]:
    """Return a conflict if the other source does not list a first author at all. Another order is accepted."""
    if not one.authors or not other.authors or one.authors[0].corporate or other.authors[0].corporate:
        return ()
    if is_cjk(one.authors[0].family) != is_cjk(other.authors[0].family):
        return ()  # the same name in two scripts, for all that can be told
    for mine, theirs in ((one, other), (other, one)):
        if not any(same_family(mine.authors[0], name) for name in theirs.authors):
            first, second = one.authors[0].family, other.authors[0].family
            return (Conflict(field="first_author_surname", primary=first, secondary=second),)
    return ()


def _rank(primary: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> tuple[bool, int]:
    """Order independent sources first, registries before indexes."""
    dependent = policy.dependence(primary.source, other.source) is not None
    return dependent, _REGISTRIES.index(other.source) if other.source in _REGISTRIES else len(_REGISTRIES)


def _identity(records: Sequence[BibRecord]) -> BibRecord:
    """Return the record to cite: the registry's own where it agrees, with the identifiers that the others add."""
    ordered = sorted(
        records,
        key=lambda record: _REGISTRIES.index(record.source) if record.source in _REGISTRIES else len(_REGISTRIES),
    )
    chosen = next((record for record in ordered if record.authors and record.year), ordered[0])
    extra = {
        name: next((value for record in ordered if (value := getattr(record, name))), None)
        for name in ("doi", "arxiv_id", "pmid", "venue", "year")
        if not getattr(chosen, name)
    }
    return chosen.model_copy(update={name: value for name, value in extra.items() if value is not None})


async def _notices(record: BibRecord, registries: Registries) -> tuple[Sequence[Update], list[str]]:
    if not record.doi:
        return (), []
    try:
        return await registries.notices(record.doi), []
    except Unavailable as error:
        return (), [str(error)]


def _fields(one: BibRecord, other: BibRecord | None) -> tuple[str, ...]:
    """Return the decisive fields that both records have, so that they could be compared (section 5.2)."""
    if other is None:
        return ()
    named = {"title": "title", "first_author_surname": "authors", "year": "year", "doi": "doi", "arxiv_id": "arxiv_id"}
    return tuple(name for name, field in named.items() if getattr(one, field) and getattr(other, field))


def _notes(verdicts: Sequence[tuple[Found, Triangulation]], alone: Triangulation | None) -> tuple[str, ...]:
    notes = [note for _, verdict in verdicts for note in verdict.notes]
    return tuple(dict.fromkeys([*notes, *(alone.notes if alone else ())]))
