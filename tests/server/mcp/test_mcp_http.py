"""The same tools over streamable HTTP, in the server's own application: behind its guard, by a token's roles."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.pumps import QUESTION, ROWS
from tests.server.mcp.test_mcp_tools import READ, RUN, text, told
from veritas import InputError
from veritas.server.app import create_app
from veritas.server.mcp.research_tool import begun
from veritas.server.settings import Settings, authorities, named_roots
from veritas.server.tokens import new_token
from veritas.use_cases import background

BASE = "http://127.0.0.1:8765"


class Running:
    """The application in this process."""

    def __init__(self, app: Any, tokens: dict[str, str]) -> None:
        self.app, self.tokens = app, tokens

    def http(self, role: str, **headers: str) -> httpx2.AsyncClient:
        shown = {"Authorization": f"Bearer {self.tokens[role]}"} if role else {}
        transport = httpx2.ASGITransport(self.app)
        return httpx2.AsyncClient(transport=transport, base_url=BASE, headers={**shown, **headers}, timeout=60)

    @asynccontextmanager
    async def client(self, role: str, mode: Any = "auto") -> AsyncIterator[Client]:
        async with (
            self.http(role) as http,
            Client(streamable_http_client(f"{BASE}/mcp", http_client=http), mode=mode) as client,
        ):
            yield client


@asynccontextmanager
async def running(project: Path) -> AsyncIterator[Running]:
    home = project.parent / "veritas-home"
    settings = Settings(home=home, roots=named_roots([project]), authorities=authorities("127.0.0.1", 8765))
    made = {role: new_token(role, [role]) for role in ("read", "run", "approve")}
    app = create_app(settings, [record for _, record in made.values()])
    async with app.router.lifespan_context(app):
        yield Running(app, {role: token for role, (token, _) in made.items()})


async def test_a_token_that_may_run_has_every_tool_in_both_protocols(project: Path) -> None:
    async with running(project) as server:
        for mode in ("auto", "legacy"):
            async with server.client("run", mode) as client:
                assert {tool.name for tool in (await client.list_tools()).tools} == READ | RUN
                claim = {"claim": ROWS[2]["text"], "corpus": ["project/pumps.jsonl"]}
                assert told(await client.call_tool("verify_claim", claim))["verdict"] == "supports"
                absolute = await client.call_tool("verify_claim", {**claim, "corpus": [str(project / "pumps.jsonl")]})
                assert absolute.is_error
                assert str(project) not in text(absolute).replace(f"'{project}/pumps.jsonl'", "")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_token_that_may_read_is_refused_what_runs(project: Path, mode: str) -> None:
    async with running(project) as server, server.client("read", mode) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == READ
        for name in RUN:
            result = await client.call_tool(name, {})
            assert result.is_error
            assert "has not the role 'run'" in text(result)
        told(await client.call_tool("source_tier", {"url": "https://example.org/"}))
        assert (await client.read_resource("veritas://runs")).contents


async def test_nobody_else_reaches_it(project: Path) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    async with running(project) as server:
        for role, headers, status in (
            ("", {}, 401),
            ("approve", {}, 403),
            ("run", {"Host": "evil.example"}, 421),
            ("run", {"Origin": "https://evil.example"}, 403),
        ):
            async with server.http(role, **headers) as http:
                assert (await http.post("/mcp", json=call)).status_code == status


async def test_a_session_is_that_of_the_token_that_began_it(project: Path) -> None:
    said = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": said}
    accept = {"Accept": "application/json, text/event-stream"}
    async with running(project) as server, server.http("run", **accept) as own, server.http("read", **accept) as other:
        session = {"mcp-session-id": (await own.post("/mcp", json=call)).headers["mcp-session-id"]}
        assert (await other.delete("/mcp", headers=session)).status_code == 404
        assert (await own.delete("/mcp", headers=session)).status_code == 200


async def test_fifty_calls_at_once_over_http(project: Path) -> None:
    found: list[dict[str, Any]] = []
    async with running(project) as server, server.client("read") as client, anyio.create_task_group() as group:

        async def ask() -> None:
            found.append(told(await client.call_tool("check_text", {"text": "Water [^1].\n"})))

        for _ in range(50):
            group.start_soon(ask)
    assert len(found) == 50


def test_a_token_begins_no_run_that_its_budget_does_not_cover(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_start", lambda *given: False)  # what is begun stays in line
    home = project.parent / "veritas-home"
    here = create_app(Settings(home=home, roots=named_roots([project]))).state.context
    _, poor = new_token("poor", ["run"], budget_usd=1)
    settings: dict[str, Any] = {"question": QUESTION, "corpus": [str(project / "pumps.jsonl")], "budget": None}
    first = begun(here, background.new_id(), settings, poor)
    assert (first.wanted.settings["budget"]["usd"], first.wanted.owner) == (1.0, poor.token_id)
    with pytest.raises(InputError, match="budget of 1 US dollars is used up"):
        begun(here, background.new_id(), settings, poor)
    with pytest.raises(InputError, match="its own runs"):
        begun(here, "of-others", None, poor)
