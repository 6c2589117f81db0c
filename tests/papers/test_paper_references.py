"""Reference lists: where each reference begins, what in it is whose, and that what is not sure accuses nobody."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.citations.registry_server import Work, registry_server
from tests.reading.pdf_writer import Run, write_pdf
from veritas.citations.bibliography.entry_forms import Form, form_of
from veritas.citations.bibliography.formats.printed.authors import read_people
from veritas.citations.bibliography.formats.printed.cuts import cut_references
from veritas.citations.bibliography.formats.printed.line_breaks import mended
from veritas.citations.bibliography.formats.printed.reference_parts import read_parts
from veritas.documents.paper_parts import Reference
from veritas.documents.paper_sections import find_sections
from veritas.papers.reading import read_file
from veritas.papers.reading.reference_list import as_entry, find_references
from veritas.papers.verification.reference_check import checked_references

FRONT = "A Title of Something\n\n1 Introduction\n\n" + "Barley grows in fields and is cut. " * 20 + "\n\nReferences\n\n"


def listed(body: str) -> tuple[Reference, ...]:
    text = f"{FRONT}{body}\n"
    return find_references(text, find_sections(text))


PRINTED = [
    # text, author, title, year
    ("Almeida, R., Berg, T. H., & Costa, L. M. (2014). Barley: a view. Journal of Crops, 12(3), 101–119.",
     "Almeida, R. and Berg, T. H. and Costa, L. M.", "Barley: a view", "2014"),
    ("R. Almeida and T. H. Berg, “Barley in fields,” Journal of Crops, vol. 12, no. 3, pp. 1901–1919, 2014.",
     "Almeida, R. and Berg, T. H.", "Barley in fields", "2014"),
    ("Rosa Almeida, Wei Ng, and Jan van der Meer. 2014. On barley and rye. In Proc. CROP. ACM, 1–9.",
     "Almeida, Rosa and Ng, Wei and van der Meer, Jan", "On barley and rye", "2014"),
    ("Almeida R, St. James MA, et al. Is barley tall? Evidence from fields. Crops. 2014;12(3):1-9.",
     "Almeida, R and St. James, MA and others", "Is barley tall? Evidence from fields", "2014"),
    ("Almeida, R. et al. Barley in E. coli cultures. Nature Crops 12, 1–9 (2014).",
     "Almeida, R. and others", "Barley in E. coli cultures", "2014"),
    ("Jensen, M. & de la Cruz, C. E. coli on barley. Nature Crops 12, 1–9 (1990).",
     "Jensen, M. and de la Cruz, C.", "E. coli on barley", "1990"),
    ("Almeida, Rosa, and Tor Berg. 2014. “Barley vs. Rye.” Journal of Crops 12 (3): 1–9.",
     "Almeida, Rosa and Berg, Tor", "Barley vs. Rye", "2014"),
    ("Almeida, R. and Berg, T.H. (2014) ‘Barley’s fields’, Journal of Crops, 12(3), pp. 1–9.",
     "Almeida, R. and Berg, T.H.", "Barley’s fields", "2014"),
    ("Tor Henrik Berg. Barley of the 1990s. PhD thesis, University of Somewhere, 2014.",
     "Berg, Tor Henrik", "Barley of the 1990s", "2014"),
    ("R. Almeida, T. Berg, Barley, rye, and oats, Journal of Crops 12 (3) (2014) 1–9.",
     "Almeida, R. and Berg, T.", "Barley, rye, and oats", "2014"),
    ("Almeida, R., Berg, T.: Barley in fields. In: Crops 2014. LNCS, vol. 12, pp. 1–9. Springer (2014)",
     "Almeida, R. and Berg, T.", "Barley in fields", "2014"),
    ("Berg T. H., Costa L., 2014, Barley in fields, arXiv preprint arXiv:1401.00001",
     "Berg, T. H. and Costa, L.", "Barley in fields", "2014"),
    ("Lars Eriksson, Fields of barley, Northern University Press, Oslo, 2003.",
     "Eriksson, Lars", "Fields of barley", "2003"),
    ("Иванов, И. И., Петров, П. П. (2010). Ячмень в полях. Вестник, 12(3), 1–9.",
     "Иванов, И. И. and Петров, П. П.", "Ячмень в полях", "2010"),
    ("H. Michael Almeida and Tor Berg. Barley in fields. In CROPS, volume 3, pages 1–9, 2014.",
     "Almeida, H. Michael and Berg, Tor", "Barley in fields", "2014"),
    ("Almeida R., Berg T. (2014): Barley in fields. Crops 12, 1-9.",
     "Almeida, R. and Berg, T.", "Barley in fields", "2014"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "author", "title", "year"), PRINTED)
def test_authors_title_and_year_are_told_apart_in_any_style(text: str, author: str, title: str, year: str) -> None:
    parts = read_parts(text)
    assert (parts.author, parts.title, parts.year) == (author, title, year)


OF_NOBODY = [
    ("The Barley Portal. https://www.example.org/portal, accessed 2024-02-03.", "", "The Barley Portal"),
    ("“Barley in the news.” 2014. Barley Weekly. https://www.example.org/x.", "", "Barley in the news"),
    ("Barley User Manual, Version 4.2. (2018). Barley Project.", "", "Barley User Manual, Version 4.2"),
    ("(2018). Barley user manual. Barley Project.", "", "Barley user manual"),
    ("ISO 99999:2015: Determination of moisture. International Organization for Standardization, Geneva, 2015.", "",
     "ISO 99999:2015: Determination of moisture"),
    ("World Barley Organization. Guidelines for storage. Geneva, 2017.", "{World Barley Organization}",
     "Guidelines for storage"),
    ("World Barley Organization. (2017). Guidelines for storage. Geneva.", "{World Barley Organization}",
     "Guidelines for storage"),
    ("OpenBarley. 2015. Barley models at scale. Technical report.", "{OpenBarley}", "Barley models at scale"),
    ("Institute of Soil and Water: Wet fields. Technical Report 7 (2001).", "{Institute of Soil and Water}",
     "Wet fields"),
    ("A survey of barley fields. Barley Press, London, 1999.", "", "A survey of barley fields"),
    ("The barley dataset. Zenodo [Data set]. 2020. https://doi.org/10.5555/zenodo.1234", "", "The barley dataset"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "author", "title"), OF_NOBODY)
def test_a_title_is_nobody_s_author_and_bodies_are_one_author(text: str, author: str, title: str) -> None:
    parts = read_parts(text)
    assert (parts.author, parts.title) == (author, title)
    (reference,) = listed(f"[1] {text}")
    assert form_of(as_entry(reference)) is not Form.PAPER or "doi" in reference.fields


UNSURE = [
    "S. Ågren, P. McDonald, and M. Jensen, Nature Barley 77, 1717 (1993).",  # prints no titles
    "Garnier J.-P., Mbeki J., 2001, Barley Letters, 77, 2267",
    "T. Berg, C. Costa, Szabó, Barley and Rye in Fields, Journal of Crops 12 (2014), no. 3, 1–9.",  # initials lost
    "Nguyen, T. and, Barley. 12(3), 2014.",
    "A. Lee, B. Cho, Things and others, Of Interest. https://www.example.org/x, 2014.",
    "[12] ibid., pp. 12–14, and see also 1999.",
]


@pytest.mark.parametrize("text", UNSURE)
def test_what_cannot_be_told_for_sure_is_left_open(text: str) -> None:
    parts = read_parts(text)
    assert not parts.author
    assert not parts.title


ENTRIES = [
    "Almeida, R., Berg, T. H., & Costa, L. M. (2014). Barley: a view. Journal of Crops, 12(3), 101–119.",
    "Berg, T. (2011). Rye in the rain. Journal of Crops, 9(1), 1–9. https://doi.org/10.5555/crops.2011.7",
    "de la Cruz, C., & Ng, W. (2012). Oats and other grains that grow where barley does not grow. Crops, 3, 4–8.",
    "European Drought Agency. (2016). Dry years of the continent and of the islands. Technical Report 41, Geneva.",
    "The Oat Portal. (2019). Oat Project. https://www.example.org/oats/portal/2019/data",
    "van der Meer, J. (2020a). Wheat. Crops and Other Cereals, 1(1), 7–9.",
]  # fmt: skip


def wrapped(text: str, width: int) -> str:
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join([*lines, line])


@pytest.mark.parametrize("gap", ["\n", "\n\n", "\n    "])
@pytest.mark.parametrize("width", [48, 80, 1000])
def test_a_list_without_marks_is_cut_where_authors_and_dates_begin(gap: str, width: int) -> None:
    if gap == "\n    ":
        body = "\n".join(wrapped(entry, width).replace("\n", gap) for entry in ENTRIES)
    else:
        body = gap.join(wrapped(entry, width) for entry in ENTRIES)
    assert [reference.raw for reference in listed(body)] == ENTRIES


def test_paragraphs_that_a_converter_ran_together_or_broke_are_put_right() -> None:
    head, rest = ENTRIES[2].split(" and other ", 1)
    body = f"{ENTRIES[0]} {ENTRIES[1]}\n\n{head}\n\n7\n\nand other {rest}\n\n{ENTRIES[3]}"
    found = listed(body)
    assert [r.fields.get("year") for r in found] == ["2014", "2011", "2012", "2016"]
    assert found[2].fields["title"] == "Oats and other grains that grow where barley does not grow"


def test_dates_with_a_day_and_names_in_full_cut_a_list_too() -> None:
    body = "\n\n".join(
        f"{who}, Rosa et al. (Dec. 21, 20{n}). “Barley in field {n}”. In: Crops {n}.7, pp. 570–578. ISSN: 0028-0836. "
        f"DOI: 10.5555/s41586-\n023-0679{n}-0. URL: https://www.example.org/s41586/{n} (visited on 12/29/2025)."
        for n, who in ((11, "Almeida"), (12, "Berg"), (13, "Costa"))
    )
    found = listed(body)
    assert [r.fields.get("title") for r in found] == ["Barley in field 11", "Barley in field 12", "Barley in field 13"]
    assert [r.fields.get("year") for r in found] == ["2011", "2012", "2013"]
    assert found[0].fields["doi"] == "10.5555/s41586-023-067911-0"


def test_a_reference_in_two_lines_that_both_have_dates_is_one() -> None:
    body = "Almeida, R. (2014). Barley in the wet fields of the\nCrops of 2014, 12(3), 1–9."
    assert [reference.raw for reference in listed(body)] == [body.replace("\n", " ")]


def test_marks_count_up_and_numbers_in_references_are_none() -> None:
    body = (
        "1. Almeida R. Barley in fields. Crops. 2014;\n12. 1-9.\n2. Berg T. Rye in fields. Crops. 2015;1:\n9. 4-8.\n"
        "3. Costa L. Oats in fields. Crops. 2016;2:1-4.\n4. Dube T. Wheat in fields. Crops. 2017;2:1-4."
    )
    titles = [reference.fields.get("title") for reference in listed(body)]
    assert titles == ["Barley in fields", "Rye in fields", "Oats in fields", "Wheat in fields"]


def test_keys_are_marks_with_prose_before_them_and_without_years() -> None:
    keys = ("Alm14", "BC+04", "KDP", "Dub99a", "Eri03", "Fof21")
    body = "All of them are named in the text.\n\n" + " ".join(
        f"[{key}] Rosa Almeida. Barley in fields of {key}. Journal of Crops, 12(3):1–9, 2014." for key in keys
    )
    assert [reference.key for reference in listed(body)] == list(keys)


def test_raised_numbers_in_brackets_are_marks() -> None:
    body = " ".join(f"[{mark}] Rosa Almeida. On barley. Crops, 1:1–9, 2014." for mark in "¹²³")
    assert [reference.key for reference in listed(body)] == ["1", "2", "3"]


def test_words_and_identifiers_broken_at_line_ends_are_whole_again() -> None:
    assert mended("adap-\ntive self-\nsupervised pre- and post-war Müller-\nSchmidt") == (
        "adaptive self-supervised pre- and post-war Müller-Schmidt"
    )
    assert mended("doi:10.5555/s41598-\n788-04488-x") == "doi:10.5555/s41598-788-04488-x"
    assert mended("https://doi.org/10.\n5555/jcs.\n2004.1039.") == "https://doi.org/10.5555/jcs.2004.1039."
    assert mended("https://www.example.org/\n\nportal/data. Seen") == "https://www.example.org/portal/data. Seen"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("Lee, A. (2014). On barley fields. Crops, 1, 2–3. doi:10.5555/jcs.\n2004.1039", "10.5555/jcs.2004.1039"),
        ("Lee, A. (2014). On barley fields. Crops, 1, 2–3. doi:10.5555/jcs. 1036.", "10.5555/jcs.1036"),
        ("A. Lee. On barley fields. Crops, 1:2–3. doi:10.5555/jcs.2004.\n2014.", None),  # a part of it, or the year
        ("A. Lee. On barley fields. Crops, 1:2–3. doi:10.5555/jcs20\n14.7x", None),
    ],
)
def test_a_doi_that_may_be_half_a_doi_is_not_asked_about(text: str, doi: str | None) -> None:
    (reference,) = listed(f"[1] {text}")
    assert reference.fields.get("doi") == doi


def test_numbered_references_in_broken_lines_are_no_headings() -> None:
    body = "\n".join(
        f"{n}. Almeida R, Berg T. Barley in the fields of method {n}. Materials and\nMethods. 2014;12(3):1-9."
        for n in range(1, 13)
    )
    assert len(listed(body)) == 12


def test_the_pages_of_a_pdf_do_not_break_its_references(tmp_path: Path) -> None:
    rows = [*wrapped(FRONT.replace("\n\n", " "), 80).split("\n")[:8], "", "References", ""]
    rows += [row for entry in ENTRIES for row in wrapped(f"{entry}", 70).split("\n")]
    pages = [rows[:16], rows[16:]]
    runs = [[Run(72, 700 - 14 * n, row) for n, row in enumerate(page) if row] + [Run(300, 40, str(p))]
            for p, page in enumerate(pages, 1)]  # fmt: skip
    path = tmp_path / "barley.pdf"
    path.write_bytes(write_pdf(runs))
    found = read_file(path).references
    assert [r.fields.get("year") for r in found] == ["2014", "2011", "2012", "2016", "2019", "2020"]
    assert [r.fields.get("title") for r in found][1:3] == [
        "Rye in the rain", "Oats and other grains that grow where barley does not grow",
    ]  # fmt: skip


INVENTED = "Almeida, R., & Berg, T. H. (2014). Lattices of barley under seismic noise. Journal of Crops, 12(3), 1–19."


async def test_an_invented_paper_is_called_so_and_what_is_not_sure_is_asked_of_nobody() -> None:
    bodies = [INVENTED, *UNSURE[:5], *(text for text, *_ in OF_NOBODY[:-1])]
    references = listed("\n".join(f"[{n}] {text}" for n, text in enumerate(bodies, 1)))
    assert len(references) == len(bodies)
    with registry_server(Work(title="Something else altogether", year=2001, doi="10.5555/other")) as server:
        settled, events = await checked_references(references, {}, server.registries(), 100)
        asked = " ".join(path for _, path in server.asked)
    verdicts = [reference.verdict for reference in settled]
    assert verdicts[0] == "fabricated"
    assert verdicts[1:6] == ["not_checked"] * 5
    assert not {"fabricated", "misattributed"} & set(verdicts[1:])
    assert "1717" not in asked
    assert [event.kind for event in events if "unread" in event.kind] == ["references-unread"]


async def test_a_reference_known_by_its_identifier_alone_is_not_accused_for_how_it_was_read() -> None:
    (reference,) = listed("[1] S. Ågren, M. Jensen, Nature Barley 77, 1717 (1993). doi:10.5555/barley.77.1717")
    assert "title" not in reference.fields
    with registry_server(Work(title="Something else altogether", year=2001, doi="10.5555/other")) as server:
        ((settled,), events) = await checked_references([reference], {}, server.registries(), 100)
    assert settled.verdict in ("cannot_confirm", "unavailable")
    assert not events


def test_entries_of_a_bib_file_keep_their_type_and_are_no_guesses(tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@book{smith, title={Oil in pumps}, author={Smith, Ann}, year={1990}}")
    (tmp_path / "p.tex").write_text(
        "\\documentclass{article}\\begin{document}\\section{Introduction}"
        f"{'Dry pumps last. ' * 60}\\cite{{smith}}\\bibliography{{refs}}\\end{{document}}"
    )
    (reference,) = read_file(tmp_path / "p.tex").references
    entry = as_entry(reference)
    assert not reference.guessed
    assert (entry.type, entry.guessed, form_of(entry)) == ("book", False, Form.BOOK)
    assert reference.raw == "@book{smith, title = {Oil in pumps}, author = {Smith, Ann}, year = {1990}}"


def test_words_that_begin_as_bibtex_does_are_guesses_when_printed() -> None:
    (reference,) = listed("[1] @misc{Almeida, R. Barley in the fields. Journal of Crops, 12:1–9, 2014.")
    assert (reference.guessed, as_entry(reference).guessed) == (True, True)


def test_references_stored_before_they_said_so_are_guesses() -> None:
    stored = {"key": "1", "number": 1, "raw": "Berg, T. Rye. 2011.", "place": {"start": 0, "end": 9}}
    assert Reference.model_validate(stored).guessed


PIECES = [*ENTRIES, *UNSURE, "[3] ", "12. ", "(2014)", "\n", "\n\n", "et al. ", "“", "10.5555/"]


@given(st.lists(st.sampled_from(PIECES)))
@settings(max_examples=60, deadline=None)
def test_cuts_follow_each_other_within_the_list(pieces: list[str]) -> None:
    text = "References\n\n" + " ".join(pieces)
    cuts = cut_references(text)
    assert all(0 <= cut.start < cut.end <= len(text) for cut in cuts)
    assert all(one.end <= other.start for one, other in pairwise(cuts))


@given(st.text(max_size=300))
@settings(max_examples=120, deadline=None)
def test_no_text_breaks_the_reading_of_a_reference(text: str) -> None:
    parts = read_parts(mended(text))
    assert not parts.author or parts.title
    people = read_people(text)
    assert people is None or 0 < people.end <= len(text)


def test_long_hostile_text_is_cut_and_told_apart_like_any_other() -> None:
    for text in ("A" * 20000, "Lee, A., " * 3000, "A. B. " * 5000, "“" * 5000, "10.5555/\n" * 3000, "St. " * 5000):
        parts = read_parts(text)
        for said in (parts.author, parts.title):  # in the text's own words, and no more of them
            assert len(said) <= len(text)
            assert set(said) <= set(f"{text} and,")
        whole = f"References\n\n{text}"
        cuts = cut_references(whole)
        assert all(0 <= cut.start < cut.end <= len(whole) for cut in cuts)
        assert all(one.end <= other.start for one, other in pairwise(cuts))


def test_a_list_in_the_right_column_of_lines_that_hold_both_columns_is_found(tmp_path: Path) -> None:
    left = ["The author declared no conflict.", "", "Acknowledgements", "", "The author thanks the library.", ""]
    rows = [f"[{n}] A. Smith, Oil in dry pumps of kind {n}, J. Pumps {n} (200{n}) 1-{n}." for n in range(1, 7)]
    body = "Pumps are fouled by oil [1], and cleaned by hand [2,3]. " * 30
    paired = "\n\n".join(f"{side}\t{row}" if side else row for side, row in zip(left, rows, strict=True))
    path = tmp_path / "columns.txt"
    head = f"Pumps\n\nAbstract\n\nOil fouls.\n\n1 Introduction\n\n{body}"
    path.write_text(f"{head}\n\nConflict\tReferences\n\n{paired}\n")
    read = read_file(path)
    assert [" ".join(each.raw.split()) for each in read.references] == [row[4:] for row in rows]
    assert all(read.text[each.place.start :].startswith("A. Smith") for each in read.references)
