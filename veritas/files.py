"""Writes of whole files. A file is written whole or not at all, and never with a key in its text."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from veritas.errors import StoreUnavailable
from veritas.keys import withheld


def write_whole(path: Path, text: str | bytes) -> None:
    """Write `text` (as UTF-8) or bytes into `path`, making its folder if need be: write beside it, sync, move into
    place.

    Raises `StoreUnavailable` (full disk, read-only folder, a folder of that name); what stood there before stays.
    """
    write_together({path: text})


def write_together(texts: Mapping[Path, str | bytes]) -> None:
    """Write several files that belong together; none is moved into place before all are on the disk."""
    aside = {path: path.with_name(f".{path.name}.{secrets.token_hex(6)}") for path in texts}
    path = next(iter(texts))
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with aside[path].open("xb") as file:
                file.write(withheld(text).encode() if isinstance(text, str) else text)
                file.flush()
                os.fsync(file.fileno())
        for path, written in aside.items():
            os.replace(written, path)
    except OSError as error:
        raise StoreUnavailable(
            f"{path} cannot be written: {error.strerror or error}. Nothing was changed; free some space or name "
            "another place"
        ) from error
    finally:
        for written in aside.values():
            with contextlib.suppress(OSError):
                written.unlink(missing_ok=True)


def write_new(path: Path, text: str | bytes) -> bool:
    """Write one file that must not exist yet. Return False, and change nothing, when it exists.

    Of several that write the same new file at once, in whatever process, exactly one is told True.
    """
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    write_whole(aside, text)
    try:
        os.link(aside, path)
    except FileExistsError:
        # A network file system may make the link, lose its answer, and find it there when it tries again.
        return _is_one(aside, path)
    except OSError as error:
        raise StoreUnavailable(f"{path} cannot be written: {error.strerror or error}. Nothing was changed") from error
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
    return True


def _is_one(aside: Path, path: Path) -> bool:
    try:
        return os.path.samestat(aside.lstat(), path.lstat())
    except OSError:
        return False
