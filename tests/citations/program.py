"""`veritas` with its registries on loopback."""

from __future__ import annotations

from pathlib import Path
from subprocess import CompletedProcess

from tests import in_process
from tests.citations.registry_server import RegistryServer


def veritas(server: RegistryServer, folder: Path, *arguments: str, **environment: str) -> CompletedProcess[str]:
    """`veritas ARGUMENTS…` in a folder, which also holds its home; how it ended and what it printed."""
    settings = server.environment() | {"VERITAS_HOME": str(folder / "home")} | environment
    ended = in_process.veritas(*arguments, cwd=folder, environment=settings)
    return CompletedProcess(ended.args, ended.returncode, ended.stdout.decode(), ended.stderr.decode())
