"""An answer with its evidence, why anything is in it, two runs side by side; the library; checks; cases."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.pumps import QUESTION
from tests.server.pages.conftest import HOSTILE, Opened
from tests.server.pages.pages import Page, check_frame
from veritas import approvals
from veritas.approvals._gate_cases import OPTIONS
from veritas.claims.judgment import Judgment
from veritas.server.pages import answers
from veritas.use_cases.run_states import load_run


def test_an_answer_has_the_passage_tier_judge_and_day_behind_each_reference(opened: Opened, finished: str) -> None:
    page = opened(f"/runs/{finished}")
    assert page.texts("h1") == [QUESTION]
    shown = {attributes["id"] for _, attributes, _ in page.elements if "id" in attributes}
    marks = page.all("a", class_="cite")
    assert marks
    for attributes, _ in marks:
        claims = attributes["data-evidence"].replace("+", " ").split()
        assert claims
        assert set(claims) <= shown
    assert any("The Borealis pump needs no oil" in text for text in page.texts("mark"))
    assert any("tier 1" in text and "fetched" in text for text in page.texts("figcaption"))
    assert any("by embedded" in text or "(embedded" in text for text in page.texts("span", class_="by"))
    exports = [attributes["href"] for attributes, _ in page.all("a") if "export?" in attributes.get("href", "")]
    assert f"/api/v1/runs/{finished}/export?format=html" in exports


def test_a_kept_page_is_that_of_the_run_as_it_is_now(
    opened: Opened, finished: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = opened(f"/runs/{finished}").source
    assert opened(f"/runs/{finished}").source == first
    other = load_run(finished)
    other = other.model_copy(update={"run": other.run.model_copy(update={"question": "Settled since?"})})
    monkeypatch.setattr(answers, "load_run", lambda *given, **named: other)
    assert "Settled since?" in opened(f"/runs/{finished}").source


# -- checks


# -- approvals


def case_of_a_claim() -> approvals.Approval:
    said = Judgment(label="unavailable", score=0, rationale=f"timed out {HOSTILE}", lens="judge", family="x")
    case = approvals.Case(
        claim=f"The pump needs oil {HOSTILE}", question="Does it?", judgments=(said,),
        passages=(approvals.CasePassage(text=f"It needs oil. {HOSTILE}", source="Manual", url="javascript:alert(1)"),),
    )  # fmt: skip
    sentence = "You probably expected this claim in the answer; it was left out; override with: veritas approve d-1"
    until = datetime.now(UTC) + timedelta(days=1)
    asked = approvals.ask(
        "citation", "n-1", sentence, case, decision_id="d-1", options=OPTIONS, expires_at=until
    )
    return asyncio.run(asked)


def test_a_case_shows_all_that_a_decision_needs_and_is_decided(browse: Callable[..., Any], opened: Opened) -> None:
    asked = case_of_a_claim()
    inbox = opened("/approvals")
    check_frame(inbox)
    assert "You probably expected" in inbox.text
    page = opened(f"/approvals/{asked.approval_id}")
    check_frame(page)
    assert "You probably expected" in page.texts("p", class_="finding")[0]
    assert page.texts("p", class_="finding")[0].endswith("it was left out."), "buttons settle it here, and no command"
    ways = [option.split(":")[0] for option in page.texts("li") if option in OPTIONS]
    assert [*page.texts("button", name="verdict"), "Do nothing"] == [way.capitalize() for way in ways]
    assert {"The pump", "It"} <= set(page.texts("mark")), "where claim and passage differ"
    assert "timed out" in page.text
    (seen, _) = page.all("input", name="seen")[0]
    fields = {"name": "Ada Lovelace", "reason": "Page 3 says so.", "verdict": "approve", "seen": seen["value"]}
    lacking = Page(browse().post(f"/approvals/{asked.approval_id}", data={**fields, "name": ""}))
    assert "name" in lacking.texts("p", role="alert")[0]
    assert lacking.texts("textarea", id="reason") == ["Page 3 says so."]
    other = Page(browse().post(f"/approvals/{asked.approval_id}", data={**fields, "seen": "0" * 64}))
    assert "not the one that you read" in other.texts("p", role="alert")[0]
    assert approvals.find(asked.approval_id).state() == "pending"
    assert browse().post(f"/approvals/{asked.approval_id}", data=fields).status_code == 303
    decided = approvals.find(asked.approval_id)
    assert [each.name for each in decided.decisions] == ["Ada Lovelace"]
    assert opened("/approvals").all("li", class_="none")
    assert "Ada Lovelace" in opened(f"/approvals/{asked.approval_id}").text


def test_whoever_may_not_approve_sees_a_case_and_cannot_decide_it(browse: Callable[..., Any], opened: Opened) -> None:
    asked = case_of_a_claim()
    page = opened(f"/approvals/{asked.approval_id}", "run")
    assert "needs a token with the role approve" in page.text
    assert not page.all("form", method="post")
    assert browse("run").post(f"/approvals/{asked.approval_id}", data={"verdict": "approve"}).status_code == 403
    assert approvals.find(asked.approval_id).state() == "pending"
