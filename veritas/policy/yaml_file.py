"""YAML policy files read into models; every mistake in them becomes a `PolicyError` with file, line and key.

The line of every key is stored with the data, so that an error in the syntax, in a model's validation or in a later
check (`YamlFile.error`) names its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from veritas.errors import PolicyError

ModelType = TypeVar("ModelType", bound=BaseModel)

Key = str | int
Place = tuple[Key, ...]

MAX_BYTES = 5_000_000
MAX_DEPTH = 50
MAX_ERRORS_SHOWN = 10

# libyaml's parser is ten times as fast; its marks carry the line as well.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_INTEGER = re.compile(r"[-+]?\d+", re.ASCII)
_NUMBER = re.compile(r"[-+]?(\.\d+|\d+(\.\d*)?)(e[-+]?\d+)?", re.ASCII | re.IGNORECASE)
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}


def read_yaml_model(path: Path, model: type[ModelType]) -> ModelType:
    """Return the file as a model. The model determines how strictly values are converted (`3` for `"3"`).

    Raises `PolicyError` for a file that is missing, unreadable, not UTF-8 or not YAML, for a duplicate key, an alias or
    a tag, and for all errors of the model's validation, each with its line.
    """
    return read_yaml(path).to_model(model)


def read_yaml(path: Path) -> YamlFile:
    """Return the file's data with the lines it came from. Raises `PolicyError`, as `read_yaml_model` does."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise PolicyError(f"{path}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise PolicyError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(raw) > MAX_BYTES:
        raise PolicyError(f"{path} is larger than {MAX_BYTES:,} bytes: that is no policy file")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise PolicyError(f"{path}:{line}: this is not UTF-8 text; save the file as UTF-8") from error
    try:
        return YamlFile(path, *_Document(path, text).read())
    except yaml.YAMLError as error:
        raise PolicyError(f"{path}:{_line_of(error, text)}: this is not YAML: {_said(error)}") from error


class YamlFile:
    """`data` as plain Python objects (dict, list, str, int, float, bool, None), and the line of everything in it.

    Keys are always strings. Values follow the core schema of YAML 1.2: `no`, `on` and dates are strings.
    """

    def __init__(self, path: Path, data: Any, lines: dict[Place, int]) -> None:
        self.path = path
        self.data = data
        self._lines = lines

    def to_model(self, model: type[ModelType]) -> ModelType:
        """Return the data as a model. Raises `PolicyError` with a line for each complaint (the first ten)."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            lines = [str(self.error(e["loc"], _plain(e["msg"], e["type"], e["loc"]))) for e in found[:MAX_ERRORS_SHOWN]]
            if len(found) > MAX_ERRORS_SHOWN:
                lines.append(f"and {len(found) - MAX_ERRORS_SHOWN} more")
            raise PolicyError("\n".join(dict.fromkeys(lines))) from error

    def error(self, keys: Sequence[Key], message: str) -> PolicyError:
        """Return a `PolicyError` reading "file:line: key.path: message", to be raised by the caller."""
        place = self._place(keys)
        at = f"{'.'.join(map(str, place))}: " if place else ""
        return PolicyError(f"{self.path}:{self._lines[place]}: {at}{message}")

    def line(self, keys: Sequence[Key]) -> int:
        """Return the line (from 1) of the key at that path, or of the last part of the path that is in the file."""
        return self._lines[self._place(keys)]

    def _place(self, keys: Sequence[Key]) -> Place:
        """Return the deepest part of the path that is in the file. Parts that only the model knows (the name of a
        union's member, "[key]") are skipped."""
        place: Place = ()
        for key in keys:
            if (*place, key) in self._lines:
                place = (*place, key)
        return place


class _Document:
    """Builds the data from libyaml's events, in one pass that holds only the data and its lines.

    PyYAML's own tree of nodes would overflow the stack of libyaml's binding on deep nesting, keep the last of two equal
    keys silently, and follow aliases, of which a few lines can fill the memory.
    """

    def __init__(self, path: Path, text: str) -> None:
        self._path = path
        self._events: Iterator[Any] = yaml.parse(text, Loader=_Loader)
        self._lines: dict[Place, int] = {}

    def read(self) -> tuple[Any, dict[Place, int]]:
        next(self._events)  # the stream's start
        if isinstance(next(self._events), yaml.StreamEndEvent):
            raise PolicyError(f"{self._path}:1: the file is empty")
        data = self._value(next(self._events), ())
        next(self._events)  # the document's end
        after = next(self._events)
        if not isinstance(after, yaml.StreamEndEvent):
            self._refuse(after, "a second document begins here; a policy file holds one")
        return data, self._lines

    def _value(self, event: Any, place: Place) -> Any:
        self._lines.setdefault(place, _line(event))
        if isinstance(event, yaml.AliasEvent):
            self._refuse(event, f"*{event.anchor} is an alias; write out its value")
        if event.tag is not None:
            self._refuse(event, f"{event.tag} is a tag; write the plain value")
        if isinstance(event, yaml.ScalarEvent):
            return _scalar(event.value) if event.implicit[0] else event.value
        if len(place) >= MAX_DEPTH:
            self._refuse(event, f"nested more than {MAX_DEPTH} levels deep")
        return self._mapping(place) if isinstance(event, yaml.MappingStartEvent) else self._sequence(place)

    def _mapping(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self._refuse(event, "a key must be a plain word")
            here = (*place, event.value)
            if event.value in found:
                self._refuse(event, f"{event.value}: this key is already in line {self._lines[here]}")
            self._lines[here] = _line(event)
            found[event.value] = self._value(next(self._events), here)
        return found

    def _sequence(self, place: Place) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            found.append(self._value(event, (*place, len(found))))
        return found

    def _refuse(self, event: Any, why: str) -> NoReturn:
        raise PolicyError(f"{self._path}:{_line(event)}: {why}")


def _scalar(text: str) -> Any:
    """Return the value of an unquoted word."""
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if _INTEGER.fullmatch(text) and len(text) < 20:
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _line_of(error: yaml.YAMLError, text: str) -> int:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    if mark is not None:
        # libyaml puts an error at the end of the file one line below the last.
        return int(min(mark.line + 1, max(1, text.count("\n") + (not text.endswith("\n")))))
    position = getattr(error, "position", None)  # a character that YAML does not allow
    return text.count("\n", 0, position) + 1 if isinstance(position, int) else 1


def _said(error: yaml.YAMLError) -> str:
    parts = [getattr(error, "context", None), getattr(error, "problem", None) or getattr(error, "reason", None)]
    said = ", ".join(str(p) for p in parts if p)
    return said or str(error).splitlines()[0]


def _plain(message: str, kind: str, place: Sequence[Key]) -> str:
    """Return Pydantic's message, reworded where it mentions Python, and without its prefix for our own validators'
    messages."""
    if kind == "missing":
        return f"the key {place[-1]!r} is missing"
    if kind == "extra_forbidden":
        return "there is no such key"
    return message.removeprefix("Value error, ")
