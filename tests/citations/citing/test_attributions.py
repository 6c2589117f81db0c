"""An attribution that the records do not bear out is refused, however it is worded (section 5.5)."""

from __future__ import annotations

import pytest

from veritas.citations.citing.attributions import against_attribution, find_attribution
from veritas.policy.triangulation_policy import load_triangulation_policy
from veritas.works.names import PersonName
from veritas.works.records import BibRecord, Kind

SOK = BibRecord(
    source="arxiv",
    title="SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning",
    authors=tuple(
        PersonName(given=given, family=family)
        for given, family in (("Heyi", "Zhang"), ("Yule", "Liu"), ("Xinlei", "He"), ("Jun", "Wu"))
    ),
    year=2025,
    years=(2025,),
    arxiv_id="2502.03801",
    kind=Kind.PREPRINT,
)
CLAIM = "the headliner attack set of FLPoison includes ALIE"


def fields(claim: str, hint: str | None = None) -> list[str]:
    return [each.field for each in against_attribution(SOK, [SOK], load_triangulation_policy(), claim, hint)]


@pytest.mark.parametrize(
    ("text", "surname", "year"),
    [
        ("Liu (2025) shows that it holds", "Liu", 2025),
        ("it holds (Liu, 2025)", "Liu", 2025),
        ("Liu, Y., Chen, X. (2025). A benchmark", "Liu", 2025),
        ("Liu and colleagues found it", "Liu", None),
        ("Liu & co-workers (2025) found it", "Liu", 2025),
        ("in Liu's benchmark it holds", "Liu", None),
        ("García-Pérez et al. (2019) hold it", "García-Pérez", 2019),
    ],
)
def test_forms_of_attributions(text: str, surname: str, year: int | None) -> None:
    found = find_attribution(text)
    assert found is not None
    assert (found.surname, found.year) == (surname, year)


@pytest.mark.parametrize(
    "text",
    [
        "In June (2025) it rained", "Table (2020)", "Newton's method converges", "Loss and Accuracy improve",
        "FLPoison (2025) is a benchmark", "the GPT (2018) model",
    ],
)  # fmt: skip
def test_what_is_no_attribution(text: str) -> None:
    assert find_attribution(text) is None


@pytest.mark.parametrize("said", ["Liu (2025)", "Liu and colleagues", "Liu's benchmark", "Liu, Y., Chen, X. (2025)"])
def test_another_author_is_refused_in_claim_and_hint(said: str) -> None:
    assert fields(f"{said} shows that {CLAIM}") == ["cited.first_author_surname"]
    assert fields(CLAIM, said) == ["cited.first_author_surname"]
    right = said.replace("Liu, Y., Chen, X.", "Zhang, H., Liu, Y.").replace("Liu", "Zhang", 1)
    assert fields(CLAIM, right) == []


def test_a_year_that_no_record_has_is_refused() -> None:
    assert fields(CLAIM, "Zhang (2019)") == ["cited.year"]


def test_a_thing_that_the_title_names_is_no_author() -> None:
    assert fields(f"Poisoning (2025) attacks: {CLAIM}") == []


WHOLE = "{authors} ({year}). {title}. arXiv preprint arXiv:2502.03801."


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"authors": "Liu, Y., Chen, X., & Braun, T."}, ["cited.authors"]),
        ({"year": "2018"}, ["cited.year"]),
        ({"title": "Cooking with barley in winter: recipes for a large family"}, ["cited.title"]),
    ],
)
def test_a_whole_reference_in_the_hint_is_compared_field_by_field(changes: dict[str, str], expected: list[str]) -> None:
    given = {"authors": "Zhang, H., Liu, Y., He, X., & Wu, J.", "year": "2025", "title": SOK.title or ""} | changes
    assert sorted(set(fields(CLAIM, WHOLE.format(**given)))) == expected


def test_a_right_identifier_with_a_wrong_title_is_refused() -> None:
    assert fields(CLAIM, "arXiv:2502.03801 Cooking with barley in winter") == ["cited.title"]
    assert fields(CLAIM, f"arXiv:2502.03801 {SOK.title}") == []
    assert fields(CLAIM, "https://arxiv.org/abs/2502.03801") == []
