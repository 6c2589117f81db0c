"""`veritas audit` as a program: documents, reports, patches and exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from tests.citations.program import veritas
from tests.citations.registry_server import FAULTS, Work, registry_server
from tests.citations.test_auditing import DOI, WORK, put


def test_findings_outages_and_peace_have_their_exit_codes(tmp_path: Path) -> None:
    put(tmp_path)
    with registry_server(WORK) as server:
        done = veritas(server, tmp_path, "audit")
        assert (done.returncode, done.stdout) == (0, "")
        server.works.append(Work(title="Notice", doi="10.1234/n", updates=({"DOI": DOI, "type": "retraction"},)))
        done = veritas(server, tmp_path, "audit", "--json", "--report", "r.html", "--diff", "r.diff", "-q")
        assert done.returncode == 1, done.stderr
        document = json.loads(done.stdout)
        assert (document["ok"], document["complete"]) == (False, True)
        assert document["artifacts"][0]["findings"][0]["drift"] == "retracted"
        assert "retracted" in (tmp_path / "r.html").read_text(encoding="utf-8")
        assert "+standing: retracted" in (tmp_path / "r.diff").read_text(encoding="utf-8")
        server.works.pop()
        server.faults["crossref"] = FAULTS["429 for hours"]
        done = veritas(server, tmp_path, "audit")
        assert done.returncode == 3
        assert "not known" in done.stdout
        assert veritas(server, tmp_path, "audit", "elsewhere").returncode == 2


def test_an_audit_of_nothing_is_no_peace(tmp_path: Path) -> None:
    with registry_server(WORK) as server:
        for folder in (tmp_path, tmp_path / "nowhere"):
            done = veritas(server, folder if folder.exists() else tmp_path, "audit", str(folder), "--json")
            assert (done.returncode, done.stdout) == (2, "")
            assert "nothing to audit" in done.stderr
        (tmp_path / "docs" / "citations").mkdir(parents=True)
        (tmp_path / "docs" / "citations" / "README.md").write_text("# Citations", encoding="utf-8")
        done = veritas(server, tmp_path, "audit")
        assert done.returncode == 2
        assert "nothing to audit" in done.stderr
