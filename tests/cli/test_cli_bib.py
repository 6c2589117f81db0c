"""`veritas bib` as a program: documents, exit codes, fixing, reports, snapshots."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.citations.program import veritas
from tests.citations.registry_server import FAULTS, RegistryServer, Work, crossref, registry_server, semantic_scholar

RESNET = Work(
    title="Deep Residual Learning for Image Recognition",
    authors=("Kaiming He", "Xiangyu Zhang"),
    year=2016,
    doi="10.1109/cvpr.2016.90",
    venue="CVPR",
    kind="proceedings-article",
)
GOOD = (
    "@inproceedings{he, title={Deep Residual Learning for Image Recognition}, "
    "author={He, Kaiming and Zhang, Xiangyu}, booktitle={CVPR}, year={2016}}\n"
)
FAKE = (
    "@article{fake<b>, title={Recursive <script> Gating for Weather Dialogue}, "
    "author={Doe, Jane}, journal={J}, year={2020}}\n"
)


@pytest.fixture
def server() -> Iterator[RegistryServer]:
    with registry_server(RESNET) as running:
        yield running


def test_one_document_with_every_entry_in_order(server: RegistryServer, tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(GOOD + FAKE, encoding="utf-8")
    done = veritas(server, tmp_path, "bib", "refs.bib", "--json", "--sarif", "out.sarif", "--report", "out.html")
    assert done.returncode == 1, done.stderr
    document = json.loads(done.stdout)
    assert [(entry["key"], entry["verdict"]) for entry in document["entries"]] == [
        ("he", "verified"),
        ("fake<b>", "fabricated"),
    ]
    assert document["counts"]["fabricated"] == 1
    assert document["entries"][0]["evidence"][0]["title"] == RESNET.title
    assert {each["source"] for each in document["entries"][1]["searched"]} >= {"crossref", "openalex", "arxiv"}
    results = json.loads((tmp_path / "out.sarif").read_text())["runs"][0]["results"]
    assert [(each["ruleId"], each["level"]) for each in results] == [("veritas/fabricated", "error")]
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert "fake<b>" not in page
    assert "2/2" in done.stderr


def test_exit_codes_tell_findings_from_outages(server: RegistryServer, tmp_path: Path) -> None:
    (tmp_path / "good.bib").write_text(GOOD, encoding="utf-8")
    (tmp_path / "fake.bib").write_text(FAKE, encoding="utf-8")
    assert veritas(server, tmp_path, "bib", "good.bib", "-q").returncode == 0
    server.faults["crossref"] = FAULTS["429 for hours"]
    done = veritas(server, tmp_path, "bib", "fake.bib", "-q")
    assert done.returncode == 3
    assert "unavailable" in done.stdout
    (tmp_path / "both.bib").write_text(GOOD + FAKE, encoding="utf-8")
    assert veritas(server, tmp_path, "bib", "both.bib", "-q").returncode == 3, "one verified beside it makes no peace"
    assert veritas(server, tmp_path, "bib", "absent.bib").returncode == 2
    (tmp_path / "broken.bib").write_text("@article{a, title={never closed\n")
    assert veritas(server, tmp_path, "bib", "broken.bib", "-q").returncode == 2


def test_fix_writes_the_corrected_file(server: RegistryServer, tmp_path: Path) -> None:
    text = "% mine\n" + GOOD.replace("2016", "2015")
    (tmp_path / "refs.bib").write_text(text, encoding="utf-8")
    done = veritas(server, tmp_path, "bib", "refs.bib", "--fix", "fixed.bib", "-q")
    assert done.returncode == 0, done.stdout
    assert "year: '2015' should be '2016'" in done.stdout
    assert (tmp_path / "fixed.bib").read_text(encoding="utf-8") == text.replace("2015", "2016")
    assert veritas(server, tmp_path, "bib", "refs.bib", "-q", "--strict").returncode == 1


ORDINANCE = Work(
    title="Harbour Safety Ordinance of 1987",
    authors=("Vera Lindkvist",),
    year=2003,
    doi="10.5555/quays.7",
    venue="Handbook of Quays",
)
LAW = "title={Harbour Safety Ordinance of 1987}, author={{Vestmark Diet}}"


@pytest.mark.parametrize(
    "entry",
    [
        f"@misc{{law, {LAW}, note={{Public Law 87-12}}, year={{1987}}}}",
        f"@article{{law, {LAW}, journal={{Vestmark Gazette}}, volume={{87}}, year={{1987}}}}",
        f"@article{{law, {LAW}, journal={{Handbook of Quays}}, year={{1987}}}}",
        f"@article{{law, {LAW}, journal={{Vestmark Gazette}}, year={{2003}}}}",
        "@article{law, title={Harbour Safety Ordinance of 1987}, author={Moss, Ada}, journal={Tide}, year={1987}}",
    ],
)
def test_fix_writes_nothing_of_another_work_of_the_same_title(
    server: RegistryServer, tmp_path: Path, entry: str
) -> None:
    server.works.append(ORDINANCE)
    (tmp_path / "refs.bib").write_text(entry, encoding="utf-8")
    done = veritas(server, tmp_path, "bib", "refs.bib", "--fix", "fixed.bib", "-q", "--json")
    assert (tmp_path / "fixed.bib").read_text(encoding="utf-8") == entry
    assert "→" not in done.stderr
    assert json.loads(done.stdout)["entries"][0]["corrected"] is None


@pytest.mark.parametrize(
    ("entry", "right"),
    [
        (f"@article{{law, {LAW}, doi={{10.5555/quays.7}}, year={{1987}}}}", "year={2003}"),
        (f"@article{{law, {LAW}, journal={{Handbook of Quays}}, year={{2003}}}}", "author={Lindkvist, Vera}"),
        (f"@article{{law, {LAW.replace('{Vestmark Diet}', 'Lindkvist, Vera')}, year={{1987}}}}", "year={2003}"),
    ],
)
def test_fix_mends_what_an_identifier_a_person_or_venue_and_year_tie_to_a_record(
    server: RegistryServer, tmp_path: Path, entry: str, right: str
) -> None:
    server.works.append(ORDINANCE)
    (tmp_path / "refs.bib").write_text(entry, encoding="utf-8")
    veritas(server, tmp_path, "bib", "refs.bib", "--fix", "fixed.bib", "-q")
    assert right in (tmp_path / "fixed.bib").read_text(encoding="utf-8")


def test_fix_tells_each_change_and_its_record_and_keeps_what_was_there(server: RegistryServer, tmp_path: Path) -> None:
    text = GOOD.replace("2016", "2015")
    for kept in ("refs.bib.bak", "refs.bib.bak1"):
        (tmp_path / "refs.bib").write_text(text, encoding="utf-8")
        done = veritas(server, tmp_path, "bib", "refs.bib", "--fix", "refs.bib", "-q")
        by = f"he: year: '2015' → '2016', by dblp: “{RESNET.title}” https://doi.org/{RESNET.doi}"
        assert done.stderr.splitlines()[:2] == [by, f"refs.bib as it was: {kept}"]
        assert (tmp_path / kept).read_text(encoding="utf-8") == text
        assert (tmp_path / "refs.bib").read_text(encoding="utf-8") == text.replace("2015", "2016")
    veritas(server, tmp_path, "bib", "refs.bib", "--fix", "refs.bib", "-q")
    assert not (tmp_path / "refs.bib.bak2").exists(), "nothing was changed"


def test_a_snapshot_answers_without_a_network(server: RegistryServer, tmp_path: Path) -> None:
    (tmp_path / "crossref.jsonl").write_text(json.dumps(crossref(RESNET)) + "\n", encoding="utf-8")
    (tmp_path / "s2.json").write_text(json.dumps({"items": [semantic_scholar(RESNET)]}, indent=1), encoding="utf-8")
    (tmp_path / "refs.bib").write_text(GOOD + FAKE, encoding="utf-8")
    given = ("crossref=crossref.jsonl", "semantic_scholar=s2.json", "--out", "s.duckdb", "--json")
    made = veritas(server, tmp_path, "bib", "snapshot", *given)
    assert json.loads(made.stdout) == {"snapshot": "s.duckdb", "works": 2}, made.stderr
    done = veritas(server, tmp_path, "bib", "refs.bib", "--offline", "--snapshot", "s.duckdb", "--json", "-q")
    document = json.loads(done.stdout)
    assert [entry["verdict"] for entry in document["entries"]] == ["verified", "unavailable"]
    assert document["entries"][0]["evidence"][0]["source"].startswith("snapshot:")
    assert server.asked == []
    assert veritas(server, tmp_path, "bib", "refs.bib", "--snapshot", "refs.bib").returncode == 2
    (tmp_path / "bad.jsonl").write_text("{}\nnot json\n", encoding="utf-8")
    for wrong in ("crossref=bad.jsonl", "nobody=s2.json", "crossref=absent", "s2.json"):
        assert veritas(server, tmp_path, "bib", "snapshot", wrong, "--out", "other.duckdb").returncode == 2
    assert not (tmp_path / "other.duckdb").exists()


@pytest.mark.parametrize(
    ("name", "ends", "begin"), [("refs.bib", "\n", ""), ("refs.bib", "\r\n", "\ufeff"), ("refs.txt", "\r\n", "")]
)
def test_fix_loses_no_comment_no_entry_and_no_byte(
    server: RegistryServer, tmp_path: Path, name: str, ends: str, begin: str
) -> None:
    text = (
        "% kept — ünïcode\n@string{cvpr = \"CVPR\"}\n@comment{kept}\n"
        + GOOD.replace("2016", "2015").replace("{CVPR}", "cvpr")
        + "@article{broken, title = {never closed, year = 2000\n@misc{last, title={Our page}, url={https://e.example}}\n"
        + "trailing text"
    )
    data = (begin + text.replace("\n", ends)).encode()
    (tmp_path / name).write_bytes(data)
    veritas(server, tmp_path, "bib", name, "--fix", "fixed.bib", "-q")
    assert (tmp_path / "fixed.bib").read_bytes() == data.replace(b"2015", b"2016")


@pytest.mark.parametrize(
    ("source", "target"), [("refs.bib", "fixed.ris"), ("refs.bib", "x.json"), ("a.docx", "b.docx")]
)
def test_fix_does_not_write_bibtex_under_another_name(
    server: RegistryServer, tmp_path: Path, source: str, target: str
) -> None:
    (tmp_path / source).write_text(GOOD, encoding="utf-8")
    done = veritas(server, tmp_path, "bib", source, "--fix", target, "-q")
    assert (done.returncode, "--fix" in done.stderr) == (2, True)
    assert not (tmp_path / target).exists()
