"""References that hold the whole title of their record behind names of any form, and lies in the same forms."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.citations.bibliography.formats.printed.whole_titles import title_behind_names
from veritas.citations.writing.prose_references import words_left_out
from veritas.registries.records import normalise
from veritas.use_cases.writing import check_text, open_project

DOI = "10.1111/worms.15999"
TITLE = "Effects of nitrogen fertiliser on earthworm abundance in temperate grassland soils"
OTHER = "Mycorrhizal networks of boreal spruce seedlings under drought"
PEOPLE = ("Karin Lindqvist", "Xiaoming Li", "Wei Wu")
NAMES = {
    "stops": ("Lindqvist K., Li X., Wu W.", "Ghost P., Ng A., Wight C."),
    "semicolons": ("Lindqvist K.; Li X.; Wu W.", "Ghost P.; Ng A.; Wight C."),
    "hyphens": ("Lindqvist K., Li X.-M., Wu W.", "Ghost P., Ng A.-B., Wight C."),
    "commas": ("Lindqvist, K., Li, X., & Wu, W.", "Ghost, P., Ng, A., & Wight, C."),
    "capitals": ("LINDQVIST K, LI X, WU W", "GHOST P, NG A, WIGHT C"),
    "no marks": ("Lindqvist K, Li X and Wu W", "Ghost P, Ng A and Wight C"),
    "full": ("Karin Lindqvist, Xiaoming Li, Wei Wu", "Peter Ghost, Ann Ng, Carl Wight"),
}
FORMS = ("{n} {t}. *Glob. Chang. Biol.*, 2018. {d}", "{n} {t} // Glob. Chang. Biol. 2018. {d}", "{n} (2018). {t}. {d}")
PAGES = ("- {}\n", "Text.\n\n## References\n\n1. {}\n", "Text.[^1]\n\n[^1]: {}\n")


async def levels(text: str, root: Path) -> set[str]:
    return {each.level for each in await check_text(text, root / "page.md", project=open_project(root, root=root))}


async def test_names_of_any_form_before_the_whole_title_are_no_other_title(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with registry_server(Work(TITLE, authors=PEOPLE, year=2018, doi=DOI)) as server:
        for name, value in (server.environment() | {"VERITAS_HOME": str(tmp_path)}).items():
            monkeypatch.setenv(name, value)
        await check_text(f"doi:{DOI}", tmp_path / "a.md", online=True)
    for number, (true, lie) in enumerate(NAMES.values()):
        for at, form in enumerate(FORMS):
            page = PAGES[(at + number) % 3]
            said = [page.format(form.format(n=n, t=t, d=f"https://doi.org/{DOI}").replace("..", "."))
                    for n, t in ((true, TITLE), (lie, OTHER))]  # fmt: skip
            assert await levels(said[0], tmp_path) == set(), said[0]
            assert await levels(said[1], tmp_path), said[1]


@pytest.mark.parametrize(
    ("said", "whole"),
    [
        (f"Solheim B., Vrba T.-A., Eze C. {TITLE} // Biol. 2018.", True),
        (f"Сольхейм Б., Врба Т. {TITLE}. 2018.", True),
        (f"张伟, 李晓明. {TITLE}[J]. 2018.", True),
        (f"de la Cruz A 2018 {TITLE.upper()} *Biol.*", True),
        (f"Solheim B. No {TITLE[0].lower()}{TITLE[1:]} at all. 2018.", False),
        (f"Solheim B. Another look at the {TITLE}. 2018.", False),
        (f"Solheim B. {TITLE}: a rebuttal. 2018.", False),
        (f"Solheim B. {TITLE} and forests. 2018.", False),
    ],
)
def test_a_title_is_whole_behind_names_alone_and_before_a_mark(said: str, whole: bool) -> None:
    assert title_behind_names(said, [TITLE]) == (TITLE if whole else "")


@pytest.mark.parametrize(
    ("printed", "left_out"),
    [
        ("Effects of nitrogen fertiliser, earthworm abundance in temperate grassland soils", True),
        ("Effects of nitrogen on earthworm abundance in temperate soils", True),
        ("Effects of phosphorus fertiliser on earthworm abundance in temperate grassland soils", False),
        (OTHER, False),
    ],
)
def test_words_left_out_of_a_title_are_a_slip_and_other_words_are_not(printed: str, left_out: bool) -> None:
    record = normalise("bibtex", {"title": TITLE, "author": "Lindqvist, Karin", "year": "2018", "entrytype": "article"})
    assert words_left_out(printed, [record]) is left_out
