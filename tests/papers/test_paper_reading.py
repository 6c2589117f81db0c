"""Reading a paper: sections, references, citations and captions at their places; finding it by id or by words."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.citations.arxiv_site import environment, html_page, pages
from tests.citations.registry_server import RegistryServer, Work, registry_server
from tests.loopback_web.web import web
from tests.papers.pump_papers import PAPER, write_paper
from tests.reading.pdf_writer import Run, write_pdf
from veritas import InputError, Unavailable
from veritas.documents.document import Document, document_id
from veritas.documents.paper_parts import Candidate, Match
from veritas.documents.paper_sections import find_sections, section_at
from veritas.papers.reading import PaperText, Undecided, read_file, read_paper
from veritas.papers.reading.markers import find_markers
from veritas.papers.reading.paper_text import paper_of
from veritas.policy.source_tiers import load_source_policy
from veritas.reading.web import WebReader
from veritas.registries.all_registries import Registries
from veritas.text.line_numbers import without_line_numbers


def wrapped(text: str, width: int) -> list[str]:
    """The text's lines, at most so wide, as a typesetter would break them."""
    return [part for row in text.split("\n") for part in (textwrap.wrap(row, width) or [""])]


def pdf_of(text: str, folder: Path, lines: int = 36) -> Path:
    rows = wrapped(text, 88)
    runs = [
        [Run(72, 740 - 15 * n, row.rstrip()) for n, row in enumerate(rows[at : at + lines]) if row.strip()]
        for at in range(0, len(rows), lines)
    ]
    path = folder / "pumps.pdf"
    path.write_bytes(write_pdf(runs))
    return path


def names(paper: PaperText) -> list[str]:
    return [s.name for s in paper.sections]


def test_sections_go_by_canonical_names_and_cover_the_text(tmp_path: Path) -> None:
    paper = read_file(write_paper(tmp_path))
    assert names(paper) == [
        "title", "abstract", "introduction", "methods", "results", "discussion", "conclusion", "references",
    ]  # fmt: skip
    assert [s.place.end for s in paper.sections[:-1]] == [s.place.start for s in paper.sections[1:]]
    found = section_at(paper.sections, paper.text.index("We randomly assigned"))
    assert found is not None
    assert found.name == "methods"
    assert paper.identity.title == "A Randomised Trial of Dry Pumps in Clean Rooms"


def test_every_reference_stands_at_its_offsets(tmp_path: Path) -> None:
    paper = read_file(write_paper(tmp_path))
    assert [r.key for r in paper.references] == ["1", "2"]
    for reference in paper.references:
        assert " ".join(paper.text[reference.place.start : reference.place.end].split()) == reference.raw
    assert paper.references[1].fields["year"] == "2005"
    assert [r.cited for r in paper.references] == [1, 1]


def test_a_citation_that_fits_no_reference_is_said(tmp_path: Path) -> None:
    paper = read_file(write_paper(tmp_path))
    assert [(m.text, m.references) for m in paper.markers if m.references] == [("[1]", ("1",)), ("[2]", ("2",))]
    text = PAPER.replace("[1].", "(Nobody et al., 1999; A. Smith, 1990).")
    other = read_file(write_paper(tmp_path, text, "b.txt"))
    (marker,) = [m for m in other.markers if m.unresolved]
    assert marker.references == ("1",)
    assert marker.unresolved == ("Nobody et al. 1999",)
    # A list of two entries is none that a citation could be held against.
    assert [e.kind for e in other.events if "citations" in e.kind] == ["unmatched-citations"]


def test_author_and_year_lead_to_references_without_marks(tmp_path: Path) -> None:
    text = PAPER.replace("[1]. ", "(Smith 1990). ").replace("runs [2].", "runs, as Jones and Roy (2005) say.")
    text = text.replace("[1] A. Smith", "A. Smith").replace("[2] B. Jones", "B. Jones").replace(" [3]", "")
    paper = read_file(write_paper(tmp_path, text))
    assert [m.references for m in paper.markers] == [("1",), ("2",)]
    assert not any(m.unresolved for m in paper.markers)


def test_numbers_in_brackets_are_no_citations_in_a_list_without_numbers(tmp_path: Path) -> None:
    text = PAPER.replace("[1] A. Smith", "A. Smith").replace("[2] B. Jones", "B. Jones").replace("60 each", "in [1, 2]")
    paper = read_file(write_paper(tmp_path, text))
    assert paper.references
    assert not any("1, 2" in m.text for m in paper.markers)


def test_a_table_keeps_its_caption_with_place(tmp_path: Path) -> None:
    paper = read_file(write_paper(tmp_path))
    (table,) = paper.figures
    assert (table.kind, table.label) == ("table", "Table 1")
    assert paper.text[table.place.start : table.place.end].startswith("Table 1: Lifetimes")


