"""`veritas automations` as a program: a server that is not named, or not there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("command", "server", "code", "said"),
    [
        ("install", None, 2, "PREFECT_API_URL names no server"),
        ("sweep", None, 2, "PREFECT_API_URL names no server"),
        ("install", "http://127.0.0.1:9/api", 3, "the Prefect server at http://127.0.0.1:9/api did not do it"),
    ],
)
def test_without_a_server_it_says_what_is_missing(command: str, server: str | None, code: int, said: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "veritas", "automations", command],
        env={**os.environ, **({"PREFECT_API_URL": server} if server else {})},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert ended.returncode == code, ended.stderr
    assert said in ended.stderr
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
