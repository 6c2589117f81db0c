"""Settings that come from the environment, read when asked for and never at import."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from veritas.errors import InputError

_CARRIED = Path(__file__).resolve().parent / "_project"
"""Where a wheel carries those files of the project that are no Python; a checkout has no such folder."""


def home() -> Path:
    """`VERITAS_HOME` (default `./data`): where the store, the runs and the caches live."""
    return Path(os.environ.get("VERITAS_HOME") or "data")


def checkout() -> Path | None:
    """Return the root of the checkout this package runs from, None where it was installed from a wheel."""
    return None if _CARRIED.is_dir() else _CARRIED.parents[1]


def project_folder() -> Path:
    """Return the folder that holds `policies`, `deployments/prefect.yaml`, `docs`, `README.md` and
    `data/demo/planted`: the root of the checkout, or the copy of them that a wheel carries."""
    return checkout() or _CARRIED


def built_in_policies() -> Path:
    """Return the folder of the policies that VERITAS comes with."""
    return project_folder() / "policies"


def own_policies() -> Path | None:
    """The folder that `VERITAS_POLICIES` names, None where it is not set. Raises `InputError` for what is no folder, or
    holds what looks like a built-in policy misspelt: it would be passed over in silence."""
    named = os.environ.get("VERITAS_POLICIES")
    if not named:
        return None
    folder = Path(named)
    if not folder.is_dir():
        raise InputError(f"VERITAS_POLICIES names {folder}, which is not a folder")
    known = {path.stem for path in built_in_policies().glob("*.yaml")}
    for path in sorted(folder.iterdir()):
        if path.suffix == ".yml" or (path.suffix == ".yaml" and path.stem not in known):
            meant = get_close_matches(path.stem, known, n=1, cutoff=0.85)
            if meant and not (folder / f"{meant[0]}.yaml").exists():
                raise InputError(f"VERITAS_POLICIES: {path} is no policy that is read; did you mean {meant[0]}.yaml?")
    return folder


def policy_file(name: str) -> Path:
    """The policy of that name below the policies folder, such as `gate.yaml` or `modes/journal.yaml`: the file of
    `VERITAS_POLICIES` if it has one, else the built-in one, which need not exist."""
    own = own_policies()
    if own is not None and (own / name).exists():
        return own / name
    return built_in_policies() / name


def policy_files(folder: str) -> list[Path]:
    """The policies in a folder below the policies folder (`councils`, `modes`, `reviews`), by name: those of
    `VERITAS_POLICIES`, and the built-in ones whose names they do not take."""
    own = own_policies()
    found = {path.name: path for path in (built_in_policies() / folder).glob("*.yaml")}
    if own is not None:
        found.update((path.name, path) for path in (own / folder).glob("*.yaml"))
    return [found[name] for name in sorted(found)]
