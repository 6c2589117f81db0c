"""One verdict on a citation key at every door: check, guard, language server, HTTP, page and MCP."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.doors.world import World
from tests.in_process import veritas as command
from veritas.use_cases.writing import check_text, open_project

BIBLIOGRAPHY = "@article{real2020, title={Pumps without oil}, author={Tove Lind}, year={2020}}\n"


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    for name in ("store", "library"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "store"))
    (tmp_path / "library/.git").mkdir()
    return World(tmp_path / "store", tmp_path / "library")


@pytest.mark.parametrize(
    ("page", "listed", "exits"),
    [
        ("Pumps need oil [@ghost2020].\n", False, 3),
        ("Pumps need oil [@ghost].\n", False, 3),
        ("Pumps need oil [@ghost2020].\n", True, 1),
        ("---\nbibliography: refs.bib\n---\n\nAs @ghost2020 shows.\n", True, 1),
        ("Pumps need oil [@real2020].\n", True, 3),  # it is listed, and nothing shows what it says
        ("Thanks to @ghost for the pump.\n", True, 0),
    ],
)
def test_a_key_has_one_verdict_at_every_door(world: World, page: str, listed: bool, exits: int) -> None:
    library = world.library
    if listed:
        (library / "refs.bib").write_text(BIBLIOGRAPHY)
    (library / "page.md").write_text(page)
    assert command("check", "page.md", cwd=library).returncode == exits
    assert command("check", cwd=library).returncode == exits
    edit = json.dumps({"path": str(library / "new.md"), "new": page}).encode()
    assert command("guard", given=edit, cwd=library).returncode == exits
    found = asyncio.run(check_text(page, library / "new.md", project=open_project(library)))
    levels = {each.level for each in found}
    assert levels == {1: {"error"}, 3: levels - {"error"}, 0: set()}[exits]
    assert levels or not exits
    told = world.mcp("check_text", text=page, project=str(library))
    wrong = any(each["level"] == "error" for each in told.get("findings", ()))
    assert (told["ok"], wrong) == (exits == 0, exits == 1)
    form = {"text": page, "project": "library"}
    told = world.http("POST", "/checks", json=form)
    assert (told["ok"], any(each["level"] == "error" for each in told["findings"])) == (exits == 0, exits == 1)
    shown = world.page("/check", **form)
    assert ("Citations not checked" in shown) == (exits == 3)
    assert ("no bibliography and no artifact has this key" in shown) == (exits == 1)


def test_a_text_without_a_project_is_looked_at_in_the_first_folder_at_every_door(world: World) -> None:
    (world.library / "refs.bib").write_text(BIBLIOGRAPHY)
    page = "Pumps need oil [@ghost2020].\n"
    http, mcp = world.http("POST", "/checks", json={"text": page}), world.mcp("check_text", text=page)
    for told in (http, mcp):
        assert [(each["path"], each["rule"]) for each in told["findings"]] == [("text.md", "unknown-key")]
    assert http["project"] == "library"
