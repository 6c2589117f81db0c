"""Citation keys in LaTeX, as BibTeX, natbib, biblatex and csquotes write them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.citations.checking._latex_macros import as_printed, blank, citing_macros, keys_of_macro

_OPTION = r"\[(?:[^\]{}]{1,400}+|\{(?:[^{}]{1,400}+|\{[^{}]{0,400}+\}){0,6}+\}){0,6}+\]"
_OPTIONS = rf"\s*(?:{_OPTION}\s*){{0,2}}"
_KEYS = re.compile(rf"{_OPTIONS}\{{([^{{}}]{{0,4000}})\}}")
_COMMAND = re.compile(r"\\([A-Za-z]{0,40}(?:[Cc]ite|cquote)[A-Za-z]{0,40})\*?")
_SEVERAL = re.compile(r"\s*(?:\([^()]{0,400}\)\s*){0,2}")
"""What stands before the first key of `\\cites(pre)(post)[pre][post]{key}[pre][post]{key}`."""
_GROUP = re.compile(r"\s*(?:\{[^{}]{0,400}\})")
_DISPLAYED = re.compile(r"\\begin\{(foreign|hyphen)?displaycquote\}")
_RENAMED = re.compile(
    r"\\(?:(?:re)?newcommand\*?|def|let)\s*\{?\\([A-Za-z]{1,60})\}?\s*=?\s*\{?\s*"
    r"\\[A-Za-z]{0,40}[Cc]ite[A-Za-z]{0,40}\*?\s*(?:\}|$)",
    re.MULTILINE,
)
_COMMENT = re.compile(r"%(?<!\\%)[^\n]*")
_CHUNK = re.compile(r"^<<[^\n]*>>=[ \t]*$.*?(?:^@[^\n]*|\Z)", re.MULTILINE | re.DOTALL)
"""Code of R in a page of Sweave or knitr."""
_NO_KEYS = re.compile(
    r"(?:set|declare|defaultcite|ifcite|atevery|atnext|provide|new).*|.*(?:style|text|setup|punct|left|right|mid|dash|form)"
    r"|cite(?:reset|prefix|name)|excited?|.*[^a]cited|solicite[ds]?|incite[ds]?|recite[ds]?|elicite[ds]?",
    re.IGNORECASE,
)
"""Commands that are called like a citation and take no key: those that set how citations look, and words of others."""
_TAKES_KEYS = frozenset({"newcite", "footcitetext", "footcitetexts"})


def latex_keys(source: str) -> Iterator[tuple[int, str]]:
    """Yield the list of keys of each citation with its offset. Comments, code, what is printed as it stands or left out
    cite nothing. Commands that the page defines by a citation cite too."""
    bare = as_printed(_COMMENT.sub(blank, source))
    bare = _CHUNK.sub(blank, bare) if ">>=" in bare else bare
    own = citing_macros(bare) if "#" in bare else {}
    for found in _COMMAND.finditer(bare):
        name, at = found[1], found.end()
        if name in own:
            continue
        if name not in _TAKES_KEYS and _NO_KEYS.fullmatch(name):
            continue
        if name.endswith("cquote"):
            at = _behind_group(bare, at) if name.startswith(("foreign", "hyphen", "hybrid")) else at
            yield from _one(bare, at)
        elif name.lower().endswith(("volcite", "volcites")):
            volume = _KEYS.match(bare, at)
            yield from _one(bare, volume.end()) if volume else ()
        elif name.endswith(("cites", "citetexts")):
            yield from _each(bare, _skipped(bare, at))
        else:
            yield from _one(bare, at)
    for displayed in _DISPLAYED.finditer(bare):
        yield from _one(bare, _behind_group(bare, displayed.end()) if displayed[1] else displayed.end())
    if names := {found[1] for found in _RENAMED.finditer(bare)}:
        for found in re.finditer(rf"\\(?:{'|'.join(sorted(names))})(?![A-Za-z])\*?", bare):
            yield from _one(bare, found.end())
    for name, arguments in own.items():
        yield from keys_of_macro(bare, name, arguments)


def _one(bare: str, at: int) -> Iterator[tuple[int, str]]:
    if keys := _KEYS.match(bare, at):
        yield keys.start(1), keys[1]


def _each(bare: str, at: int) -> Iterator[tuple[int, str]]:
    while keys := _KEYS.match(bare, at):
        yield keys.start(1), keys[1]
        at = keys.end()


def _skipped(bare: str, at: int) -> int:
    found = _SEVERAL.match(bare, at)
    return found.end() if found else at


def _behind_group(bare: str, at: int) -> int:
    found = _GROUP.match(bare, at)
    return found.end() if found else at
