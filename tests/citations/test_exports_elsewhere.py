"""What other programs make of exported citations: Pandoc and its citeproc; without Pandoc these are skipped."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from veritas.citations.record_exports import bibtex, cff, csl_json
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

RECORDS = [
    BibRecord(
        source="crossref",
        title="Müller & Söhne: 100% of E. coli #1 in {braces} for $5_and ~ x^2 \\ NASA",
        authors=(
            PersonName(family="Müller-Lüdenscheidt", given="Jörg"),
            PersonName(family="de la Cruz", given="Ana María"),
            PersonName(family="Center for Tests and Trials", corporate=True),
            PersonName(family="Madonna"),
        ),
        year=2021,
        venue="Journal of R&D_Tests",
        doi="10.1002/(sici)1097-0258(19980815)17:15<1661::aid-sim968>3.0.co;2-2",
        kind=Kind.JOURNAL,
    ),
    BibRecord(
        source="arxiv",
        title="Growth of Escherichia coli near Berlin",
        authors=(PersonName(family="O'Brien", given="Ann"),),
        year=2019,
        arxiv_id="1902.06156",
        kind=Kind.PREPRINT,
    ),
    BibRecord(source="openalex", title="No people, no year", doi="10.1000/x_y", kind=Kind.PROCEEDINGS, venue="ICML"),
]


def rendered(folder: Path, name: str, text: str, key: str) -> str:
    """The bibliography that Pandoc's citeproc sets from a file, spaces folded."""
    if shutil.which("pandoc") is None:
        pytest.skip("no `pandoc` on the PATH")
    (folder / name).write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pandoc", "--citeproc", "--bibliography", name, "-t", "plain", "--wrap=none"],
        input=f"See [@{key}].\n",
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return " ".join(done.stdout.split())


@pytest.mark.parametrize("form", ["refs.bib", "refs.json"])
@pytest.mark.parametrize("record", RECORDS, ids=["hostile", "sentence case", "bare"])
def test_pandoc_cites_what_was_exported(tmp_path: Path, record: BibRecord, form: str) -> None:
    item = csl_json(record)
    text = bibtex(record) if form == "refs.bib" else json.dumps([item])
    said = rendered(tmp_path, form, text, item["id"])
    assert f"@{item['id']}" not in said
    for name in record.authors:
        assert name.family.replace("'", "’") in said
    for word in re.findall(r"NASA|Escherichia|Berlin|E\. |100%|& |#1|\$5_|\{braces\}", record.title or ""):
        assert word in said or word.title() in said
    if record.doi:
        assert record.doi in said
    if record.year:
        assert str(record.year) in said


@pytest.mark.parametrize("record", RECORDS, ids=["hostile", "sentence case", "bare"])
def test_a_cff_file_has_what_its_schema_requires(record: BibRecord) -> None:
    whole = yaml.safe_load(cff(record))
    assert {"cff-version", "message", "title", "authors"} <= set(whole)
    assert whole["cff-version"] == "1.2.0"
    [work] = whole["references"]
    assert {"type", "title", "authors"} <= set(work)
    for listed in (whole["authors"], work["authors"]):
        assert listed
        assert all("name" in person or "family-names" in person for person in listed)
    assert work["title"] == record.title
    assert "doi" not in work or re.fullmatch(r"10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+", work["doi"])
    assert work["url"].startswith("https://")
    assert isinstance(work.get("year", 0), int)
