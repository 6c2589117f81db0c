"""The triangulation gate: whether two records describe one work, and whether a citation fits them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

from veritas.citations._work_aware import Resolved, compare_work_aware
from veritas.citations._works import knows_doi
from veritas.citations.verdict import Comparison, Conflict, Triangulation, Value, compare_strict
from veritas.policy.triangulation_policy import Rule, TriangulationPolicy, load_triangulation_policy
from veritas.registries.records import normalise
from veritas.works.records import BibRecord


@runtime_checkable
class DoiResolver(Protocol):
    """A resolver finds what a DOI was registered for."""

    async def resolve(self, doi: str) -> BibRecord | None:
        """Return the registered record, None for a DOI registered nowhere. Raises `Unavailable` if it is not known."""
        ...


def triangulate(
    primary: BibRecord,
    secondary: BibRecord | None,
    cited: BibRecord | None = None,
    *,
    policy: TriangulationPolicy | None = None,
    rule: Rule | None = None,
    resolved: Resolved | None = None,
) -> Triangulation:
    """Pass or reject two records of one paper, with a citation of it if there is one (sections 5.1 to 5.4).

    `rule` overrides the policy's. Without `secondary` a record that has neither DOI nor arXiv id passes on its own word
    (`no_secondary_source_available`), and any other does not. `resolved` holds the records of cited DOIs
    (`resolve_dois`). Swapping the records changes nothing but the order of values.
    """
    policy = policy or load_triangulation_policy()
    rule = rule or policy.rule
    if secondary is None:
        return _alone(primary, rule)
    found = _compare(primary, secondary, policy, rule, resolved)
    conflicts, notes = list(found.conflicts), list(found.notes)
    if cited is not None:
        more, why = _citation(cited, primary, secondary, policy, rule, resolved)
        conflicts += more
        notes += why
    dependence = policy.dependence(primary.source, secondary.source)
    if dependence:
        notes.append(f"not_independent: {dependence}; their agreement counts for one source")
    notes += _statuses(primary, secondary)
    return Triangulation(
        verified=found.same_work and not conflicts and not (dependence and policy.independence == "require"),
        same_work=found.same_work,
        independent=dependence is None,
        conflicts=tuple(conflicts),
        notes=tuple(dict.fromkeys(notes)),
        rule=rule,
    )


def triangulate_raw(
    primary: dict[str, Any],
    secondary: dict[str, Any] | None,
    cited: Any = None,
    *,
    policy: TriangulationPolicy | None = None,
    rule: Rule | None = None,
) -> Triangulation:
    """Triangulate `{source, record}` as the APIs return them. Raises `InputError` for an unknown source."""
    return triangulate(
        normalise(primary["source"], primary["record"]),
        normalise(secondary["source"], secondary["record"]) if secondary is not None else None,
        normalise("bibtex", cited) if cited is not None else None,
        policy=policy,
        rule=rule,
    )


async def resolve_dois(records: Sequence[BibRecord], resolver: DoiResolver) -> dict[str, BibRecord | None]:
    """Resolve the DOIs of the citations among `records`, unless a source's record names them.

    Raises `Unavailable` as the resolver does: then the record is not known.
    """
    found: dict[str, BibRecord | None] = {}
    sources = [record for record in records if not record.is_citation]
    for cited in records:
        if cited.is_citation and cited.doi and not any(knows_doi(record, cited.doi) for record in sources):
            found[cited.doi] = await resolver.resolve(cited.doi)
    return found


def _compare(
    one: BibRecord, other: BibRecord, policy: TriangulationPolicy, rule: Rule, resolved: Resolved | None
) -> Comparison:
    return compare_strict(one, other, policy) if rule == "strict" else compare_work_aware(one, other, policy, resolved)


def _alone(primary: BibRecord, rule: Rule) -> Triangulation:
    """Judge a record without a second one (section 5.1, third case). Only one without identifiers may pass."""
    conflicts: tuple[Conflict, ...] = ()
    if primary.title is None:
        conflicts = (Conflict(field="title"),)
    passes = not (conflicts or primary.doi or primary.arxiv_id or primary.is_citation)
    note = (
        "no_secondary_source_available: single source, neither DOI nor arXiv id to look up elsewhere"
        if passes
        else "secondary_missing: there is no second record to compare with"
    )
    return Triangulation(
        verified=passes, same_work=passes, independent=False, conflicts=conflicts, notes=(note,), rule=rule
    )


def _citation(
    cited: BibRecord,
    primary: BibRecord,
    secondary: BibRecord,
    policy: TriangulationPolicy,
    rule: Rule,
    resolved: Resolved | None,
) -> tuple[list[Conflict], list[str]]:
    """Compare a citation with both records. Each field need agree with one: people cite preprint or publication."""
    against = [_compare(cited, record, policy, rule, resolved) for record in (primary, secondary)]
    wrong = [{conflict.field for conflict in one.conflicts} for one in against]
    conflicts, notes = [], []
    for field in sorted(wrong[0] & wrong[1]):
        if field == "year" and _between(cited.year, primary.year, secondary.year):
            notes.append(f"cited_year: {cited.year} lies between the years of the two records")
            continue
        mine, theirs = _value(primary, field), _value(secondary, field)
        notes.append(f"cited_{field}: the citation says {_value(cited, field)!r}")
        # neither record has the field, or it is the tail of the author list, which section 5.3 only notes
        if field != "authors" and not (mine is None and theirs is None and field != "doi"):
            conflicts.append(Conflict(field=f"cited.{field}", primary=mine, secondary=theirs))
    nearer = min(against, key=lambda one: (len(one.conflicts), len(one.notes)))
    notes += [f"cited_{note}" for note in nearer.notes if not note.startswith("same_work")]
    return conflicts, notes


def _between(year: int | None, one: int | None, other: int | None) -> bool:
    return year is not None and one is not None and other is not None and min(one, other) <= year <= max(one, other)


def _value(record: BibRecord, field: str) -> Value:
    if field == "first_author_surname":
        return record.authors[0].family if record.authors else None
    if field == "authors":
        return "; ".join(str(name) for name in record.authors[:8]) or None
    if field in ("title", "work"):
        return record.full_title
    value: Value = getattr(record, field)
    return value


def _statuses(primary: BibRecord, secondary: BibRecord) -> list[str]:
    """Return notes on updates of the paper, from either record and in both directions. They decide nothing here."""
    notes = []
    for record in (primary, secondary):
        name = record.doi or record.source
        for update in record.updates:
            when = f" of {update.date}" if update.date else ""
            by = f"according to {update.asserted_by or record.source}"
            if update.of_this:
                notice = f", notice {update.doi}" if update.doi and update.doi != record.doi else ""
                notes.append(f"{update.kind.value}: of {name}{notice}{when}, {by}")
            else:
                notes.append(f"{update.kind.value}_notice: {name} is one about {update.doi}{when}")
    return notes
