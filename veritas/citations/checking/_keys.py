"""Citation keys in Markdown: Pandoc's `[see @key, p. 3; -@other]`, `@key [p. 3]`, and `@key2020` alone.

`@name` is also how users, packages and decorators are written, so the page and the project decide what a key is.
In a page for Pandoc every `@key` is one. In other pages of a project with artifacts or a map, all that stands in
brackets or has a year is. In a project with neither, only what can be nothing else: a key with a year in brackets, or
one with a page, chapter or section.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.citations.checking._prose import blanked, without_metadata

_PANDOC = frozenset({"qmd", "rmd"})
_NAMES_KEYS = re.compile(
    rb"\A---[ \t]*\r?\n(?:(?!---|\.\.\.)[^\n]*\n)*?(?:bibliography|references|csl|nocite|cite-method):"
)
# Quarto's cross references, to a figure, a callout or a section
_CROSS_REFERENCE = re.compile(
    r"(?:fig|tbl|lst|eq|sec|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|prf|tip|nte|wrn|imp|cau|supp|apx)-"
)

# Each begins with a plain sign and only then looks behind it: many times faster than the reverse.
_GROUP = re.compile(r"\[(?<![\]\\]\[)(?=[^\[\]]{0,400}@)[^\[\]]{1,400}\](?![(\[])")
_KEY = re.compile(r"@(?<![\w.@/\\+]@)(?<![\w.@/\\+-]-@)\{?([^\W_][\w:.#$%&+?<>~/-]*+)(?!\s*=)")  # XPath's `[@id="x"]`
_BARE = re.compile(r"@(?<![\w.@/\\+\[]@)\{?([A-Za-z][A-Za-z_:-]*(?:1[5-9]|20)\d\d(?!\d)\w*)(?![\w.]*/)")
_PLACE = r"pp?\.|ch(?:ap)?s?\.|chapters?\b|secs?\.|sections?\b|figs?\.|figures?\b|§"
_LOCATED = re.compile(rf"@(?<![\w.@/\\+\[]@)\{{?([^\W\d_][\w:./-]*)\}}? \[({_PLACE}|\d)")
_ALONE = re.compile(r"@(?<![\w.@/\\+\[]@)\{?([^\W\d_](?:[\w:-]|\.(?=\w))*)(?![\w.]*[/(])")
_DOI = r"\b10\.\d{4,9}/"
_ALWAYS = re.compile(rf"[^\W\d].*?(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|.*?{_DOI}")  # nobody's name, and no package's
_SCOPED = re.compile(rf"(?!.*(?:{_DOI}|://)).*/")  # a package with its scope
_WITH_PLACE = re.compile(rf"\}}?,?\s+(?:{_PLACE})")
_QUOTED = re.compile(r"([\"'])@[^\s\"']*+\1")  # a string of a program or of data
_ATTRIBUTES = re.compile(r"(?<=[)\]])\{[^{}]*+\}")
_REFERENCE_LINK = re.compile(r"^ {0,3}\[(@[^\]]+)\]:", re.MULTILINE)
_LABEL = re.compile(r"\{[^{}\n]*?#([\w:.-]+)")

_SIGNS = rb"@\{?(?=[\w\x80-\xff])[^\s@]*"
_MAY_BE_ONE = {
    True: re.compile(_SIGNS + rb"?(?:1[5-9]|20)\d\d|" + _SIGNS + rb"+ \[|\[[^\[\]]{0,1600}?@(?<![\w./\\+]@)"),
    False: re.compile(_SIGNS + rb"?(?:(?:1[5-9]|20)\d\d|10\.\d{4})|" + _SIGNS + rb"+\s+\[?(?:p|ch|sec|fig|\xc2\xa7)"),
}


def for_pandoc(data: bytes, suffix: str) -> bool:
    """Return whether Pandoc or Quarto makes this page, so that `@key` alone is a citation in it."""
    return suffix in _PANDOC or (data.startswith(b"---") and _NAMES_KEYS.match(data) is not None)


def may_hold_key(data: bytes, suffix: str, *, keyed: bool) -> bool:
    """Return whether a page of Markdown can hold a citation key; False is certain."""
    return b"@" in data and (_MAY_BE_ONE[keyed].search(data) is not None or for_pandoc(data, suffix))


def keys(text: str, *, pandoc: bool, keyed: bool) -> Iterator[tuple[int, str]]:
    """Yield each key with the offset of its `@`. `text` is prose; `pandoc` says that Pandoc makes the page,
    `keyed` that the project has artifacts or a map of keys."""
    if "@" not in text:
        return
    if pandoc:
        labels = set(_LABEL.findall(text))
        text = _ATTRIBUTES.sub(lambda found: blanked(found.group()), text)
    text = _QUOTED.sub(lambda found: blanked(found.group()), text)
    body = without_metadata(text)
    text = text if pandoc else body  # Pandoc's metadata can cite: an abstract
    seen: set[int] = set()
    links = set(_REFERENCE_LINK.findall(text))
    for group in _GROUP.finditer(text):
        if group.group()[1:-1] in links:
            continue
        for found in _KEY.finditer(text, group.start() + 1, group.end() - 1):
            key = found[1].rstrip(".:/?")
            if pandoc:
                if _CROSS_REFERENCE.match(key) or key in labels:
                    continue
            elif _SCOPED.match(key) or not (keyed or _ALWAYS.match(key) or _WITH_PLACE.match(text, found.end())):
                continue
            seen.add(found.start(1))
            yield found.start(1) - 1, key
    for pattern in (_BARE, _LOCATED, _ALONE) if pandoc else (_BARE, _LOCATED) if keyed else (_LOCATED,):
        for found in pattern.finditer(body):
            key = found[1].rstrip(".:/?")
            if found.start(1) in seen or (pandoc and (_CROSS_REFERENCE.match(key) or key in labels)):
                continue
            if pattern is _LOCATED and not pandoc and (_SCOPED.match(key) or not (keyed or not found[2].isdecimal())):
                continue
            seen.add(found.start(1))
            yield found.start(1) - 1, key
