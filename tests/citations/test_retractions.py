"""What became of a paper, from the updates of its records: the gravest that is about the paper itself."""

from __future__ import annotations

import pytest

from veritas.citations.retractions import status_of
from veritas.works.records import BibRecord, Update, UpdateKind


def record(*updates: tuple[UpdateKind, bool]) -> BibRecord:
    said = tuple(Update(kind=kind, of_this=of_this, doi=f"10.1000/{kind.value}") for kind, of_this in updates)
    return BibRecord(source="crossref", title="On pumps", updates=said)


@pytest.mark.parametrize(
    ("kind", "standing", "stands"),
    [
        (UpdateKind.RETRACTION, "retracted", False),
        (UpdateKind.WITHDRAWAL, "withdrawn", False),
        (UpdateKind.CONCERN, "expression_of_concern", True),
        (UpdateKind.PARTIAL_RETRACTION, "corrected", True),
        (UpdateKind.CORRECTION, "corrected", True),
        (UpdateKind.NEW_VERSION, "current", True),
        (UpdateKind.REPLICATION, "current", True),
        (UpdateKind.OTHER, "current", True),
    ],
)
def test_a_kind_of_update_has_its_standing(kind: UpdateKind, standing: str, stands: bool) -> None:
    found = status_of([record((kind, True))])
    assert (found.standing, found.stands) == (standing, stands)


@pytest.mark.parametrize("kind", list(UpdateKind))
def test_a_notice_about_another_paper_says_nothing_of_itself(kind: UpdateKind) -> None:
    assert status_of([record((kind, False))]).standing == "current"
    assert status_of([], [Update(kind=kind, of_this=False, doi="10.1000/other")]).standing == "current"


def test_the_gravest_of_several_updates_stands() -> None:
    updates = [(UpdateKind.CORRECTION, True), (UpdateKind.RETRACTION, True), (UpdateKind.CONCERN, True)]
    assert status_of([record(*updates)]).standing == "retracted"
    assert status_of([record(updates[0]), record(updates[2])]).standing == "expression_of_concern"
