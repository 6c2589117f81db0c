"""`@key` in a sentence of a plain page, where a bibliography beside it has the key."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas.citations.writing.diagnose import resolve
from veritas.use_cases.writing import open_project


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("As @wraith2020 show, dunlins remember.\n", ["wraith2020"]),
        ("# On @{wraith2020}\n", ["wraith2020"]),
        ("As @wraith2020 and [@wraith2020, p. 3] show.\n", ["wraith2020", "wraith2020"]),
        ("Thanks to @octo2020 and @mouse; write to a@wraith2020.org.\n", []),
        ("Write `@wraith2020`.\n\n    @wraith2020\n\n```\n@wraith2020\n```\n", []),
    ],
)
def test_a_name_that_a_bibliography_has_is_a_key(text: str, keys: list[str], tmp_path: Path) -> None:
    (tmp_path / "refs.bib").write_text("@misc{wraith2020, title={Dunlins}}\n@misc{mouse, title={Mice}}\n")
    project = open_project(tmp_path, root=tmp_path)
    found = resolve(text, str(tmp_path / "page.md"), project, "markdown")
    assert [each.key for each in found] == keys
    assert all(each.entry is not None for each in found)
