"""`cite` and `audit` on a real Prefect server: what they return, what the UI shows, and how they fail."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.citations.arxiv_site import environment, html_page, pages
from tests.citations.citing.test_citing import ALIE, CLAIM, FLPOISON
from tests.citations.citing.test_citing_from_arxiv import BODY
from tests.citations.registry_server import FAULTS, RegistryServer, Work, registry_server
from tests.citations.test_auditing import DOI, WORK, put
from tests.flows.forms import paused_run, send
from tests.loopback_web.web import web
from veritas import Unavailable
from veritas.citations.artifacts import read_artifact
from veritas.citations.checking.check import check

pytestmark = [pytest.mark.server, pytest.mark.usefixtures("prefect_server")]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[RegistryServer]:
    with registry_server(ALIE, FLPOISON) as running, web(pages(FLPOISON, as_html=html_page(FLPOISON, BODY))) as served:
        for name, value in (running.environment() | environment(served)).items():
            monkeypatch.setenv(name, value)
        yield running


async def _shown(description: str) -> list[Any]:
    """Artifacts in the UI whose description holds a text."""
    from prefect.client.orchestration import get_client

    async with get_client() as client:
        return [each for each in await client.read_artifacts() if description in (each.description or "")]


async def test_cite_writes_the_artifact_and_shows_it(server: RegistryServer, tmp_path: Path) -> None:
    from veritas_flows.cite import cite

    said = await cite(CLAIM, project=str(tmp_path))
    assert said["cited"] is True
    assert said["citation"].startswith("Heyi Zhang")
    artifact = read_artifact(Path(said["artifact"]))
    assert artifact.excerpts[0].text == f"{CLAIM}."
    assert check([tmp_path], root=tmp_path).findings == []
    (shown,) = await _shown(f"Citation · {Path(said['artifact']).name}")
    assert artifact.title in shown.data


async def test_cite_that_is_refused_says_why_and_writes_nothing(server: RegistryServer, tmp_path: Path) -> None:
    from veritas_flows.cite import cite

    said = await cite(CLAIM, "Yifei Liu et al., 2025", project=str(tmp_path))
    assert (said["cited"], said["refusal"]) == (False, "TriangulationConflict")
    assert not (tmp_path / "docs").exists()
    (shown,) = await _shown(f"Refused · {CLAIM}")
    assert "TriangulationConflict" in shown.data
    assert "Liu" in shown.data


async def test_cite_waits_for_a_person_and_cites_what_was_let_in(server: RegistryServer, tmp_path: Path) -> None:
    from veritas_flows.cite import cite

    hint = "Yifei Liu et al., 2025"
    task = asyncio.ensure_future(cite(CLAIM, hint, project=str(tmp_path), wait_for_person=5))
    try:
        paused, (_, text) = await paused_run()
        assert "You probably expected" in text
        assert not (tmp_path / "docs").exists()
        await send(paused, name="Ada", let_in_1=True, reason_1="the hint names a co-author")
        said = await asyncio.wait_for(task, 60)
    finally:
        task.cancel()
    assert said["cited"] is True
    reason = read_artifact(Path(said["artifact"])).override_reason
    assert reason is not None
    assert reason.startswith("Ada (unsigned): the hint names a co-author (a-")


async def test_audit_of_a_retraction_fails_the_run_and_shows_it(server: RegistryServer, tmp_path: Path) -> None:
    from veritas_flows.audit import CitationsDrifted, audit

    server.works += [WORK, Work(title="Notice", doi="10.1234/n", updates=({"DOI": DOI, "type": "retraction"},))]
    put(tmp_path)
    report = tmp_path / "audit.html"
    with pytest.raises(CitationsDrifted, match="1 artifacts, 1 with findings"):
        await audit(str(tmp_path), report=str(report))
    assert "The paper was retracted" in report.read_text(encoding="utf-8")
    assert "+standing: retracted" in report.with_suffix(".diff").read_text(encoding="utf-8")
    shown = [each.data for each in await _shown("Citation audit")]
    assert any("retracted" in data for data in shown)
    said = await audit(str(tmp_path), report="", fail_on_findings=False)
    assert (said["ok"], said["artifacts"][0]["findings"][0]["drift"]) == (False, "retracted")


async def test_contract_shows_its_table_and_fails_on_another_form_alone(
    server: RegistryServer, tmp_path: Path
) -> None:
    from tests.registries.test_contract import HELIX, RESNET, RETRACTED, altered, work
    from veritas_flows.registry_contract import ContractBroken, contract

    server.works += [work(HELIX, "James", pmid="13054692"), work(RESNET, "Kaiming")]
    server.works += [work(RETRACTED, "Andrew", retracted=True)]
    server.works.append(Work("Note", doi="10.1016/n", updates=({"DOI": RETRACTED.doi, "type": "retraction"},)))
    said = await contract()
    assert said["ok"] is True
    (shown,) = await _shown("Contracts of the registries")
    assert "crossref" in shown.data
    server.faults["dblp"] = FAULTS["429 for hours"]
    assert (await contract())["unavailable"] == ["dblp"]
    with pytest.raises(Unavailable, match="dblp"):
        await contract(fail_on_outage=True)
    server.faults["openalex"] = altered(server, "openalex", '"title"', '"titles"')
    with pytest.raises(ContractBroken, match="openalex: look-up: broken"):
        await contract()
    server.faults.update({each["source"]: FAULTS["429 for hours"] for each in said["checks"]})
    with pytest.raises(Unavailable, match="no answer from arxiv, crossref"):
        await contract()
