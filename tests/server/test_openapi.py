"""The description of the interface: a client made from it alone asks, and knows every answer that it gets."""

from __future__ import annotations

import re
from typing import Any

import jsonschema
import pytest
from starlette.testclient import TestClient

from tests.pumps import QUESTION


class Client:
    """A client generated from the description: a method for each operation, whose answers are checked against it."""

    def __init__(self, http: TestClient, described: dict[str, Any]) -> None:
        self._http, self._described = http, described
        self.operations = {
            each["operationId"]: (method, path, each)
            for path, methods in described["paths"].items()
            for method, each in methods.items()
        }

    def __call__(self, operation: str, body: object = None, **given: str) -> tuple[int, Any]:
        method, path, known = self.operations[operation]
        places = {each["name"]: each["in"] for each in known.get("parameters", ())}
        assert set(given) <= set(places)
        query = {name: value for name, value in given.items() if places[name] == "query"}
        answer = self._http.request(method, path.format(**given), params=query, json=body)
        (kind, media), *_ = known["responses"][str(answer.status_code)].get("content", {"": {}}).items()
        assert answer.headers.get("content-type", "").split(";")[0] == kind
        said = answer.json()
        schema = {**media["schema"], "components": self._described["components"]}
        jsonschema.Draft202012Validator(schema).validate(said)
        return answer.status_code, said


@pytest.fixture
def made(client: TestClient) -> Client:
    return Client(client, client.get("/api/v1/openapi.json").json())


def test_every_operation_has_a_name_a_token_and_its_problems(made: Client) -> None:
    document = made._described
    assert document["components"]["securitySchemes"] == {"token": {"type": "http", "scheme": "bearer"}}
    assert document["security"] == [{"token": []}]
    names = [each["operationId"] for methods in document["paths"].values() for each in methods.values()]
    assert len(names) == len(set(names))
    for name, (_, path, operation) in made.operations.items():
        assert re.fullmatch("[a-z]+(_[a-z]+){1,4}", name)
        needed = {"401", "403", "422", "429", "500", "503"} | ({"404", "409"} if "{" in path else set())
        assert needed <= set(operation["responses"]), name
        for status, answer in operation["responses"].items():
            assert int(status) < 400 or list(answer["content"]) == ["application/problem+json"]


@pytest.mark.usefixtures("no_process")
def test_a_client_made_of_the_description_goes_all_the_way(made: Client, finished: str) -> None:
    status, begun = made("runs_begin", {"question": QUESTION, "corpus": ["library/pumps.jsonl"], "tier": "quick"})
    assert (status, begun["state"]) == (202, "queued")
    assert made("runs_state", run=begun["run_id"])[1]["state"] == "queued"
    assert {run["run_id"] for run in made("runs_listed", limit="5")[1]["runs"]} == {begun["run_id"], finished}
    assert made("runs_answer", run=finished)[1]["status"] == "answered"
    assert made("runs_answer", run=begun["run_id"])[0] == 409
    assert made("runs_cancel", run=begun["run_id"])[0] == 202
    assert made("checks_tier", url="https://arxiv.org/abs/1706.03762")[1]["tier"] == 1
    assert made("runs_begin", {"question": 3})[0] == 422


ABSENT = (
    ("runs_state", {"run": "nope"}), ("work_state", {"work": "nope"}), ("papers_show", {"audit": "nope"}),
    ("reviews_described", {"name": "nope"}), ("reviews_show", {"review": "nope"}),
    ("living_questions_remove", {"name": "nope"}), ("approvals_show", {"approval": "nope"}),
    ("uploads_remove", {"upload": "0" * 16}),
)  # fmt: skip


@pytest.mark.parametrize(("operation", "given"), ABSENT, ids=[name for name, _ in ABSENT])
def test_what_is_not_there_is_answered_with_404(made: Client, operation: str, given: dict[str, str]) -> None:
    assert made(operation, **given)[0] == 404
