"""Decides whether the name of a paper is a file name: such a name, existing or not, never leads to a request."""

from __future__ import annotations

import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from veritas.registries.scholarly_source import identifier_in

_PATH = re.compile(r"file:|\.{0,2}/|~[\w.-]*/", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"10\.|doi\s*:|(?:www\.|dx\.)?doi\.org/|arxiv\s*:|(?:www\.|export\.)?arxiv\.org/", re.IGNORECASE
)
"""Beginnings of true identifiers; an identifier further on in a name with a file's ending is part of a path."""


def path_of(asked: str) -> Path:
    """Return the path, `~` and `file:` resolved."""
    if asked[:5].lower() == "file:":
        return Path(url2pathname(urlsplit(asked).path))
    try:
        return Path(asked).expanduser()
    except RuntimeError:  # `~somebody`, a user unknown on this machine
        return Path(asked)


def is_path(asked: str) -> bool:
    """Return whether a name can only be a file: it exists (even as a broken link), is written as a path (`/…`, `./…`,
    `../…`, `~/…`, `file:…`), or is an arXiv id or a DOI preceded by other text and with the extension of a readable
    format."""
    path = path_of(asked)
    if os.path.lexists(path):
        return True
    known = _has_ending(path)
    if _PATH.match(asked):
        return known or not re.search(r"\s", asked)
    if not known or "://" in asked or _IDENTIFIER.match(asked):
        return False
    identifier = identifier_in(asked)
    return identifier is not None and identifier.kind in ("arxiv", "doi")


def is_file_name(asked: str) -> bool:
    """Return whether a name is a file name, existing or not: as `is_path`, and any name with the extension of a
    readable format, or with a slash and no space, that is no identifier and no address."""
    if is_path(asked):
        return True
    if "://" in asked or identifier_in(asked) is not None:
        return False
    return _has_ending(path_of(asked)) or ("/" in asked and not re.search(r"\s", asked))


def _has_ending(path: Path) -> bool:
    """Return whether a name has the extension of a readable format. A number at the end, such as a manual page's, may
    be that of a version or a section."""
    from veritas.reading.formats import suffixes

    ending = path.suffix.lower()
    return ending in suffixes() and not ending[1:].isdecimal()
