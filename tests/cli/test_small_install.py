"""What the small install leaves out is told from a defect."""

from __future__ import annotations

from importlib import metadata

import pytest

from veritas.cli.app import not_installed
from veritas.errors import NotInstalled


def test_a_missing_package_of_the_whole_install_is_named_with_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "requires", lambda name: ["httpx>=0.27", "absent-package[x]>=1; extra == 'research'"])
    found = not_installed(ModuleNotFoundError("No module named 'absent_package'", name="absent_package.part"))
    assert isinstance(found, NotInstalled)
    assert found.exit_code == 2
    how = "pip install veritas-research, or make install in a checkout"
    assert str(found) == f"this needs absent_package, which is not installed: {how}"
