"""Citation keys in LaTeX, as BibTeX, natbib, biblatex and csquotes write them, and as a page's own commands do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

_BEGUN = re.compile(r"\\begin\{((?:[BLS]?[Vv]erbatim|filecontents)\*?|lstlisting|minted|alltt|comment)\}")
_VERB = re.compile(
    r"\\verb\*?(?P<sign>[^A-Za-z\s*\\])[^\n]{0,1000}?(?P=sign)"
    r"|\\(?:lstinline|mintinline)\s*(?:\[[^\[\]\n]{0,200}\]\s*)?(?:\{[A-Za-z+]{1,30}\}\s*(?=\S))?"
    r"(?:\{(?:[^{}\n]|\{[^{}\n]*\}){0,1000}\}|(?P<bar>[^A-Za-z\s*\\{])[^\n]{0,1000}?(?P=bar))"
)
_CONDITION = re.compile(
    r"\\(?:(if(?!f\b|thenelse\b|empty\b|undef\b|def\b|cs|str\b|num)[A-Za-z@]*)|(else|fi))(?![A-Za-z@])"
)
_DEFINED = re.compile(
    r"\\(?:(?P<new>(?:re|provide)?newcommand|providecommand|DeclareRobustCommand)\*?\s*"
    r"|(?P<xparse>(?:New|Renew|Provide|Declare)(?:Expandable)?DocumentCommand)\s*|(?P<tex>[egx]?def)\s*)"
    r"\{?\s*\\(?P<name>[A-Za-z@]{1,60})\s*\}?\s*"
)
_NUMBER = re.compile(r"\[\s*(\d)\s*\]\s*(\[[^\[\]\n]{0,200}\])?\s*")
_SIGNATURE = re.compile(r"\{([^{}\n]{0,100})\}\s*")
_PARAMETERS = re.compile(r"((?:#\d)*)\s*")
_LETTERS = re.compile(r"[+!>]*([A-Za-z])(?:\{[^{}]*\})?\s*")
_CITED = re.compile(r"\\[A-Za-z]{0,40}[Cc]ite[A-Za-z]{0,40}\*?\s*(?:\[[^\[\]]{0,200}\]\s*){0,2}\{\s*#(\d)\s*\}")
_GROUP = re.compile(r"\s*(?:\[[^\[\]]{0,400}\]\s*){0,2}\{([^{}]{0,4000})\}")
_BRACE = re.compile(r"[{}]")
_LONGEST = 1_000
"""Most signs of a definition that is read."""


def as_printed(source: str) -> str:
    """Return a page with blanks in place of what LaTeX prints as it stands, and of what it leaves out."""
    if "\\verb" in source or "inline" in source:
        source = _VERB.sub(blank, source)
    for places in (_environments, _left_out):
        if "\\begin{" in source or "\\iffalse" in source:
            source = _without(source, places(source))
    return source


def _without(source: str, places: Iterable[tuple[int, int]]) -> str:
    kept, at = [], 0
    for begin, end in places:
        kept += [source[at:begin], re.sub(r"[^\n]", " ", source[begin:end])]
        at = end
    return "".join([*kept, source[at:]])


def _environments(source: str) -> Iterator[tuple[int, int]]:
    """Yield the places of environments that are printed as they stand; none for one that never ends."""
    at, endless = 0, set[str]()
    for begun in _BEGUN.finditer(source):
        if begun.start() < at or begun[1] in endless:
            continue
        end = source.find(f"\\end{{{begun[1]}}}", begun.end())
        if end < 0:
            endless.add(begun[1])
            continue
        yield begun.end(), end
        at = end


def _left_out(source: str) -> Iterator[tuple[int, int]]:
    """Yield the places between `\\iffalse` and its `\\else` or `\\fi`; none for one that never ends."""
    depth, begin = 0, -1
    for found in _CONDITION.finditer(source):
        if begin < 0:
            if found[1] == "iffalse":
                begin, depth = found.end(), 0
        elif found[1]:
            depth += 1
        elif depth == 0:
            yield begin, found.start()
            begin = -1
        elif found[2] == "fi":
            depth -= 1


def blank(found: re.Match[str]) -> str:
    """Return blanks for a match, with its line ends."""
    return re.sub(r"[^\n]", " ", found.group())


def citing_macros(bare: str) -> dict[str, tuple[int, ...]]:
    """Return the commands that a page defines as a citation of one of their arguments, each with the numbers of its
    arguments in braces that have the keys, from 1."""
    found: dict[str, tuple[int, ...]] = {}
    for name, argument in dict.fromkeys(_citing(bare)):
        found[name] = (*found.get(name, ()), argument)
    return found


def keys_of_macro(bare: str, name: str, arguments: Sequence[int]) -> Iterator[tuple[int, str]]:
    """Yield the lists of keys that a command of the page's own is given, with their offsets."""
    for used in re.finditer(rf"\\{name}(?![A-Za-z@])\*?", bare):
        at = used.end()
        for number in range(1, max(arguments) + 1):
            group = _GROUP.match(bare, at)
            if group is None:
                break
            at = group.end()
            if number in arguments:
                yield group.start(1), group[1]


