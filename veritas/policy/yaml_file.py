"""Reads a YAML policy file into a model, and turns every mistake in it into a `PolicyError` with file, line and key.

The file's nodes are kept beside its data, so that an error anywhere, in the syntax, in a model's validation or in what
the caller finds later (`YamlFile.error`), names the line it stands in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from veritas.errors import PolicyError

ModelType = TypeVar("ModelType", bound=BaseModel)

Key = str | int

MAX_BYTES = 5_000_000
MAX_DEPTH = 50
MAX_ERRORS_SHOWN = 10

# libyaml's parser is ten times as fast; its marks carry line and column as well.
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml_model(path: Path, model: type[ModelType]) -> ModelType:
    """The file as a model. How strict values are taken (`3` for `"3"`) is the model's own choice.

    Raises `PolicyError` for a file that is missing, unreadable, not UTF-8 or not YAML, for a key written twice, for an
    alias, and for whatever the model refuses: all of its complaints at once, each with its line.
    """
    return read_yaml(path).to_model(model)


def read_yaml(path: Path) -> YamlFile:
    """The file's data with the lines it came from. Raises `PolicyError`, as `read_yaml_model` does."""
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
        _check_shape(path, text)
        node, data = _compose(path, text)
    except yaml.YAMLError as error:
        raise PolicyError(f"{path}:{_line_of(error, text)}: this is not YAML: {_said(error)}") from error
    except ValueError as error:  # a scalar that looks like a date or number and is none, such as 2024-13-45
        raise PolicyError(f"{path}: a value cannot be read ({error}); put it in quotes") from error
    return YamlFile(path, data, node)


class YamlFile:
    """`data` as plain Python objects, and the line (from 1) of everything in it."""

    def __init__(self, path: Path, data: Any, node: yaml.Node) -> None:
        self.path = path
        self.data = data
        self._node = node

    def to_model(self, model: type[ModelType]) -> ModelType:
        """The data as a model, or a `PolicyError` with a line for each complaint (the first ten)."""
        try:
            return model.model_validate(self.data)
        except ValidationError as error:
            found = error.errors(include_url=False, include_context=False, include_input=False)
            lines = [str(self.error(e["loc"], _plain(e["msg"], e["type"], e["loc"]))) for e in found[:MAX_ERRORS_SHOWN]]
            if len(found) > MAX_ERRORS_SHOWN:
                lines.append(f"and {len(found) - MAX_ERRORS_SHOWN} more")
            raise PolicyError("\n".join(dict.fromkeys(lines))) from error

    def error(self, keys: Sequence[Key], message: str) -> PolicyError:
        """A `PolicyError` reading "file:line: key.path: message", to be raised by the caller."""
        line, named = self._find(keys)
        at = f"{'.'.join(map(str, named))}: " if named else ""
        return PolicyError(f"{self.path}:{line}: {at}{message}")

    def line(self, keys: Sequence[Key]) -> int:
        """The line of the key at that path, or of the last part of the path that is in the file."""
        return self._find(keys)[0]

    def _find(self, keys: Sequence[Key]) -> tuple[int, list[Key]]:
        """Line and path of the deepest thing named that is in the file. Parts that only the model knows (the name of a
        union's member, "[key]") are passed over."""
        node, line, named = self._node, _line(self._node), []
        for key in keys:
            step = _step(node, key)
            if step is not None:
                line, node = step
                named.append(key)
        return line, named


def _line(node: yaml.Node | yaml.Event) -> int:
    return node.start_mark.line + 1 if node.start_mark is not None else 1


def _step(node: yaml.Node, key: Key) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for name, value in node.value:
            if name.value == key or (isinstance(key, int) and name.value == str(key)):
                return _line(name), value
    elif isinstance(node, yaml.SequenceNode) and isinstance(key, int) and 0 <= key < len(node.value):
        value = node.value[key]
        return _line(value), value
    return None


def _check_shape(path: Path, text: str) -> None:
    """Refuses deep nesting, which would overflow libyaml's stack, before any tree is built; and aliases, which can
    loop, or fill the memory from a few lines."""
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        line = _line(event)
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > MAX_DEPTH:
                raise PolicyError(f"{path}:{line}: nested more than {MAX_DEPTH} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent):
            raise PolicyError(f"{path}:{line}: *{event.anchor} is an alias; write out what it stands for")


def _compose(path: Path, text: str) -> tuple[yaml.Node, Any]:
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        if node is None:
            raise PolicyError(f"{path}:1: the file is empty")
        _check_keys(path, node)
        return node, loader.construct_document(node)
    finally:
        loader.dispose()


def _check_keys(path: Path, node: yaml.Node) -> None:
    """Refuses a key written twice (YAML keeps the last one, silently) and keys that are not plain values."""
    if isinstance(node, yaml.SequenceNode):
        for item in node.value:
            _check_keys(path, item)
    elif isinstance(node, yaml.MappingNode):
        first: dict[str, int] = {}
        for name, value in node.value:
            line = _line(name)
            if not isinstance(name, yaml.ScalarNode):
                raise PolicyError(f"{path}:{line}: a key must be a plain word")
            if name.value in first:
                raise PolicyError(f"{path}:{line}: {name.value}: this key stands already in line {first[name.value]}")
            first[name.value] = line
            _check_keys(path, value)


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
    """Pydantic's sentence in our words where it speaks of Python, and without its prefix for our own validators'."""
    if kind == "missing":
        return f"the key {place[-1]!r} is missing"
    if kind == "extra_forbidden":
        return "there is no such key"
    return message.removeprefix("Value error, ")
