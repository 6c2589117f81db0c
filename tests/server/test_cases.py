"""Cases that wait for a person, over HTTP: shown as they are, decided as the roster says."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tests.approvers import Team
from tests.server.conftest import AUTHORITY, Called, detail
from veritas import approvals
from veritas.approvals import Approval, Case, CasePassage
from veritas.server.app import create_app
from veritas.server.settings import Settings
from veritas.server.tokens import Keeper, Token, new_token

CLAIM = "The pump needs no oil."


@pytest.fixture
def case(own_home: Path) -> Approval:
    """A case that waits."""
    sentence = f"You probably expected “{CLAIM}” to be citable; it was left out because the forum only thinks so."
    told = Case(claim=CLAIM, passages=(CasePassage(text=f"{CLAIM} I think.", source="A forum"),))
    return asyncio.run(approvals.ask("citation", "s1", sentence, told))


def test_without_a_roster_a_decision_has_a_name_and_is_unsigned(called: Called, case: Approval) -> None:
    client, place = called("approve"), f"/api/v1/approvals/{case.approval_id}/decision"
    seen = approvals.find(case.approval_id).fingerprint
    said = {"verdict": "approve", "name": "Ada Lovelace", "reason": "The manual says so", "seen": seen}
    assert "not the one that you read" in detail(client.post(place, json={**said, "seen": "0" * 64}), 422)
    assert "name" in detail(client.post(place, json={**said, "name": ""}), 422)
    told = client.post(place, json=said).json()
    assert (told["state"], told["signed"]) == ("approved", False)
    assert "approved already" in detail(client.post(place, json=said), 422)
    assert called("read").get("/api/v1/approvals").json()["cases"] == []
    assert len(called("read").get("/api/v1/approvals", params={"every": True}).json()["cases"]) == 1


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    """A roster with Ada, whose key is that of the person at this machine."""
    team = Team(tmp_path / "policies", "Ada Lovelace")
    monkeypatch.setenv("VERITAS_POLICIES", str(team.folder))
    monkeypatch.setenv("VERITAS_APPROVAL_KEY", str(team.key("Ada Lovelace")))
    return team


def test_with_a_roster_only_the_person_at_the_machine_signs_and_others_draft(
    team: Team, case: Approval, called: Called, settings: Settings, tokens: dict[str, tuple[str, Token]]
) -> None:
    place, seen = f"/api/v1/approvals/{case.approval_id}/decision", approvals.find(case.approval_id).fingerprint
    said = {"verdict": "approve", "name": "Mallory", "reason": "I say so", "seen": seen}
    token, record = new_token("a colleague", ["approve"])
    Keeper(settings.home).add(record)
    drafted = called(None, Authorization=f"Bearer {token}").post(place, json=said).json()
    assert (drafted["state"], drafted["signed"]) == ("pending", False)
    assert drafted["sign_with"] == f"veritas approve {case.approval_id} --draft"
    remote = create_app(replace(settings, local=False), [tokens["approve"][1]])
    bearer = {"Authorization": f"Bearer {tokens['approve'][0]}"}
    away = TestClient(remote, base_url=f"http://{AUTHORITY}", headers=bearer)
    assert away.post(place, json=said).json()["state"] == "pending"
    signed = called("approve").post(place, json={**said, "name": "", "reason": "Page 3"}).json()
    assert (signed["state"], signed["signed"], signed["decisions"][-1]["name"]) == ("approved", True, "Ada Lovelace")


def test_a_page_shows_the_two_texts_side_by_side_and_settles_alike_cases_together(
    called: Called, own_home: Path
) -> None:
    passage = "It was raining. The pump was made of Borealis in 2019, and it is blue."
    claim = "The pump was made by Borealis in 2019."
    for number, text in enumerate((claim, claim, "The pump was made of Borealis in 2018.")):
        told = Case(claim=text, passages=(CasePassage(text=passage, source="A forum"),))
        asyncio.run(approvals.ask("research-claim", f"c{number}", "it was left out.", told, run_id="r"))
    lie = next(each for each in approvals.pending() if "2018" in each.case.claim)
    first, other = (each for each in approvals.pending() if each.case.claim == claim)
    client = called("all", Origin=f"http://{AUTHORITY}", Accept="text/html")
    inbox = " ".join(client.get("/approvals").text.split())
    assert "3 cases wait for one reason" in inbox
    page = " ".join(client.get(f"/approvals/{first.approval_id}").text.split())
    said, found = "by", "of"
    assert page.count("<mark>") == 2
    assert f"<mark><bdi>{said}</bdi></mark>" in page
    assert f"<mark><bdi>{found}</bdi></mark>" in page
    form = {
        "verdict": "reject", "name": "Ada Lovelace", "reason": "The source says otherwise", "seen": first.fingerprint,
        "also": f"{other.approval_id} {other.fingerprint}",
    }  # fmt: skip
    assert other.fingerprint in page
    assert lie.fingerprint not in page, "a claim and its contrary are two decisions"
    assert client.post(f"/approvals/{first.approval_id}", data=form).status_code == 303
    assert {approvals.find(each.approval_id).state() for each in (first, other)} == {"rejected"}
    assert approvals.pending() == [lie]
