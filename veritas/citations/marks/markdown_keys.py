"""Citation keys in Markdown: Pandoc's `[see @key, p. 3; -@other]`, `@key [p. 3]`, and `@key2020` alone.

`@name` is also how users, packages and decorators are written, so the page and the project decide what a key is.
In a page for Pandoc every `@key` is one. In other pages of a project with artifacts or a map, all that stands in
brackets or has a year is. In a project with neither, a key with a year in brackets is surely one, or one with a page,
chapter or section; any other name in brackets may be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from veritas.citations.marks.prose import blanked, without_metadata

Doubt = Literal["", "in brackets", "alone"]
"""Why a name may be no key, in a project without artifacts: it has no year and stands in brackets, or alone in a
page for Pandoc, where it may be a user's or a macro's; in any project, somebody is thanked by that name."""
_DIGITS = re.compile(r"\d\d")
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
_BRACED = r"(?=\{([^{}\n]{1,200})\})"  # `@{key}`: any sign may stand in it
# The last part of it: XPath's `[@id="x"]` is none.
_KEY = re.compile(
    rf"@(?<![\w.@/\\+]@)(?<![\w.@/\\+-]-@)(?:{_BRACED}|\{{?([^\W_][\w:.#$%&+?<>~/-]*+)(?!\s*=))"
)
_BARE = re.compile(r"@(?<![\w.@/\\+\[]@)\{?([^\W\d_](?:\w|[:.+-](?=\w))*+)(?![\w.]*/)")
_YEAR = re.compile(r"[A-Za-z][A-Za-z_:+-]*(?:1[5-9]|20)\d\d(?!\d)")
_PLACE = r"pp?\.|ch(?:ap)?s?\.|chapters?\b|secs?\.|sections?\b|figs?\.|figures?\b|§"
_LOCATED = re.compile(rf"@(?<![\w.@/\\+\[]@)\{{?([^\W\d_][\w:./+-]*)\}}? \[({_PLACE}|\d)")
_ALONE = re.compile(
    rf"@(?<![\w.@/\\+\[]@)(?:{_BRACED}|\{{?([^\W\d_](?:\w|[:.#$%+?~/-](?=\w))*+)(?!/?\())"
)
_ANYWHERE = re.compile(rf"@(?<![\w.@/\\+]@)(?:{_BRACED}|\{{?([^\W\d_](?:\w|[:.#$%+?~/-](?=\w))*+))")
_DOI = r"\b10\.\d{4,9}/"
_ALWAYS = re.compile(rf"[^\W\d].*?(?<!\d)(?:1[5-9]|20)\d\d(?!\d)|.*?{_DOI}")  # nobody's name, and no package's
_SCOPED = re.compile(rf"(?!.*(?:{_DOI}|://)).*/")  # a package with its scope
_WITH_PLACE = re.compile(rf"\}}?,?\s+(?:{_PLACE})")
_QUOTED = re.compile(r"([\"'])@[^\s\"']*+\1")  # a string of a program or of data
_ATTRIBUTES = re.compile(r"(?<=[)\]])\{[^{}]*+\}")
_REFERENCE_LINK = re.compile(r"^ {0,3}\[(@[^\]]+)\]:", re.MULTILINE)
_LINK_TARGET = re.compile(r"@(?<=\]\(@)[^()\n]*+(?=\))")  # of Documenter: `[exp](@ref)`
_INDEXED = re.compile(r"\\s?index\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*+\})*+\})*+\}")  # `@` stands between its parts
_EXAMPLE = re.compile(r"^[ \t>]*\(@([\w-]+)\)[ \t]", re.MULTILINE)  # an item of Pandoc's numbered examples
_LABEL = re.compile(r"\{[^{}\n]*?#([\w:.-]+)")

_PERSON = re.compile(
    r"(?:\bthanks(?:,| to)?|\bthank you,?|\bcredits?(?: goes)?(?: to)?:?|\bcc:?|\bping|\bmaintainers?:?"
    r"|\b(?:fixed|contributed|added|merged|raised|opened|submitted|spotted|patch(?:ed)?|pull request|PR|issue) by)"
    r"\s+(?:@[\w-]+(?:,? and |, | & ))*\Z",
    re.IGNORECASE,
)
"""Words before the name of a user."""
_SIGNS = rb"@\{?(?=[\w\x80-\xff])[^\s@]*"
_MAY_BE_ONE = {
    True: re.compile(_SIGNS + rb"?(?:1[5-9]|20)\d\d|" + _SIGNS + rb"+ \[|\[[^\[\]]{0,1600}?@(?<![\w./\\+]@)"),
    False: re.compile(_SIGNS + rb"?(?:(?:1[5-9]|20)\d\d|10\.\d{4})|" + _SIGNS + rb"+\s+\[?(?:p|ch|sec|fig|\xc2\xa7)"
                      rb"|\[[^\[\]]{0,1600}?@(?<![\w./\\+]@)"),
}


def for_pandoc(data: bytes, suffix: str) -> bool:
    """Return whether Pandoc or Quarto makes this page, so that `@key` alone is a citation in it."""
    return suffix in _PANDOC or (data.startswith(b"---") and _NAMES_KEYS.match(data) is not None)


def may_hold_key(data: bytes, suffix: str, *, keyed: bool) -> bool:
    """Return whether a page of Markdown can hold a citation key; False is certain."""
    return b"@" in data and (_MAY_BE_ONE[keyed].search(data) is not None or for_pandoc(data, suffix))


def keys(text: str, *, pandoc: bool, keyed: bool) -> Iterator[tuple[int, str, Doubt]]:
    """Yield each key with the offset of its `@`, and the doubt whether it is one. `text` is prose; `pandoc` says that
    Pandoc makes the page, `keyed` that the project has artifacts or a map of keys."""
    if "@" not in text:
        return
    labels: set[str] = set()
    if pandoc:
        labels = {*_LABEL.findall(text), *_EXAMPLE.findall(text)}
        text = _ATTRIBUTES.sub(_blank, text)
    if "\"@" in text or "'@" in text:
        text = _QUOTED.sub(_blank, text)
    for pattern in (_LINK_TARGET, _INDEXED):
        text = pattern.sub(_blank, text)
    body = without_metadata(text)
    text = text if pandoc else body  # Pandoc's metadata can cite: an abstract
    seen: set[int] = set()
    links = set(_REFERENCE_LINK.findall(text)) if "]:" in text else set()
    for group in _GROUP.finditer(text):
        if group.group()[1:-1] in links:
            continue
        for found in _KEY.finditer(text, group.start() + 1, group.end() - 1):
            at, key = _named(found)
            doubt: Doubt = ""
            if pandoc:
                if _CROSS_REFERENCE.match(key) or key in labels:
                    continue
            elif _SCOPED.match(key):
                continue
            elif not (keyed or _ALWAYS.match(key) or _WITH_PLACE.match(text, found.end())):
                doubt = "in brackets"
            seen.add(at)
            yield at - 1, key, doubt
    for pattern in (_LOCATED, _ALONE) if pandoc else (_BARE, _LOCATED) if keyed else (_LOCATED,):
        for found in pattern.finditer(body):
            at, key = _named(found) if pattern is _ALONE else (found.start(1), found[1].rstrip(".:/?"))
            if at in seen or (pandoc and (_CROSS_REFERENCE.match(key) or key in labels)):
                continue
            if pattern is _BARE and not _YEAR.match(key):
                continue
            if pattern is _ALONE and "/" in key and ":" not in key and _SCOPED.match(key):
                continue
            if pattern is _LOCATED and not pandoc and (_SCOPED.match(key) or not (keyed or not found[2].isdecimal())):
                continue
            seen.add(at)
            sure = keyed or pattern is _LOCATED or _DIGITS.search(key)
            thanked = pattern is not _LOCATED and _PERSON.search(body, max(0, at - 200), at - 1)
            yield at - 1, key, "" if sure and not thanked else "alone"


def lone_keys(text: str) -> Iterator[tuple[int, str]]:
    """Yield each name with figures behind an `@` in a page's prose or head, with the offset of the `@`: it is a key
    where a bibliography has it, and else may be a user's name."""
    for found in _ANYWHERE.finditer(text) if "@" in text else ():
        at, key = _named(found)
        if _DIGITS.search(key):
            yield at - 1, key


def _named(found: re.Match[str]) -> tuple[int, str]:
    """Return where a key begins, and the key: all that is in its braces, or else what may end no sentence."""
    return (found.start(1), found[1].strip()) if found[1] else (found.start(2), found[2].rstrip(".:/?"))


def _blank(found: re.Match[str]) -> str:
    return blanked(found.group())
