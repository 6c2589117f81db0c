"""An installed Python package as a corpus, named `package:NAME`: the docstrings of its modules. It is not imported."""

from __future__ import annotations

import os
from importlib.machinery import PathFinder
from importlib.metadata import packages_distributions
from pathlib import Path

from veritas.errors import CorpusError
from veritas.reading.walking import Found
from veritas.search.local.segment import Stamp

PREFIX = "package:"


def package_named(path: Path | str) -> str | None:
    """Return the name of the package that a corpus is; None for a path."""
    given = str(path)
    return given.removeprefix(PREFIX) if given.startswith(PREFIX) else None


def package_files(name: str) -> tuple[Path, list[Found]]:
    """Return the folder of a package, by its name in `import` or in `pip install`, and its modules.

    Raises `CorpusError` if none of that name is installed, or it has no source.
    """
    folder = _installed(name)
    modules: list[Found] = []
    for here, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if each.isidentifier() and each not in ("tests", "__pycache__")]
        for file in files:
            path = Path(here, file)
            if path.suffix == ".py" and path.is_file() and not path.is_symlink():
                modules.append(Found(path.relative_to(folder).as_posix(), Stamp.of(path.stat()), ()))
    return folder, sorted(modules)


def check_installed(corpus: Path | str) -> None:
    """Raise `CorpusError` for the name of a package that is not installed; nothing for other corpora."""
    if (name := package_named(corpus)) is not None:
        _installed(name)


def _installed(name: str) -> Path:
    folder = _folder(name) if name.isidentifier() else None
    if folder is None:
        plain = _plain(name)
        tops = sorted(top for top, owners in packages_distributions().items() if plain in map(_plain, owners))
        public = [top for top in tops if not top.startswith("_")]
        folder = next((found for top in public or tops if (found := _folder(top)) is not None), None)
    if folder is None:
        raise CorpusError(f"{PREFIX}{name} is no installed package with modules that can be read")
    return folder


def _folder(name: str) -> Path | None:
    spec = PathFinder.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places and Path(places[0]).is_dir() else None


def _plain(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
