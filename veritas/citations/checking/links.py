"""The citations of one file: links to artifacts, footnotes, keys, and research comments that cite nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from veritas.citations.checking._notebooks import cells
from veritas.citations.checking.comments import comments

MARKDOWN = frozenset({"md", "markdown", "mdown", "mkd", "mdx", "qmd", "rmd"})
LATEX = frozenset({"tex", "ltx", "latex"})

Kind = Literal["path", "key", "no-artifact", "undefined-footnote"]


@dataclass(frozen=True, slots=True)
class Link:
    """A citation. `target` is a path as written, a key, or text for a person; `offset` counts characters."""

    offset: int
    kind: Kind
    target: str


_STOPS = r"[^\s\"'`<>()\[\]{}|*,;\\#?]"
_RESEARCH = re.compile(r"research(?:\([^()\n]{0,80}\))?:(?!:)")
_RESEARCH_BYTES = re.compile(rb"research(?:\([^()\n]{0,80}\))?:")
_OPENING = re.compile(
    r"(?:[Cc](?=\s))?(?:[#/%;!*\-'\".({<|~\[\]=+@⍝\\:\s]|\bREM\b|\brem\b|\bdnl\b|\b[rubRUB]{1,2}(?=[\"']))*"
)
_REFERENCE = re.compile(r"\bet al\b|\b10\.\d{4,9}/\S|\barxiv\b\W{0,3}\d{4}\.\d{4,5}|\barxiv\.org/", re.IGNORECASE)

_FENCE = re.compile(r"^ {0,3}(`{3,}+|~{3,}+)[^\n]*+\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"(?<!`)(`++)(?:(?!\n\s*\n).)+?(?<!`)\1(?!`)", re.DOTALL)
_DEFINITION = re.compile(
    r"^ {0,3}\[\^([^\]\s]{1,200})\]:[ \t]*([^\n]*(?:\n(?:[ \t]+[^\n]*|(?=\n[ \t]{2,}\S)))*)", re.MULTILINE
)
_FOOTNOTE = re.compile(r"\[\^([^\]\s]{1,200})\]")
_GROUP = re.compile(r"(?<!\])\[(?=[^\[\]]{0,400}@)[^\[\]]{1,400}\](?![(\[:])")
_KEY = re.compile(r"(?<![\w.@/\\+-])-?@\{?([^\W_][\w:.#$%&+?<>~/-]*)")
_BARE = re.compile(r"(?<![\w.@/\\+\[])@\{?([A-Za-z][A-Za-z_:-]*(?:1[5-9]|20)\d\d(?!\d)\w*)(?![\w.]*/)")
_LOCATED = re.compile(r"(?<![\w.@/\\+\[])@\{?([^\W\d_][\w:./-]*)\}? \[(?:p\.|pp\.|ch|sec|§|fig|\d)")
_ALONE = re.compile(r"(?<![\w.@/\\+\[])@\{?([^\W\d_](?:[\w:-]|\.(?=\w))*)(?![\w.]*[/(])")
_PANDOC = frozenset({"qmd", "rmd"})
# Quarto's cross references, to a figure or section of the same page
_CROSS_REFERENCE = re.compile(r"(?:fig|tbl|eq|sec|lst|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg)-")
_METADATA = re.compile(r"\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_NAMES_KEYS = re.compile(
    r"\A---[ \t]*\n(?:(?!---|\.\.\.)[^\n]*\n)*?(?:bibliography|references|csl|nocite|cite-method):", re.MULTILINE
)
_CITE = re.compile(r"\\(?:[A-Za-z]*[Cc]ite[A-Za-z]*)\*?\s*(?:\[[^\[\]]{0,400}\]\s*){0,2}\{([^{}]{0,4000})\}")
_TEX_COMMENT = re.compile(r"(?<!\\)%[^\n]*")


class LinkFinder:
    """A finder of files' citations; `folder` is that of the artifacts, relative to a project's root."""

    def __init__(self, folder: str, *, with_keys: bool) -> None:
        parent, _, last = folder.rpartition("/")
        self._path = re.compile(rf"(?<![\w-]){re.escape(folder)}/({_STOPS}*)")
        self._nearby = re.compile(rf"(?<![\w-]){re.escape(last)}/({_STOPS}+)") if parent else None
        self._needle = f"{last}/".encode()
        self._with_keys = with_keys

    def wanted(self, data: bytes, suffix: str) -> bool:
        """Return whether a file with these bytes can hold a citation at all; cheap enough for thousands of files."""
        if self._needle in data or (b"research" in data and _RESEARCH_BYTES.search(data) is not None):
            return True
        if suffix in MARKDOWN or suffix == "ipynb":
            return b"[^" in data or b"@" in data
        return self._with_keys and suffix in LATEX and b"ite" in data

    def find(self, source: str, name: str) -> list[Link]:
        """Return the citations of a file called `name`, in order."""
        suffix = name[name.rfind(".") + 1 :].lower() if "." in name else ""
        if suffix == "ipynb":
            return [
                Link(cell.place(link.offset), link.kind, link.target)
                for cell in cells(source)
                for link in self.find(cell.source, cell.name)
            ]
        if suffix in MARKDOWN:
            return sorted(self._markdown(source, suffix), key=lambda link: link.offset)
        found = [link for comment in comments(source, name) for link in self._comment(comment.start, comment.text)]
        if suffix in LATEX and self._with_keys:
            found += _latex(source)
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
        prose = _INLINE.sub(_blank, _FENCE.sub(_blank, source))
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
        yield from self._footnotes(prose)
        yield from _keys(prose, everywhere=suffix in _PANDOC or _NAMES_KEYS.match(source) is not None)
        for comment in re.finditer(r"<!--.*?(?:-->|\Z)", prose, re.DOTALL):
            yield from (link for link in self._comment(comment.start(), comment.group()) if link.kind != "path")

    def _footnotes(self, prose: str) -> Iterator[Link]:
        defined: dict[str, str] = {}
        places: set[int] = set()
        for found in _DEFINITION.finditer(prose):
            places.add(found.start(1) - 2)
            if found[1] not in defined:
                defined[found[1]] = found[2]
            if not self._names_one(found[2]) and _REFERENCE.search(found[2]):
                yield Link(found.start(1) - 2, "no-artifact", f"[^{found[1]}]: {' '.join(found[2].split())[:200]}")
        for found in _FOOTNOTE.finditer(prose):
            if found.start() not in places and found[1] not in defined:
                yield Link(found.start(), "undefined-footnote", f"[^{found[1]}]")

    def _names_one(self, text: str) -> bool:
        return any(True for _ in self._paths(text)) or bool(self._nearby and self._nearby.search(text))


_OTHERS = frozenset({"readme.md", "index.md", "map.json", "map.yaml", "map.yml"})


def _is_no_artifact(name: str) -> bool:
    """Return whether a path in the artifacts' folder is no artifact: the folder itself, its README, a stored text."""
    return not name or name.startswith(("texts/", "…", "...", "$")) or name.lower() in _OTHERS


