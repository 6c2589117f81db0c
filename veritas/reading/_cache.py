"""The cache of conversions, keyed by the content of the converted file: `<VERITAS_HOME>/cache/converted/`."""

from __future__ import annotations

import json
import os
import tempfile
import time
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

from veritas.frozen import text_hash
from veritas.reading.formats import Converted, Kind, version_of
from veritas.reading.formats.converted import Cited
from veritas.text.structure import TextBlock, is_sound

_USED_LONG_AGO = 86400
"""Seconds after which a conversion that is used again is marked as used."""


class ConversionCache:
    """A folder of JSON files, each named by the SHA-256 of a file's bytes. A damaged entry counts as missing; a folder
    that cannot be written is ignored."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, digest: str, kind: Kind) -> Converted | None:
        """Return the conversion of the bytes with this digest if it is whole and made by this version; else None."""
        try:
            path = self._folder / f"{digest}.json"
            entry = json.loads(path.read_bytes())
            if time.time() - path.stat().st_mtime > _USED_LONG_AGO:
                os.utime(path)
            if entry["version"] != version_of(kind) or entry["kind"] != kind:
                return None
            converted = from_json(entry["converted"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        if not is_sound(converted.blocks, len(converted.text)):
            return None
        return converted if text_hash(converted.text) == entry["text"] else None

    def put(self, digest: str, kind: Kind, converted: Converted) -> None:
        """Store a conversion; another process may do so at the same time."""
        entry = {
            "version": version_of(kind),
            "kind": kind,
            "text": text_hash(converted.text),
            "converted": to_json(converted),
        }
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass") as file:
                    json.dump(entry, file)
                os.replace(name, self._folder / f"{digest}.json")
            except OSError:
                with suppress(OSError):
                    os.unlink(name)
                raise


def to_json(converted: Converted) -> dict[str, Any]:
    """Convert a conversion to JSON values."""
    return {
        "text": converted.text,
        "title": converted.title,
        "authors": list(converted.authors),
        "published_at": converted.published_at.isoformat() if converted.published_at else None,
        "doi": converted.doi,
        "printed_in": dict(converted.printed_in),
        "page_starts": list(converted.page_starts),
        "citations": list(converted.citations),
        "cited": [list(each) for each in converted.cited],
        "saved_at": converted.saved_at.isoformat() if converted.saved_at else None,
        "remarks": list(converted.remarks),
        "front_matter": dict(converted.front_matter),
        "blocks": [list(block) for block in converted.blocks],
    }


def from_json(fields: dict[str, Any]) -> Converted:
    """Restore a conversion from JSON values. Raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    published_at, saved_at = fields["published_at"], fields["saved_at"]
    if not isinstance(fields["text"], str):
        raise TypeError("the text of a conversion is a string")
    return Converted(
        text=fields["text"],
        title=fields["title"],
        authors=tuple(fields["authors"]),
        published_at=date.fromisoformat(published_at) if published_at else None,
        doi=fields["doi"],
        printed_in=dict(fields.get("printed_in", {})),
        page_starts=tuple(int(start) for start in fields["page_starts"]),
        citations=tuple(fields["citations"]),
        cited=tuple(Cited(start, end, tuple(ids)) for start, end, ids in fields.get("cited", ())),
        saved_at=date.fromisoformat(saved_at) if saved_at else None,
        remarks=tuple(fields["remarks"]),
        front_matter=dict(fields["front_matter"]),
        blocks=tuple(TextBlock(*block) for block in fields.get("blocks", ())),
    )
