"""Requests of roff: definitions, conditions and comments are carried out; text and calls of macros are left."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

from veritas.reading.formats.manual._characters import plain

_MAX_LINES = 50_000
"""Limit of lines of macros that are carried out, counted at each call; further calls are not carried out."""
_MAX_DEPTH = 10
_CALL = re.compile(r"[.'][ \t]*((?:(?!\\[{}])\S)*)[ \t]*(.*)", re.DOTALL)
_COMMENT = re.compile(r'(?<!\\)((?:\\\\)*)\\["#].*')
_COMPARED = re.compile(r"(['\"])(.*?)\1(.*?)\1")
_TERM = re.compile(r"(-?\d+)[a-z]?(?:\s*(==|=|<=|>=|<|>|<>)\s*(-?\d+)[a-z]?)?")
_BUILT_IN = frozenset("n o e v".split())
"""Conditions that hold where text is written for a terminal."""


@dataclass(frozen=True)
class Call:
    """A call of a macro or an unknown request: its name, its arguments, and which of them stood in quotation marks."""

    name: str
    arguments: tuple[str, ...]
    quoted: frozenset[int]
    rest: str
    """The arguments as they stand in the line."""


@dataclass
class Roff:
    """The state of a page that is read: strings, registers, and macros that it defines."""

    strings: dict[str, str] = field(default_factory=lambda: {"R": "®", "Tm": "™", "lq": "“", "rq": "”", "S": ""})
    registers: dict[str, int] = field(default_factory=dict)
    macros: dict[str, list[str]] = field(default_factory=dict)

    def plain(self, text: str) -> str:
        """Return a line or an argument as it is read."""
        return plain(text, self.strings, self.registers)

    def lines(self, text: str) -> Iterator[str | Call]:
        """Yield lines of text as they stand, and calls, in order."""
        waiting = deque((line, 0) for line in text.split("\n"))
        carried = 0
        otherwise: dict[int, bool] = {}  # by depth: an `ie` may stand in the branch of another
        while waiting:
            line, depth = waiting.popleft()
            carried += depth > 0
            while line.endswith("\\") and not line.endswith("\\\\") and waiting:
                line = line[:-1] + waiting.popleft()[0]
            if not line.startswith((".", "'")):
                yield line
                continue
            line = _COMMENT.sub(r"\1", line)
            match = _CALL.fullmatch(line)
            name, rest = (match[1], match[2]) if match else ("", "")
            if name in ("", ".", "..") or line.startswith("'\\\""):
                continue
            if name in ("de", "de1", "am", "ig"):
                body = _body(waiting, rest.split()[1] if len(rest.split()) > 1 else "..")
                if name != "ig" and rest.split():
                    self.macros[rest.split()[0]] = body
            elif name in ("if", "ie", "el", "while"):
                holds, rest = (otherwise.pop(depth, False), rest) if name == "el" else self._holds(rest)
                if name == "ie":
                    otherwise[depth] = not holds
                branch = _branch(rest, waiting)
                if holds and depth < _MAX_DEPTH and carried < _MAX_LINES:
                    waiting.extendleft((each, depth + 1) for each in reversed(branch))
            elif name in ("ds", "as"):
                self._string(rest, appended=name == "as")
            elif name == "nr":
                self._register(rest)
            elif name in ("rm", "als", "rn"):
                self.macros.pop(rest.split()[0] if rest.split() else "", None)
            elif name in self.macros:
                if depth >= _MAX_DEPTH or carried > _MAX_LINES:
                    continue
                arguments, _ = split_arguments(rest)
                body = [_filled(each, arguments) for each in self.macros[name]]
                waiting.extendleft((each, depth + 1) for each in reversed(body))
            else:
                arguments, quoted = split_arguments(rest)
                yield Call(name, tuple(arguments), quoted, rest)

    def _holds(self, rest: str) -> tuple[bool, str]:
        """Return whether the condition at the beginning holds, and what stands behind it."""
        rest = rest.lstrip()
        negated = rest.startswith("!")
        rest = rest.removeprefix("!").lstrip()
        if rest[:1] in ("d", "r", "m", "F", "c", "S") and (named := re.match(r"[drmFcS]\s*(\S+)", rest)):
            known = self.strings.keys() | self.macros.keys() if rest[0] == "d" else self.registers.keys()
            holds, rest = named[1] in known, rest[named.end() :]
        elif compared := _COMPARED.match(rest):
            holds, rest = self.plain(compared[2]) == self.plain(compared[3]), rest[compared.end() :]
        elif rest[:1].isalpha() and not rest[1:2].isalnum():
            holds, rest = rest[0] in _BUILT_IN, rest[1:]
        else:
            given = re.match(r"(?:\\.(?:\[[^\]]*\]|\(..|\S)|[^\s\\])+", rest)
            holds = given is not None and self._number(given[0]) > 0
            rest = rest[given.end() :] if given else ""
        return holds is not negated, rest.lstrip()

    def _number(self, expression: str) -> int:
        """Return the value of a condition in numbers; 0 for one that is not understood."""
        said = self.plain(expression).strip("()")
        value = True
        for part in re.split(r"[&:]", said):
            match = _TERM.fullmatch(part.strip("() "))
            if match is None:
                return 0
            left, sign, right = int(match[1]), match[2], int(match[3] or 0)
            held = {"<": left < right, ">": left > right, "<=": left <= right, ">=": left >= right,
                    "=": left == right, "==": left == right, "<>": left != right}  # fmt: skip
            value = value and (held[sign] if sign else left > 0)
        return int(value)

    def _string(self, rest: str, *, appended: bool) -> None:
        name, _, said = rest.partition(" ")
        said = said.lstrip(" ").removeprefix('"')
        if name and len(said) < 10_000:
            before = self.strings.get(name, "") if appended else ""
            self.strings[name] = (before + said)[:10_000]

    def _register(self, rest: str) -> None:
        parts = rest.split()
        if len(parts) > 1 and (match := re.match(r"([+-]?)(\d{1,9})", self.plain(parts[1]))):
            step = int(match[2])
            before = self.registers.get(parts[0], 0)
            self.registers[parts[0]] = before + step if match[1] == "+" else before - step if match[1] == "-" else step


def split_arguments(rest: str) -> tuple[list[str], frozenset[int]]:
    """Return the arguments of a call, and the places of those in quotation marks."""
    found: list[str] = []
    quoted: set[int] = set()
    at, length = 0, len(rest)
    while at < length:
        if rest[at] in " \t":
            at += 1
            continue
        word: list[str] = []
        inside = rest[at] == '"'
        at += inside
        while at < length and (inside or rest[at] not in " \t"):
            if rest[at] == "\\" and at + 1 < length:
                word.append(rest[at : at + 2])
                at += 2
            elif rest[at] == '"' and inside:
                if rest[at + 1 : at + 2] != '"':
                    at += 1
                    break
                word.append('"')
                at += 2
            else:
                word.append(rest[at])
                at += 1
        if inside:
            quoted.add(len(found))
        found.append("".join(word))
    return found, frozenset(quoted)


def _body(waiting: deque[tuple[str, int]], end: str) -> list[str]:
    """Take the body of a definition from the lines that wait."""
    body: list[str] = []
    ends = {f".{end.lstrip('.')}", ".."} if end != ".." else {".."}
    while waiting:
        line = waiting.popleft()[0]
        if re.sub(r"^[.'][ \t]+", ".", line).strip() in ends:
            break
        body.append(line.replace("\\\\", "\\"))
    return body


def _branch(rest: str, waiting: deque[tuple[str, int]]) -> list[str]:
    """Take what a condition governs: the rest of its line, or the lines between braces."""
    if not rest.startswith("\\{"):
        return [rest] if rest else []
    lines, depth = [], 0
    line = rest
    while True:
        depth += len(re.findall(r"(?<!\\)\\\{", line)) - len(re.findall(r"(?<!\\)\\\}", line))
        lines.append(line)
        if depth <= 0 or not waiting:
            break
        line = waiting.popleft()[0]
    lines[0] = lines[0][2:].lstrip()
    lines[-1] = re.sub(r"\\\}.*", "", lines[-1])
    return [each for each in lines if each.strip() not in ("", ".")]


def _filled(line: str, arguments: list[str]) -> str:
    """Return a line of a macro with its arguments in it."""

    def given(match: re.Match[str]) -> str:
        if match[1] in ("*", "@"):
            return " ".join(arguments)
        at = int(match[1]) - 1
        return arguments[at] if 0 <= at < len(arguments) else ""

    return re.sub(r"\\\$([0-9*@])", given, line)[:10_000]
