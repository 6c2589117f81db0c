"""Inline marks of reStructuredText: roles, links, emphasis and substitutions, turned into what their reader sees."""

from __future__ import annotations

import re
from collections.abc import Mapping

_INLINE = re.compile(
    r"""``(?P<literal>(?s:.+?))``
      | :(?P<kind>[\w:+.-]+?):`(?P<role>[^`]+)`
      | `(?P<link>[^`<>]+?)\s*<[^`<>]+>`_{0,2}
      | `(?P<named>[^`]+)`_{0,2}
      | (?<![*\w])\*\*(?P<strong>\S(?:[^*\n]*\S)?)\*\*(?![*\w])
      | (?<![*\w])\*(?P<emphasis>[^\s*](?:[^*\n]*[^\s*])?)\*(?![*\w])
      | (?<![|\w])\|(?P<substitution>\w(?:[^|\n]*\w)?)\|_{0,2}(?!\w)
      | (?<![\w`])(?P<reference>[A-Za-z0-9](?:[\w.+-]*[A-Za-z0-9])?)_{1,2}(?![\w`])
      | \\(?P<escaped>[*_`|\\:])""",
    re.VERBOSE,
)
_ROLE_TARGET = re.compile(r"(.+?)\s*<[^<>]+>\Z", re.DOTALL)
_DEFINED = re.compile(r"^ *\.\. +\|(?P<name>[^|\n]+)\| +(?P<kind>image|replace):: *(?P<said>.*)$", re.MULTILINE)

_TARGET = re.compile(r"^ *\.\. +_(?P<name>[A-Za-z0-9][\w.+-]*): ", re.MULTILINE)
_LABELLED = re.compile(
    r"""(?mx)
    ^[ ]*\.\.[ ]+_(?P<label>[^:\n`]+):[ ]*\n
    (?:[ ]*\n|[ ]*\.\.[ ]+_[^\n]*\n)*
    (?:([=~^"'`#*+.:_-])\2{2,}\n)?
    (?P<title>\S[^\n]*)\n
    ([=~^"'`#*+.:_-])\4{2,}[ ]*$"""
)
_PLACES = ("ref", "std:ref", "numref", "doc")
"""Roles whose target is a place: a label or a document, whose title a reader sees."""


def substitutions(text: str) -> Mapping[str, str]:
    """Return what a reader sees of the substitutions that a document defines: of a picture, such as a badge,
    nothing. Its links by a single word are there too, in small letters with their underscore, and the titles of its
    labels behind a colon."""
    labels = {f":{match['label'].strip()}": match["title"].strip() for match in _LABELLED.finditer(text)}
    return labels | {f"{match[1].casefold()}_": match[1] for match in _TARGET.finditer(text)} | {
        match["name"]: "" if match["kind"] == "image" else inline(match["said"].strip(), {})
        for match in _DEFINED.finditer(text)
    }


def inline(text: str, known: Mapping[str, str]) -> str:
    """Return a text without its marks; `known` are its substitutions, and any other is shown by its name."""

    def shown(match: re.Match[str]) -> str:
        words = match.group(match.lastgroup or 0)
        if match.lastgroup == "substitution":
            return known.get(words, words)
        if match.lastgroup == "reference":
            return words if f"{words.casefold()}_" in known else match[0]
        if match.lastgroup == "role" and match["kind"] in _PLACES and not _ROLE_TARGET.match(words):
            return known.get(f":{words}") or place_named(words)
        return shown_role(words) if match.lastgroup == "role" else words

    return _INLINE.sub(shown, text)


def place_named(target: str) -> str:
    """Return the words in a label, or in the last part of the path of a document, whose title is not known here."""
    last = target.strip("/! ").partition("#")[0].rstrip("/").rpartition("/")[2]
    return re.sub(r"[-_]+", " ", re.sub(r"\.(?:mdx?|rst|html?)$", "", last)) or target


def shown_role(words: str) -> str:
    """Return what a reader sees of a role: its own words, else the name of its target."""
    named = _ROLE_TARGET.match(words)
    if named:
        return named.group(1)
    return words[1:].rpartition(".")[2] if words.startswith("~") else words.removeprefix("!")
