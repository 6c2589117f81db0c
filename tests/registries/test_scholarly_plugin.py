"""A source that somebody adds: found by its entry point, asked beside the others, held to the same rules."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

from tests import preloaded
from tests.citations.registry_server import as_json, registry_server
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.judging import verify
from veritas.testing import FakeScholarlySource
from veritas.works.names import PersonName
from veritas.works.records import BibRecord

ROOT = Path(__file__).resolve().parents[2]
RECORD = BibRecord(
    source="fake_index",
    title="Notes on the Grafting of Apple Trees in Cold Valleys",
    authors=(PersonName(family="Holm", given="Ida"),),
    year=2004,
    doi="10.9999/apples",
)
FIELDS = {"title": RECORD.title or "", "author": "Holm, Ida", "year": "2004", "journal": "Valley Papers"}
ENTRY = Entry(file="x.bib", key="holm", line=1, type="article", fields=FIELDS)


def installed_plugin(folder: Path) -> None:
    """The example of docs/plugins.md as an installed package."""
    page = (ROOT / "docs" / "plugins.md").read_text(encoding="utf-8")
    (source,) = re.findall(r"```python\n(# my_index\.py\n.*?)```", page, re.DOTALL)
    (points,) = re.findall(r"```toml\n\[project\.entry-points\.\"(veritas\.scholarly_source)\"\]\nlibrary", page)
    (folder / "my_index.py").write_text(source, encoding="utf-8")
    info = folder / "my_index-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-index\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[{points}]\nlibrary = my_index:LibraryIndex\n", encoding="utf-8")


def test_an_installed_source_confirms_what_no_registry_has(tmp_path: Path) -> None:
    elsewhere = tmp_path / "site"
    elsewhere.mkdir()
    installed_plugin(elsewhere)
    ours = {"title": RECORD.title, "authors": ["Ida Holm"], "year": 2004, "doi": "10.9999/apples"}
    with registry_server() as server:
        server.faults["library"] = lambda path: as_json([ours] if "/search" in path else ours)
        lines = [f"  {name}:\n    url: {entry.url}" for name, entry in server.policy().sources.items()]
        lines.append(f"  library:\n    url: {server.url}/library")
        (tmp_path / "policy.yaml").write_text("sources:\n" + "\n".join(lines) + "\nbackoff: 0.01\n", encoding="utf-8")
        fields = ",\n".join(f"{name} = {{{value}}}" for name, value in FIELDS.items())
        (tmp_path / "refs.bib").write_text(f"@article{{holm,\n{fields}}}\n", encoding="utf-8")

        def bib(path: Path | None) -> subprocess.CompletedProcess[str]:
            more = {"PYTHONPATH": str(path)} if path else {}
            command = ["-m", "veritas", "bib", "refs.bib", "--policy", "policy.yaml", "--json", "-q"]
            return preloaded.run(command, cwd=tmp_path, env=os.environ | more)

        done = bib(elsewhere)
        assert done.returncode == 0, done.stderr
        (said,) = json.loads(done.stdout)["entries"]
        assert (said["verdict"], said["evidence"][0]["source"]) == ("verified", "library")
        absent = bib(None)
        assert absent.returncode == 2
        assert "library" in absent.stderr


async def test_an_outage_of_an_added_source_accuses_nobody() -> None:
    with registry_server() as server:
        fake = FakeScholarlySource(name="crossref", problem="is asleep")
        judged = (await verify([ENTRY], server.registries(local=[fake])))[0]
        assert judged.verdict.value == "unavailable"
