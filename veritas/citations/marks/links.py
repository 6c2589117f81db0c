"""The citations of one file with their places: links to artifacts, footnotes, keys, and research comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from veritas.citations.marks.comments import comments
from veritas.citations.marks.latex import latex_keys
from veritas.citations.marks.markdown_keys import Doubt, for_pandoc, keys, may_hold_key
from veritas.citations.marks.notebooks import cells
from veritas.citations.marks.other_markup import key_prefixes, org_keys, roles, rst_prose, typst_keys, without_prefix
from veritas.citations.marks.prose import prose as prose_of
from veritas.citations.marks.prose import without_metadata

MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"})
LATEX = frozenset({"tex", "ltx", "latex", "rnw", "snw", "rtex"})
RST = frozenset({"rst", "rest"})
KEYED = LATEX | RST | {"org", "typ"}
"""Endings of pages whose citations stand in commands, roles or labels of their own."""
_CHANGES = frozenset({"diff", "patch", "rej"})
"""What changed in other files: their citations are checked there, and a patch may take one away."""

LinkKind = Literal["path", "key", "no-artifact", "undefined-footnote"]


@dataclass(frozen=True, slots=True)
class Link:
    """A citation. `target` is a path as written, a key, or text for a person; `offset` counts characters.

    `foreign` says that a key stands in Markdown in the form of another language, `doubt` why it may be none, but
    the name of a user.
    """

    offset: int
    kind: LinkKind
    target: str
    foreign: bool = False
    doubt: Doubt = ""


_STOPS = r"[^\s\"'`<>()\[\]{}|*,;\\#?]"
_RESEARCH = re.compile(r"research(?:\([^()\n]{0,80}\))?:(?!:)")
_RESEARCH_BYTES = re.compile(rb"research(?:\([^()\n]{0,80}\))?:")
_OPENING = re.compile(
    r"(?:[Cc](?=\s))?(?:[#/%;!*\-'\".({<|~\[\]=+@⍝\\:\s]|\bREM\b|\brem\b|\bdnl\b|\b[rubRUB]{1,2}(?=[\"']))*"
)
_REFERENCE = re.compile(r"\bet al\b|\b10\.\d{4,9}/\S|\barxiv\b\W{0,3}\d{4}\.\d{4,5}|\barxiv\.org/", re.IGNORECASE)

_DEFINITION = re.compile(
    r"^[ \t>]*+\[\^([^\]\s]{1,200})\]:[ \t]*([^\n]*(?:\n(?:[ \t]+[^\n]*|(?=\n[ \t]{2,}\S)))*)", re.MULTILINE
)
_MAY_DEFINE = re.compile(r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)?\[\^([^\]\s]{1,200})\]:", re.MULTILINE)
"""A definition wherever it stands, also where it looks like code: some renderers read it there."""
_FOOTNOTE = re.compile(r"\[\^(?<!\\\[\^)([^\W_][^\]\s]{0,199})(?<!\\)\]")
_NOTE = re.compile(r"\[\^[^\]\s]{1,200}\](?=:)")
_CHARACTER_CLASS = re.compile(r"(?:[^\W_]-[^\W_])+[\W_]*")  # of a regular expression: `[^a-z]`
_LETTERS = re.compile(r"(?:([a-z])(?!\w*\1)){2,8}")
_EXPRESSION = re.compile(r"\b(?:reg(?:ular )?ex\w*|class(?:es)?|patterns?|globs?|grep|match\w*)\b", re.IGNORECASE)
_MYST = re.compile(r"\{(?:foot)?cite(?::[a-z]{1,40}){0,3}\}")
_MYST_KEYS = re.compile(r"`([^`]{1,4000})`")


def _begun_by(text: str) -> str:
    """Return the pattern of a text with no sign of a word before it; looking behind last is many times faster."""
    return rf"{re.escape(text)}(?<![\w-]{re.escape(text)})"


class LinkFinder:
    """A finder of files' citations; `folder` is that of the artifacts, relative to a project's root.

    `with_keys` finds the keys of LaTeX, reStructuredText, Org and Typst. `keyed` says that the project has artifacts or
    a map of keys: without either, a name after an `@` in Markdown is rather a user's or a package's.
    """

    def __init__(self, folder: str, *, with_keys: bool, keyed: bool = True) -> None:
        parent, _, last = folder.rpartition("/")
        self._needle = f"{last}/".encode()
        self._path = re.compile(_begun_by(f"{folder}/") + f"({_STOPS}*)")
        self._nearby = re.compile(_begun_by(f"{last}/") + f"({_STOPS}+)") if parent else None
        self._with_keys, self._keyed = with_keys, keyed

    def wanted(self, data: bytes, suffix: str) -> bool:
        """Return whether a file with these bytes can hold a citation at all; cheap enough for thousands of files."""
        if suffix in _CHANGES:
            return False
        if self._needle in data or (b"research" in data and _RESEARCH_BYTES.search(data) is not None):
            return True
        if suffix in MARKDOWN:
            noted = b"^" in data and b"[^" in data
            roles = b"{cite" in data or b"{footcite" in data
            roles = roles or (self._with_keys and b"cite" in data)
            return noted or roles or may_hold_key(data, suffix, keyed=self._keyed)
        if suffix == "ipynb":
            return b"[^" in data or b"@" in data
        if suffix == "typ" and self._with_keys and b"@" in data:
            return True
        return self._with_keys and suffix in KEYED and b"ite" in data

    def find(self, source: str, name: str) -> list[Link]:
        """Return the citations of a file called `name`, in order."""
        suffix = name[name.rfind(".") + 1 :].lower() if "." in name else ""
        if suffix == "ipynb":
            linked = [(cell, link) for cell in cells(source) for link in self.find(cell.source, cell.name)]
            notes = set(_NOTE.findall(source))  # a footnote may stand in another cell
            return [
                replace(link, offset=cell.place(link.offset))
                for cell, link in linked
                if link.kind != "undefined-footnote" or link.target not in notes
            ]
        if suffix in MARKDOWN:
            return sorted(self._markdown(source, suffix), key=lambda link: link.offset)
        held = self._needle.decode() in source or ("research" in source and _RESEARCH.search(source) is not None)
        told = comments(source, name) if held else ()
        found = [link for comment in told for link in self._comment(comment.start, comment.text)]
        if suffix in LATEX and self._with_keys:
            found += [link for at, keys in latex_keys(source) for link in _listed(at, keys)]
        elif suffix in KEYED and self._with_keys:
            found += [Link(at, "key", key) for at, key in _keys_of(source, suffix)]
        return sorted(found, key=lambda link: link.offset)

    def _comment(self, start: int, text: str) -> Iterator[Link]:
        paths = list(self._paths(text))
        for offset, path in paths:
            yield Link(start + offset, "path", path)
        if paths:
            return
        at = 0
        for line in text.splitlines(keepends=True):
            begun = _OPENING.match(line)
            if marked := _RESEARCH.match(line, begun.end() if begun else 0):
                yield Link(start + at + marked.start(), "no-artifact", " ".join(line[marked.start() :].split())[:120])
            at += len(line)

    def _paths(self, text: str) -> Iterator[tuple[int, str]]:
        for found in self._path.finditer(text):
            before = _before(text, found.start())
            if "://" not in before and not _is_no_artifact(found[1].rstrip(_TRAILING)):
                yield found.start() - len(before), before + found.group().rstrip(_TRAILING)

    def _markdown(self, source: str, suffix: str) -> Iterator[Link]:
        prose = prose_of(source, indented=suffix != "mdx")
        taken: set[int] = set()
        for offset, path in self._paths(prose):
            taken.add(offset + len(path))  # where it ends
            yield Link(offset, "path", path)
        if self._nearby is not None:  # `citations/x.md` beside docs/page.md
            for found in self._nearby.finditer(prose):
                path, named = found.group().rstrip(_TRAILING), found[1].rstrip(_TRAILING)
                if found.start() + len(path) in taken or not path.endswith(".md") or _is_no_artifact(named):
                    continue
                before = _before(prose, found.start())
                if "://" not in before:
                    yield Link(found.start() - len(before), "path", "./" + before + path)
        shown = uncommented(prose, "markdown")  # a comment cites nothing, but can be a note of research
        yield from self._footnotes(without_metadata(shown), source)
        pandoc = for_pandoc(source.encode("utf-8", "replace") if source.startswith("---") else b"", suffix)
        for offset, key, doubt in keys(shown, pandoc=pandoc, keyed=self._keyed):
            yield Link(offset, "key", key, doubt=doubt)
        if "cite" in source:
            prefixes = key_prefixes(source)
            for role in _MYST.finditer(shown):  # what it cites looks like code, and is blank in the prose
                if listed := _MYST_KEYS.match(source, role.end()):
                    for link in _listed(listed.start(1), listed[1], foreign=not self._keyed):
                        key = without_prefix(link.target, prefixes)
                        yield replace(link, offset=link.offset + len(link.target) - len(key), target=key)
        if self._with_keys and "cite" in shown:
            for at, keyed in latex_keys(shown):
                yield from _listed(at, keyed, foreign=True)
        for comment in _HTML_COMMENT.finditer(prose):
            yield from (link for link in self._comment(comment.start(), comment.group()) if link.kind != "path")

    def _footnotes(self, prose: str, source: str) -> Iterator[Link]:
        defined: dict[str, str] = {}
        places: set[int] = set()
        for found in _DEFINITION.finditer(prose) if "[^" in prose else ():
            places.add(found.start(1) - 2)
            lead, text = source[found.start() : found.start(1) - 2], found[2]
            if ">" in lead or len(lead.expandtabs(4)) > 3:  # what follows it is of its list item or quotation
                text = text.partition("\n\n")[0]
            defined.setdefault(found[1], text)
            if not self._names_one(text) and _REFERENCE.search(text):
                yield Link(found.start(1) - 2, "no-artifact", f"[^{found[1]}]: {' '.join(text.split())[:200]}")
        elsewhere = set(_MAY_DEFINE.findall(source)) if "[^" in prose else set()
        known = defined.keys() | elsewhere
        for found in _FOOTNOTE.finditer(prose):
            if found.start() in places or found[1] in known or _CHARACTER_CLASS.fullmatch(found[1]):
                continue
            if prose[found.end() : found.end() + 1] not in ("+", "{"):  # nor is `[^abc]+` one
                doubt: Doubt = "alone" if _of_expression(prose, found) else ""
                yield Link(found.start(), "undefined-footnote", f"[^{found[1]}]", doubt=doubt)

    def _names_one(self, text: str) -> bool:
        return any(True for _ in self._paths(text)) or bool(self._nearby and self._nearby.search(text))


def _keys_of(source: str, suffix: str) -> Iterator[tuple[int, str]]:
    if suffix in RST:
        return roles(rst_prose(source))
    return org_keys(source) if suffix == "org" else typst_keys(source)


_OTHERS = frozenset({"readme.md", "index.md", "map.json", "map.yaml", "map.yml"})


def _is_no_artifact(name: str) -> bool:
    """Return whether a path in the artifacts' folder is no artifact: the folder itself, its README, a stored text."""
    return not name or name.startswith(("texts/", "…", "...", "$")) or name.lower() in _OTHERS


