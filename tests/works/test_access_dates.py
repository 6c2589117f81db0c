"""When a page was read is no date of the work."""

from __future__ import annotations

import pytest

from veritas.works.access_dates import without_access


@pytest.mark.parametrize(
    "said",
    [
        "Acesso em: 3 mai. 2024",
        "Recuperado el 3 de mayo de 2024",
        "(abgerufen am 3. Mai 2024)",
        "[Accessed 3rd May, 2024]",
        "Retrieved 2024-05-03",
        "consulté le 3 mai 2024",
        "[cited 2024 May 3]",
        "(дата обращения: 03.05.2024)",
        "Geraadpleegd op 3 mei 2024",
        "[2024-05-03]",
    ],
)
def test_the_day_of_reading_is_left_out(said: str) -> None:
    bare = without_access(f"Ito A. Of ponds. 2018. {said}.")
    assert "2018" in bare
    assert "2024" not in bare


@pytest.mark.parametrize("said", ["Access to care in 2018", "Consultation of 2018", "A city visited in 2018"])
def test_other_years_stay(said: str) -> None:
    assert without_access(said) == said


def test_where_a_page_is_read_does_not_stand_before_its_doi() -> None:
    assert without_access("Disponível em: https://doi.org/10.1234/a") == " https://doi.org/10.1234/a"
    assert without_access("is available at home") == "is available at home"
