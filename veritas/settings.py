"""Settings that come from the environment, read when asked for and never at import."""

from __future__ import annotations

import os
from pathlib import Path

from veritas.errors import InputError


def home() -> Path:
    """`VERITAS_HOME` (default `./data`): where the store, the runs and the caches live."""
    return Path(os.environ.get("VERITAS_HOME") or "data")


def policies_folder() -> Path:
    """`VERITAS_POLICIES`, else the checkout's `policies/`, else the copy inside the installed package."""
    named = os.environ.get("VERITAS_POLICIES")
    if named:
        folder = Path(named)
        if not folder.is_dir():
            raise InputError(f"VERITAS_POLICIES names {folder}, which is not a folder")
        return folder
    package = Path(__file__).resolve().parent
    checkout = package.parent / "policies"
    return checkout if checkout.is_dir() else package / "policies"
