"""The oracle of works: registries confirm that a cited work exists, with the stated title, authors and year."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_verdict import Judged, Verdict
from veritas.citations.bibliography.judging import verify
from veritas.gate.finding import Attribution, Finding
from veritas.gate.named_oracles import OracleSetup
from veritas.gate.oracle import OracleAnswer, OracleVerdict
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.registries.scholarly_source import identifier_in

if TYPE_CHECKING:
    from veritas.registries.all_registries import Registries
    from veritas.works.records import BibRecord

_VERDICTS: Mapping[Verdict, OracleVerdict] = {
    Verdict.VERIFIED: "confirmed",
    Verdict.MINOR: "confirmed",
    Verdict.MISATTRIBUTED: "misattributed",
    Verdict.FABRICATED: "fabricated",
    # it exists, but must not be relied on unseen
    Verdict.RETRACTED: "cannot-confirm",
    Verdict.WITHDRAWN: "cannot-confirm",
    Verdict.CANNOT_CONFIRM: "cannot-confirm",
    Verdict.UNAVAILABLE: "unavailable",
}


class RegistryOracle:
    """An oracle that triangulates each source of a finding as `veritas bib` does an entry (its rules and settings)."""

    name = "registries"

    def __init__(self, registries: Registries, policy: TriangulationPolicy | None = None) -> None:
        self._registries = registries
        self._policy = policy or load_triangulation_policy()

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Confirm all sources of a finding; the first not confirmed decides. A slip (`minor`) confirms and is noted."""
        if not finding.sources:
            return OracleAnswer(oracle=self.name, verdict="cannot-confirm", rationale="it is attributed to no source")
        said: list[str] = []
        sources: list[Attribution] = []
        for i, source in enumerate(finding.sources):
            (found,) = await verify([entry(source, finding.finding_id)], self._registries, policy=self._policy)
            verdict = _VERDICTS[found.verdict]
            said.append(f"{source}: {found.verdict.value.replace('_', ' ')}, {found.reason}")
            if verdict == "confirmed":
                sources.append(source)
                continue
            correction: tuple[Attribution, ...] = ()
            if verdict == "misattributed" and found.match is not None:
                correction = (*sources, of_record(found.match, source), *finding.sources[i + 1 :])
            return OracleAnswer(
                oracle=self.name,
                verdict=verdict,
                rationale=said[-1],
                evidence=(*said[:-1], *_evidence(found)),
                correction=correction,
            )
        return OracleAnswer(oracle=self.name, verdict="confirmed", rationale="; ".join(said))


def registry_oracle(setup: OracleSetup) -> RegistryOracle:
    """Make the oracle `registries`: those that are at hand, else the ones of the policies folder."""
    if setup.registries is not None:
        return RegistryOracle(setup.registries, setup.triangulation)
    from veritas.registries.all_registries import Registries

    return RegistryOracle(Registries(), setup.triangulation)


def entry(source: Attribution, key: str) -> Entry:
    """Convert an attribution into an entry of a bibliography. An identifier in its URL counts as stated."""
    inside = identifier_in(source.url) if source.url and not (source.doi or source.arxiv_id) else None
    arxiv_id = source.arxiv_id or (inside.value if inside and inside.kind == "arxiv" else None)
    stated = {
        "title": source.title,
        "author": " and ".join(source.authors),
        "year": str(source.year) if source.year is not None else None,
        "doi": source.doi or (inside.value if inside and inside.kind == "doi" else None),
        "eprint": arxiv_id,
        "archiveprefix": "arXiv" if arxiv_id else None,
        "url": source.url,
        "journal": source.venue,
    }
    # An entry with authors and a title is taken for a paper, unless its venue or URL says otherwise (`form_of`).
    kind = "article" if source.title and source.authors else "misc"
    return Entry(file="", key=key, line=1, type=kind, fields={name: value for name, value in stated.items() if value})


def of_record(record: BibRecord, cited: Attribution = Attribution()) -> Attribution:  # noqa: B008 (it is frozen)
    """Return the attribution that the registries give. It keeps the document of `cited`, and its URL unless that is an
    identifier."""
    return Attribution(
        document_id=cited.document_id,
        url=None if cited.url is None or identifier_in(cited.url) else cited.url,
        doi=record.doi,
        arxiv_id=record.arxiv_id,
        title=record.full_title,
        authors=tuple(str(name) for name in record.authors),
        year=record.year,
        venue=record.venue,
    )


def _evidence(found: Judged) -> tuple[str, ...]:
    differences = (f"{d.field}: cited as {d.cited!r}, found {d.found!r}" for d in found.differences)
    return (*differences, *found.notes)
