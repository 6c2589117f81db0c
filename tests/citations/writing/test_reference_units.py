"""References of any style that stand as an item, a paragraph or a footnote, against the record of their DOI."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.use_cases.writing import check_text, open_project

DOI = "10.1111/worms.14999"
TITLE = "Effects of nitrogen fertiliser on earthworm abundance in temperate grassland soils"
OTHER = "Mycorrhizal networks of boreal spruce seedlings under drought"
PEOPLE = ("Karin Lindqvist", "Pedro Moreira", "Wei Zhang")
STYLES = {
    "Vancouver": "1. {vancouver}. {title}. Glob Chang Biol. {year};3(2):1-9. doi:" + DOI,
    "MLA": '- {inverted}. "{title}." *Global Change Biology*, vol. 3, {year}, pp. 1-9, https://doi.org/' + DOI + ".",
    "Chicago": '{inverted}. {year}. "{title}." *Global Change Biology* 3 (2): 1–9. https://doi.org/' + DOI + ".",
    "ACM": "[1] {plain}. {year}. {title}. Global Change Biology 3, 2 ({year}), 1–9. https://doi.org/" + DOI,
    "note": 'x[^1]\n\n[^1]: {plain}, "{title}," *Global Change Biology* 24, no. 3 ({year}): 4, https://doi.org/' + DOI,
    "DIN": "{din}: {title}. In: Global Change Biology 24 ({year}), Nr. 3, S. 1–9. DOI: " + DOI,
    "German": "{slashed} ({year}): {title}, in: Global Change Biology, Jg. 24, S. 1–9, https://doi.org/" + DOI,
}
REAL = {
    "vancouver": "Lindqvist K, Moreira P, Zhang W", "inverted": "Lindqvist, Karin, Pedro Moreira, and Wei Zhang",
    "plain": "Karin Lindqvist, Pedro Moreira, and Wei Zhang", "din": "LINDQVIST, Karin; MOREIRA, Pedro; ZHANG, Wei",
    "slashed": "Lindqvist, Karin/Moreira, Pedro/Zhang, Wei", "title": TITLE, "year": "2018",
}  # fmt: skip
GHOSTS = {
    "vancouver": "Ghost P, Shade A", "inverted": "Ghost, Peter, and Ann Shade", "plain": "Peter Ghost and Ann Shade",
    "din": "GHOST, Peter; SHADE, Ann", "slashed": "Ghost, Peter/Shade, Ann",
}  # fmt: skip


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a cache that knows the work under `DOI`."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched, registry_server(Work(TITLE, authors=PEOPLE, year=2018, doi=DOI)) as s:
        settings = s.environment() | {"VERITAS_HOME": str(folder)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{DOI}", folder / "a.md", online=True))
    return settings


def levels(text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch, name: str = "page.md") -> set[str]:
    for setting, value in cache.items():
        monkeypatch.setenv(setting, value)
    root = Path(cache["VERITAS_HOME"])
    return {each.level for each in asyncio.run(check_text(text, root / name, project=open_project(root, root=root)))}


@pytest.mark.parametrize("style", STYLES)
def test_a_reference_as_its_record_has_it_is_left_alone(
    style: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(STYLES[style].format(**REAL), cache, monkeypatch) == set()


def test_other_authors_beside_a_real_doi_are_told_in_most_styles(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = {style: levels(each.format(**REAL | GHOSTS), cache, monkeypatch) for style, each in STYLES.items()}
    assert sum("error" in found for found in other.values()) >= len(STYLES) - 3, other


@pytest.mark.parametrize("style", sorted(STYLES.keys() - {"DIN", "German"}))
def test_a_doi_of_another_work_does_not_pass(
    style: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(STYLES[style].format(**REAL | GHOSTS | {"title": OTHER}), cache, monkeypatch)
