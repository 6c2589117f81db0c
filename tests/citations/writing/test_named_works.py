"""Works that a text names without an identifier: unknown, unless the project tells what they are."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.use_cases.writing import Edit, guard_edits

BIB = "@article{doe2012, title={Of Things and Other Things}, author={Doe, Jane and Roe, Ann}, year={2012}}\n"
TITLE = "Dietary Fibre and the Risk of Stroke in Women"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text(BIB)
    return tmp_path


async def codes(root: Path, text: str, name: str = "page.md", before: str = "") -> list[str]:
    return [each.diagnostic.code for each in await guard_edits([Edit(str(root / name), before, text)], root=root)]


NAMED = [
    "As shown by Nakamoto & Vance (2015, New Medical Journal), fibre lowers the risk.",
    "Fibre lowers the risk (Nakamoto & Vance, 2015).",
    "Fibre lowers the risk (e.g., Nakamoto et al., 2015, p. 3).",
    "Nakamoto and Vance (2015) agree.",
    "This follows Nakamoto, Doe, and Vance (2015b).",
    "Nakamoto et al. (2015) agree.",
    "Nakamoto (2015) showed that fibre works.",
    "Fibre lowers the risk (Nakamoto, 2015).",
    "Fibre lowers the risk (Nakamoto, 2015a, p. 4).",
    "Fibre lowers the risk (e.g., Nakamoto, 2015; Doe & Roe, 2012).",
    "Fibre lowers the risk [Nakamoto et al., 2015].",
    "Nakamoto's (2015) study is of fibre.",
    "A 2015 study by Nakamoto and Vance found that fibre works.",
    "In 2015, Sora Nakamoto and colleagues at Springfield showed that fibre works.",
    "Nakamoto and co-workers showed in 2015 that fibre works.",
    "Nakamoto and Vance (2015) agree [@baruch2019little].",
    "Nakamoto and Vance (2015) agree, see [the article](https://en.wikipedia.org/wiki/Fibre).",
    f"See Nakamoto et al., “{TITLE}”, New Medical Journal, 2015.",
    f"In 2015, Nakamoto and Vance published *{TITLE}* in the New Medical Journal.",
]
PRINTED = [
    f'Nakamoto, Sora, and Cara Vance. "{TITLE}." *New Medical Journal* 12.3 (2015): 45-67.',
    f"Nakamoto S, Vance C. {TITLE}. N Med J. 2015;12(3):45-67.",
    f"Sora Nakamoto and Cara Vance, “{TITLE},” *New Medical Journal* 12, no. 3 (2015): 45–67.",
    f'S. Nakamoto and C. Vance, "{TITLE}," *N. Med. J.*, vol. 12, no. 3, pp. 45–67, 2015.',
    f"Nakamoto, S. and Vance, C. (2015) ‘{TITLE}’, *New Medical Journal*, 12(3), pp. 45–67.",
]
OTHERS = [
    "Copyright (c) 2015 Smith and Jones. Released in January and March 2015.",
    "Windows and Linux (2015) are systems, and so were Spring and Summer (2015).",
    "Doe and Roe (2012) agree, and so do Doe et al. (2012).",
    "Baruch et al. (2019) agree.",
    "Nakamoto and Vance (2015) agree: see [their page](https://example.org/paper).",
    "Baruch and Vance (2018) agree [@baruch2019little].",
    "Write `Nakamoto and Vance (2015)` there.\n\n```\nNakamoto and Vance (2015)\n```",
    "- Fixed by Smith and Jones, in 2015.\n- The meeting of Berlin (2015) was short.",
    "It grew (Berlin, 2015), and the World Bank (2020) reported it. See [the list, 2015](https://example.org).",
    "- Press *the long key of the keyboard* in 2015, Smith said.",
]


@pytest.mark.parametrize("text", NAMED)
async def test_a_work_that_is_named_and_nowhere_told_is_unknown(root: Path, text: str) -> None:
    assert await codes(root, f"{text}\n") == ["unknown"]
    assert await codes(root, f"{text}\n\nMore.\n", before=f"{text}\n") == []


@pytest.mark.parametrize("text", PRINTED)
async def test_a_reference_of_any_style_in_a_note_or_an_item_is_unknown(root: Path, text: str) -> None:
    assert await codes(root, f"It is so.[^1]\n\n[^1]: {text}\n") == ["unknown"]
    assert await codes(root, f"It is so.\n\n- {text}\n") == ["unknown"]


@pytest.mark.parametrize("text", OTHERS)
async def test_what_names_no_work_or_one_that_is_told_passes(root: Path, text: str) -> None:
    assert await codes(root, f"{text}\n") == []


async def test_other_languages_of_pages_are_read_too(root: Path) -> None:
    assert await codes(root, "Nakamoto and Vance (2015) agree.\n", "page.rst") == ["unknown"]
    assert await codes(root, "Nakamoto and Vance (2015) agree.\n% Doe et al. (1990)\n", "page.tex") == ["unknown"]
    cells = ["Nakamoto and Vance (2015) agree.", "Sora Nakamoto’s book of 2015 is in the library."]
    for sources, expected in ((cells, []), (cells[:1], ["unknown"])):
        book = {"cells": [{"cell_type": "markdown", "metadata": {}, "source": each} for each in sources], "nbformat": 4}
        assert await codes(root, json.dumps(book), "book.ipynb") == expected
    listed = "Nakamoto and Vance (2015) agree.\n\nBooks we like: Sora Nakamoto’s of 2015, from the library.\n"
    assert await codes(root, listed, "page.rst") == []


async def test_a_name_and_a_year_without_a_comma_are_a_work_where_a_bibliography_is_there(root: Path) -> None:
    page = "Fibre lowers the risk (Nakamoto 2015).\n"
    assert await codes(root, page) == ["unknown"]
    assert await codes(root, page.replace("Nakamoto 2015", "Doe 2012; Baruch 2019")) == []
    assert await codes(root, "It runs (Windows 2019), and met (Berlin 2015).\n") == []
    (root / "refs.bib").unlink()
    for path in (root / "docs/citations").iterdir():
        path.unlink()
    assert await codes(root, page) == []
