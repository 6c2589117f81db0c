"""DOIs in prose: where each begins and ends."""

from __future__ import annotations

import pytest

from veritas.works.printed_dois import printed_dois

LANCET = "10.1016/S0140-6736(15)00001-1"
PLAIN = "10.1056/tst1501234"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        (f"[x](https://doi.org/{LANCET})", LANCET), (f"<https://doi.org/{LANCET}>", LANCET),
        (f"*https://doi.org/{PLAIN}*", PLAIN), (f"_doi:{PLAIN}_", PLAIN), (f"doi:{PLAIN}—see", PLAIN),
        (f"doi:{PLAIN}[^1]", PLAIN), (f"DOI {PLAIN}!", PLAIN),
        (f'<a href="https://doi.org/{PLAIN}">doi</a>', PLAIN),
        ("https://doi.org/10.1056%2Ftst1501234", PLAIN),
        (
            "doi:10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2 says",
            "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
        ),
    ],
)
def test_a_doi_ends_where_its_own_signs_end(text: str, doi: str) -> None:
    assert [(each.doi, each.sure) for each in printed_dois(text)] == [(doi, True)]


@pytest.mark.parametrize(
    "text",
    [
        f"https://doi.org/{PLAIN}#sec2",
        f"https://doi.org/{PLAIN}&amp;x",
        f"https://www.example.org/doi/{PLAIN}/fulltext",
        f"doi:{PLAIN}と",
    ],
)
def test_a_doi_whose_end_is_in_doubt_is_marked_so(text: str) -> None:
    assert [(each.doi, each.sure) for each in printed_dois(text)] == [(PLAIN, False)]


def test_several_dois_stand_apart_and_paths_of_files_hold_none() -> None:
    found = printed_dois(f"(doi:10.1056/a1;doi:10.1056/b2), docs/{PLAIN} and [{PLAIN}](https://doi.org/{PLAIN})")
    assert [each.doi for each in found] == ["10.1056/a1", "10.1056/b2", PLAIN, PLAIN]
    assert [each.sure for each in printed_dois("version 10.1234/5")] == [False]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        (f"{{doi}}`{PLAIN}`", False),
        (f":doi:`{PLAIN}`", False),
        (f"{{doi}}`the trial <{PLAIN}>`", False),
        (f"{{cite:p}}`{PLAIN}`", False),
        (f"DOI `{PLAIN}`", False),
        (f"`{PLAIN}`", True),
        (f'{{"doi": "{PLAIN}"}}', True),
    ],
)
def test_a_role_or_a_word_marks_a_doi_in_code(text: str, bare: bool) -> None:
    assert [(each.doi, each.bare) for each in printed_dois(text)] == [(PLAIN, bare)]
