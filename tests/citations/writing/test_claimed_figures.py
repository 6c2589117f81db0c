"""Figures, months and years of a sentence that the cited artifact has otherwise: told, and never of what is true."""

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


PARAPHRASE = (
    "They weighed 3,184 herring in eleven fjords and spawning success fell from 62% to 39% where trawling began in "
    "March; quotas below 520 kroner were seldom taken"
)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("3,184", "3,148"), ("eleven", "seventeen"), ("62%", "26%"), ("39%", "93%"), ("March", "May"), ("520", "250"),
    ],
)  # fmt: skip
def test_a_changed_figure_in_a_paraphrase_of_several_sentences_is_a_doubt(
    project: Project, right: str, wrong: str
) -> None:
    assert told(PARAPHRASE, project) == []
    ((level, message),) = told(PARAPHRASE.replace(right, wrong), project)
    assert (level, "has “" in message) == ("unknown", True)


@pytest.mark.parametrize(
    "text",
    [
        "Spawning success fell to 29% where trawling began in March",
        "Nets tore in three of 18 hauls",
        "Landings dropped by 51 kg per hectare in cold years",
        "Between 1998 and 2009 they weighed 3,184 herring in fjords",
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
        "Spawning success fell by 37% where trawling began in March",
        "Spawning success fell to nearly 40% where trawling began in March",
        "Nets tore in 38% of hauls",
        "Nets held in five of eight hauls",
        "Landings dropped by 11 kg more per hectare in cold years than in mild ones",
        "Landings dropped by 15,000 g per hectare in cold years",  # in another unit
        "Landings dropped by 1.5 g per square metre in cold years",
        "We find a spawning success of 12%, they of 39% where trawling began in March",  # the writer's own
        "In our fjords spawning success fell from 50% to 20% where trawling began",
        "In 2008, they weighed 3,184 herring in eleven fjords",  # when it was published
        "In 2001 they weighed herring in fjords",
        "If quotas rose to 900 kroner per tonne, crews would take them",
        "Table 7 lists spawning success, which fell from 62% to 39% where trawling began in March",
        "The 4 deepest of eleven fjords had most herring",
        "Cod of 14 lakes do not matter here",
    ],
)
def test_what_may_be_true_is_left_alone(project: Project, text: str) -> None:
    assert told(text, project) == []


async def test_the_guard_and_the_check_are_in_doubt_and_accuse_nobody(project: Project) -> None:
    root, text = Path(project.root), f"{PARAPHRASE.replace('3,184', '3,814')} [@brekke].\n"
    found = await guard_edits([Edit("new.md", "", text)], root=root)
    assert [(each.blocks, each.unknown) for each in found] == [(False, True)]
    (root / "new.md").write_text(text)
    report = check([root / "new.md"], root=root)
    assert ([each.rule for each in report.findings], report.failed, report.unread) == (["doubted"], False, 1)
