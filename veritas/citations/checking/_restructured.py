"""Citations of reStructuredText: roles, labels (`[key]_`) and their definitions (`.. [key] …`)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.citations.checking._prose import blanked

_ROLE = re.compile(r":(?:foot)?cite(?::[a-z]{1,40}){0,3}:`([^`]{0,4000})`")
_BRACED = re.compile(r"\{[^{}]*\}")
_PREFIX = re.compile(r"^[ \t]*:?keyprefix:[ \t]*[\"']?([^\s\"']{1,100})[\"']?[ \t]*$", re.MULTILINE)
_LIST = re.compile(r"^[ \t]*(?:\.\.[ \t]+bibliography::|[`~:]{3,}[ \t]*\{bibliography\})", re.MULTILINE)
_LABEL = re.compile(r"\[(?<![\w\\`]\[)([^\W_][\w.:+-]{0,200})\]_(?![\w_])")
_DEFINITION = re.compile(
    r"^(?P<indent>[ \t]*)\.\.[ \t]+\[(?P<label>[^\]\n]{1,200})\][ \t]*"
    r"(?P<text>[^\n]*(?:\n(?:(?P=indent)[ \t]+\S[^\n]*|[ \t]*(?=\n(?P=indent)[ \t]{2,}[^\s.])))*)",
    re.MULTILINE,
)
_INLINE = re.compile(r"``(?:[^`\n]|`(?!`)|\n(?!\s*\n)){1,2000}``")
_CODE = re.compile(
    r"^(?P<indent>[ \t]*)(?:\.\.[ \t]+(?:code(?:-block)?|sourcecode|literalinclude|highlight|math|raw|prompt|doctest"
    r"|testcode|ipython|graphviz|productionlist|tikz|plot|jupyter-execute)::[^\n]*"
    r"|(?!\.\.[ \t]+[\w:-]+::)[^\n]*::)[ \t]*\n"
    r"(?P<body>(?:[ \t]*\n|(?P=indent)[ \t]+[^\n]*(?:\n|\Z))+)",
    re.MULTILINE,
)


def rst_prose(text: str) -> str:
    """Return a page with blanks in place of its code and its inline literals."""
    if "::" in text:
        text = _CODE.sub(lambda found: found.group().removesuffix(found["body"]) + blanked(found["body"]), text)
    return _INLINE.sub(lambda found: blanked(found.group()), text) if "``" in text else text


def key_prefixes(text: str) -> tuple[str, ...]:
    """Return what the lists of works on a page of reStructuredText or MyST put before the keys of their entries
    (`:keyprefix:` of sphinxcontrib-bibtex), the longest first."""
    if "keyprefix:" not in text:
        return ()
    found = _PREFIX.findall(text)
    if len(_LIST.findall(text)) > len(found):  # a key of the list without one may begin with the same letters
        found = [prefix for prefix in found if not prefix[-1].isalnum()]
    return tuple(sorted(set(found), key=len, reverse=True))


def without_prefix(key: str, prefixes: tuple[str, ...]) -> str:
    """Return a key as its bibliography has it, without what a list of works puts before it."""
    return next((key.removeprefix(prefix) for prefix in prefixes if key.startswith(prefix) and key != prefix), key)


def roles(prose: str) -> Iterator[tuple[int, str]]:
    """Yield each key of `:cite:` and its variants with its offset, both as the bibliography has the key."""
    prefixes = key_prefixes(prose)
    for role in _ROLE.finditer(prose):
        at = role.start(1)
        bare = _BRACED.sub(lambda found: " " * len(found.group()), role[1])  # `{see}key{p. 3}`
        for part in bare.split(","):
            if cited := part.strip():
                key = without_prefix(cited, prefixes)
                yield at + len(part) - len(part.lstrip()) + len(cited) - len(key), key
            at += len(part) + 1


def labels(prose: str) -> Iterator[tuple[int, int, str]]:
    """Yield each label that is cited, with its place. Numbers, `#` and `*` are footnotes and no citations."""
    for found in _LABEL.finditer(prose):
        if not found[1].isdigit():
            yield found.start(), found.end(), found[1]


def definitions(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield the label of each citation and footnote that a page defines, with the place of its text."""
    for found in _DEFINITION.finditer(text):
        yield found["label"], found.start("text"), found.end("text")
