"""Prefect's own processes as a user starts them: a server, a deploy, a worker, each with its log."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).resolve().parents[2]


def free_port() -> int:
    """A port of loopback that nobody listens on just now, nor on the next one, where `veritas up` serves reports.

    Below 32,768: the ports above are given to every connection that this machine opens, so that one that is free now
    may be taken before a server has it.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        try:
            with socket.socket() as one, socket.socket() as next_one:
                one.bind(("127.0.0.1", port))
                next_one.bind(("127.0.0.1", port + 1))
        except OSError:  # taken
            continue
        return port


def environment(folder: Path, port: int, more: Mapping[str, str] | None = None) -> dict[str, str]:
    """The environment of everything that speaks to the server on `port`, whose data lie in `folder`."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("VERITAS_", "PREFECT_"))}
    return given | {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        **(more or {}),
    }


@contextmanager
def running(
    command: list[str], env: Mapping[str, str], log: Path, cwd: Path = ROOT
) -> Iterator[subprocess.Popen[bytes]]:
    """The command beside us, its output in `log`; it ends by Ctrl-C as a user's would."""
    with log.open("ab") as out:
        process = subprocess.Popen(command, env=dict(env), cwd=cwd, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def wait_healthy(env: Mapping[str, str], process: subprocess.Popen[bytes], log: Path, patience: float = 120) -> None:
    """Returns when the server of `env` answers."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        if process.poll() is not None:
            break
        try:
            if httpx.get(f"{env['PREFECT_API_URL']}/health", timeout=2, trust_env=False).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.3)
    raise RuntimeError(f"the server does not answer:\n{log.read_text(errors='replace')[-3000:]}")


@contextmanager
def prefect_server(folder: Path, more: Mapping[str, str] | None = None) -> Iterator[dict[str, str]]:
    """A server started by Prefect's own command; yields the environment to speak to it, its log at server.log."""
    port = free_port()
    env = environment(folder, port, more)
    folder.mkdir(parents=True, exist_ok=True)
    command = ["prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port)]
    with running(command, env, folder / "server.log") as server:
        wait_healthy(env, server, folder / "server.log")
        yield env


def prefect(env: Mapping[str, str], *arguments: str, cwd: Path = ROOT) -> str:
    """What the command printed. Raises when it fails."""
    ended = subprocess.run(
        ["prefect", *arguments], env=dict(env), cwd=cwd, capture_output=True, text=True, timeout=180
    )
    if ended.returncode != 0:
        raise RuntimeError(f"prefect {' '.join(arguments)}: {ended.stdout}{ended.stderr}")
    return ended.stdout
