"""What reference managers and publishers hand out besides BibTeX: PubMed, YAML, and LaTeX's files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from veritas import InputError
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.parse import read_bibliography

TITLE = "Love in the time of pumps: a study of R&D"
NBIB = """PMID- 32450107
OWN - NLM
DP  - 1985 Jun 27
TI  - Love in the time of pumps: a study
      of R&D.
PG  - 101-19
LID - S0140-6736(20)31180-6 [pii]
LID - 10.1000/pumps.85 [doi]
FAU - García Márquez, Gabriel
AU  - García Márquez G
AD  - University of Tests, Bogotá.
FAU - van der Waals, Johannes Diderik
AU  - van der Waals JD
CN  - Center for Tests and Trials
PT  - Journal Article
TA  - J Pumps
JT  - Journal of Pumps
VI  - 12
IP  - 3
SO  - J Pumps. 1985 Jun 27;12(3):101-19.

PMID- 1
TI  - The second one of the list.
DP  - 1999
"""
ITEM = {
    "id": 7, "type": "article-journal", "title": TITLE, "container-title": "Journal of Pumps", "volume": "12",
    "issue": "3", "page": "101-119", "DOI": "10.1000/pumps.85", "PMID": "32450107",
    "issued": {"date-parts": [["1985"]]},
    "author": [{"family": "García Márquez", "given": "Gabriel"},
               {"family": "Waals", "given": "Johannes Diderik", "non-dropping-particle": "van der"}],
}  # fmt: skip
YAML = """---
references:
# mine
- id: garcia1985
  type: article-journal
  title: 'Love in the time of pumps: a study of R&D'
  author:
  - family: García Márquez
    given: Gabriel
  - family: Waals
    given: Johannes Diderik
    non-dropping-particle: van der
  container-title: Journal of Pumps
  issued: 1985-06-27
  volume: 12
  issue: 3
  page: 101-119
  DOI: 10.1000/pumps.85
- {id: two, type: book, title: The second one, issued: {year: 1999}}
...
"""


def read(folder: Path, name: str, text: str, encoding: str = "utf-8") -> list[Entry]:
    (folder / name).write_bytes(text.encode(encoding))
    return read_bibliography(folder / name)


@pytest.mark.parametrize(
    ("name", "text", "key", "line"),
    [("a.nbib", NBIB, "32450107", 1), ("a.txt", NBIB, "32450107", 1),
     ("a.yaml", YAML, "garcia1985", 4), ("a.json", json.dumps([ITEM]), "7", 1)],
    ids=["nbib", "nbib as text", "yaml", "json"],
)  # fmt: skip
def test_every_format_gives_the_same_record(tmp_path: Path, name: str, text: str, key: str, line: int) -> None:
    entry = read(tmp_path, name, text)[0]
    record = entry.record
    assert (entry.key, entry.line, entry.type) == (key, line, "article")
    assert (record.title, record.year, record.doi) == (TITLE, 1985, "10.1000/pumps.85")
    assert (record.venue, record.volume, record.issue) == ("Journal of Pumps", "12", "3")
    assert (record.pages or "").replace("--", "-") in ("101-119", "101-19")
    people = [(person.family, person.given) for person in record.authors[:2]]
    assert people == [("García Márquez", "Gabriel"), ("van der Waals", "Johannes Diderik")]
    if record.authors[2:]:
        assert (record.authors[2].family, record.authors[2].corporate) == ("Center for Tests and Trials", True)
    if "32450107" in text:
        assert record.pmid == "32450107"


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.xml", "<html><p>no list</p></html>", "only JATS"),
        ("a.yaml", "- id: a\n  title: [unclosed\n- id: b\n", "line 3: not YAML"),
        ("a.yaml", "- id: a\n- " + "[" * 60_000, "line 2: the YAML is nested too deeply"),
        ("a.yaml", "just: a text\n", "a list of items"),
        ("a.json", '[{"id": 1,}]', "not JSON .*line 1"),
        ("a.nbib", "no record\n", "no bibliography entry"),
        ("a.docx", "no zip", "no readable DOCX"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(tmp_path: Path, name: str, text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        read(tmp_path, name, text)


def test_a_part_outside_the_documents_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("\\begin{thebibliography}{1}\\bibitem{x} A. B. Work. 2016.")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "paper.tex").write_text("\\input{../secret}", encoding="utf-8")
    with pytest.raises(InputError, match=r"names \.\./secret\.tex"):
        read_bibliography(tmp_path / "own" / "paper.tex")


def test_data_that_entries_share_is_no_work(tmp_path: Path) -> None:
    shared = f"@xdata{{x, doi = {{10.1000/pumps.85}}}}\n@article{{q, xdata = {{x}}, title = {{{TITLE}}}}}\n"
    (tmp_path / "a.bib").write_text(shared)
    (entry,) = read_bibliography(tmp_path / "a.bib")
    assert (entry.key, entry.record.doi) == ("q", "10.1000/pumps.85")