def _citing(bare: str) -> Iterator[tuple[str, int]]:
    """Yield the name of each such command, and which of its braced arguments has the keys."""
    for found in _DEFINED.finditer(bare):
        begin, arguments = _arguments(bare, found)
        body = _braced(bare, begin)
        for cited in _CITED.finditer(body):
            number = int(cited[1])
            if number in arguments:
                yield found["name"], arguments.index(number) + 1


def _arguments(bare: str, found: re.Match[str]) -> tuple[int, list[int]]:
    """Return where the body of a definition begins, and the numbers of its arguments that stand in braces."""
    at = found.end()
    if found["tex"]:
        parameters = _PARAMETERS.match(bare, at)
        return (parameters.end(), [int(each) for each in parameters[1] if each.isdigit()]) if parameters else (at, [])
    if found["xparse"]:
        signature = _SIGNATURE.match(bare, at)
        letters = [each[1] for each in _LETTERS.finditer(signature[1])] if signature else []
        braced = [number for number, letter in enumerate(letters, 1) if letter == "m"]
        return (signature.end() if signature else at), braced
    numbered = _NUMBER.match(bare, at)
    if numbered is None:
        return at, []
    return numbered.end(), list(range(2 if numbered[2] else 1, int(numbered[1]) + 1))


def _braced(bare: str, at: int) -> str:
    """Return what stands between a brace and the one that closes it; nothing where no brace stands, or none closes."""
    if not bare.startswith("{", at):
        return ""
    depth = 0
    for found in _BRACE.finditer(bare, at, at + _LONGEST):
        depth += 1 if found.group() == "{" else -1
        if depth == 0:
            return bare[at + 1 : found.start()]
    return ""


_OPTION = r"\[(?:[^\]{}]{1,400}+|\{(?:[^{}]{1,400}+|\{[^{}]{0,400}+\}){0,6}+\}){0,6}+\]"
_OPTIONS = rf"\s*(?:{_OPTION}\s*){{0,2}}"
_KEYS = re.compile(rf"{_OPTIONS}\{{([^{{}}]{{0,4000}})\}}")
_COMMAND = re.compile(r"\\([A-Za-z]{0,40}(?:[Cc]ite|cquote)[A-Za-z]{0,40})\*?")
_SEVERAL = re.compile(r"\s*(?:\([^()]{0,400}\)\s*){0,2}")
"""What stands before the first key of `\\cites(pre)(post)[pre][post]{key}[pre][post]{key}`."""
_LATEX_GROUP = re.compile(r"\s*(?:\{[^{}]{0,400}\})")
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
    found = _LATEX_GROUP.match(bare, at)
    return found.end() if found else at
