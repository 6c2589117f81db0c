"""`veritas` as a program whose registries are on loopback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.citations.registry_server import RegistryServer


def veritas(
    server: RegistryServer, folder: Path, *arguments: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """`veritas ARGUMENTS…` in a folder, which also holds its home; how it ended and what it printed."""
    return subprocess.run(
        [sys.executable, "-m", "veritas", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | server.environment() | {"VERITAS_HOME": str(folder / "home")} | environment,
    )
