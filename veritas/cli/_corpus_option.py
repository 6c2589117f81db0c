"""The paths that `--corpus` takes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veritas.errors import InputError


def corpus_path(given: str) -> Path:
    """Return the path. Raises `InputError` for an empty one, such as an unset shell variable gives."""
    if not given.strip():
        raise InputError('--corpus is an empty path: the current folder is "."')
    return Path(given)


Corpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus", "-c", parser=corpus_path, metavar="PATH",
        help="A folder, a file, a .jsonl or .zip file, package:NAME, or git+https://…. Repeatable.",
    ),
]  # fmt: skip
"""The documents in which an answer is looked for."""
