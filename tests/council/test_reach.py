"""Whether a model can be reached: what is certain is told apart from what could not be found out, at no cost."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator

import pytest

from tests.loopback.server import Loopback, Reply, fault
from veritas.council.model_reach import Reached, reach
from veritas.policy.council_policy import ModelPolicy

KEY = "sk-live-0123456789abcdef"


@pytest.fixture
def closed() -> Iterator[str]:
    """A base URL at which nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}/v1"


async def asked(url: str, model: str = "openai/house", **more: str) -> Reached:
    policy = ModelPolicy(name="red", model=model, base_url=url, **more)  # type: ignore[arg-type]
    (found,) = await reach([policy], {"MY_KEY": KEY})
    return found


CERTAIN = {
    "401": fault(401, f"Incorrect API key provided: {KEY}"),
    "401 with another name for it": fault(401, "invalid x-api-key"),
    "401 without a key": fault(401, "You didn't provide an API key. Put it into an Authorization header."),
    "401 with a key of old": fault(401, "Your API key has expired"),
    "400 of a house that says so to a wrong key": fault(400, "API key not valid. Please pass a valid API key."),
}
UNSURE = {
    "no such route": Reply(status=404, text="not here"),
    "asked too often": fault(429, "slow down"),
    "a captive portal elsewhere": Reply(status=302, headers={"Location": "http://127.0.0.1/login"}),
    "rubbish in the list": Reply(text='{"data": {"id": 3}, "models": 7}'),
    "a key that may not list models": fault(403, "This key is not authorized to list models"),
    "a gateway that lets no such request through": Reply(
        status=401, text="Forbidden by gateway: GET not allowed", headers={"Content-Type": "text/plain"}
    ),
    "403 for whatever reason": fault(403, "Incorrect API key provided"),
    "401 for another reason": fault(401, "this account is closed"),
}


@pytest.mark.parametrize("how", CERTAIN)
async def test_refused_key_is_certain_and_named_with_what_mends_it_and_not_printed(server: Loopback, how: str) -> None:
    server.listing = CERTAIN[how]
    found = await asked(server.url, key="MY_KEY")
    assert found.ok is False
    assert "refuses the key" in found.detail
    assert json.loads(CERTAIN[how].raw or b"{}")["error"]["message"][:12] in found.detail
    assert KEY not in found.detail + found.mend
    assert "set MY_KEY" in found.mend


@pytest.mark.parametrize("how", UNSURE)
async def test_what_could_not_be_found_out_is_never_dead(server: Loopback, how: str) -> None:
    server.listing = UNSURE[how]
    assert (await asked(server.url)).ok is not False


async def test_closed_port_is_certain_and_an_address_without_its_password(closed: str) -> None:
    found = await asked(closed.replace("127.0.0.1", f"me:{KEY}@127.0.0.1"))
    assert found.ok is False
    assert "connection is refused" in found.detail
    assert KEY not in found.detail + found.mend
    assert "start the server" in found.mend
    assert "ollama serve" in (await asked(closed, "ollama_chat/qwen3:8b")).mend


async def test_servers_that_hang_are_waited_for_two_seconds_together(server: Loopback) -> None:
    server.listing = Reply(text="{}", seconds=4)
    policies = [ModelPolicy(name=f"m{i}", model="openai/x", base_url=f"{server.url}/{i}") for i in range(4)]
    before = time.monotonic()
    found = await reach(policies, {})
    assert time.monotonic() - before < 4  # one after the other they would take eight, or sixteen
    assert {f.ok for f in found} == {None}


@pytest.mark.parametrize(
    ("model", "served", "ok"),
    [
        ("ollama_chat/llama3.1", "llama3.1:latest", True),
        ("ollama_chat/llama3.1:8b", "llama3.1:70b", False),
        ("hosted_vllm/a", "b", False),
        ("openai/a", "b", None),  # one that has one model may take any name for it
        ("openai/default", "b", True),
        ("openai/a", "openai/*", True),
    ],
)
async def test_model_that_is_not_served_is_certain_only_where_a_server_serves_what_it_lists(
    server: Loopback, model: str, served: str, ok: bool | None
) -> None:
    server.listing = Reply(text=json.dumps({"data": [{"id": served}], "models": [{"name": served}]}))
    found = await asked(server.url, model)
    assert found.ok is ok
    if model.startswith("ollama") and not ok:
        assert found.mend == "ollama pull llama3.1:8b"


async def test_names_in_a_list_drive_no_terminal_and_forge_no_line(server: Loopback) -> None:
    forged = "\x1b[2J\x1b[32mVERITAS: ok\n2026-01-01 | INFO | approved" + "x" * 5_000
    listing = {"data": [{"id": forged}, {"id": {"a": 1}}, {"id": 5}, None]}
    server.listing = Reply(text=json.dumps(listing))
    try:
        found = await asked(server.url)
    finally:
        server.listing = None
    assert found.detail.startswith("it serves “⟦U+001B⟧[2J")
    assert found.detail.isprintable()
    assert len(found.detail) < 300
