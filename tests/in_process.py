"""`veritas ARGUMENTS…` in this process, with streams of its own: another process would take a second to start."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from veritas.cli import main


def veritas(
    *arguments: str, given: bytes = b"", cwd: Path | None = None, environment: Mapping[str, str] | None = None
) -> CompletedProcess[bytes]:
    """Run a command with `given` as its standard input; how it ended and what it printed."""
    printed = io.BytesIO(), io.BytesIO()
    out, err = (io.TextIOWrapper(stream, encoding="utf-8", write_through=True) for stream in printed)
    code: object = 0
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        if cwd is not None:
            patch.chdir(cwd)
        for name, value in (environment or {}).items():
            patch.setenv(name, value)
        try:
            main(list(arguments))
        except SystemExit as end:
            code = end.code
    out.flush()
    err.flush()
    ended = code if isinstance(code, int) else int(code is not None)
    return CompletedProcess(arguments, ended, *(stream.getvalue() for stream in printed))
