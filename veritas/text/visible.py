"""Strangers' text made safe to show: no character in it may hide, reorder or erase its neighbours.

Text safe for a terminal: control characters are shown, not obeyed.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit, urlunsplit


def printable(text: str) -> str:
    """Return the text with every character that is not printable, line ends too, as `\\xNN`."""
    return "".join(sign if sign.isprintable() else f"\\x{ord(sign):02x}" for sign in text)


# Invisible, reordering or terminal-driving characters: controls but for tab and newline, bidi marks and overrides, zero
# widths, soft hyphen, line and paragraph separators, blank letters, interlinear and tag characters, the variation
# selectors that can carry a hidden text, lone surrogates and non-characters.
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\ud800-\udfff"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_JOINERS = "\u200c\u200d"
_CONTROL_NAMES = {0x00: "NULL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN",
                  0x1B: "ESCAPE", 0x7F: "DELETE", 0x85: "NEXT LINE", 0x9B: "CONTROL SEQUENCE INTRODUCER"}


def hidden_characters(text: str) -> list[tuple[int, str]]:
    """Return the places of characters that a reader could not see, and their names; `[]` for ordinary text.

    A joiner inside emoji, Arabic or Indic text is ordinary writing and not listed; after Latin text it is.
    """
    found = []
    for match in _HIDDEN.finditer(text):
        character, at = match.group(), match.start()
        if character == "\r" and text[at + 1 : at + 2] == "\n":
            continue
        if character in _JOINERS and at and _joins(text[at - 1]):
            continue
        found.append((at, name_of(character)))
    return found


def _joins(before: str) -> bool:
    """Return whether a zero-width (non-)joiner belongs after this character: scripts that join, emoji, virama."""
    return ord(before) >= 0x0590 and unicodedata.category(before) in {"Lo", "Mn", "Mc", "So", "Sk"}


def name_of(character: str) -> str:
    """Return the character's Unicode name, or a general one if it has none."""
    code = ord(character)
    if 0xD800 <= code <= 0xDFFF:
        return "LONE SURROGATE"
    return str(_CONTROL_NAMES.get(code) or unicodedata.name(character, "CONTROL CHARACTER"))


def visible(text: str) -> str:
    """Return the text with every hidden character written out, as in `a⟦U+202E⟧b`; ordinary text stays unchanged."""
    parts, last = [], 0
    for at, _ in hidden_characters(text):
        parts += [text[last:at], f"⟦U+{ord(text[at]):04X}⟧"]
        last = at + 1
    return "".join([*parts, text[last:]]).replace("\r\n", "\n") if parts or "\r" in text else text


def one_line(text: str) -> str:
    """Return `visible` text with all white space, newlines too, collapsed to single spaces."""
    return " ".join(visible(text).split())


def quoted(text: str) -> str:
    """Return a stranger's words in quotation marks, which no mark in them closes; "" for none."""
    inner = text.replace("“", '"').replace("”", '"')
    return f"“{inner}”" if text.strip() else ""


def web_address(url: str) -> str | None:
    """Return the URL if a link may lead there (http or https, with a host, without hidden characters), else None.

    A host in other letters than ASCII is returned as it is registered (`xn--…`), so that no look-alike passes for the
    name it imitates.
    """
    if hidden_characters(url) or any(c.isspace() or c in '<>"`\\' for c in url):
        return None
    try:
        parts = urlsplit(url)
        host = parts.hostname
        if parts.scheme not in {"http", "https"} or not host or "@" in parts.netloc:
            return None
        if host.isascii():
            return url
        port = f":{parts.port}" if parts.port else ""
        return urlunsplit(parts._replace(netloc=f"{host.encode('idna').decode('ascii')}{port}"))
    except ValueError:  # no port, no host, or none that can be registered
        return None
