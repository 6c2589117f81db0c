"""The year of a paper: by its own front, its own properties, or unknown; never by what it speaks of or cites."""

from __future__ import annotations

import io
import zipfile
from datetime import date
from pathlib import Path

import pytest

from tests.reading.pdf_writer import Run, write_pdf
from tests.reading.test_formats_docx import docx, p, r
from veritas.papers.reading import PaperText, read_file
from veritas.reading.formats import convert

PROSE = "Dry pumps last longer than oiled pumps in clean rooms, as nine factories found. " * 8
BIBLIOGRAPHY = "@article{kirchmann1989, author={Kirchmann, H.}, title={Ammonia from manure}, year={1989}}"


def read(folder: Path, name: str, content: str | bytes) -> PaperText:
    (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return read_file(folder / name)


def latex(date_: str = "") -> str:
    return (
        f"\\documentclass{{article}}\\title{{Dry pumps}}{date_}\\begin{{document}}\\maketitle\n"
        "\\begin{abstract}Dry pumps last.\\end{abstract}\\section{Introduction}\n"
        f"Oiled pumps foul \\citep{{kirchmann1989}}. In 1989 they did. {PROSE}\n\\bibliography{{refs}}\\end{{document}}"
    )


def test_a_year_in_a_citation_is_not_the_papers(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text(BIBLIOGRAPHY)
    assert read(tmp_path, "paper.tex", latex()).identity.year is None


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("2021-05-06", date(2021, 5, 6)),
        ("May 2021", date(2021, 5, 1)),
        ("6 May 2021", date(2021, 5, 6)),
        ("May 6th, 2021", date(2021, 5, 6)),
        ("Sept. 2021", date(2021, 9, 1)),
        ("Draft of \\emph{May} 2021", date(2021, 1, 1)),
        ("\\today", None),
        ("", None),
        ("99 Foo 20210", None),
    ],
)
def test_a_latex_paper_is_of_the_date_it_gives_itself(said: str, day: date | None) -> None:
    assert convert(latex(f"\\date{{{said}}}").encode(), "latex").published_at == day


def core(created: str, modified: str, revision: str = "") -> str:
    kinds = "".join(f"<d:{n}>{value}</d:{n}>" for n, value in (("created", created), ("modified", modified)) if value)
    return (
        '<c:coreProperties xmlns:d="http://purl.org/dc/terms/" '
        'xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties">'
        f"{kinds}<c:revision>{revision}</c:revision></c:coreProperties>"
    )


@pytest.mark.parametrize(
    ("properties", "front", "year"),
    [
        (core("2019-01-02T03:04:05Z", "2020-01-02T03:04:05Z", "7"), "", 2020),
        (core("2019-01-02T03:04:05Z", "", ""), "", 2019),
        (core("2013-12-23T23:15:00Z", "2013-12-23T23:15:00Z", "1"), "", None),  # a template's, that nobody has touched
        (core("long ago", "yesterday"), "", None),
    ],
)
def test_a_word_document_without_a_date_is_of_the_year_it_was_saved_and_that_is_said(
    properties: str, front: str, year: int | None, tmp_path: Path
) -> None:
    body = p(r("Dry pumps"), style="Title") + (p(r(front)) if front else "") + p(r("Abstract")) + p(r(PROSE))
    paper = read(tmp_path, "paper.docx", docx(body, docProps__core=properties))
    assert paper.identity.year == year
    assert paper.document.published_at is None
    assert any(e.kind == "year-of-file" for e in paper.events) == (year is not None and not front)


def test_a_pdf_without_a_date_is_of_the_year_it_was_made_and_that_is_said(tmp_path: Path) -> None:
    lines = [PROSE[at : at + 80] for at in range(0, len(PROSE), 80)]
    runs = [Run(72, 740 - 15 * n, line) for n, line in enumerate(lines)]
    assert read(tmp_path, "a.pdf", write_pdf([runs])).identity.year is None
    assert read(tmp_path, "c.pdf", write_pdf([runs], info="/CreationDate (D:2017)")).identity.year is None
    paper = read(tmp_path, "b.pdf", write_pdf([runs], info="/CreationDate (D:20170503120000+02'00')"))
    assert paper.identity.year == 2017
    assert [e.kind for e in paper.events if e.kind == "year-of-file"] == ["year-of-file"]


def test_properties_that_are_no_archive_are_of_no_date() -> None:
    buffer = io.BytesIO(docx(p(r(PROSE))))
    with zipfile.ZipFile(buffer, "a") as archive:
        archive.writestr("docProps/core.xml", core("2020-13-45T00:00:00Z", "0000"))
    assert convert(buffer.getvalue(), "docx").saved_at is None


@pytest.mark.parametrize(
    ("said", "year"), [("5 October 2020", 2020), ("October 2020", 2020), ("05/10/2020", None), ("since May 2020", None)]
)
def test_front_matter_gives_its_date_in_words_and_its_names_without_notes(
    said: str, year: int | None, tmp_path: Path
) -> None:
    names = "- name: Ada Lovelace^[Corresponding author.]\n- name: Max Li[^1]"
    front = f"---\ntitle: Dry pumps\nauthors:\n{names}\ndate: {said}\n---\n"
    found = read(tmp_path, "paper.md", f"{front}\n# Introduction\n\n{PROSE}\n").identity
    assert found.year == year
    assert found.authors == ("Ada Lovelace", "Max Li")
