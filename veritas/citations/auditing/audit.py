"""The audit of a whole project, at the pace that registries allow; an interrupted audit is resumed (section 8)."""

from __future__ import annotations

import difflib
import json
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from veritas.citations._work_aware import compare_work_aware
from veritas.citations.artifacts import Artifact, artifact_files, read_artifact, render
from veritas.citations.auditing.drift import Audited, AuditReport, Drift, DriftFinding
from veritas.citations.citing.identity_gate import first_author_unknown
from veritas.citations.record_exports import bibtex, citation_text
from veritas.citations.retractions import Status, status_of
from veritas.errors import InputError, Unavailable
from veritas.files import write_whole
from veritas.frozen import content_hash
from veritas.keys import withheld
from veritas.policy.triangulation_policy import TriangulationPolicy, load_triangulation_policy
from veritas.registries.all_registries import Registries
from veritas.registries.scholarly_source import Identifier
from veritas.settings import home
from veritas.works.identifiers import arxiv_of_doi
from veritas.works.names import parse_name
from veritas.works.records import BibRecord, Kind

_STANDINGS = frozenset({Drift.RETRACTED, Drift.WITHDRAWN, Drift.CONCERN, Drift.CORRECTED})
_FOR_A_PERSON = frozenset({Drift.OTHER_PAPER, Drift.GONE, Drift.DEAD_LINK, Drift.UNREADABLE})
_FIELDS = frozenset({Drift.AUTHORS, Drift.TITLE, Drift.YEAR})


async def audit_artifact(
    path: Path, shown: str, registries: Registries, policy: TriangulationPolicy, now: datetime
) -> Audited:
    """Look every identifier of an artifact up anew and compare. Raises nothing for an outage."""
    at = now.strftime("%Y-%m-%dT%H:%M:%SZ")
    try:
        artifact = read_artifact(path)
    except InputError as error:
        finding = DriftFinding(drift=Drift.UNREADABLE, message=str(error).removeprefix(f"{path}: "))
        return Audited(path=shown, findings=(finding,), audited_at=at)
    look = _Look(artifact, registries, policy)
    await look.identifiers()
    await look.standing()
    if artifact.human_overridden:
        # A person overrode the gate; the audit only asks whether the paper still exists and stands.
        look.findings = [each for each in look.findings if each.drift not in _FIELDS]
    return Audited(
        path=shown,
        title=artifact.title,
        findings=tuple(look.findings),
        problems=tuple(dict.fromkeys(look.problems)),
        complete=not look.problems,
        proposal=_proposal(path, shown, artifact, look),
        audited_at=at,
    )


