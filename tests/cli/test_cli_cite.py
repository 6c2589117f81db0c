"""`veritas cite` as a program, over real HTTP: registries on loopback, papers in a corpus, no page fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.citations.citing.test_citing import ALIE, CLAIM, FLPOISON, FLPOISON_TEXT
from tests.citations.program import veritas
from tests.citations.registry_server import FAULTS, RegistryServer, registry_server


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(ALIE, FLPOISON) as running:
        yield running


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    path = tmp_path / "papers.jsonl"
    path.write_text(json.dumps({"id": "p", "title": FLPOISON.title, "text": FLPOISON_TEXT}) + "\n", encoding="utf-8")
    return path


def test_cite_then_check(server: RegistryServer, tmp_path: Path, paper: Path) -> None:
    done = veritas(server, tmp_path, "cite", CLAIM, "--corpus", str(paper), "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["cited"] is True
    assert document["artifact"] == "docs/citations/2502.03801-zhang-sok.md"
    assert document["citation"].startswith("Heyi Zhang")
    (tmp_path / "a.py").write_text(f"# research(2026-05): FLPoison\n# see {document['artifact']}\n", encoding="utf-8")
    assert veritas(server, tmp_path, "check").returncode == 0
    (tmp_path / document["artifact"]).unlink()
    assert veritas(server, tmp_path, "check").returncode == 1


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["Zebrafish larvae prefer turquoise"], "NoCandidates"),
        (["Bananas are radioactive", "--hint", "arXiv:2502.03801"], "NoSupportingExcerpts"),
        ([CLAIM, "--hint", "Yifei Liu et al., 2025"], "TriangulationConflict"),
    ],
)
def test_refusals_say_why_and_print_no_citation(
    server: RegistryServer, tmp_path: Path, paper: Path, arguments: list[str], refusal: str
) -> None:
    done = veritas(server, tmp_path, "cite", *arguments, "--corpus", str(paper), "--json")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert (document["cited"], document["refusal"]) == (False, refusal)
    assert document["reason"]
    assert "citation" not in document
    assert not (tmp_path / "docs").exists()


def test_an_outage_is_exit_code_three(server: RegistryServer, tmp_path: Path, paper: Path) -> None:
    for name in ("crossref", "openalex", "semantic_scholar", "arxiv", "europepmc", "datacite"):
        server.faults[name] = FAULTS["429 for hours"]
    done = veritas(server, tmp_path, "cite", CLAIM, "--corpus", str(paper))
    assert (done.returncode, done.stdout) == (3, "")
    assert "RetriesExhausted" in done.stderr
    assert "nobody answered: " in done.stderr
    assert all(name in done.stderr for name in ("crossref", "openalex", "arxiv")), "all who were asked are named"
