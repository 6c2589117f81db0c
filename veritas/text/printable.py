"""Text safe for a terminal: control characters are shown, not obeyed."""

from __future__ import annotations


def printable(text: str) -> str:
    """Return the text with every character that is not printable, line ends too, as `\\xNN`."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
