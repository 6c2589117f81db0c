"""Writes a run's report into a folder: three files, each whole or not there at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from veritas.claims.graph import ClaimGraph
from veritas.errors import StoreUnavailable
from veritas.report.graph_json import render_json
from veritas.report.html import render_html
from veritas.report.markdown import render_markdown


def write_report(graph: ClaimGraph, folder: Path) -> dict[str, Path]:
    """Write `answer.md`, `graph.json` and `report.html` into the folder, made if need be; answers name -> path.

    All three are rendered and written beside their places first and moved into them at the end, so that a full disk
    leaves the earlier report as it was. Raises `StoreUnavailable` when the folder cannot be written.
    """
    texts = {"answer.md": render_markdown(graph), "graph.json": render_json(graph), "report.html": render_html(graph)}
    waiting: dict[Path, Path] = {}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            waiting[folder / name] = _write_aside(folder, name, text)
        for place, written in waiting.items():
            os.replace(written, place)
    except OSError as error:
        raise StoreUnavailable(
            f"the report cannot be written to {folder}: {error.strerror or error}. Nothing there was changed by half; "
            "free some space or name another folder"
        ) from error
    finally:
        for written in waiting.values():
            with contextlib.suppress(OSError):
                written.unlink(missing_ok=True)
    return {name: folder / name for name in texts}


def _write_aside(folder: Path, name: str, text: str) -> Path:
    """The text in a file of its own beside its place, on the disk for certain; no file is left when that fails."""
    written = folder / f".{name}.{secrets.token_hex(6)}"
    try:
        with written.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        with contextlib.suppress(OSError):
            written.unlink(missing_ok=True)
        raise
    return written
