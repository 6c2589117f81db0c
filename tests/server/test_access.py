"""Who may do what: every route needs its role, and no page of another site gets through."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute, iter_route_contexts
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from tests.server.conftest import AUTHORITY, Called, detail
from veritas.errors import InputError
from veritas.server.access import Needs
from veritas.server.app import close_to_others, create_app
from veritas.server.context import Metrics
from veritas.server.guard import Guard
from veritas.server.settings import Settings, check_folders
from veritas.server.tokens import Keeper, Role, Token, new_token

OPEN = {"/healthz", "/readyz", "/static/{digest}/{name}"}
"""Routes that need no token: they tell nothing of the store."""


def roles_of(dependant: Dependant) -> set[Role]:
    own = {dependant.call.role} if isinstance(dependant.call, Needs) else set()
    return own.union(*(roles_of(each) for each in dependant.dependencies))


def every(app: FastAPI) -> list[tuple[str, str, Role | None]]:
    """Method, path and role of every route of the application."""
    found = []
    for route in iter_route_contexts(app.routes):
        assert isinstance(route.original_route, APIRoute), f"{route.path} is checked by nobody"
        needed = roles_of(route.dependant)
        assert len(needed) == (0 if route.path in OPEN else 1), f"{route.path} needs {needed or 'no role'}"
        found += [(method, str(route.path), next(iter(needed), None)) for method in route.methods or ()]
    return found


@pytest.mark.usefixtures("no_process")
def test_every_route_refuses_whoever_lacks_its_role_and_nobody_else(app: FastAPI, called: Called) -> None:
    routes = every(app)
    assert {path for _, path, _ in routes} >= set(called("read").get("/api/v1/openapi.json").json()["paths"]) | OPEN
    kinds = {"read": {"read"}, "run": {"read", "run"}, "approve": {"approve"}, None: set[str]()}
    for method, path, role in routes:
        for caller, has in kinds.items():
            status = called(caller).request(method, path).status_code
            refused = 401 if caller is None else 403
            expected = role is not None and role not in has
            assert (status in (401, 403)) == expected, (caller, method, path, status)
            assert not expected or status == refused, (caller, method, path, status)


def test_whoever_may_read_checks_what_asks_nobody_and_stores_nothing(called: Called, settings: Settings) -> None:
    reader, claim = called("read"), "The pump needs no oil."
    judged = {"claim": claim, "passage": claim}
    for path, form in (
        ("judgments", judged), ("verifications", {"claim": claim, "corpus": ["library/pumps.jsonl"]}),
        ("checks", {"text": claim}),
    ):  # fmt: skip
        assert reader.post(f"/api/v1/{path}", json=form).status_code == 200, path
    assert "role run" in detail(reader.post("/api/v1/judgments", json={**judged, "lens": "of a model"}), 403)
    assert reader.post("/check/passage", data=judged).status_code == 200
    for path in ("/ask/forecast", "/check/claim"):
        form = {"question": "What is it?", "claim": claim}
        for sent in ({"files": {"files": ("a.md", b"Water.")}, "data": form}, {"data": {**form, "pasted": "Water."}}):
            assert reader.post(path, **sent).status_code == 403
    assert not (settings.home / "uploads").exists()


def test_nobody_adds_to_an_upload_of_another_token(called: Called) -> None:
    place = "/api/v1/uploads"
    upload = called("run").post(place, params={"name": "a.md"}, content=b"Water.").json()["corpus"].partition(":")[2]
    assert called("run").post(f"{place}/{upload}", params={"name": "b.md"}, content=b"Oil.").status_code == 201
    detail(called("all").post(f"{place}/{upload}", params={"name": "a.md"}, content=b"Fire."), 404)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_other_persons_of_the_machine_read_no_runs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (tmp_path / "shared" / "jobs").mkdir(parents=True)
    for place in (home, tmp_path / "shared"):
        close_to_others(place)
        assert {(place / name).stat().st_mode & 0o077 for name in ("jobs", "runs", "uploads")} == {0}
    assert home.stat().st_mode & 0o077 == 0


def test_a_refusal_tells_the_role_that_is_needed(called: Called) -> None:
    said = detail(called("read").post("/api/v1/runs", json={"question": "What is it?"}), 403)
    assert said == "this needs a token with the role run; yours has read"
    answer = called(None).get("/api/v1/runs")
    assert "Authorization: Bearer" in detail(answer, 401)
    assert answer.headers["www-authenticate"] == "Bearer"


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8765", "127.0.0.1", "127.0.0.1:80", "localhost.evil:8765"]
)
def test_a_host_that_is_not_the_servers_is_not_answered(called: Called, host: str) -> None:
    for path in ("/", "/healthz", "/api/v1/runs", "/static/0/page.css"):
        assert "Host header" in detail(called().get(path, headers={"Host": host}), 421)


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:8766", "http://127.0.0.1:8765.evil"]
)
def test_a_page_of_another_origin_is_not_answered(called: Called, origin: str) -> None:
    for method in ("GET", "POST", "OPTIONS"):
        answer = called().request(method, "/api/v1/runs", headers={"Origin": origin})
        assert "other origins" in detail(answer, 403)
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_the_address_of_the_start_becomes_a_cookie_and_is_taken_out(
    called: Called, tokens: dict[str, tuple[str, Token]]
) -> None:
    client = called(None)
    assert client.get("/").status_code == 401
    answer = client.get("/", params={"token": tokens["all"][0], "q": "a b"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/?q=a+b")
    cookie = answer.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert client.get("/").status_code == 200
    away = called(None).get(f"http://{AUTHORITY}//evil.example/", params={"token": tokens["all"][0]})
    assert away.headers["location"] == "/evil.example/"
    assert called(None).get("/", params={"token": "wrong"}).status_code == 401
    assert called(None).get("/api/v1/runs", params={"token": tokens["all"][0]}).status_code == 401


@pytest.mark.usefixtures("no_process")
def test_with_a_cookie_a_change_needs_the_origin(called: Called, tokens: dict[str, tuple[str, Token]]) -> None:
    client = called(None)
    client.get("/", params={"token": tokens["all"][0]})
    assert "Origin" in detail(client.post("/api/v1/runs", json={"question": "What is it?"}), 403)
    same = {"Origin": f"http://{AUTHORITY}"}
    assert client.post("/api/v1/runs", json={"question": "What is it?"}, headers=same).status_code == 202


def test_tokens_are_kept_as_hashes_in_a_file_of_the_owner_alone(settings: Settings, client: TestClient) -> None:
    keeper = Keeper(settings.home)
    token, record = new_token("Ada", ["read"], budget_usd=2.5, days=1)
    keeper.add(record)
    assert token not in keeper.path.read_text()
    assert keeper.path.stat().st_mode & 0o777 == 0o600
    assert keeper.path.parent.stat().st_mode & 0o777 == 0o700
    bearer = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/v1/runs", headers=bearer).status_code == 200
    assert Keeper(settings.home).revoke(record.token_id[:6]) == record
    assert client.get("/api/v1/runs", headers=bearer).status_code == 401


def test_an_expired_token_opens_nothing(settings: Settings, client: TestClient) -> None:
    token, record = new_token("Ada", ["read"], days=1)
    Keeper(settings.home).add(record.model_copy(update={"expires_at": datetime.now(UTC) - timedelta(seconds=1)}))
    assert client.get("/api/v1/runs", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_a_file_of_tokens_that_cannot_be_read_opens_nothing(settings: Settings, client: TestClient) -> None:
    path = settings.home / "server" / "tokens.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps([{"token_id": "x"}]))
    answer = client.get("/api/v1/runs")
    assert "file of tokens" in detail(answer, 503)
    assert str(settings.home) not in answer.text


@pytest.mark.parametrize(
    "given",
    [{"roles": ["admin"]}, {"roles": []}, {"roles": ["read"], "days": 0}, {"roles": ["read"], "budget_usd": -1}],
)
def test_a_token_of_an_unknown_role_or_limit_is_not_made(given: dict[str, object]) -> None:
    with pytest.raises(InputError):
        new_token("x", **given)  # type: ignore[arg-type]


def test_who_guesses_tokens_has_to_wait(settings: Settings, called: Called) -> None:
    for _ in range(settings.wrong_tokens):
        assert called(None).get("/api/v1/runs", headers={"Authorization": "Bearer guess"}).status_code == 401
    answer = called(None).get("/api/v1/runs", headers={"Authorization": "Bearer guess"})
    assert "too many requests" in detail(answer, 429)
    assert int(answer.headers["retry-after"]) >= 1
    assert called("read").get("/api/v1/runs").status_code == 200  # the same address, and a token that is known


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_page_of_another_site_loads_nothing_and_may_link(called: Called, site: str) -> None:
    image = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"}
    assert "load nothing" in detail(called(None).get("/", params={"token": "guess"}, headers=image), 403)
    frame = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"}
    assert detail(called().get("/", headers=frame), 403)
    link = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    assert called().get("/", headers=link).status_code == 200
    assert called().get("/", headers={**image, "Sec-Fetch-Site": "same-origin"}).status_code == 200


def test_who_asks_too_often_has_to_wait_and_others_need_not(
    tmp_path: Path, tokens: dict[str, tuple[str, Token]]
) -> None:
    settings = Settings(home=tmp_path, authorities=frozenset({AUTHORITY}), burst=5, requests_per_second=0.001)
    app = create_app(settings, [record for _, record in tokens.values()])
    with_token = {name: {"Authorization": f"Bearer {token}"} for name, (token, _) in tokens.items()}
    client = TestClient(app, base_url=f"http://{AUTHORITY}")
    assert [client.get("/healthz", headers=with_token["read"]).status_code for _ in range(6)] == [200] * 5 + [429]
    assert client.get("/healthz", headers=with_token["run"]).status_code == 200


async def test_one_caller_holds_so_many_requests_open_and_no_more(
    tmp_path: Path, tokens: dict[str, tuple[str, Token]]
) -> None:
    begun, held = asyncio.Event(), asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await held.wait()
        await PlainTextResponse("done")(scope, receive, send)

    settings = Settings(home=tmp_path, authorities=frozenset({AUTHORITY}), open_requests=1)
    guard = Guard(slow, settings, Keeper(tmp_path, [record for _, record in tokens.values()]), Metrics())

    async def asked(name: str) -> int:
        transport = httpx.ASGITransport(app=guard)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{AUTHORITY}") as client:
            return (await client.get("/x", headers={"Authorization": f"Bearer {tokens[name][0]}"})).status_code

    first = asyncio.create_task(asked("read"))
    await begun.wait()
    assert await asked("read") == 429
    other = asyncio.create_task(asked("run"))
    held.set()
    assert [await first, await other, await asked("read")] == [200, 200, 200]


async def test_the_body_of_a_stranger_is_not_waited_for(app: FastAPI) -> None:
    async def never() -> AsyncIterator[bytes]:
        yield b"{"
        raise AssertionError("the body was read")

    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://{AUTHORITY}") as client:
        assert "Authorization: Bearer" in detail(await client.post("/api/v1/runs", content=never()), 401)


def test_a_long_request_is_refused_with_and_without_a_length(settings: Settings, client: TestClient) -> None:
    body = b'{"question": "' + b"x" * settings.body_limit + b'"}'
    headers = {"Content-Type": "application/json"}
    assert "longer than" in detail(client.post("/api/v1/runs", content=body, headers=headers), 413)
    pieces = (body[i : i + 100_000] for i in range(0, len(body), 100_000))
    assert "longer than" in detail(client.post("/api/v1/runs", content=pieces, headers=headers), 413)


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/api/v1/uploads?name=a.md", "application/octet-stream"), ("/check", "multipart/form-data; boundary=b")],
)
async def test_a_request_that_is_cut_off_is_no_failure_of_the_server(
    app: FastAPI, tokens: dict[str, tuple[str, Token]], caplog: pytest.LogCaptureFixture, path: str, kind: str
) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nab'
    messages: list[Message] = [
        {"type": "http.request", "body": part, "more_body": True}, {"type": "http.disconnect"},
    ]  # fmt: skip
    sent: list[Message] = []

    async def receive() -> Message:
        return messages.pop(0) if len(messages) > 1 else messages[0]

    async def send(message: Message) -> None:
        sent.append(message)

    name, _, query = path.partition("?")
    token = tokens["run"][0]
    given = {"host": AUTHORITY, "authorization": f"Bearer {token}", "content-type": kind, "content-length": "200"}
    scope = {
        "type": "http", "method": "POST", "path": name, "raw_path": name.encode(), "query_string": query.encode(),
        "root_path": "", "scheme": "http", "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8765),
        "http_version": "1.1", "headers": [(key.encode(), value.encode()) for key, value in given.items()],
        "app": app, "state": {},
    }  # fmt: skip
    await app(scope, receive, send)
    assert not [each for each in sent if each.get("status") == 500]
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


def test_every_answer_has_the_headers_that_keep_strangers_out(called: Called) -> None:
    answers = [
        called().get("/"), called().get("/api/v1/runs"), called(None).get("/api/v1/runs"), called().get("/nowhere"),
        called().get("/", headers={"Host": "evil.example"}),
    ]  # fmt: skip
    for answer in answers:
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        page = answer.headers["content-type"].startswith("text/html")  # its forms have to tell their origin
        assert answer.headers["referrer-policy"] == ("same-origin" if page else "no-referrer")


@pytest.mark.parametrize("name", ["", "server", "jobs", "runs", "uploads"])
def test_a_file_in_the_place_of_a_folder_of_the_store_is_told_at_the_start(own_home: Path, name: str) -> None:
    check_folders(own_home)
    place = own_home / name if name else own_home
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("no folder", encoding="utf-8")
    with pytest.raises(InputError, match=r"is a file, and VERITAS_HOME needs a folder there"):
        check_folders(own_home)
    if not name:
        with pytest.raises(InputError):
            check_folders(own_home / "deeper" / "still")
