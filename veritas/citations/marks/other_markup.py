"""Citations of reStructuredText (roles, labels `[key]_` and their definitions), Org and Typst."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.citations.marks.prose import blanked

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


_ORG_CODE = re.compile(
    r"^[ \t]*#\+begin_(src|example|export|comment)\b.*?^[ \t]*#\+end_\1\b|^[ \t]*(?:#|:)(?:[ \t][^\n]*)?$"
    r"|(?<![\w=~])([=~])(?=\S)[^\n]{1,400}?(?<=\S)\2(?![\w=~])",
    re.MULTILINE | re.DOTALL | re.IGNORECASE,
)
_ORG_CITED = re.compile(r"\[cite(?:/[\w/-]{1,60})?:([^\[\]]{1,4000})\]")
_ORG_KEY = re.compile(r"@([\w:.#$%&+?<>~/*|'^-]{1,200})")
_TYPST_CODE = re.compile(
    r"(`{3,})(?!`).*?\1|`[^`\n]{0,1000}`|/\*.*?\*/|(?<!:)//[^\n]*|\"(?:[^\"\\\n]|\\.){0,1000}\"", re.DOTALL
)
_TYPST_CITED = re.compile(r"\bcite\(\s*(?:<([^<>\s]{1,200})>|label\(\s*\"([^\"\n]{1,200})\"\s*\))")
_TYPST_KEY = re.compile(r"(?<![\w.@\\/])@([^\W\d_](?:[\w:.-]{0,200}\w)?)(?![\w/])")
_TYPST_LABEL = re.compile(r"<([^<>\s]{1,200})>")
_DATED = re.compile(r"[^\W\d_].*(?:1[5-9]|20)\d\d[a-z]?.{0,60}", re.DOTALL)


_ORG_BIBLIOGRAPHY = re.compile(r"^[ \t]*#\+(?:print_)?bibliography:[ \t]*(\S*)[^\n]*$", re.MULTILINE | re.IGNORECASE)
_TYPST_BIBLIOGRAPHY = re.compile(r"#bibliography\(([^()]{0,1000}(?:\([^()]{0,1000}\))?[^()]{0,1000})\)")
_QUOTED = re.compile(r"\"([^\"\n]{1,300})\"")


def named_bibliographies(source: str, suffix: str) -> list[str]:
    """Return the bibliographies that a page of Org or Typst (`suffix`) names, as it names them."""
    if suffix == "org":
        return [name for name in _ORG_BIBLIOGRAPHY.findall(source) if name and "." in name]
    found = _TYPST_BIBLIOGRAPHY.findall(re.sub(r"(?<!:)//[^\n]*", "", source))
    return [name for each in found for name in _QUOTED.findall(each) if name.endswith((".bib", ".yml", ".yaml"))]


def without_keys(source: str, suffix: str) -> str:
    """Return a page of Org or Typst with blanks for its code, its comments, the citations that `org_keys` and
    `typst_keys` read and the lines that name its bibliography: what is left is not read."""

    def blank(found: re.Match[str]) -> str:
        return blanked(found.group()) if found.re is not _ORG_CITED or "@" in found[1] else found.group()

    if suffix == "org":
        return _ORG_BIBLIOGRAPHY.sub(blank, _ORG_CITED.sub(blank, _ORG_CODE.sub(blank, source)))
    keys = [(at, at + len(key)) for at, key in typst_keys(source)]
    source = _TYPST_BIBLIOGRAPHY.sub(blank, _TYPST_CITED.sub(blank, source))
    for start, end in keys:
        source = source[: max(start - 1, 0)] + " " * (end - max(start - 1, 0)) + source[end:]
    return _TYPST_CODE.sub(blank, source)


def org_keys(source: str) -> Iterator[tuple[int, str]]:
    """Yield each key of `[cite:@key]` and its variants with its offset. Code, comments and what is verbatim cite
    nothing."""
    bare = _ORG_CODE.sub(lambda found: blanked(found.group()), source)
    for cited in _ORG_CITED.finditer(bare):
        for key in _ORG_KEY.finditer(cited[1]):
            yield cited.start(1) + key.start(1), key[1].rstrip(".:?'")


def typst_keys(source: str) -> Iterator[tuple[int, str]]:
    """Yield each key of `#cite(<key>)` with its offset, and of `@key` where it cannot be a label: it has a year, or the
    page has a bibliography and no such label."""
    for cited in _TYPST_CITED.finditer(re.sub(r"(?<!:)//[^\n]*", lambda found: blanked(found.group()), source)):
        number = 1 if cited[1] else 2
        yield cited.start(number), cited[number]
    bare = _TYPST_CODE.sub(lambda found: blanked(found.group()), source)
    labels = set(_TYPST_LABEL.findall(_TYPST_CITED.sub("", bare)))
    listed = "#bibliography(" in bare
    for key in _TYPST_KEY.finditer(bare):
        if key[1] not in labels and ":" not in key[1] and (listed or _DATED.fullmatch(key[1])):
            yield key.start(1), key[1]
