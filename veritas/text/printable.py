"""Text fit for a terminal: what would move the cursor or colour it is shown, not obeyed."""

from __future__ import annotations


def printable(text: str) -> str:
    """The text with every character that is not printable, line ends too, as `\\xNN`."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)
