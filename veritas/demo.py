"""The demo: a real question over the documentation that the installed packages carry with them, with bad sources
planted among it so that one can watch each being caught."""

from __future__ import annotations

import re
from importlib.metadata import distributions
from pathlib import Path

from veritas.errors import InputError
from veritas.files import write_whole
from veritas.settings import project_folder

QUESTION = "What is the overhead of tqdm per iteration?"

_SUFFIX = {"text/markdown": ".md", "text/x-rst": ".rst"}
_SHORTEST = 800
"""Characters; a shorter description says what the package is called and little else."""


def planted_folder() -> Path:
    """Return the folder of planted sources. Raises `InputError` where this installation has lost them."""
    folder = project_folder() / "data" / "demo" / "planted"
    if not folder.is_dir():
        raise InputError(f"the demo needs its planted sources, and {folder} is not there: install VERITAS anew")
    return folder


def collect_documentation(folder: Path) -> int:
    """Write the documentation of the installed packages into `folder`, one file per package, and return the number of
    files.

    It is the long description in each package's metadata, as its authors wrote it: Markdown, reStructuredText or text.
    A file that is there with the same text is left alone, so a second demo finds the same corpus.
    """
    count = 0
    for found in sorted(distributions(), key=lambda d: (d.metadata["Name"] or "").lower()):
        metadata = found.metadata.json
        name = re.sub(r"[^A-Za-z0-9._-]+", "-", str(metadata.get("name") or ""))
        text = str(metadata.get("description") or "")
        if not name or name in ("veritas-cite", "veritas-research") or len(text) < _SHORTEST:
            continue
        kind = str(metadata.get("description_content_type") or "").split(";")[0].strip().lower()
        suffix = _SUFFIX.get(kind, ".rst" if re.search(r"^[=~-]{4,}$", text, re.MULTILINE) else ".txt")
        path = folder / f"{name}{suffix}"
        # Front matter would make a package's text the corpus owner's word on where it comes from.
        body = f"---\ntitle: {name} {found.version} documentation\n---\n{text}"
        if not path.exists() or path.read_text(encoding="utf-8") != body:
            write_whole(path, body)
        count += 1
    return count
