"""Errors are told in the words of their door: no option and no command of a terminal, and what a person wrote stays."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import veritas
from veritas.server.own_words import COMMANDS, Door, in_words_of

DOORS: tuple[Door, ...] = get_args(Door)
ROOT = Path(veritas.__file__).parent
OUTSIDE = ("cli", "editor", "testing.py", "server/settings.py")
"""What is told on a terminal alone."""


@cache
def sentences() -> list[tuple[str, str]]:
    """Every text that an error of the library is raised with, with its place; what is filled in is RUN-1."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(OUTSIDE):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                found += [(f"{name}:{node.lineno}", _text(part)) for part in node.exc.args]
    return found


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(each) for each in node.values)
    return "RUN-1" if isinstance(node, ast.FormattedValue) else ""


@pytest.mark.parametrize("door", DOORS)
def test_no_error_of_the_library_speaks_of_the_command_line_elsewhere(door: Door) -> None:
    found = [(where, text) for where, text in sentences() if re.search("--[a-z]|veritas [a-z]+", text)]
    assert len(found) > 20
    told = [(where, in_words_of(door, text)) for where, text in found]
    left = [each for each in told if re.search(rf"(?<!-)--[a-z]|\bveritas ({'|'.join(COMMANDS)})\b", each[1])]
    assert left == []


def test_every_command_is_known() -> None:
    from veritas.cli.app import COMMANDS as every

    assert {name.split()[0] for name in COMMANDS} == set(every)


@pytest.mark.parametrize(
    ("text", "http", "mcp", "page"),
    [
        (
            "name your documents with --corpus PATH (a folder)",
            "name your documents with `corpus` (a folder)",
            "name your documents with `corpus` (a folder)",
            "name your documents with “Documents” (a folder)",
        ),
        (
            "give a larger --budget: veritas replay r-1 --from synthesize --budget USD",
            "give a larger `budget.usd`: POST /api/v1/runs/r-1/replay with from_stage synthesize",
            "give a larger `budget_usd`: a replay from synthesize, which a person begins",
            "give a larger “Budget”: a replay from synthesize, on the page of the run",
        ),
        (
            "there is no such snapshot; veritas bib snapshot makes one",
            *["there is no such snapshot; a command of whoever runs the server (bib snapshot) makes one"] * 3,
        ),
        (
            "no corpus 'x': `veritas corpus add` makes one",
            *["no corpus 'x': a command of whoever runs the server (corpus add) makes one"] * 3,
        ),
        ("nothing in the run is '--corpus', and no 'veritas runs'", *["nothing in the run is '--corpus', and no "
         "'veritas runs'"] * 3),
    ],
)  # fmt: skip
def test_parameters_and_next_steps_have_the_names_of_the_door(text: str, http: str, mcp: str, page: str) -> None:
    expected: dict[Any, str] = {"http": http, "mcp": mcp, "page": page}
    assert {door: in_words_of(door, text) for door in DOORS} == expected


def test_a_fault_of_a_request_is_a_sentence() -> None:
    from veritas.server.problems import _fault, _told

    broken = {"type": "json_invalid", "loc": ("body", 1), "msg": "JSON decode error", "ctx": {"error": "Expecting ':'"}}
    own = {"type": "value_error", "loc": ("body", "text"), "msg": "Value error, give a text"}
    told = [_fault(**_told(each)) for each in (broken, own)]
    assert told == ["body: no JSON: Expecting ':', at character 1", "text: give a text"]
