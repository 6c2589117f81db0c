"""Identifiers as the beginning of a file name: section 6.1, safe on every file system."""

from __future__ import annotations

import hashlib
import re

MAX_STEM = 100
_UNSAFE = re.compile(r"[^a-z0-9._-]")


def file_stem(identifier: str) -> str:
    """`identifier` (a DOI, an arXiv id) as file names hold it: slashes as underscores, lower case.

    What else a file name cannot hold becomes an underscore too, and then a hash keeps two such identifiers apart.
    """
    plain = identifier.lower().replace("/", "_")
    safe = _UNSAFE.sub("_", plain)[:MAX_STEM]
    return safe if safe == plain else f"{safe}.{hashlib.sha256(plain.encode('utf-8', 'replace')).hexdigest()[:6]}"
