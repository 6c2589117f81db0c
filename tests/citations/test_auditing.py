"""The audit finds what went wrong since, says what it could not ask, and goes on where it stopped."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.citations.artifact_samples import ABSTRACT, artifact
from tests.citations.registry_server import FAULTS, RegistryServer, Reply, Work, as_json, crossref, registry_server
from veritas import InputError
from veritas.citations.artifacts import Artifact, read_artifact, write_artifact
from veritas.citations.auditing import AuditReport, Drift, audit_existing_citations
from veritas.registries.all_registries import Registries
from veritas.report.citation_audit import as_diff, as_html, as_markdown

DOI = "10.1234/alie"
WORK = Work(
    title="A Little Is Enough: Circumventing Defenses For Distributed Learning",
    authors=("Moran Baruch", "Gilad Baruch", "Yoav Goldberg"),
    year=2019,
    doi=DOI,
    arxiv_id="1902.06156",
    venue="Journal of Tests",
    abstract=ABSTRACT,
)


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(WORK) as running:
        yield running


def put(root: Path, slug: str = "10.1234_alie-baruch-little", **changes: Any) -> Artifact:
    made = artifact(**({"doi": DOI, "venue": "Journal of Tests"} | changes))
    write_artifact(made, root / "docs" / "citations", slug)
    return made


async def audit(server: RegistryServer, root: Path, **how: Any) -> AuditReport:
    return await audit_existing_citations(
        root, registries=lambda newer: Registries(server.policy(), newer_than=newer), **how
    )


def drifts(report: AuditReport) -> list[Drift]:
    return [finding.drift for each in report.artifacts for finding in each.findings]


def changed(**changes: Any) -> Work:
    return Work(**{**vars(WORK), **changes})


async def test_a_paper_that_stands_is_left_in_peace(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path)
    report = await audit(server, tmp_path)
    assert (drifts(report), report.complete, as_diff(report)) == ([], True, "")


NOTICES = [
    ("retraction", [Drift.RETRACTED]),
    ("withdrawal", [Drift.WITHDRAWN]),
    ("expression_of_concern", [Drift.CONCERN]),
    ("erratum", [Drift.CORRECTED]),
    ("new_version", []),
]


@pytest.mark.parametrize(("kind", "expected"), NOTICES)
async def test_what_became_of_a_paper_is_found_and_a_patch_records_it(
    server: RegistryServer, tmp_path: Path, kind: str, expected: list[Drift]
) -> None:
    made = put(tmp_path)
    server.works.append(Work(title="Notice", doi="10.1234/notice", updates=({"DOI": DOI, "type": kind},)))
    report = await audit(server, tmp_path)
    assert drifts(report) == expected
    if not expected:
        return
    assert "10.1234/notice" in report.artifacts[0].findings[0].message
    (tmp_path / "change.diff").write_text(as_diff(report), encoding="utf-8")
    await asyncio.to_thread(subprocess.run, ["git", "apply", "change.diff"], cwd=tmp_path, check=True)
    again = tmp_path / "docs" / "citations" / "10.1234_alie-baruch-little.md"
    assert f"standing: {expected[0].value}" in again.read_text(encoding="utf-8")
    if expected[0] in (Drift.CONCERN, Drift.CORRECTED):
        assert read_artifact(again).title == made.title
        assert drifts(await audit(server, tmp_path)) == []


async def test_an_identifier_that_leads_elsewhere_is_found_and_not_patched(
    server: RegistryServer, tmp_path: Path
) -> None:
    put(tmp_path)
    other = {"title": "Cooking with Lentils", "authors": ("Chef One",), "year": 2001}
    server.works[0] = changed(changes={"crossref": other})
    report = await audit(server, tmp_path)
    assert Drift.OTHER_PAPER in drifts(report)
    assert as_diff(report) == ""


async def test_authors_corrected_upstream_are_found_and_proposed(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path, authors=("Yifei Liu", "Gilad Baruch", "Yoav Goldberg"))
    report = await audit(server, tmp_path)
    assert drifts(report) == [Drift.AUTHORS]
    assert '+  - "Moran Baruch"' in as_diff(report)


async def test_dead_and_forgotten_identifiers_are_found(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path, arxiv_id=None)
    server.works.clear()
    assert set(drifts(await audit(server, tmp_path))) == {Drift.GONE, Drift.DEAD_LINK}


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault != "slow"])
async def test_an_outage_is_neither_drift_nor_peace(server: RegistryServer, tmp_path: Path, fault: str) -> None:
    put(tmp_path)
    for name in ("crossref", "openalex", "semantic_scholar", "arxiv", "europepmc", "datacite", "doi_org"):
        server.faults[name] = FAULTS[fault]
    report = await audit(server, tmp_path)
    assert (drifts(report), report.complete) == ([], False)
    assert "not fully looked at" in as_markdown(report)


async def test_an_unreadable_artifact_is_a_finding(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path)
    (tmp_path / "docs" / "citations" / "broken.md").write_text("---\nnothing\n", encoding="utf-8")
    assert drifts(await audit(server, tmp_path)) == [Drift.UNREADABLE]
    with pytest.raises(InputError, match="no artifacts"):
        await audit(server, tmp_path / "elsewhere")


async def test_an_audit_that_was_cut_off_goes_on_where_it_stopped(server: RegistryServer, tmp_path: Path) -> None:
    for number in range(5):
        put(tmp_path, f"10.1234_alie-baruch-{number}")
    journal = tmp_path / "journal.jsonl"

    class Stop(Exception):
        pass

    def stop(audited: Any, count: int, total: int) -> None:
        if count == 3:
            raise Stop

    with pytest.raises(Stop):
        await audit(server, tmp_path, journal=journal, done=stop)
    asked = len(server.asked)
    server.faults["crossref"] = FAULTS["5xx"]
    report = await audit(server, tmp_path, journal=journal)
    assert [each.complete for each in report.artifacts] == [True] * 5  # their answers of this round are kept
    assert len(server.asked) == asked
    assert not journal.exists()
    assert not (await audit(server, tmp_path, journal=journal)).complete


async def test_a_damaged_journal_is_begun_anew(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path)
    journal = tmp_path / "journal.jsonl"
    for text in ("", "{", '{"began": 1}\n', '{"began": "x"}'):
        journal.write_text(text, encoding="utf-8")
        assert drifts(await audit(server, tmp_path, journal=journal)) == []


async def test_reports_show_strangers_text_as_text(server: RegistryServer, tmp_path: Path) -> None:
    put(tmp_path)
    evil = {"title": "<script>alert(1)</script> | [x](javascript:1)"}
    server.faults["crossref"] = lambda path: (
        as_json({"message": crossref(WORK) | {"title": [evil["title"]]}})
        if "/works/10" in path
        else Reply(200, '{"message": {"items": []}}')
    )
    report = await audit(server, tmp_path)
    assert drifts(report)
    assert "<script>alert" not in as_html(report)
    assert "<script>" not in as_markdown(report)