def test_a_pdf_has_pages_at_every_place(tmp_path: Path) -> None:
    paper = read_file(pdf_of(PAPER, tmp_path))
    assert paper.identity.pages == 2
    assert paper.identity.sha256
    assert {"abstract", "methods", "results", "references"} <= set(names(paper))
    assert {s.place.page for s in paper.sections} == {1, 2}
    assert [r.place.page for r in paper.references] == [2, 2]


def test_line_numbers_of_a_manuscript_are_taken_out(tmp_path: Path) -> None:
    lines, number = [], 0
    for line in wrapped(PAPER, 60):
        number += bool(line.strip())
        lines.append(f"{number} {line}" if line.strip() else "")
    plain = read_file(write_paper(tmp_path, "\n".join(wrapped(PAPER, 60)), "a.md"))
    numbered = read_file(write_paper(tmp_path, "\n".join(lines), "b.md"))
    assert names(numbered) == names(plain)
    assert any("line numbers" in e.reason for e in numbered.events)


@pytest.mark.parametrize(
    ("front", "title", "arxiv"),
    [
        ("# Dry Pumps in Rooms\n\narXiv:2401.01234v2 [cs.RO] 3 Jan 2024\n", "Dry Pumps in Rooms", "2401.01234"),
        ("Skip to content\n\nDry Pumps in Rooms\n\nAs in arXiv:2502.03801 we look.\n", "Dry Pumps in Rooms", None),
        ("Dry Pumps in Rooms\n\nWe extend arXiv:2502.03801v1 to rooms.\n", "Dry Pumps in Rooms", None),
    ],
)
def test_who_a_paper_is_stands_on_its_front_and_in_no_sentence(
    tmp_path: Path, front: str, title: str, arxiv: str | None
) -> None:
    body = "".join(f"\nA paragraph about pump {n} and the room it stands in, which says little.\n" for n in range(60))
    path = tmp_path / "paper.md"
    path.write_text(f"{front}\n## Introduction\n{body}\n# === Identity (verbatim from the API) ===\n\nSome words.\n")
    identity = read_file(path).identity
    assert (identity.title, identity.arxiv_id) == (title, arxiv)


def test_headings_that_a_converter_took_for_the_title_are_none() -> None:
    words = "Words of it. " * 40
    text = f"Dry Pumps in Clean Rooms\n\n1 Introduction\n\n{words}\n\n2 Related Work\n\n{words}\n"
    document = Document(
        document_id=document_id(text), url="corpus://paper/x.pdf", title="2 Related Work 1 Introduction", text=text,
        media_type="application/pdf", fetched_at=date(2026, 1, 1), page_starts=(0,),
    )  # fmt: skip
    assert paper_of(document, asked="x.pdf", how="file").identity.title == "Dry Pumps in Clean Rooms"


@given(st.lists(st.text(alphabet="abc 123\n.", max_size=20), max_size=60))
@settings(max_examples=60, deadline=None)
def test_any_other_text_keeps_its_numbers(lines: list[str]) -> None:
    text = "\n".join(lines)
    out, _, count = without_line_numbers(text)
    assert (out == text) == (count == 0)
    assert len(out) <= len(text)


