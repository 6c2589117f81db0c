"""What tasks and forms decide by themselves, without a server: what is tried again, what is sent, what is taken."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from prefect.client.schemas.objects import StateType
from prefect.states import State

from tests.approvals.test_approvals import put
from veritas import approvals
from veritas.engine.units import UnitFailed
from veritas.errors import Unavailable
from veritas.store.call_record import Outcome
from veritas_flows.waiting import form, take
from veritas_tasks.task_work import may_pass
from veritas_tasks.to_server import _without_keys

KEY = "sk-live-7Qw9Zr2YxLm4Np8Tb6Vc1"


@pytest.mark.parametrize(
    ("error", "again"),
    [
        (UnitFailed("it did not answer", Outcome(None, "x")), True),
        (UnitFailed("the account is closed", Outcome(None, "x"), may_pass=False), False),
        (Unavailable("of no unit"), False),
        (ValueError("a defect"), False),
    ],
)
async def test_only_what_may_pass_is_tried_again(error: Exception, again: bool) -> None:
    no: Any = None  # the task and its run decide nothing
    assert await may_pass(no, no, State(type=StateType.FAILED, data=error)) is again


def test_what_is_sent_to_a_server_holds_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    plain = httpx.Request("POST", "http://127.0.0.1/logs", json={"message": "nothing of it"})
    assert _without_keys(plain) is plain
    sent = _without_keys(httpx.Request("POST", "http://127.0.0.1/logs", json={"message": f"refused: {KEY}"}))
    assert json.loads(sent.content) == {"message": "refused: OPENAI_API_KEY-withheld"}
    assert sent.headers["content-length"] == str(len(sent.content))


@pytest.mark.parametrize(
    ("name", "reason", "fault"),
    [
        ("", "page 3", "give the name of the person who decides"),
        ("Ada", "", "let in without a reason"),
        ("Ada", " . ", "let in without a reason"),
        ("Ada", "page 3", ""),
    ],
)
def test_a_form_lets_a_finding_in_with_a_name_and_a_reason_alone(name: str, reason: str, fault: str) -> None:
    asked = put()
    sent = form([asked])(name=name, let_in_1=True, reason_1=reason)  # type: ignore[call-arg]
    said = take(sent, [asked])
    assert fault in said
    assert bool(said) == bool(fault)
    assert approvals.find(asked.approval_id).state() == ("pending" if fault else "approved")