class _Look:
    def __init__(self, artifact: Artifact, registries: Registries, policy: TriangulationPolicy) -> None:
        self.artifact, self.registries, self.policy = artifact, registries, policy
        self.findings: list[DriftFinding] = []
        self.problems: list[str] = []
        self.records: list[BibRecord] = []
        self.status = Status()
        self.own = record_of(artifact)

    def found(self, drift: Drift, message: str, was: object = None, now: object = None) -> None:
        finding = DriftFinding(
            drift=drift, message=message, was=None if was is None else str(was), now=None if now is None else str(now)
        )
        if finding.drift not in {each.drift for each in self.findings}:
            self.findings.append(finding)

    async def identifiers(self) -> None:
        """Look up each identifier at every source that knows its kind."""
        for identifier in _identifiers(self.artifact):
            answers = await self.registries.look_up(identifier)
            self.problems += [answer.problem for answer in answers if answer.problem]
            records = [each.record for answer in answers for each in answer.found if each.record.title]
            self.records += records
            for record in records:
                self._compare(identifier, record)
            if not records and not any(answer.problem for answer in answers):
                self.found(Drift.GONE, f"no registry knows {identifier} any more", was=identifier)
            if identifier.kind == "doi":
                await self._link(identifier.value)

    async def _link(self, doi: str) -> None:
        try:
            if not await self.registries.registered(doi):
                self.found(Drift.DEAD_LINK, f"https://doi.org/{doi} is registered nowhere", was=doi)
        except Unavailable as error:
            self.problems.append(str(error))

    def _compare(self, identifier: Identifier, record: BibRecord) -> None:
        """Compare the record under an identifier with the artifact, by the same rule as when it was verified."""
        source = record.source
        registrant = source in ("crossref", "arxiv", "datacite")
        if identifier.kind == "doi" and registrant and record.doi and record.doi != identifier.value:
            self.found(Drift.MOVED, f"{source} now has it as {record.doi}", was=identifier.value, now=record.doi)
        said = compare_work_aware(self.own, record, self.policy)
        if not said.same_work:
            if registrant:
                what = f"{source} has “{record.full_title}” under {identifier}"
                self.found(Drift.OTHER_PAPER, what, self.artifact.title, record.full_title)
            return
        fields = {conflict.field for conflict in said.conflicts}
        strangers = first_author_unknown(self.own, record)
        if fields & {"first_author_surname", "authors"} or (registrant and strangers):
            names = [str(name) for name in record.authors[:6]]
            self.found(
                Drift.AUTHORS, f"{source} names other authors", "; ".join(self.artifact.authors[:6]), "; ".join(names)
            )
        if "title" in fields:
            self.found(Drift.TITLE, f"{source} gives another title", self.artifact.title, record.full_title)
        if "year" in fields and registrant:
            self.found(Drift.YEAR, f"{source} gives another year", self.artifact.year, record.year)

    async def standing(self) -> None:
        """Look up the paper's standing in its records and in the registries' notices; only a change is a finding."""
        notices = []
        if self.artifact.doi:
            try:
                notices = list(await self.registries.notices(self.artifact.doi.lower()))
            except Unavailable as error:
                self.problems.append(str(error))
        self.status = status_of(self.records, notices)
        if self.status.standing in ("current", None, self.artifact.standing):
            return
        told = "; ".join(self.status.sentences())
        self.found(Drift(self.status.standing), told, was=self.artifact.standing, now=self.status.standing)


def identifiers_in(path: Path) -> tuple[Identifier, ...]:
    """Return the identifiers of an artifact's paper; none for a file that cannot be read."""
    try:
        return _identifiers(read_artifact(path))
    except InputError:
        return ()


def _identifiers(artifact: Artifact) -> tuple[Identifier, ...]:
    doi = artifact.doi if arxiv_of_doi(artifact.doi) is None else None
    found = (
        Identifier(kind="doi", value=doi.lower()) if doi else None,
        Identifier(kind="arxiv", value=artifact.arxiv_id) if artifact.arxiv_id else None,
    )
    return tuple(each for each in found if each is not None)


def record_of(artifact: Artifact) -> BibRecord:
    """Return the artifact's bibliographic data as a record that can be compared with a source's."""
    names = [parse_name(name) for name in artifact.authors]
    return BibRecord(
        source="semantic_scholar" if artifact.triangulation.primary_source == "semantic_scholar" else "openalex",
        title=artifact.title,
        authors=tuple(name for name in names if name is not None),
        year=artifact.year,
        years=(artifact.year,),
        doi=artifact.doi.lower() if artifact.doi else None,
        arxiv_id=artifact.arxiv_id,
        venue=artifact.venue,
        kind=Kind.PREPRINT if artifact.arxiv_id and not artifact.doi else Kind.UNKNOWN,
    )


