"""`veritas audit` as a program: documents, reports, patches and exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.citations.registry_server import FAULTS, RegistryServer, Work, registry_server
from tests.citations.test_auditing import DOI, WORK, put


def veritas(server: RegistryServer, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "veritas", "audit", *arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | server.environment() | {"VERITAS_HOME": str(cwd / "home")},
    )


def test_findings_outages_and_peace_have_their_exit_codes(tmp_path: Path) -> None:
    put(tmp_path)
    with registry_server(WORK) as server:
        done = veritas(server, tmp_path)
        assert (done.returncode, done.stdout) == (0, "")
        server.works.append(Work(title="Notice", doi="10.1234/n", updates=({"DOI": DOI, "type": "retraction"},)))
        done = veritas(server, tmp_path, "--json", "--report", "r.html", "--diff", "r.diff", "-q")
        assert done.returncode == 1, done.stderr
        document = json.loads(done.stdout)
        assert (document["ok"], document["complete"]) == (False, True)
        assert document["artifacts"][0]["findings"][0]["drift"] == "retracted"
        assert "retracted" in (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "+standing: retracted" in (tmp_path / "r.diff").read_text(encoding="utf-8")
        server.works.pop()
        server.faults["crossref"] = FAULTS["429 for hours"]
        done = veritas(server, tmp_path)
        assert done.returncode == 3
        assert "not known" in done.stdout
        assert veritas(server, tmp_path, "elsewhere").returncode == 2
