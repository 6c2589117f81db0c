"""References in running prose: their printed authors and title against the record of their DOI."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.use_cases.writing import check_text, open_project

DOI = "10.5555/good.1"
TITLE = "A careful study of many rare things in nature"
RIGHT = [
    f"As shown by Author and Bibliographer (2020), {TITLE}, doi:{DOI}.",
    f"They are rare (Author & Bibliographer, 2020; https://doi.org/{DOI}).",
    f"They are rare (Author et al. 2020, doi:{DOI}).",
    f"See [Bibliographer et al. (2020)](https://doi.org/{DOI}).",
    f"As Author et al. (2020), “{TITLE.lower()}”, https://doi.org/{DOI} says.",
    f"As Author, A. and Bibliographer, B. (2020), Journal of Careful Studies 12, 1-20, doi:{DOI} says.",
    f"We follow Nobody et al. (2021), and the data are at https://doi.org/{DOI}.",
    f"Nobody et al. (2021) show that this method (https://doi.org/{DOI}) fails.",
    f"In line with Nobody and Noone (2021), the data of https://doi.org/{DOI} are rare.",
    f"It was corrected in May 2021 (https://doi.org/{DOI}).",
    f"It is at https://doi.org/{DOI}.",
    f"It is at [{TITLE}](https://doi.org/{DOI}).",
    f"It is in [The long and careful study by Author](https://doi.org/{DOI}).",
    f"As Author and Bibliographer (2019), {TITLE}, doi:{DOI} says.",
    f'- "{TITLE}", Ann Author, Ben Bibliographer, Journal of Careful Studies 2020. https://doi.org/{DOI}',
]
WRONG = [
    f"As shown by Nobody et al. (2020), {TITLE}, doi:{DOI}.",
    f"They are rare (Nobody & Noone, 2020; https://doi.org/{DOI}).",
    f"See [Nobody et al. (2020)](https://doi.org/{DOI}).",
    f"As N. Nobody, O. Noone (2020), “Quantum rewards of gradient descent in space”, doi:{DOI} says.",
    f"As Author and Bibliographer (2020), Quantum rewards of gradient descent in space, doi:{DOI} says.",
]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The settings of a cache that knows the work under `DOI`."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patched, registry_server(Work(TITLE, doi=DOI)) as server:
        settings = server.environment() | {"VERITAS_HOME": str(folder)}
        for name, value in settings.items():
            patched.setenv(name, value)
        asyncio.run(check_text(f"doi:{DOI}", folder / "a.md", online=True))
    return settings


def told(text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    for name, value in cache.items():
        monkeypatch.setenv(name, value)
    root = Path(cache["VERITAS_HOME"])
    found = asyncio.run(check_text(f"# Page\n\n{text}\n", root / "page.md", project=open_project(root, root=root)))
    return [(each.code, each.level) for each in found if each.code != "no-artifact"]


@pytest.mark.parametrize("text", RIGHT)
def test_a_reference_as_its_record_has_it_and_prose_before_a_doi_are_left_alone(
    text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(text, cache, monkeypatch) == []


@pytest.mark.parametrize("text", WRONG)
def test_invented_authors_and_titles_of_a_real_doi_are_told(
    text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(text, cache, monkeypatch) == [("misattributed", "error")]


@pytest.mark.parametrize(
    "text",
    [
        f"As Author and Bibliographer (2005), {TITLE}, doi:{DOI} says.",
        f"As Author and Nobody (2020), {TITLE}, doi:{DOI} says.",
        f"As Author and Bibliographer (2020), No {TITLE.lower()}, doi:{DOI} says.",
        f"As Author and Bibliographer (2020), A careful study of many common things in nature, doi:{DOI} says.",
        f"It is at [Quantum rewards of gradient descent in the space of losses](https://doi.org/{DOI}).",
    ],
)
def test_what_a_record_does_not_bear_out_and_may_be_another_form_is_in_doubt(
    text: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(text, cache, monkeypatch) == [("unknown", "unknown")]


INVENTED = f"Nobody, N., & Noone, O. (2020). {TITLE}. *Journal of Tests*, 3(2), 1-10."
HEADINGS = [
    "## 7. References", "## Reference list", "**References**", "<h2>References</h2>", "## References {#refs}",
    "References\n----------", "## References and notes", "## Referencias", "## 参考文献", "## Sources",
]  # fmt: skip


BEFORE = ["", "- ", "1. ", "It is so.[^1]\n\n[^1]: ", *(f"{each}\n\n- " for each in HEADINGS)]


@pytest.mark.parametrize("before", BEFORE)
def test_a_reference_of_the_apa_s_form_is_judged_wherever_it_stands(
    before: str, cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    true = INVENTED.replace("Nobody, N., & Noone, O.", "Author, A., & Bibliographer, B.")
    assert told(f"{before}{true} https://doi.org/{DOI}", cache, monkeypatch) == []
    assert told(f"{before}{INVENTED} https://doi.org/{DOI}", cache, monkeypatch) == [("misattributed", "error")]
    assert told(f"{before}{INVENTED}", cache, monkeypatch) == [("unknown", "unknown")]


def test_each_list_of_a_page_is_read(cache: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    true = INVENTED.replace("Nobody, N., & Noone, O.", "Author, A., & Bibliographer, B.")
    lists = [f"## References\n\n- {each} https://doi.org/{DOI}\n" for each in (INVENTED, true)]
    for order in (lists, lists[::-1]):
        assert told("\n## More\n\nText.\n\n".join(order), cache, monkeypatch) == [("misattributed", "error")]


@pytest.mark.parametrize(
    ("people", "found"), [("Author, A., & Bibliographer, B.", []), ("Nobody, N., & Noone, O.", ["misattributed"])]
)
def test_the_definition_of_a_label_that_is_a_reference_is_judged(
    people: str, found: list[str], cache: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in cache.items():
        monkeypatch.setenv(name, value)
    root = Path(cache["VERITAS_HOME"])
    text = (
        "Shown by [Author2020]_ and [1]_.\n\n"
        f".. [Author2020] {people} (2020). {TITLE}. Journal of Tests, 3(2), 1-10.\n   https://doi.org/{DOI}\n"
        ".. [1] A note of 2020 on other things, which is no reference.\n"
    )
    told = asyncio.run(check_text(text, root / "page.rst", project=open_project(root, root=root)))
    assert [each.code for each in told] == found


def test_one_name_alone_and_what_the_cache_does_not_know_are_unknown(
    cache: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert told(f"It is part of Eurostat (2020, doi:{DOI}).", cache, monkeypatch) == [("unknown", "unknown")]
    assert told(WRONG[0], cache | {"VERITAS_HOME": str(tmp_path)}, monkeypatch) == [("unknown", "unknown")]