_TRAILING = ".:!…"
_BEFORE = re.compile(_STOPS + r"{0,300}\Z")


def _of_expression(prose: str, mark: re.Match[str]) -> bool:
    """Return whether the mark of a footnote may be the letters of a regular expression: it stands by itself, where one
    is spoken of."""
    start, end = mark.span()
    begin, stop = prose.rfind("\n", 0, start) + 1, prose.find("\n", end)
    line = prose[max(begin, start - 200) : len(prose) if stop < 0 else min(stop, end + 200)]
    alone = start == 0 or prose[start - 1].isspace()
    return alone and _LETTERS.fullmatch(mark[1]) is not None and _EXPRESSION.search(line) is not None


def _before(text: str, at: int) -> str:
    """Return the part of a path or URL right before `at`, up to 300 characters."""
    found = _BEFORE.search(text[max(0, at - 300) : at])
    return found.group() if found else ""


def _listed(at: int, keys: str, *, foreign: bool = False) -> Iterator[Link]:
    for key in keys.split(","):
        said = key.strip().replace("\\_", "_")
        # An argument of a definition, or a command that stands for a key, is no key.
        if said not in ("", "*") and "#" not in said and "\\" not in said:
            yield Link(at + len(key) - len(key.lstrip()), "key", said, foreign)
        at += len(key) + 1


