"""On the recorded pairs and twins: at least 97 % of one work accepted, at least 95 % of decisive errors rejected."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.triangulation import Accuracy, measure

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"

pytestmark = pytest.mark.shared


@pytest.fixture(scope="module")
def accuracy() -> Accuracy:
    if not (SHARED / "citations/hallmark/twins.jsonl").is_file():
        pytest.skip("the data folder ../shared is not here")
    return measure(SHARED)


@pytest.mark.parametrize("group", ["**same work, all**", "same work, with the citation that led to it"])
def test_one_work_is_accepted(accuracy: Accuracy, group: str) -> None:
    assert accuracy.share("pairs", group, "work-aware") >= 0.97
    assert accuracy.share("pairs", group, "strict") < 0.8


def test_other_works_are_rejected(accuracy: Accuracy) -> None:
    assert accuracy.share("pairs", "other works (to be rejected)", "work-aware") == 1


def test_errors_in_a_decisive_field_are_rejected(accuracy: Accuracy) -> None:
    assert accuracy.share("twins", "**error in a decisive field, all**", "work-aware") >= 0.95


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("near_miss_title", 0.9),
        ("fabricated_doi", 0.95),
        ("chimeric_title", 0.95),
        ("placeholder_authors", 0.95),
        ("swapped_authors", 0.95),
        ("merged_citation", 0.95),
        ("hybrid_fabrication", 0.95),
        ("future_date", 0.95),
    ],
)
def test_every_kind_of_decisive_error_is_rejected(accuracy: Accuracy, kind: str, least: float) -> None:
    assert accuracy.share("twins", kind, "work-aware") >= least


def test_a_valid_citation_is_not_rejected(accuracy: Accuracy) -> None:
    assert accuracy.share("twins", "valid citation with itself (accepted)", "work-aware") == 1
    assert accuracy.share("twins", "(not decisive) wrong_venue", "work-aware") < 0.1
