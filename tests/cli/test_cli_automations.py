"""`veritas automations` as a program: a server that is not named, or not there."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest


@pytest.mark.parametrize("command", ["install", "sweep"])
def test_without_a_server_it_says_what_is_missing(command: str) -> None:
    for server, code, said in ((None, 2, "PREFECT_API_URL names no server"), ("http://127.0.0.1:9/api", 3, "server")):
        environment = {**os.environ, **({"PREFECT_API_URL": server} if server else {})}
        ended = subprocess.run(
            [sys.executable, "-m", "veritas", "automations", command],
            env={**environment, "PREFECT_CLIENT_MAX_RETRIES": "0"}, capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert ended.returncode == code, ended.stderr
        assert said in ended.stderr
        assert ended.stdout == ""
        assert "Traceback" not in ended.stderr
