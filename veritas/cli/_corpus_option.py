"""The paths that `--corpus` takes."""

from __future__ import annotations

from pathlib import Path

from veritas.errors import InputError


def corpus_path(given: str) -> Path:
    """Return the path. Raises `InputError` for an empty one, such as an unset shell variable gives."""
    if not given.strip():
        raise InputError('--corpus is an empty path: the current folder is "."')
    return Path(given)
