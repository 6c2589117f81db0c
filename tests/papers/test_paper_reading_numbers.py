"""Numbered lists and numbered citations as they come out of PDFs."""

from __future__ import annotations

from datetime import date

import pytest

from veritas.documents.document import Document, document_id
from veritas.papers.reading.paper_text import PaperText, paper_of

FILLER = "Dry pumps were observed for two years in twelve rooms, and each failure was written down. " * 5
WORKS = [
    f"Berg T, Costa L. Pumps of kind {kind} in clean rooms. Pump Lett. {year};3:1-9."
    for year, kind in enumerate("ABCDEFGH", 2010)
]


def read(body: str, listed: str, heading: str = "References") -> PaperText:
    text = f"Dry pumps\n\nIntroduction\n\n{body} {FILLER}\n\n{heading}\n\n{listed}"
    document = Document(
        document_id=document_id(text), url="corpus://paper/p.pdf", title="Dry pumps", text=text,
        media_type="application/pdf", fetched_at=date(2026, 1, 1),
    )  # fmt: skip
    return paper_of(document, asked="p.pdf", how="file")


def numbered(form: str = "{}. {}") -> str:
    return "\n\n".join(form.format(n, work) for n, work in enumerate(WORKS, 1))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("Oil creeps.[²,⁴‑⁶]", ("2", "4", "5", "6")),
        ("Oil creeps [1e3].", ("1", "2", "3")),
        ("Oil creeps [2 and 3].", ("2", "3")),
    ],
)
def test_numbers_in_brackets_are_read_whatever_their_font_made_of_them(said: str, meant: tuple[str, ...]) -> None:
    assert [marker.references for marker in read(said, numbered()).markers] == [meant]


def test_a_stray_name_and_year_does_not_hide_the_numbers_by_which_a_paper_cites() -> None:
    body = "Oil creeps (1,2). It is old (3). It is dear (4-6). The strain (Gupta et al. 2013) was grown (7,8)."
    cited = [marker.references for marker in read(body, numbered()).markers if not marker.unresolved]
    assert cited == [("1", "2"), ("3",), ("4", "5", "6"), ("7", "8")]


def test_raised_numbers_stand_behind_years_versions_and_short_words_too() -> None:
    body = "As Roy et al¹ and the rules of 2004² say, with Pump v 2.0.5³ it is Sn⁴–⁶. So they say.⁷,⁸ It is 5 cm² wide."
    assert [m.references for m in read(body, numbered()).markers] == [
        ("1",), ("2",), ("3",), ("4", "5", "6"), ("7", "8"),
    ]  # fmt: skip


def test_a_number_that_is_missing_from_a_list_is_looked_for_within_its_lines() -> None:
    listed = "\n\n".join(f"{n}.{work}" for n, work in enumerate(WORKS, 1)).replace("\n\n4.", " 4.")
    paper = read("Oil creeps [1].", listed)
    assert [(r.key, "kind D" in r.raw) for r in paper.references][2:5] == [("3", False), ("4", True), ("5", False)]


@pytest.mark.parametrize("heading", ["Ref erences", "R E F E R E N C E S", "References and Notes"])
def test_a_list_is_found_under_a_heading_in_wide_print(heading: str) -> None:
    assert len(read("Oil creeps [1].", numbered(), heading).references) == len(WORKS)


def test_a_numbered_list_is_found_without_a_heading() -> None:
    paper = read("Oil creeps [1].", numbered(), "The authors declare that they have no interests in oil at all.")
    assert len(paper.references) == len(WORKS)
    assert [marker.references for marker in paper.markers] == [("1",)]


def test_a_numbered_list_of_steps_is_no_reference_list() -> None:
    steps = "\n\n".join(f"{n}. Open the valve and wait until the pump has run dry for an hour." for n in range(1, 9))
    paper = read("Oil creeps.", steps, "The steps of the procedure were these, each done by two persons.")
    assert not paper.references
