"""The guard where an edit forges, moves or takes away what proves a citation."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.citations.artifact_samples import SLUG, artifact
from veritas.citations.artifacts import write_artifact
from veritas.editor.edit_forms import read_edits
from veritas.use_cases.writing import Edit, guard_edits

BIB = """@article{baruch2019little,
  title={A Little Is Enough: Circumventing Defenses For Distributed Learning}, author={Baruch, Moran}, year={2019}
}
@article{vogel2015,
  title={Effects of statins on muscle pain in older adults}, author={Vogel, Hanna}, year={2015}
}
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("VERITAS_HOME", str(tmp_path / "home"))
    write_artifact(artifact(), tmp_path / "docs/citations", SLUG)
    (tmp_path / "refs.bib").write_text(BIB)
    (tmp_path / "page.md").write_text("They show it [@baruch2019little].\n")
    return tmp_path


def place(root: Path) -> Path:
    return root / "docs/citations" / f"{SLUG}.md"


async def told(root: Path, *edits: Edit) -> list[str]:
    found = await guard_edits(edits, root=root)
    return ["error" if each.blocks else each.diagnostic.code for each in found if each.blocks or each.unknown]


def without_seal(text: str) -> str:
    return re.sub(r"content_hash:.*\n", "", text)


async def test_an_artifact_does_not_lose_its_seal(root: Path) -> None:
    path = str(place(root))
    text = place(root).read_text()
    older = re.sub(r"verification_version:.*", 'verification_version: "1.0"', text)
    assert await told(root, Edit(path, text, text)) == []
    assert "error" in await told(root, Edit(path, text, without_seal(text)))
    assert "error" in await told(root, Edit(path, text, without_seal(older)))
    assert "error" in await told(root, Edit(path, text, older))
    assert await told(root, Edit(path, without_seal(older), without_seal(older))) == []  # it had none


async def test_words_that_an_edit_writes_into_an_artifact_are_not_taken_for_the_works(root: Path) -> None:
    text = place(root).read_text()
    unsealed = without_seal(re.sub(r"verification_version:.*", 'verification_version: "1.0"', text))
    path = str(place(root))
    assert await told(root, Edit(path, "", text)) == ["unknown"]
    assert await told(root, Edit(path, "", unsealed)) == ["unknown"]
    assert await told(root, Edit(path, unsealed, unsealed.replace("poisoned", "cleaned"))) != []
    assert await told(root, Edit(path, unsealed, unsealed.replace("claim_supported: ", "claim_supported:  "))) == []


async def test_a_deleted_artifact_is_missed_where_it_is_cited(root: Path) -> None:
    deletion = f"*** Begin Patch\n*** Delete File: {place(root)}\n"
    page = f"*** Update File: {root / 'page.md'}\n-They show it [@baruch2019little].\n+They show nothing.\n"
    [edit] = read_edits(f"{deletion}*** End Patch\n")
    assert edit.after == ""
    assert await told(root, edit) == ["error"]
    assert await told(root, *read_edits(f"{deletion}{page}*** End Patch\n")) == []
    (root / "page.md").unlink()
    assert await told(root, edit) == []


@pytest.mark.parametrize(
    ("key", "slug", "expected"),
    [
        ("baruch2019little", SLUG, []),
        ("vogel2015", SLUG, ["error"]),
        ("another2020", SLUG, ["unknown"]),
        ("baruch2019little", "1902.06157-nobody-none", ["error"]),
    ],
)
async def test_the_map_leads_a_key_to_its_own_work(root: Path, key: str, slug: str, expected: list[str]) -> None:
    path = str(root / "docs/citations/map.json")
    assert await told(root, Edit(path, "", json.dumps({key: slug}))) == expected
    assert await told(root, Edit(path, json.dumps({key: slug}), json.dumps({key: slug}, indent=1))) == []