Kind = Literal["markdown", "latex", "rst", "bibtex", "source"]

_BIBTEX = frozenset({"bib", "bibtex", "biblatex", "ris", "nbib", "cff"})
"""Endings of bibliographies, in BibTeX's form and in others."""
_OTHER_MARKUP = (".org", ".typ")
_HEAD = 4_000
"""Signs of a file by which it is told whether it is a bibliography."""
_JSON = re.compile(r"\s*(?:\{\s*\"(?:references|items)\"\s*:\s*)?\[\s*\{")
_YAML = re.compile(r"^(?:references:[ \t]*$|-[ \t]+(?:id|type|title|author):)", re.MULTILINE)
_CSL_TYPE = re.compile(
    r"\btype\"?\s*:\s*[\"']?(?:article|book|chapter|paper-conference|thesis|report|webpage|manuscript|dataset|software"
    r"|post|entry|review|patent|speech|standard)"
)


_HTML_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TEX_COMMENT = re.compile(
    r"(\\(?:url|href|path|nolinkurl)\{[^{}]*\})|(?<!\\)%[^\n]*|\\begin\{comment\}.*?\\end\{comment\}", re.DOTALL
)
_RST_COMMENT = re.compile(r"^([ \t]*)\.\.[ \t]+(?![\[_|]|[\w:+.-]+::)[^\n]*(?:\n\1[ \t]+[^\n]+)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Place:
    """A citation at the characters `[start, end)` of a text, and the link that it is."""

    start: int
    end: int
    link: Link


def kind_of(name: str) -> Kind:
    """Return the kind of a file by its name's ending."""
    suffix = name.rpartition(".")[2].lower()
    if suffix == "bbl":  # the list that LaTeX reads
        return "latex"
    if suffix in MARKDOWN:
        return "markdown"
    if suffix in LATEX:
        return "latex"
    if suffix in RST:
        return "rst"
    return "bibtex" if suffix in _BIBTEX else "source"


def is_bibliography(name: str, text: str) -> bool:
    """Return whether a file of JSON or YAML is a bibliography of CSL."""
    suffix, head = name.rpartition(".")[2].lower(), text[:_HEAD]
    if not (_JSON.match(head) if suffix == "json" else suffix in ("yaml", "yml") and _YAML.search(head)):
        return False
    told = any(name in head for name in ("author", "issued", "DOI", "container-title"))
    return "title" in head and told and _CSL_TYPE.search(head) is not None


def uncommented(text: str, kind: Kind) -> str:
    """Return a page with blanks in place of its comments, which nobody reads in print."""
    if kind == "markdown" and "<!--" in text:
        return _HTML_COMMENT.sub(_blank, text)
    if kind == "latex" and ("%" in text or "{comment}" in text):
        return _TEX_COMMENT.sub(lambda found: found.group() if found[1] else _blank(found), text)
    if kind == "rst" and ".. " in text:
        return _RST_COMMENT.sub(_blank, text)
    return text


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def places(finder: LinkFinder, text: str, name: str) -> list[Place]:
    """Return the citations of a text called `name`, in order. `finder` must read keys."""
    return [placed(text, link) for link in finder.find(text, name)]


def other_markup(name: str) -> str:
    """Return the ending of a page of Org or Typst, of which keys and the sentences around them are read; nothing for
    any other file."""
    suffix = name.lower()[-4:]
    return suffix[1:] if suffix in _OTHER_MARKUP else ""


def placed(text: str, link: Link) -> Place:
    """Return a link with the place that it takes in its text."""
    return Place(link.offset, _end(text, link), link)


def _end(text: str, link: Link) -> int:
    if link.kind == "no-artifact":
        end = text.find("\n", link.offset)
        return len(text) if end < 0 else end
    target = link.target
    at = link.offset
    if link.kind == "path" and not text.startswith(target, at):
        target = target.removeprefix("./")
    found = text.find(target, at, at + len(target) + 3)  # `@` or `@{` may stand before a key
    return (found if found >= 0 else at) + len(target)