def _proposal(path: Path, shown: str, artifact: Artifact, look: _Look) -> str | None:
    """Return a diff with the new standing or the registrant's own fields; None where a person has to decide."""
    drifts = {finding.drift for finding in look.findings}
    if not drifts or drifts & _FOR_A_PERSON:
        return None
    changes: dict[str, object] = {}
    if drifts & _STANDINGS:
        changes["standing"] = look.status.standing
    record = next((each for each in look.records if each.source in ("crossref", "arxiv")), None)
    if record is not None and drifts & (_FIELDS | {Drift.MOVED}):
        changes |= {
            "title": record.full_title or artifact.title,
            "authors": tuple(str(name) for name in record.authors) or artifact.authors,
            "year": record.year or artifact.year,
            "doi": record.doi if artifact.doi else artifact.doi,
            "snippet": citation_text(record),
            "bibtex": bibtex(record),
        }
    if not changes:
        return None
    new = render(artifact.model_copy(update=changes))
    old = path.read_text(encoding="utf-8")
    return "".join(
        difflib.unified_diff(
            old.splitlines(keepends=True), new.splitlines(keepends=True), f"a/{shown}", f"b/{shown}", n=1
        )
    )


ROUND = 7 * 86_400.0
"""Seconds after which an interrupted round is begun anew instead of resumed."""


class _Journal:
    """The artifacts already audited in this round: a file of JSON lines, from which an interrupted audit is resumed."""

    def __init__(self, path: Path, now: float) -> None:
        self._path = path
        self.began, self.done = now, dict[str, Audited]()
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
            began = float(json.loads(lines[0])["began"])
            if not now - ROUND < began <= now:
                raise ValueError("too old")
            self.began = began
            for line in lines[1:]:
                entry = json.loads(line)
                self.done[entry["key"]] = Audited.model_validate(entry["audited"])
        except (OSError, ValueError, KeyError, IndexError, TypeError):
            if not self.done:
                write_whole(path, json.dumps({"began": self.began}) + "\n")

    def add(self, key: str, audited: Audited) -> None:
        """Store an audit that is complete; an incomplete one is made again."""
        if audited.complete:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(withheld(json.dumps({"key": key, "audited": audited.model_dump(mode="json")})) + "\n")

    def close(self) -> None:
        """End the round: the next audit asks for everything anew."""
        self._path.unlink(missing_ok=True)


def journal_of(folder: Path) -> Path:
    """Return the path of the journal of a folder's audit, below `VERITAS_HOME`."""
    return home() / "audits" / f"{content_hash(str(folder.resolve()))[:16]}.jsonl"


async def audit_existing_citations(
    root: Path,
    *,
    folder: str = "docs/citations",
    registries: Callable[[float], Registries] | None = None,
    policy: TriangulationPolicy | None = None,
    journal: Path | None = None,
    now: datetime | None = None,
    done: Callable[[Audited, int, int], None] = lambda audited, count, total: None,
) -> AuditReport:
    """Audit every artifact of a project at the pace the registries allow. Identifiers are asked for many at a time
    where a registry takes them so; then the artifacts follow one by one.

    `registries` makes them, given the moment (seconds since 1970) before which no cached answer counts. With a
    `journal` an interrupted audit is resumed within a week. Raises `InputError` if there is no artifact.
    """
    place = root / folder
    paths = artifact_files(place)
    if not paths:
        raise InputError(f"{place}: there are no artifacts, so there is nothing to audit; veritas cite writes them")
    moment = now or datetime.now(UTC)
    rounds = _Journal(journal, time.time()) if journal is not None else None
    began = rounds.began if rounds is not None else time.time()
    sources = (registries or (lambda newer: Registries(newer_than=newer)))(began)
    rules = policy or load_triangulation_policy()
    keys = {path: content_hash([path.relative_to(root).as_posix(), path.read_bytes().hex()]) for path in paths}
    known_keys = rounds.done if rounds is not None else {}
    await sources.look_ahead([each for path in paths if keys[path] not in known_keys for each in identifiers_in(path)])
    audited: list[Audited] = []
    for path in paths:
        shown, key = path.relative_to(root).as_posix(), keys[path]
        known = known_keys.get(key)
        each = known or await audit_artifact(path, shown, sources, rules, moment)
        if rounds is not None and known is None:
            rounds.add(key, each)
        audited.append(each)
        done(each, len(audited), len(paths))
    began_at = datetime.fromtimestamp(began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    report = AuditReport(root=str(root), begun_at=began_at, artifacts=tuple(audited))
    if rounds is not None and report.complete:
        rounds.close()
    return report
