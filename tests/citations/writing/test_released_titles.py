"""Titles of software and data with versions, kinds and owners, the addresses of badges, and lies in the same forms."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.use_cases.writing import check_text, open_project
from veritas.works.printed_dois import printed_dois
from veritas.works.released_titles import same_release

PEOPLE = ("Stephan Hoyer", "Joe Hamman", "xarray Developers")
SOFTWARE = Work("xarray: v2023.01.0", PEOPLE, 2023, doi="10.5281/zenodo.7527170", venue="Zenodo", kind="software")
DATA = Work(
    "ERA5 hourly data on single levels from 1940 to present", ("Hans Hersbach", "Bill Bell"), 2023,
    doi="10.24381/cds.adbb2d47", venue="Climate Data Store", kind="dataset",
)  # fmt: skip
BIB = "@misc{{k, author={{{}}}, title={{{}}}, year={{2023}}, doi={{{}}}}}\n"


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched, registry_server(SOFTWARE, DATA) as server:
        settings = server.environment() | {"VERITAS_HOME": str(folder)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{SOFTWARE.doi} and doi:{DATA.doi}", folder / "a.md", online=True))
    return settings


def levels(text: str, name: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> set[str]:
    for setting, value in cache.items():
        monkeypatch.setenv(setting, value)
    root = Path(cache["VERITAS_HOME"])
    found = asyncio.run(check_text(text, root / name, project=open_project(root, root=root)))
    return {each.level for each in found} & {"error", "unknown"}


@pytest.mark.parametrize(
    ("work", "title", "told"),
    [
        (SOFTWARE, "pydata/xarray: v2023.01.0", set()),
        (SOFTWARE, "xarray, version 2023.01.0", set()),
        (SOFTWARE, "xarray (v2023.01.0) [Computer software]", set()),
        (SOFTWARE, "zarr: v2.13.0", {"unknown"}),
        (DATA, "ERA5 hourly data on single levels from 1979 to present", set()),
        (DATA, "ERA5 hourly data on single levels from 1940 to present [Data set]", set()),
        (DATA, "Ocean temperature profiles of the Barents Sea [Data set]", {"unknown"}),
    ],
)
def test_a_release_is_no_other_title_and_another_title_is(
    work: Work, title: str, told: set[str], cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    authors = " and ".join(f"{{{each}}}" if "Dev" in each else each for each in work.authors)
    assert levels(BIB.format(authors, title, work.doi), "r.bib", cache, monkeypatch) == told


def test_a_body_behind_the_authors_is_no_part_of_the_title(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = f"## References\n\n1. {{}}. {{}}. Zenodo. 2023. doi:{SOFTWARE.doi}\n"
    true, lie = "Hoyer S, Hamman J, xarray Developers", "Ghost P, Nemo C, xarray Developers"
    assert levels(page.format(true, SOFTWARE.title), "n.md", cache, monkeypatch) == set()
    assert levels(page.format(lie, SOFTWARE.title), "n.md", cache, monkeypatch)
    assert levels(BIB.format("xarray Developers", SOFTWARE.title, SOFTWARE.doi), "r.bib", cache, monkeypatch) == set()
    assert levels(BIB.format("Peter Ghost", SOFTWARE.title, SOFTWARE.doi), "r.bib", cache, monkeypatch) == {"error"}


def test_titles_of_releases() -> None:
    assert same_release("(13 May 2021) GBIF Occurrence Download", "GBIF Occurrence Download")
    assert same_release("GBIF Occurrence Download 0001234-21", "GBIF Occurrence Download")
    assert not same_release("pandas in the wild: a survey of zoo animals", "pandas-dev/pandas: Pandas")
    assert not same_release("Data that are not on single levels", "Data that are on single levels")
    assert not same_release("ERA5 monthly data from 1940 to present", "ERA5 hourly data from 1940 to present")


def test_the_picture_of_a_badge_is_no_other_doi(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    badge = "[![DOI](https://zenodo.org/badge/DOI/{0}.svg)](https://doi.org/{0})\n"
    assert levels(badge.format(SOFTWARE.doi), "README.md", cache, monkeypatch) == set()
    assert levels(badge.format("10.5281/zenodo.999"), "README.md", cache, monkeypatch) == {"unknown"}
    said = "https://x.org/pdf/10.5555/a.1.pdf https://x.org/doi/suppl/10.5555/a.1/suppl_file/b.pdf doi:10.5555/b.pdf"
    assert [each.doi for each in printed_dois(said)] == ["10.5555/a.1", "10.5555/a.1", "10.5555/b.pdf"]
