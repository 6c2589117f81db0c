"""Identifiers as the beginning of a file name, safe on every file system (section 6.1)."""

from __future__ import annotations

import hashlib
import re

MAX_STEM = 100
_UNSAFE = re.compile(r"[^a-z0-9._-]")


def file_stem(identifier: str) -> str:
    """Return `identifier` (a DOI, an arXiv id) for use in file names: lower case, slashes as underscores.

    Any other unsafe sign becomes an underscore too; then a hash tells two such identifiers apart.
    """
    plain = identifier.lower().replace("/", "_")
    safe = _UNSAFE.sub("_", plain)[:MAX_STEM]
    return safe if safe == plain else f"{safe}.{hashlib.sha256(plain.encode('utf-8', 'replace')).hexdigest()[:6]}"