_TRAILING = ".:!…"
_BEFORE = re.compile(_STOPS + r"{0,300}\Z")


def _before(text: str, at: int) -> str:
    """Return the part of a path or URL right before `at`, up to 300 characters."""
    found = _BEFORE.search(text[max(0, at - 300) : at])
    return found.group() if found else ""


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found.group())


def _keys(prose: str, *, everywhere: bool) -> Iterator[Link]:
    """Yield Pandoc's `[see @key, p. 3; -@other]`, `@key [p. 3]`, and `@key2020` alone; `[@user](…)` is a link to a
    user.

    `everywhere` is True for a page for Pandoc, in which `@key` alone is a citation and no user's name.
    """
    seen: set[int] = set()
    links = set(re.findall(r"^ {0,3}\[(@[^\]]+)\]:", prose, re.MULTILINE))
    for group in _GROUP.finditer(prose):
        if group.group()[1:-1] in links:
            continue
        for found in _KEY.finditer(prose, group.start() + 1, group.end() - 1):
            if everywhere and _CROSS_REFERENCE.match(found[1]):
                continue
            seen.add(found.start(1))
            yield Link(found.start(1) - 1, "key", found[1].rstrip(".:/?"))
    body = _METADATA.sub(_blank, prose, count=1)
    for pattern in (_BARE, _LOCATED, *((_ALONE,) if everywhere else ())):
        for found in pattern.finditer(body):
            if found.start(1) not in seen and not (everywhere and _CROSS_REFERENCE.match(found[1])):
                seen.add(found.start(1))
                yield Link(found.start(1) - 1, "key", found[1].rstrip(".:/?"))


def _latex(source: str) -> list[Link]:
    bare = _TEX_COMMENT.sub(_blank, source)
    found = []
    for cite in _CITE.finditer(bare):
        at = cite.start(1)
        for key in cite[1].split(","):
            if key.strip() not in ("", "*"):
                found.append(Link(at + len(key) - len(key.lstrip()), "key", key.strip()))
            at += len(key) + 1
    return found
