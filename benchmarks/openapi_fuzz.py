"""Send thousands of made-up requests to a server, after its OpenAPI document, and count answers that blame the server.

    pip install schemathesis     # into an environment of its own: it is no dependency of VERITAS
    python benchmarks/openapi_fuzz.py --schemathesis PATH/OF/schemathesis --requests 10000

The store has one finished run. Runs are begun but never carried out. Exit code 1 if any answer was 500 or above, or if
fewer requests than asked for were sent.
"""

from __future__ import annotations

import argparse
import os
import socket
import subprocess
import tempfile
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import uvicorn

import veritas
from veritas.server.app import create_app
from veritas.server.settings import Settings, authorities
from veritas.server.tokens import ROLES, new_token
from veritas.use_cases import background

ROOT = Path(__file__).resolve().parents[1]


class Counting:
    """An ASGI application that counts the answers of another by status, and keeps the requests that failed it."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.statuses: Counter[int] = Counter()
        self.failed: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def counted(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.statuses[message["status"]] += 1
                if message["status"] >= 500:
                    query = scope["query_string"].decode("latin-1")
                    self.failed.append(f"{message['status']} {scope['method']} {scope['path']}?{query}")
            await send(message)

        await self._app(scope, receive, counted if scope["type"] == "http" else send)


def main() -> int:
    """Run the fuzzer over a server on this machine; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--schemathesis", default="schemathesis", help="the program, if it is not on the path")
    parser.add_argument("--requests", type=int, default=10_000, help="least number of requests")
    parser.add_argument("--examples", type=int, default=100, help="cases an operation, in each phase")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    background._start = lambda *job: False  # type: ignore[assignment]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["VERITAS_HOME"] = str(Path(folder) / "store")
        corpus = ROOT / "examples" / "documents"
        run = veritas.research("How is a claim verified?", corpus=corpus, tier="quick").run.run_id
        token, record = new_token("fuzzer", ROLES)
        with socket.create_server(("127.0.0.1", 0)) as listening:
            port = listening.getsockname()[1]
            settings = Settings(
                home=Path(folder) / "store", roots={"documents": corpus}, authorities=authorities("127.0.0.1", port),
                burst=10**9, requests_per_second=10**6, wrong_tokens=10**9,
            )  # fmt: skip
            app = Counting(create_app(settings, [record]))
            server = uvicorn.Server(uvicorn.Config(app, log_level="error", access_log=False))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
            thread.start()
            base = f"http://127.0.0.1:{port}"
            for turn in range(20):
                command = [
                    given.schemathesis, "run", f"{base}/api/v1/openapi.json", "-H", f"Authorization: Bearer {token}",
                    "--checks", "not_a_server_error", "--max-examples", str(given.examples), "--seed",
                    str(given.seed + turn), "--continue-on-failure", "--warnings", "off", "--no-color",
                    "--request-timeout", "60", "--wait-for-schema", "60",
                ]  # fmt: skip
                subprocess.run(command, cwd=folder, check=False, stdout=subprocess.DEVNULL)
                print(f"{app.statuses.total():,} requests, by status: {dict(sorted(app.statuses.items()))}", flush=True)
                if app.statuses.total() >= given.requests or not app.statuses:
                    break
            server.should_exit = True
            thread.join(timeout=30)
    print(f"run {run}; answers of 500 and above: {len(app.failed)}")
    for line in sorted(set(app.failed))[:50]:
        print(" ", line)
    return int(bool(app.failed) or app.statuses.total() < given.requests)


if __name__ == "__main__":
    raise SystemExit(main())
