"""All doors open on the same use cases: each is asked through every door, and says the same; and none has fewer doors
than the others without a reason."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import veritas
from tests.doors import of_checks, of_papers, of_persons, of_runs
from tests.doors.table import NO_DOOR, UseCase
from tests.doors.world import World
from veritas.cli.app import COMMANDS

USE_CASES: list[UseCase] = [
    *of_runs.USE_CASES, *of_checks.USE_CASES, *of_papers.USE_CASES, *of_persons.USE_CASES,
]  # fmt: skip


def check_same(case: UseCase, door: str, found: Any, expected: Any) -> None:
    """What a door says is what Python says."""
    if door == "page" and isinstance(found, str):
        shown = case.shown(expected)
        assert shown
        assert [text for text in shown if " ".join(text.split()) not in found] == []
    elif door == "mcp":
        assert found
        assert found == {name: expected[name] for name in found}
    else:
        assert found == expected


@pytest.mark.parametrize("case", USE_CASES, ids=lambda case: case.name)
def test_every_door_says_the_same(case: UseCase, world: World) -> None:
    expected = case.python(world)
    assert expected
    for door in ("cli", "http", "page", "mcp"):
        use = getattr(case, door)
        if not isinstance(use, str):
            check_same(case, door, use(world), expected)
        else:
            assert use


def test_no_name_of_the_face_and_no_command_is_without_its_doors() -> None:
    rows = {name for case in USE_CASES for name in case.of}
    assert rows.isdisjoint(NO_DOOR)
    functions = {name for name in veritas.__all__ if not inspect.isclass(getattr(veritas, name))} - {"__version__"}
    assert functions | set(COMMANDS) <= rows | set(NO_DOOR)
    assert rows | set(NO_DOOR) <= functions | set(COMMANDS) | {"Verifier"}
    assert all(NO_DOOR.values())
