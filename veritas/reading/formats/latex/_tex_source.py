"""Parsing of LaTeX source: braces, brackets, environments, and the author's own commands."""

from __future__ import annotations

import re
from dataclasses import dataclass

COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
# In a URL a per-cent sign begins no comment.
_BRACE = re.compile(r"\\(?:url|href|path|nolinkurl)\s*\{[^{}\n]*\}|\\.|%[^\n]*|[{}]", re.DOTALL)
_BRACKET = re.compile(r"\\.|[\[\]{}]", re.DOTALL)
_SINGLE = re.compile(r"\\(?:[A-Za-z@]+|.)|[^\s{}]", re.DOTALL)
_SPACE = re.compile(r"(?:[ \t]|%[^\n]*\n)*\n?[ \t]*")
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|providecommand|DeclareRobustCommand)\*?\s*\{?\s*\\([A-Za-z@]+)\s*\}?\s*"
    r"(?:\[(\d)\])?\s*(?:\[([^\]]*)\])?\s*(?=\{)"
    r"|\\def\s*\\([A-Za-z@]+)\s*((?:#\d)*)\s*(?=\{)"
)
_ENVIRONMENT = re.compile(
    r"\\(?:re)?newenvironment\*?\s*\{([^{}\n]{1,60})\}\s*(?:\[[^\]\n]{0,100}\]\s*){0,2}(?=\{)"
)
_MAX_OPTION = 2000
"""Limit in characters of an option in brackets."""
_PARTING = re.compile(r"\\\\(?:\*?\[[^\]\n]{0,40}\])?|\\(?:begin|end)\b|\\.|[{}&]", re.DOTALL)
_PARAMETER = re.compile(r"#(\d)")


@dataclass(frozen=True, slots=True)
class Macro:
    """A command of the author's: `body` has `#1` for an argument, `default` is the first if that is optional."""

    body: str
    arguments: int = 0
    default: str | None = None

    def expand(self, arguments: list[str]) -> str:
        """Return the body with its arguments in place."""
        return _PARAMETER.sub(lambda m: arguments[int(m[1]) - 1] if int(m[1]) <= len(arguments) else "", self.body)


class Source:
    """A piece of source, with its braces matched once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._closing: dict[int, int] = {}
        open_braces: list[int] = []
        for token in _BRACE.finditer(text):
            if token[0] == "{":
                open_braces.append(token.start())
            elif token[0] == "}" and open_braces:
                self._closing[open_braces.pop()] = token.start()
            elif len(token[0]) > 2 and token[0][0] == "\\":
                self._closing[token.start() + token[0].index("{")] = token.end() - 1

    def group(self, at: int) -> tuple[str, int] | None:
        """Return the content of the braces that open at or after white space from `at`, and their end, or None."""
        begin = self._skip_space(at)
        close = self._closing.get(begin)
        return (self.text[begin + 1 : close], close + 1) if close is not None else None

    def argument(self, at: int) -> tuple[str, int]:
        """Return the next argument (a group, a command, or one character; empty at the end) and the place after it."""
        found = self.group(at)
        if found is not None:
            return found
        single = _SINGLE.match(self.text, self._skip_space(at))
        return (single[0], single.end()) if single else ("", at)

    def bracket(self, at: int) -> tuple[str, int] | None:
        """Return the content of the brackets that open at `at`, and the place after them; None without."""
        text = self.text
        while text[at : at + 1] in (" ", "\t"):
            at += 1
        if text[at : at + 1] != "[":
            return None
        depth = 0
        for token in _BRACKET.finditer(text, at, at + _MAX_OPTION):
            if token[0] == "{":
                depth += 1
            elif token[0] == "}":
                depth -= 1
            elif token[0] == "]" and depth == 0:
                return text[at + 1 : token.start()], token.end()
            if depth < 0:
                return None
        return None

    def environment_end(self, at: int, name: str) -> tuple[int, int]:
        """Return the end of the content of the environment that has begun, and the place after its `\\end`."""
        depth = 1
        for token in re.compile(r"\\(begin|end)\s*\{" + re.escape(name) + r"\}").finditer(self.text, at):
            depth += 1 if token[1] == "begin" else -1
            if depth == 0:
                return token.start(), token.end()
        return len(self.text), len(self.text)

    def macros(self) -> dict[str, Macro]:
        """Return the commands that the author defines."""
        found: dict[str, Macro] = {}
        for definition in _DEFINITION.finditer(self.text):
            body = self.group(definition.end())
            if body is None:
                continue
            name, count, default, plain, parameters = definition.groups()
            if name:
                found[name] = Macro(body[0], int(count or 0), default)
            else:
                found[plain] = Macro(body[0], parameters.count("#"))
        return found

    def environments(self) -> dict[str, str]:
        """Return the author's environments, each with the code that begins it."""
        found: dict[str, str] = {}
        for definition in _ENVIRONMENT.finditer(self.text):
            body = self.group(definition.end())
            if body is not None:
                found[definition[1].strip()] = body[0]
        return found

    def definition(self, at: int) -> tuple[str, str, int] | None:
        """Return name and body of the command that is defined at `at`, and the place after that; None without one."""
        definition = _DEFINITION.match(self.text, at)
        body = self.group(definition.end()) if definition else None
        return (definition[1] or definition[4], body[0], body[1]) if definition and body else None

    def _skip_space(self, at: int) -> int:
        begin = _SPACE.match(self.text, at)
        return begin.end() if begin else at


def split_outside_braces(source: str, separator: str) -> list[str]:
    """Cut `source` at each `separator` (`&` or `\\\\\\\\`) outside braces and environments."""
    parts = []
    depth = begin = 0
    for token in _PARTING.finditer(source):
        if token[0] in ("{", "\\begin"):
            depth += 1
        elif token[0] in ("}", "\\end"):
            depth = max(0, depth - 1)
        elif depth == 0 and token[0].startswith(separator):
            parts.append(source[begin : token.start()])
            begin = token.end()
    return [*parts, source[begin:]]


def rows_once(content: str) -> str:
    """Return a long table's rows without the heads and feet that it repeats on each page."""
    head, first, rest = content.partition("\\endfirsthead")
    if not first:
        head, _, rest = content.partition("\\endhead")
    elif "\\endhead" in rest:
        rest = rest.partition("\\endhead")[2]
    for foot in ("\\endfoot", "\\endlastfoot"):
        rest = rest.rpartition(foot)[2]
    return head + "\\\\" + rest
