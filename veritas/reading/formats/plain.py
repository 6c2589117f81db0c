"""Plain text, left as it is."""

from __future__ import annotations

import re

from veritas.reading.formats.converted import Converted

_OVERSTRUCK = re.compile(r".\x08")


def convert_plain(text: str) -> Converted:
    """Return the text itself, a form feed as a paragraph's end; the title is its first line if that is short."""
    text = _OVERSTRUCK.sub("", text).replace("\f", "\n\n").strip("\n")
    first, _, rest = text.lstrip().partition("\n")
    title = " ".join(first.split())
    return Converted(text=text, title=title if 0 < len(title) <= 120 and not rest[:1].strip() else None)
