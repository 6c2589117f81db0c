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
        ("Liu and colleagues found it", "Liu", None),
        ("García-Pérez et al. (2019) hold it", "García-Pérez", 2019),
        ("WANG ET AL. (2025) hold it", "WANG", 2025), ("Wang & Chen [2025] hold it", "Wang", 2025),
        ("In their 2021 paper, Wang et al. hold it", "Wang", 2021),
    ],
)
def test_forms_of_attributions(text: str, surname: str, year: int | None) -> None:
    found = find_attribution(text)
    assert found is not None
    assert (found.surname, found.year) == (surname, year)


@pytest.mark.parametrize("said", ["Liu (2025)", "Liu and colleagues", "Liu's benchmark", "Liu, Y., Chen, X. (2025)"])
def test_another_author_is_refused_in_claim_and_hint(said: str) -> None:
    assert fields(f"{said} shows that {CLAIM}") == ["cited.first_author_surname"]
    assert fields(CLAIM, said) == ["cited.first_author_surname"]
    right = said.replace("Liu, Y., Chen, X.", "Zhang, H., Liu, Y.").replace("Liu", "Zhang", 1)
    assert fields(CLAIM, right) == []


TITLE = SOK.title or ""


@pytest.mark.parametrize(
    "hint",
    [
        "Liu 2025", "Liu, 2025", "Liu's group showed it (2025)", "the paper by Liu", "the paper by Yule Liu",
        "by Yule Liu et al.", "according to Liu", "Yule Liu and Heyi Zhang (2025)", "Liu Y, Zhang H. 2025",
        "Liu/He 2025", "Liu [2025]", "the 2019 paper by Zhang", "Zhang 2019",
        f"@article{{x, title={{{TITLE}}}, author={{Liu, Yule and Zhang, Heyi}}, year={{2025}}}}",
        f"@article{{x, title={{{TITLE}}}, author={{Zhang, Heyi and Liu, Yule and others}}, year={{2019}}}}",
        f"Heyi Zhang, Quillon Adeyemi, Xinlei He, Jun Wu. {TITLE}. 2025",
        "2502.03801, Deep residual learning for image recognition", "“Attention Is All You Need” (2502.03801)",
        "SoK: Benchmarking Evasion Attacks in Federated Learning, arXiv 2502.03801",
    ],
)  # fmt: skip
def test_a_hint_that_names_another_first_author_year_or_title_is_refused(hint: str) -> None:
    assert fields(CLAIM, hint)


@pytest.mark.parametrize(
    "hint",
    [
        "Zhang 2025", "Zhang et al. 2025", "by Heyi Zhang", "the 2025 paper by Zhang", "Zhang H, Liu Y. 2025",
        "Zhang & Liu (2025)", "according to Zhang", "page 3 of arXiv:2502.03801", "Nature 2021", "Springer 2024",
        "see section 4.2 of 2502.03801, table of attacks", "federated learning poisoning benchmark 2502.03801",
        f"{TITLE} (arXiv 2502.03801)", f"Zhang, H., Liu, Y., He, X., Wu, J. (2025). {TITLE}. arXiv:2502.03801",
        f"@article{{x, title={{{TITLE}}}, author={{Zhang, Heyi and Liu, Yule and others}}, year={{2025}}}}",
    ],
)  # fmt: skip
def test_a_right_hint_passes_in_whatever_words(hint: str) -> None:
    assert fields(CLAIM, hint) == []
