"""`veritas mcp` as a client starts it: a process that speaks the protocol on its standard streams and nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.in_process import veritas
from tests.pumps import QUESTION
from tests.server.mcp.test_mcp_tools import READ, RUN, told


async def test_a_client_starts_the_command_and_asks_it(project: Path, own_home: Path) -> None:
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "veritas", "mcp", "--root", str(project), "--offline"],
        env={**os.environ, "VERITAS_HOME": str(own_home)}, cwd=project,
    )  # fmt: skip
    heard: list[str | None] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message)

    async with Client(stdio_client(command)) as client:
        assert {tool.name for tool in (await client.list_tools()).tools} == READ | RUN
        asked: dict[str, Any] = {"question": QUESTION, "corpus": [str(project / "pumps.jsonl")]}
        found = told(await client.call_tool("research", asked, progress_callback=hear))
        assert found["status"] == "answered"
        assert told(await client.call_tool("get_run"))["run_id"] == found["run_id"]
    assert any(message and message.startswith("synthesize") for message in heard)


@pytest.mark.parametrize("arguments", [("--root", "no-such-folder"), ("--corpus", "no-such-file")])
def test_wrong_options_are_told_before_anything_is_served(arguments: tuple[str, str]) -> None:
    ended = veritas("mcp", *arguments)
    assert ended.returncode == 2
    assert arguments[1] in ended.stderr.decode()
    assert not ended.stdout
