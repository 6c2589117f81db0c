"""Marks within a line of AsciiDoc: emphasis, links, macros, attributes and replacements."""

from __future__ import annotations

import html
import re

_PASSED = re.compile(
    r"\+\+\+(.{1,2000}?)\+\+\+|pass:[a-z,]*\[(.{0,2000}?)\]|(?<![\w+])`?\+(?!\s)(.{1,500}?)(?<!\s)\+`?(?![\w+])",
    re.DOTALL,
)
_MACRO = re.compile(
    r"\b(link|xref|mailto|kbd|btn|menu|footnote|footnoteref|image|icon|stem|latexmath|asciimath|anchor|indexterm2?|term)"
    r":([^\s\[\]]*)\[((?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]",
    re.DOTALL,
)
_ADDRESS = re.compile(r"(?<![\"\w])(?:link:)?((?:https?|ftp|irc)://[^\s\[\]<>]+)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]")
_LABELLED = re.compile(r"(?<![\w\\])\{[\w-]+\}[^\s\[\]]*\[([^\[\]]+)\]")
"""A link whose address begins with an attribute that is not known."""
_REFERENCE = re.compile(r"<<([^<>,]+)(?:,\s*([^<>]+))?>>")
_INDEXED = re.compile(r"\(\(\([^()]{0,300}\)\)\)|\(\(([^()]{1,300})\)\)")
_ANCHOR = re.compile(r"\[\[\[?([^\]\[]*)\]\]\]?")
_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w][\w-]*)\}")
_ROLE = re.compile(r"\[[.#][^\[\]\n]*\](?=[#*_`])")
_TWICE = re.compile(r"(\*\*|__|``|##)(?=\S)((?:(?!\1).)+?)\1", re.DOTALL)
_ONCE = re.compile(r"(?<![\w\\*_`#:;}/])([*_`#])(?=\S)((?:(?!\1)[^\n]|\n(?!\n)){0,2000}?(?<!\s))\1(?!\w)")
_RAISED = re.compile(r"(?<![\\\s])([\^~])([^\s^~]{1,40})\1")
_ESCAPED = re.compile(r"\\(?=[*_`#{<\[\]^~+(]|\w+:|[-=]>|\.\.\.|--)")
_INTRINSIC = {
    "nbsp": "\u00a0", "sp": " ", "empty": "", "blank": "", "zwsp": "", "wj": "", "amp": "&", "lt": "<", "gt": ">",
    "plus": "+", "backtick": "`", "caret": "^", "asterisk": "*", "tilde": "~", "backslash": "\\", "vbar": "|",
    "startsb": "[", "endsb": "]", "apos": "'", "quot": '"', "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”",
    "deg": "°", "brvbar": "¦", "two-colons": "::", "two-semicolons": ";;", "cpp": "C++", "pp": "++",
}  # fmt: skip
_KEPT = re.compile("\ue000(\\d+)\ue001")
_MAX_NESTING = 5


class Inline:
    """Takes marks off, with the attributes that the document has set."""

    def __init__(self) -> None:
        self.attributes: dict[str, str] = {}

    def text(self, said: str) -> str:
        """Return what is read of a paragraph, its line breaks kept."""
        kept: list[str] = []

        def keep(shown: str) -> str:
            kept.append(shown)
            return f"\ue000{len(kept) - 1}\ue001"

        said = said.replace("\ue000", "").replace("\ue001", "")
        said = _PASSED.sub(lambda m: keep(m[1] or m[2] or m[3] or ""), said)
        said = _ATTRIBUTE.sub(self._attribute, said)
        said = _INDEXED.sub(lambda m: m[1] or "", said)
        said = _ANCHOR.sub("", said)
        said = _ADDRESS.sub(lambda m: _label(m[2]) or keep(m[1]), said)
        said = _LABELLED.sub(lambda m: _label(m[1]), said)
        said = _MACRO.sub(lambda m: _macro(m[1], m[2], m[3]), said).replace("  (", " (")
        said = _REFERENCE.sub(lambda m: m[2] or m[1].lstrip("#").rpartition("#")[2].replace("_", " ").strip(), said)
        said = re.sub(r"https?://[^\s\[\]<>]+", lambda m: keep(m[0]), said)
        said = _ROLE.sub("", said)
        for _ in range(_MAX_NESTING):
            before = said
            said = _ONCE.sub(lambda m: keep(_unmarked(m[2])) if m[1] == "`" else m[2], _TWICE.sub(lambda m: m[2], said))
            if said == before:
                break
        said = _RAISED.sub(lambda m: m[2], said)
        said = re.sub(r"(?<=[\w)\]`\"'.,]) -- (?=\S)|(?<=\w)--(?=\w)", lambda m: " — " if " " in m[0] else "—", said)
        said = _ESCAPED.sub("", said)
        said = html.unescape(said)
        while _KEPT.search(said):
            said = _KEPT.sub(lambda m: kept[int(m[1])], said)
        return said

    def _attribute(self, match: re.Match[str]) -> str:
        """Return the value of an attribute; its name in braces, where it is not known."""
        name = match[1].lower()
        return self.attributes[name] if name in self.attributes else _INTRINSIC.get(name, match[0])


def _unmarked(code: str) -> str:
    """Return the words of a stretch of program text without the marks that may stand within."""
    code = re.sub(r"\\(?=[-=]>|\.\.\.|--)", "", code)
    return _TWICE.sub(lambda m: m[2], code) if code.startswith(("*", "_")) else code


def _label(inside: str) -> str:
    """Return the words of a link, without its attributes."""
    said = inside.strip()
    if said.startswith('"') and '"' in said[1:]:
        return said[1:].partition('"')[0]
    said = re.split(r",\s*(?:role|window|opts|options|id|title|rel|width)=", said)[0]
    return said.removesuffix("^").strip()


def _macro(name: str, target: str, inside: str) -> str:
    inside = inside.replace("\\]", "]")
    if name in ("link", "xref", "mailto"):
        return _label(inside) or target.removeprefix("#")
    if name == "menu":
        return " › ".join([target, *(part.strip() for part in re.split(r"[>,]", inside) if part.strip())])
    if name in ("footnote", "footnoteref"):
        return f" ({inside})" if inside else ""
    if name in ("image", "icon"):
        said = inside.split(",")[0].strip(' "')
        return "" if "=" in said else said
    if name in ("anchor", "indexterm"):
        return ""
    return inside
