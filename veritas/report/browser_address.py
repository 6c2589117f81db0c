"""Addresses of reports in a browser, and the serving of the folder of reports."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from veritas.errors import InputError
from veritas.files import write_whole
from veritas.settings import home

VARIABLE = "VERITAS_REPORTS_URL"
"""Variable with the address at which this `VERITAS_HOME`'s reports are served, as in http://reports.example.org."""

_NOTE = ".address"
"""File in the folder with its address, while it is served: for other processes that work in the same home."""

_HEADERS = [
    ("x-content-type-options", "nosniff"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
]


def reports_folder() -> Path:
    """Return the folder of reports, which has a folder for each run."""
    return home() / "reports"


def address_of(report: Path) -> str | None:
    """Return the address of a report's file: below the one that `VERITAS_REPORTS_URL` names, else below that of
    `serving`, while it serves.

    None if reports are not served, or the file is not among them. Raises `InputError` if the variable is no http or
    https address.
    """
    base = os.environ.get(VARIABLE, "").strip() or _served()
    if not base:
        return None
    if not base.startswith(("http://", "https://")):
        raise InputError(f"{VARIABLE} is {base}, and an address beginning with http:// or https:// is needed")
    folder = reports_folder().resolve()
    path = report.resolve()
    if not path.is_relative_to(folder):
        return None
    return f"{base.rstrip('/')}/{quote(path.relative_to(folder).as_posix())}"


def _served() -> str:
    try:
        return (reports_folder() / _NOTE).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


@contextmanager
def serving(folder: Path, port: int) -> Iterator[str]:
    """Serve the files below a folder on loopback, read only, while the block runs; yield their address.

    A request that names another host (a web page whose name was pointed here), leads out of the folder by dots or
    links, or asks for a hidden file is refused; there is no listing. `port` 0 takes a free one. Raises `InputError` for
    a port that is taken.
    """
    import uvicorn
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.middleware.trustedhost import TrustedHostMiddleware
    from starlette.routing import Mount
    from starlette.staticfiles import StaticFiles

    class Reports(StaticFiles):
        def get_path(self, scope: MutableMapping[str, Any]) -> str:
            path = super().get_path(scope)
            if any(part.startswith(".") for part in Path(path).parts):
                raise HTTPException(404)
            return path

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
    except OSError as problem:
        listening.close()
        raise InputError(f"port {port}, where reports would be served, is taken ({problem.strerror})") from problem
    site = Starlette(
        routes=[Mount("/", Reports(directory=folder, check_dir=False))],
        middleware=[Middleware(TrustedHostMiddleware, allowed_hosts=["127.0.0.1", "localhost"])],
    )
    config = uvicorn.Config(site, log_level="error", access_log=False, lifespan="off", headers=_HEADERS)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while thread.is_alive() and not server.started:
        time.sleep(0.02)
    address = f"http://127.0.0.1:{listening.getsockname()[1]}"
    try:
        write_whole(folder / _NOTE, address)
        yield address
    finally:
        (folder / _NOTE).unlink(missing_ok=True)
        server.should_exit = True
        thread.join(timeout=5)
        listening.close()
