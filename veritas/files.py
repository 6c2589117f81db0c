"""Files that are written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from veritas.errors import StoreUnavailable


def write_whole(path: Path, text: str) -> None:
    """`text` as UTF-8 into `path`, its folder made if need be: written beside it, synced, and moved into place.

    Raises `StoreUnavailable` (full disk, read-only folder, a folder of that name); what stood there before stays.
    """
    aside = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with aside.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
        raise StoreUnavailable(
            f"{path} cannot be written: {error.strerror or error}. Nothing was changed; free some space or name "
            "another place"
        ) from error
