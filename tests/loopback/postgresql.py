"""A PostgreSQL server of Debian's package on loopback, in a folder of its own, until it is stopped."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.loopback.prefect_processes import free_port

PASSWORD = "pa:ss@w/rd%1"
"""With every character that has a meaning in a URL."""
ENCODED = "pa%3Ass%40w%2Frd%251"


def binaries() -> Path | None:
    """The folder of the newest PostgreSQL that is installed; None when there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    return found[-1].parent if found else None


@contextmanager
def postgresql() -> Iterator[str]:
    """The URL of an empty database `prefect`, with user and password. The server does not run as root."""
    at = binaries()
    if at is None:
        raise RuntimeError("PostgreSQL is not installed: apt-get install postgresql")
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="postgresql-"))
    password, data, port = folder / "password", folder / "data", free_port()
    password.write_text(PASSWORD, encoding="utf-8")
    if as_user:
        for path in (folder, password):
            shutil.chown(path, "postgres")

    def run(*command: str) -> None:
        subprocess.run([*as_user, *command], check=True, capture_output=True, cwd="/", timeout=120)

    try:
        run(f"{at}/initdb", "-D", str(data), "-A", "scram-sha-256", "-U", "prefect", "--pwfile", str(password))
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1"
        run(f"{at}/pg_ctl", "-D", str(data), "-w", "-o", options, "-l", str(folder / "log"), "start")
        try:
            subprocess.run(
                [f"{at}/createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "prefect", "prefect"],
                env={**os.environ, "PGPASSWORD": PASSWORD}, check=True, capture_output=True, timeout=60,
            )  # fmt: skip
            yield f"postgresql://prefect:{ENCODED}@127.0.0.1:{port}/prefect"
        finally:
            run(f"{at}/pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
