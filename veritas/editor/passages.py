"""The texts of files that are to be edited, and the places of passages in them."""

from __future__ import annotations

import re

from veritas.errors import InputError, Unavailable

MAX_INPUT = 50_000_000
"""Most characters of a proposed edit."""
_TYPED = str.maketrans("‘’‚‛′“”„‟″‐‑‒–—―−\u00a0\u2002\u2003\u2009\u202f\u3000", "'" * 5 + '"' * 5 + "-" * 7 + " " * 6)


class NotReadWhole(Unavailable):
    """A proposed edit has a part that is not understood. An agent may make the edit, and nothing of it was checked."""


def now(path: str) -> str:
    """Return a file's text; nothing if it is not there."""
    try:
        with open(path, "rb") as file:
            return file.read(MAX_INPUT).decode("utf-8", "replace")
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error


def span_of(old: str, text: str, at: int = 0) -> tuple[int, int] | None:
    """Return the first place of a passage in a text behind `at`; None if it is not there.

    Agents find a passage whose line ends, blanks at the ends of lines, quotation marks or dashes differ from the
    file's, and so does this.
    """
    if (found := text.find(old, at)) >= 0:
        return found, found + len(old)
    lines = [re.escape(line.strip()) for line in old.translate(_TYPED).replace("\r\n", "\n").split("\n")]
    if not any(lines):
        return None
    begins = r"(?<![^\S\n])[^\S\n]*+" if old[:1].isspace() else ""
    near = re.compile(begins + r"[^\S\n]*+\n[^\S\n]*+".join(lines)).search(text.translate(_TYPED), at)
    return near.span() if near else None
