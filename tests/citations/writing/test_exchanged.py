"""Two keys exchanged between sentences: told where what is kept of the works shows it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.use_cases.citations import check
from veritas.use_cases.writing import Edit, check_text, guard_edits, open_project

REEF = (
    "We mapped 64 reefs off two atolls. Coral cover fell from 41% to 17% after the second bleaching. "
    "Parrotfish did not return to any surveyed lagoon."
)
PEAT = (
    "Rewetted bogs were sampled monthly. Methane emissions doubled in the first summer and fell below 9 grams later. "
    "Sphagnum regrew on drained plots within six winters."
)
RIGHT = (
    "Coral cover fell from 41% to 17% after bleaching [@reef]. Methane emissions doubled in the first summer [@peat].\n"
)
SWAPPED = RIGHT.replace("@reef", "@x").replace("@peat", "@reef").replace("@x", "@peat")
LISTED = "- Parrotfish did not return to surveyed lagoons [@peat]\n- Sphagnum regrew on drained plots [@reef]\n"
QUOTED = '“Coral cover fell from 41% to 17%” [@peat].\n\nLater, “Sphagnum regrew on drained plots” [@reef].\n'


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    for key, words, author, number in (("reef", REEF, "Ines Moreau", 1), ("peat", PEAT, "Olav Dahl", 2)):
        made = artifact(
            title=f"Notes on {key}", authors=(author,), doi=f"10.1234/{key}", arxiv_id=None, abstract=words,
            excerpts=(Excerpt(text=words, location="Abstract"),), bibtex=f"@article{{{key},\n  title={{A {key}}}\n}}",
            urls={"abs": f"https://doi.org/10.1234/{key}"},
        )  # fmt: skip
        write_artifact(made, tmp_path / "docs/citations", f"10.1234_{key}-{author.split()[1].lower()}-notes-{number}")
    return tmp_path


async def codes(root: Path, text: str, name: str = "page.md") -> list[tuple[str, str]]:
    found = await check_text(text, root / name, project=open_project(root))
    return [(each.code, each.level) for each in found if each.code in ("exchanged", "unknown")]


SUBJECTS = (
    "[@peat] report: coral cover fell from 41% to 17%. [@reef] report: sphagnum regrew on drained plots.\n",
    "@peat found that parrotfish did not return to any surveyed lagoon. @reef found that methane emissions doubled in "
    "the first summer.\n",
    "According to [@peat], parrotfish did not return to the surveyed lagoon. According to [@reef], sphagnum regrew on "
    "drained plots.\n",
    "@peat saw that coral cover fell from 41% to 17%, and @reef that methane emissions doubled in the first summer.\n",
)
INSIDE = (
    "Unlike coral cover, which fell from 41% to 17% [@peat], methane emissions doubled in the first summer [@reef].\n",
    "Whereas parrotfish did not return to any surveyed lagoon [@peat], sphagnum regrew on drained plots [@reef].\n",
    "Parrotfish did not return to surveyed lagoons [@peat] and methane emissions doubled in the summer [@reef].\n",
)


@pytest.mark.parametrize("text", [*SUBJECTS, *INSIDE])
async def test_keys_exchanged_as_subjects_or_inside_one_sentence_are_errors(root: Path, text: str) -> None:
    assert await codes(root, text, "page.qmd") == [("exchanged", "error")] * 2
    (root / "page.qmd").write_text(text)
    assert [each.rule for each in check([root / "page.qmd"], root=root).findings] == ["exchanged"] * 2
    right = text.replace("@reef", "@x").replace("@peat", "@reef").replace("@x", "@peat")
    assert await codes(root, right, "page.qmd") == []


@pytest.mark.parametrize("name", ["page.org", "page.typ"])
async def test_keys_exchanged_in_org_and_typst_are_errors(root: Path, name: str) -> None:
    form = "[cite:@{}]" if name == "page.org" else "#cite(<{}>)"
    text = SWAPPED.replace("[@reef]", form.format("reef")).replace("[@peat]", form.format("peat"))
    assert await codes(root, text, name) == [("exchanged", "error")] * 2
    (root / name).write_text(text)
    assert [each.rule for each in check([root / name], root=root).findings] == ["exchanged"] * 2


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Coral cover fell from 41% to 17% [@peat].\n", "reef"),
        ("Parrotfish did not return to any surveyed lagoon [@peat].\n", "reef"),  # a row of its words
        ("@reef showed that Sphagnum regrew on drained plots within six winters. Reefs are old.\n", "peat"),
    ],
)
async def test_one_key_of_a_page_whose_sentence_another_artifact_has_is_unknown(
    root: Path, text: str, right: str
) -> None:
    assert await codes(root, text, "page.qmd") == [("unknown", "unknown")]
    (root / "page.qmd").write_text(text)
    report = check([root / "page.qmd"], root=root)
    assert ([each.rule for each in report.findings], report.failed, report.ok) == (["doubted"], False, False)
    assert await codes(root, text.replace("@peat" if right == "reef" else "@reef", f"@{right}"), "page.qmd") == []


@pytest.mark.parametrize("text", [SWAPPED, LISTED, QUOTED])
async def test_keys_that_were_exchanged_are_errors_at_each_door(root: Path, text: str) -> None:
    assert await codes(root, text) == [("exchanged", "error")] * 2
    latex = text.replace("[@", "\\cite{").replace("]", "}").replace("%", "\\%").replace("- ", "\\item ")
    assert await codes(root, latex, "page.tex") == [("exchanged", "error")] * 2
    assert sum(each.blocks for each in await guard_edits([Edit("new.md", "", text)], root=root)) == 2
    (root / "page.md").write_text(text)
    assert [each.rule for each in check([root / "page.md"], root=root).findings] == ["exchanged"] * 2


@pytest.mark.parametrize(
    "text",
    [
        RIGHT,
        LISTED.replace("@peat", "@x").replace("@reef", "@peat").replace("@x", "@reef"),
        SWAPPED.replace("[@reef]", "[@reef; @peat]").replace("[@peat].", "[@peat; @reef]."),
        "That coral cover fell from 41% to 17%, contrary to hopes [@peat], was first seen around distant atolls by "
        "[@reef]. That sphagnum regrew on drained plots, contrary to hopes [@reef], was first seen under distant hills "
        "by [@peat].\n",
        "Reefs suffer in warm years [@peat]. Bogs breathe in wet ones [@reef].\n",  # in words of its writer
        "Coral cover fell from 41% to 17% after bleaching, as quoted in [@peat]. Bogs regrow [@reef].\n",
        "Parrotfish did not return to the surveyed lagoon [@peat]. Bogs regrow [@reef].\n",  # the other may say it too
    ],
)
async def test_what_is_not_surely_exchanged_is_left_alone(root: Path, text: str) -> None:
    assert await codes(root, text) == []
    (root / "page.md").write_text(text)
    assert check([root / "page.md"], root=root).findings == []


async def test_a_figure_of_another_work_alone_is_unknown(root: Path) -> None:
    text = "Coral cover fell from 41% to 17% after bleaching [@peat]. Bogs are wet [@reef].\n"
    assert await codes(root, text) == [("unknown", "unknown")]
