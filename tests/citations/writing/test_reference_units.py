"""References of any style that stand as an item, a paragraph or a footnote, against the record of their DOI."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.artifact_samples import artifact
from tests.citations.registry_server import Work, registry_server
from veritas.citations.artifacts import write_artifact
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


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("change", ["people", "title", "year", "denied"])
def test_another_author_title_or_year_beside_a_real_doi_does_not_pass(
    style: str, change: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = {"people": GHOSTS, "title": {"title": OTHER}, "year": {"year": "2005"}, "denied": {"title": f"No {TITLE}"}}
    found = levels(STYLES[style].format(**REAL | told[change]), cache, monkeypatch)
    if change == "people" and style not in ("DIN", "German"):
        assert found == {"error"}
    elif change != "denied" or style not in ("DIN", "German"):  # whose titles are not cut out
        assert found in ({"error"}, {"unknown"})


@pytest.mark.parametrize(
    "text",
    [
        f"- Recommended by Ghost and Shade: {TITLE} (https://doi.org/{DOI}).",
        f"Peter Ghost and Ann Shade (2021) maintain the page; see https://doi.org/{DOI}.",
        f"- 2021-03-02 Peter Ghost: fix the reference to https://doi.org/{DOI}",
        f"- Lindqvist, K., Moreira, P., & Zhang, W. (2018). {TITLE} [Open access]. *Journal*. https://doi.org/{DOI}",
        f"- Lindqvist, K., Moreira, P., & Zhang, W. (2018). Effects of nitrogen fertiliser on earthworm abundance. "
        f"*Global Change Biology*. https://doi.org/{DOI}",
    ],
)
def test_who_is_named_without_having_written_it_and_a_shorter_title_are_no_fault(
    text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(text, cache, monkeypatch) == set()


def test_who_names_the_work_of_others_by_its_doi_is_not_accused(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"- Ghost, P., & Shade, A. (2023). wormr: an R package implementing the method of https://doi.org/{DOI}."
    assert "error" not in levels(text, cache, monkeypatch)


FEWER = {"vancouver": "Lindqvist K, Zhang W", "inverted": "Lindqvist, Karin, and Wei Zhang",
         "plain": "Karin Lindqvist and Wei Zhang"}  # fmt: skip


@pytest.mark.parametrize("style", ["Vancouver", "MLA", "Chicago", "ACM", "note"])
def test_an_author_left_out_beside_a_real_doi_is_unknown(
    style: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(STYLES[style].format(**REAL | FEWER), cache, monkeypatch) == {"unknown"}


APA = f"- {{}} (2018). {TITLE}. *Global Change Biology*. https://doi.org/{DOI}"


def test_an_author_left_out_of_a_reference_of_the_apa_is_unknown(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert levels(APA.format("Lindqvist, K., & Moreira, P."), cache, monkeypatch) == {"unknown"}
    for people in ("Lindqvist, K., Moreira, P., & Zhang, W.", "Lindqvist, K., et al.", "Lindqvist, K., … Zhang, W."):
        assert levels(APA.format(people), cache, monkeypatch) == set()


def test_dois_in_comments_and_docstrings_are_judged(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    commented = 'def f():\n    """Dig.\n\n    See doi:{0}.\n    """\n    return 1  # https://doi.org/{0}\n'
    assert levels(commented.format(DOI), cache, monkeypatch, "a.py") == set()
    assert levels(commented.format("10.1111/nobody.asked"), cache, monkeypatch, "a.py") == {"unknown"}
    data = 'KNOWN = ["doi:10.1111/nobody.asked"]\nRATIO = 1  # 10.1111/nobody.asked\n'
    assert levels(data, cache, monkeypatch, "a.py") == set()


def test_a_footnote_of_latex_is_read_as_a_reference(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    note = "x\\footnote{{{plain}, ``{title},'' \\emph{{Global Change Biology}} 24 (2018), \\url{{https://doi.org/%s}}.}}"
    assert levels((note % DOI).format(**REAL), cache, monkeypatch, "page.tex") == set()
    assert levels((note % DOI).format(**REAL | GHOSTS), cache, monkeypatch, "page.tex") == {"error"}


def test_a_full_footnote_of_a_work_with_an_artifact_needs_no_link(
    cache: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for setting, value in cache.items():
        monkeypatch.setenv(setting, value)
    kept = artifact(title=TITLE, authors=PEOPLE, year=2018, arxiv_id=None, doi=DOI, urls={"doi": "https://doi.org/x"})
    write_artifact(kept, tmp_path / "docs/citations", "worms")
    project = open_project(tmp_path, root=tmp_path)
    for people, wanted in ((REAL, []), (REAL | GHOSTS, ["misattributed"])):
        found = asyncio.run(check_text(STYLES["note"].format(**people), tmp_path / "page.md", project=project))
        assert [each.code for each in found] == wanted


async def test_a_note_whose_link_holds_a_doi_is_judged_by_that(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path))
    note = "x[^1]\n\n[^1]: Derived from Doe, J. (2005) “[Of Things](http://example.org/article?id=10.1371/j.med.0020124)”.\n"
    assert await check_text(note, tmp_path / "page.md", project=open_project(tmp_path, root=tmp_path)) == []
