"""An editor that names a profile shows what it refuses as errors; without one, verdicts are shown as they are."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.errors import InputError
from veritas.use_cases.writing import check_text, open_project

TITLE = "A careful study of many rare things in nature"
BIB = (
    f"@article{{slip, title = {{{TITLE}}}, author = {{Author, Ann and Bibliographer, Ben}}, year = {{2021}},\n"
    "  journal = {J}}\n"
    "@misc{page, title = {Rare things that nobody wrote about}, author = {Adeyemi, Quillon}, year = {2020}}\n"
)


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        (None, [("slip", "differs", "information"), ("page", "unknown", "unknown")]),
        ("lenient", [("slip", "differs", "information"), ("page", "unknown", "unknown")]),
        ("strict", [("slip", "differs", "error"), ("page", "unconfirmed", "error")]),
    ],
)
def test_what_the_profile_refuses_is_an_error(
    profile: str | None, told: list[tuple[str, str, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    with registry_server(Work(TITLE, venue="J")) as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        project = open_project(tmp_path, root=tmp_path, profile=profile)
        found = asyncio.run(check_text(BIB, tmp_path / "refs.bib", project=project, online=True))
    assert [(each.key, each.code, each.level) for each in found] == told
    assert all(("the profile strict refuses it" in each.message) is (profile == "strict") for each in found)


def test_a_profile_that_is_none_is_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no profile"):
        open_project(tmp_path, root=tmp_path, profile="stern")
