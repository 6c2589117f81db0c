"""The documentation site: all that its pages link to is on it, and it builds without a warning."""

from __future__ import annotations

import importlib
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
_FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def site() -> Any:
    """The script that lays the pages out; it is part of no package."""
    sys.path.insert(0, str(ROOT))
    try:
        yield importlib.import_module("docs_site")
    finally:
        sys.path.remove(str(ROOT))


@pytest.fixture(scope="module")
def pages(site: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages") / "pages"
    site.lay_out(folder)
    return folder


def _leaves(nav: Any) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from _leaves(each)


def test_all_that_a_page_links_to_lies_on_the_site(pages: Path) -> None:
    wrong, seen = [], 0
    for page in sorted(pages.rglob("*.md")):
        for target in re.findall(r"\]\(([^)\s]+)\)", _FENCE.sub("", page.read_text(encoding="utf-8"))):
            if "://" in target or target.startswith(("#", "mailto:")):
                continue
            seen += 1
            if not (page.parent / target.split("#")[0]).is_file():
                wrong.append(f"{page.relative_to(pages)}: {target}")
    assert wrong == []
    assert seen > 100


def test_every_page_is_in_the_navigation_and_every_entry_is_a_page(pages: Path) -> None:
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"]
    there = {path.relative_to(pages).as_posix() for path in pages.rglob("*.md")}
    assert set(_leaves(nav)) == there


def test_every_module_of_the_reference_is_there_and_documented(site: Any) -> None:
    for _, modules in site.API.values():
        for module in modules:
            assert (importlib.import_module(module).__doc__ or "").strip(), module


def test_the_site_builds_without_a_warning_and_loads_nothing_from_elsewhere(site: Any, tmp_path: Path) -> None:
    pytest.importorskip("zensical", reason="the generator is not installed: make .venv/docs")
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    site.lay_out(tmp_path / config["docs_dir"])
    config["plugins"][1]["mkdocstrings"]["handlers"]["python"]["paths"] = [str(ROOT)]
    (tmp_path / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--config-file", str(tmp_path / "mkdocs.yml")],
        cwd=tmp_path, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    page = (tmp_path / config["site_dir"] / "api" / "seams.html").read_text(encoding="utf-8")
    assert "Judges whether a passage supports a claim." in page
    assert 'id="veritas.judging.lens.Lens.judge"' in page
    assert re.findall(r"<(?:script|link|img)[^>]+(?:src|href)=\"?https?://", page) == []
