"""What the small install leaves out is told from a defect."""

from __future__ import annotations

import pytest

from veritas.cli import _small_install as small
from veritas.errors import NotInstalled


def test_a_missing_package_of_the_whole_install_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "requires", lambda name: ["httpx>=0.27", "absent-package[x]>=1; extra == 'research'"])
    found = small.not_installed(ModuleNotFoundError("No module named 'absent_package'", name="absent_package.part"))
    assert isinstance(found, NotInstalled)
    assert found.exit_code == 2
    assert str(found) == "this needs absent_package, which is not installed: pip install veritas-research"


def test_a_module_that_the_whole_install_lacks_is_a_defect() -> None:
    assert small.not_installed(ModuleNotFoundError("No module named 'absent'", name="absent")) is None


def test_a_missing_part_of_a_package_that_is_there_is_a_defect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small, "requires", lambda name: ["absent-package; extra == 'research'"])
    assert small.not_installed(ModuleNotFoundError("No module named 'veritas.gone'", name="veritas.gone")) is None
    assert small.not_installed(ModuleNotFoundError("No module named 'httpx.gone'", name="httpx.gone")) is None
