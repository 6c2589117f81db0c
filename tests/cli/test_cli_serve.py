"""`veritas serve`: a real server that is stopped while a run goes on, and the tokens that it takes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import httpx

from tests.cli.conftest import Veritas
from tests.pumps import QUESTION
from veritas.use_cases import background, events


def test_a_run_goes_on_when_the_server_is_stopped_and_nothing_of_it_is_lost(corpus: Path, own_home: Path) -> None:
    """A server's process, and that of a run, which outlives it."""
    log = corpus.parent / "serve.log"
    command = [sys.executable, "-m", "veritas", "serve", "--port", "0", "--no-browser", "--root", str(corpus.parent)]
    with log.open("wb") as out:
        server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, env={**os.environ})
    with server, ExitStack() as cleanup:
        cleanup.callback(server.kill)
        assert server.stdout is not None
        line = server.stdout.readline().decode()
        found = re.search(r"(http://127\.0\.0\.1:\d+)/\?token=(\S+)", line)
        assert found, line + log.read_text()
        assert found[2] not in "".join(path.read_text("utf-8", "replace") for path in own_home.rglob("*.json"))
        # Said when a request is answered at once: nothing is loaded after it.
        begun_at = time.monotonic()
        assert httpx.get(f"{found[1]}/healthz", trust_env=False).status_code == 200
        assert time.monotonic() - begun_at < 1
        client = httpx.Client(
            base_url=found[1], headers={"Authorization": f"Bearer {found[2]}"}, trust_env=False, timeout=60
        )
        with client:
            asked = {"question": QUESTION, "corpus": [corpus.name], "tier": "quick"}
            begun = client.post("/api/v1/runs", json=asked)
            assert begun.status_code == 202, begun.text
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) in (0, -signal.SIGTERM), log.read_text()

    async def heard() -> list[events.Told]:
        return [told async for told in background.follow(begun.json()["run_id"])]

    told = asyncio.run(asyncio.wait_for(heard(), 120))
    assert [each.number for each in told] == list(range(1, len(told) + 1))
    assert isinstance(told[-1].event, events.Ended)
    assert told[-1].event.status == "answered"
    assert "Traceback" not in log.read_text()


def test_an_address_that_others_can_reach_has_to_be_meant(veritas: Veritas) -> None:
    for host in ("0.0.0.0", "192.0.2.1", "example.org", "::"):
        ended = veritas("serve", "--host", host, "--no-browser")
        assert (ended.code, "--allow-remote" in ended.err) == (2, True)
        assert "not encrypted" in ended.err
    assert "not a folder" in veritas("serve", "--root", "/no/such/folder", "--no-browser").err


def test_tokens_are_made_listed_and_revoked(veritas: Veritas, own_home: Path) -> None:
    limits = ("--budget", "2.5", "--days", "30")
    made = veritas("serve", "tokens", "add", "--role", "run", "--label", "CI \x1b[2J", *limits)
    token = made.out.strip()
    assert (made.code, len(token)) == (0, 43)
    listed = veritas("serve", "tokens", "list").out
    assert token not in listed
    assert "run" in listed
    assert "2.5 USD" in listed
    assert "\x1b" not in listed
    name = listed.split()[0]
    assert veritas("serve", "tokens", "revoke", name).code == 0
    assert veritas("serve", "tokens", "list").out == ""
    assert veritas("serve", "tokens", "revoke", name).code == 2
    assert "read, run, approve" in veritas("serve", "tokens", "add", "--role", "admin").err
