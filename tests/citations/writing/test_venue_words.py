"""The name of a journal before a year, and invented authors in the same place."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.use_cases.writing import check_text, open_project

DOI = "10.1038/s41559-017-0446-6"
TITLE = "Salmonella enterica genomes from victims of a major epidemic in Mexico"
WORK = Work(TITLE, ("Åshild Vågene", "Alexander Herbig"), 2018, doi=DOI, venue="Nature Ecology & Evolution")
LINK = f"https://doi.org/{DOI}"
HEADING = f"### {TITLE}\n\nÅshild Vågene, Alexander Herbig\n\n"
FORMS = (
    f"Published in {{}} (2018): {LINK}",
    f"See {{}} 2018, doi:{DOI}.",
    f"- [{TITLE}]({LINK}), {{}} (2018)",
    f"- {TITLE}. [{{}}, 2018]({LINK})",
    f"| {TITLE} | {{}} (2018) | [{DOI}]({LINK}) |\n|---|---|---|\n| a | b | c |",
    f"**Paper** ({{}} 2018): <{LINK}>",
)
VENUES = ("Nature Ecology & Evolution", "Nature Ecology and Evolution", "Nat. Ecol. & Evol.", "Ecology and Evolution")


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched, registry_server(WORK) as server:
        settings = server.environment() | {"VERITAS_HOME": str(folder)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{DOI}", folder / "a.md", online=True))
    return settings


def levels(text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    for name, value in cache.items():
        monkeypatch.setenv(name, value)
    root = Path(cache["VERITAS_HOME"])
    found = asyncio.run(check_text(text, root / "page.md", project=open_project(root, root=root)))
    return {each.level for each in found if each.code != "no-artifact"}


@pytest.mark.parametrize("form", [*FORMS, f"{HEADING}[{{}} 2018]({LINK})"])
def test_the_journal_of_a_work_is_no_name_of_authors(
    form: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [levels(form.format(each) + "\n", cache, monkeypatch) for each in VENUES] == [set()] * 4


@pytest.mark.parametrize("form", FORMS)
def test_invented_authors_in_the_place_of_the_journal_are_told(
    form: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = levels(form.format("Harlow and Pettersen") + "\n", cache, monkeypatch)
    assert told == ({"unknown"} if form.startswith("Published in") else {"error"})


@pytest.mark.parametrize("venue", ["Soil Biology and Biochemistry", "Computing in Science & Engineering"])
def test_another_journal_is_not_taken_for_authors(
    venue: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all("error" not in levels(form.format(venue) + "\n", cache, monkeypatch) for form in FORMS)


def test_invented_authors_before_the_journal_are_told(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "{} Nature Ecology & Evolution, 2018, " + LINK + "\n"
    assert levels(text.format("Vågene and Herbig"), cache, monkeypatch) == set()
    assert levels(text.format("Harlow and Pettersen"), cache, monkeypatch) == {"error"}
