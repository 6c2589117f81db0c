"""Citation keys of Org and Typst."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.citations.checking._prose import blanked

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
