"""The command line, called as its entry point is, with what it prints and how it ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.pumps import write_corpus


@dataclass(frozen=True)
class Ended:
    """How a command ended: exit code and the two streams."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout as one JSON document."""
        return json.loads(self.out)


Veritas = Callable[..., Ended]


@pytest.fixture
def veritas(capsys: pytest.CaptureFixture[str]) -> Veritas:
    """Runs `veritas ARG…` in this process."""
    from veritas.cli import main

    def run(*args: object) -> Ended:
        capsys.readouterr()
        code = 0
        try:
            main([str(a) for a in args])
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        printed = capsys.readouterr()
        return Ended(code, printed.out, printed.err)

    return run


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """The path of the corpus of pumps."""
    return write_corpus(tmp_path)
