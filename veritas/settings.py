"""Settings from the environment, read on demand and never at import."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path

from veritas.errors import InputError

_CARRIED = Path(__file__).resolve().parent / "_project"
"""The folder in which a wheel carries the project's files that are not Python; a checkout has none."""


def home() -> Path:
    """Return `VERITAS_HOME` (default `./data`), the folder of the store, the runs and the caches."""
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
    """Return the folder that `VERITAS_POLICIES` names, None where it is not set. Raises `InputError` where it is no
    folder, or holds a file that looks like a misspelt built-in policy, which would be ignored without a word."""
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
    """Return the file of a policy such as `gate.yaml` or `modes/journal.yaml`: the one in `VERITAS_POLICIES` if it
    exists, else the built-in one, which need not exist."""
    own = own_policies()
    if own is not None and (own / name).exists():
        return own / name
    return built_in_policies() / name


def policy_files(folder: str) -> list[Path]:
    """Return the policies in a folder below the policies folder (`councils`, `modes`, `reviews`), by name: those of
    `VERITAS_POLICIES`, and the built-in ones of other names."""
    own = own_policies()
    found = {path.name: path for path in (built_in_policies() / folder).glob("*.yaml")}
    if own is not None:
        found.update((path.name, path) for path in (own / folder).glob("*.yaml"))
    return [found[name] for name in sorted(found)]