@given(st.text(max_size=400))
@settings(max_examples=80, deadline=None)
def test_no_text_breaks_sections_or_citations(text: str) -> None:
    sections = find_sections(text)
    assert all(0 <= s.place.start < s.place.end <= len(text) for s in sections)
    assert find_markers(text, (), sections) == ()


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("empty.pdf", b"", "no PDF"),
        ("broken.pdf", b"%PDF-1.4 junk", "broken PDF"),
        ("scan.pdf", write_pdf([[], []]), "no text in it"),
        ("short.txt", b"Too little.", "too few for a paper"),
        ("paper.xyz", b"What is this?", "no kind that is read"),
    ],
)
async def test_what_is_no_paper_is_refused_with_the_reason(
    name: str, content: bytes, said: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        await read_paper(str(tmp_path / name))


async def test_a_file_that_is_missing_is_not_searched_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        await read_paper(str(tmp_path / "nowhere.pdf"))


def test_a_paper_in_latex_has_the_bibliography_beside_it_and_no_other(tmp_path: Path) -> None:
    body = "Dry pumps last. " * 60
    (tmp_path / "refs.bib").write_text("@article{smith, title={Oil in pumps}, author={Smith, A.}, year={1990}}")
    (tmp_path.parent / "secret.bib").write_text("@article{secret, title={Secret}, year={2000}}")
    (tmp_path / "p.tex").write_text(
        "\\documentclass{article}\\title{Pumps}\\begin{document}\\maketitle\\section{Introduction}"
        f"{body}\\cite{{smith}}\\bibliography{{refs,../secret}}\\end{{document}}"
    )
    paper = read_file(tmp_path / "p.tex")
    assert [r.key for r in paper.references] == ["smith"]


PUMPS = Work(
    title="A Randomised Trial of Dry Pumps in Clean Rooms", authors=("Ada Author", "Bert Builder"), year=2021,
    arxiv_id="2101.00001", doi="10.1000/dry", venue="arXiv", abstract="Dry pumps last longer.",
)  # fmt: skip
OTHER = Work(title="A Randomised Trial of Wet Pumps in Dusty Rooms", year=2020, doi="10.1000/wet")


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> Iterator[RegistryServer]:
    body = PAPER * 2
    with registry_server(PUMPS, OTHER) as running, web(pages(PUMPS, as_html=html_page(PUMPS, body))) as served:
        for name, value in (running.environment() | environment(served)).items():
            monkeypatch.setenv(name, value)
        yield running


async def test_an_arxiv_id_is_fetched_from_arxiv(world: RegistryServer) -> None:
    paper = await read_paper("arXiv:2101.00001", registries=Registries(), reader=WebReader(load_source_policy()))
    assert (paper.identity.how_found, paper.identity.arxiv_id) == ("arxiv", "2101.00001")
    assert "methods" in names(paper)


async def test_a_doi_is_looked_up_and_the_paper_read_where_it_is_to_be_had(world: RegistryServer) -> None:
    reader = WebReader(load_source_policy())
    paper = await read_paper("doi:10.1000/dry", registries=Registries(), reader=reader)
    assert (paper.identity.how_found, paper.identity.doi, paper.identity.title) == ("doi", "10.1000/dry", PUMPS.title)
    assert "methods" in names(paper)
    with pytest.raises(InputError, match="no registry knows it"):
        await read_paper("10.1000/nobody", registries=Registries(), reader=reader)


async def test_a_page_is_read_at_its_address() -> None:
    with web({"/paper": html_page(PUMPS, PAPER * 2)}) as served, pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_FETCH_ALLOW", f"127.0.0.1:{served.port}")
        paper = await read_paper(served.url("/paper"), reader=WebReader(load_source_policy()))
    assert (paper.identity.how_found, paper.identity.title) == ("url", PUMPS.title)
    assert "methods" in names(paper)


async def test_words_that_mean_one_paper_find_it_and_say_how(world: RegistryServer) -> None:
    reader = WebReader(load_source_policy())
    paper = await read_paper("randomised trial of dry pumps in clean rooms", registries=Registries(), reader=reader)
    match = paper.identity.match
    assert match is not None
    assert (match.chosen.title, match.decisive, match.confirmed_by) == (PUMPS.title, True, "decisive")
    assert paper.identity.authors == PUMPS.authors


async def test_words_that_may_mean_several_are_refused_unless_somebody_says_yes(world: RegistryServer) -> None:
    reader = WebReader(load_source_policy())
    with pytest.raises(Undecided) as refused:
        await read_paper("randomised trial of pumps", registries=Registries(), reader=reader)
    assert {c.title for c in refused.value.candidates} >= {PUMPS.title}
    asked = []
    paper = await read_paper(
        "randomised trial of pumps dry", registries=Registries(), reader=reader, confirm=lambda m: not asked.append(m)
    )
    assert paper.identity.match is not None
    assert paper.identity.match.confirmed_by == "person"
    with pytest.raises(Undecided):
        await read_paper("randomised trial pumps", registries=Registries(), reader=reader, confirm=lambda m: False)


@pytest.mark.parametrize(("answer", "taken"), [("y", True), ("n", False), ("", False)])
def test_on_a_terminal_the_match_is_shown_and_asked_about(
    answer: str, taken: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from veritas.cli.paper import _confirm

    first = Candidate(title="Dry Pumps\x1b[2J in Rooms", authors=("Ada Author",), year=2021, source="x", likeness=0.7)
    match = Match(query="pumps", chosen=first, others=(), decisive=False, confirmed_by="person")
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{answer}\n"))
    assert _confirm(match) is taken
    shown = capsys.readouterr()
    assert "Dry Pumps" in shown.err
    assert "Ada Author" in shown.err
    assert "\x1b" not in shown.err
    assert not shown.out.strip()


async def test_words_nobody_could_look_for_are_unavailable_not_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unavailable, match="nobody answered: "):
        await read_paper("any words", registries=Registries(offline=True), reader=WebReader(load_source_policy()))
