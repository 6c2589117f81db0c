"""Figures that the cited artifact has otherwise are doubts; what it has, and what is the writer's, is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.citations.artifact_samples import artifact
from veritas.citations.artifacts import Excerpt, write_artifact
from veritas.citations.writing.project import Project
from veritas.use_cases.citations import check
from veritas.use_cases.writing import Edit, diagnose_text, guard_edits, open_project

FERRY = (
    "Between 1998 and 2006 we weighed 3,184 herring in eleven fjords. Spawning success fell from 62% to 39% (95% CI "
    "31-44) where trawling began in March. Landings dropped by 15 kg per hectare in cold years and by 4 kg in mild "
    "ones. Nets tore in three of eight hauls. Crews seldom took quotas below 520 kroner per tonne."
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    root = tmp_path_factory.mktemp("project")
    made = artifact(
        title="Herring of eleven fjords", authors=("Sunniva Brekke",), year=2008, doi="10.1234/herring", arxiv_id=None,
        abstract=FERRY, excerpts=(Excerpt(text=FERRY, location="Abstract"),),
        bibtex="@article{brekke,\n  title={Herring}\n}", urls={"abs": "https://doi.org/10.1234/herring"},
    )  # fmt: skip
    write_artifact(made, root / "docs/citations", "10.1234_herring-brekke-herring")
    return open_project(root, root=root)


def told(text: str, project: Project) -> list[tuple[str, str]]:
    found = diagnose_text(f"{text} [@brekke].\n", Path(project.root) / "page.md", project)
    return [(each.level, each.message) for each in found]


WRONG = "They weighed 3,814 herring in eleven fjords between 1998 and 2006"


@pytest.mark.parametrize(
    "text",
    [
        "Spawning success fell to 29% where trawling began in March",
        "Nets tore in three of 18 hauls",
        "Landings dropped by 51 kg per hectare in cold years",
        "Between 1998 and 2009 they weighed 3,184 herring in fjords",
        WRONG,
    ],
)
def test_a_figure_that_stands_nowhere_while_another_is_in_its_place_is_a_doubt(project: Project, text: str) -> None:
    assert "unknown" in [level for level, _ in told(text, project)]


@pytest.mark.parametrize(
    "text",
    [
        "They weighed about 3,200 herring in 11 fjords",  # rounded
        "They weighed more than 3,000 herring in eleven fjords",
        "Spawning success fell by 23 percentage points where trawling began in March",  # worked out
        "Spawning success fell to nearly 40% where trawling began in March",
        "Nets tore in 38% of hauls",
        "Landings dropped by 15,000 g per hectare in cold years",  # in another unit
        "Landings dropped by 1.5 g per square metre in cold years",
        "We find a spawning success of 12%, they of 39% where trawling began in March",  # the writer's own
        "In our fjords spawning success fell from 50% to 20% where trawling began",
        "In 2008, they weighed 3,184 herring in eleven fjords",  # when it was published
        "Table 7 lists spawning success, which fell from 62% to 39% where trawling began in March",
        "The 4 deepest of eleven fjords had most herring",
        "Cod of 14 lakes do not matter here",
    ],
)
def test_what_may_be_true_is_left_alone(project: Project, text: str) -> None:
    assert told(text, project) == []


async def test_the_guard_and_the_check_are_in_doubt_and_accuse_nobody(project: Project) -> None:
    root, text = Path(project.root), f"{WRONG} [@brekke].\n"
    found = await guard_edits([Edit("new.md", "", text)], root=root)
    assert [each.blocks for each in found] == [False]
    (root / "new.md").write_text(text)
    report = check([root / "new.md"], root=root)
    assert ([each.rule for each in report.findings], report.failed, report.unread) == (["doubted"], False, 1)
