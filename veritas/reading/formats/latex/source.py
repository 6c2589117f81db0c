"""LaTeX source taken apart: braces, brackets, environments, and the author's own commands."""

from __future__ import annotations

import re
from dataclasses import dataclass

_BRACE = re.compile(r"\\.|%[^\n]*|[{}]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[\[\]{}]", re.DOTALL)
_SPACE = re.compile(r"(?:[ \t]|%[^\n]*\n)*\n?[ \t]*")
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*"
    r"(?:\[(\d)\])?\s*(?:\[([^\]]*)\])?\s*(?=\{)"
    r"|\\def\s*\\([A-Za-z@]+)\s*((?:#\d)*)\s*(?=\{)"
)
_PARAMETER = re.compile(r"#(\d)")


@dataclass(frozen=True, slots=True)
class Macro:
    """A command of the author's: `body` has `#1` for an argument; `default` stands for the first if that is optional."""

    body: str
    arguments: int = 0
    default: str | None = None

    def expand(self, arguments: list[str]) -> str:
        """The body with its arguments in place."""
        return _PARAMETER.sub(lambda m: arguments[int(m[1]) - 1] if int(m[1]) <= len(arguments) else "", self.body)


def group(source: str, at: int) -> tuple[str, int] | None:
    """The content of the braces that open at or after white space from `at`, and the place after them; None without."""
    begin = _SPACE.match(source, at)
    start = begin.end() if begin else at
    if source[start : start + 1] != "{":
        return None
    depth = 0
    for token in _BRACE.finditer(source, start):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
            if depth == 0:
                return source[start + 1 : token.start()], token.end()
    return None


def argument(source: str, at: int) -> tuple[str, int]:
    """The next argument: a group, a command, or one character; empty at the end."""
    found = group(source, at)
    if found is not None:
        return found
    begin = _SPACE.match(source, at)
    start = begin.end() if begin else at
    command = re.compile(r"\\(?:[A-Za-z@]+|.)|[^\s{}]", re.DOTALL).match(source, start)
    return (command[0], command.end()) if command else ("", at)


def bracket(source: str, at: int) -> tuple[str, int] | None:
    """The content of the brackets that open at `at`, and the place after them; None without."""
    while source[at : at + 1] in (" ", "\t"):
        at += 1
    if source[at : at + 1] != "[":
        return None
    depth = 0
    for token in _BRACKET.finditer(source, at):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth -= 1
        elif token[0] == "]" and depth == 0:
            return source[at + 1 : token.start()], token.end()
        if depth < 0 or token.start() - at > 2000:
            return None
    return None


def environment_end(source: str, at: int, name: str) -> tuple[int, int]:
    """Where the content of the environment that has begun ends, and where what follows it begins."""
    depth = 1
    for token in re.compile(r"\\(begin|end)\s*\{" + re.escape(name) + r"\}").finditer(source, at):
        depth += 1 if token[1] == "begin" else -1
        if depth == 0:
            return token.start(), token.end()
    return len(source), len(source)


def macros(source: str) -> dict[str, Macro]:
    """The commands that the author defines."""
    found: dict[str, Macro] = {}
    for definition in _DEFINITION.finditer(source):
        body = group(source, definition.end())
        if body is None:
            continue
        name, count, default, plain, parameters = definition.groups()
        if name:
            found[name] = Macro(body[0], int(count or 0), default)
        else:
            found[plain] = Macro(body[0], parameters.count("#"))
    return found


def definition_end(source: str, at: int) -> int:
    """The place after the definition that begins at `at`, or `at` where there is none."""
    definition = _DEFINITION.match(source, at)
    body = group(source, definition.end()) if definition else None
    return body[1] if body else at


def split_outside_braces(source: str, separator: str) -> list[str]:
    """`source` cut at each `separator` (`&` or `\\\\\\\\`) that stands outside braces."""
    parts = []
    depth = begin = 0
    for token in re.compile(r"\\\\(?:\[[^\]]*\])?|\\.|[{}&]", re.DOTALL).finditer(source):
        if token[0] == "{":
            depth += 1
        elif token[0] == "}":
            depth = max(0, depth - 1)
        elif depth == 0 and token[0].startswith(separator):
            parts.append(source[begin : token.start()])
            begin = token.end()
    return [*parts, source[begin:]]
