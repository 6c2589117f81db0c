"""Input lines of a command, from a file or standard input, and the JSON in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, BinaryIO, NoReturn

from veritas.errors import InputError

Line = tuple[str, int, bytes]
"""Name of the input, number of the line, its bytes."""


@contextmanager
def given_lines(file: str) -> Iterator[Iterator[Line]]:
    """Yield the lines that are not blank, each as it comes: input may be a pipe that never ends. `-` is standard input.
    Raises `InputError` if the file cannot be read."""
    if file == "-":
        yield _numbered("standard input", sys.stdin.buffer)
        return
    try:
        source = open(file, "rb")  # noqa: SIM115 (an error in the body must not read as one of opening)
    except (OSError, ValueError) as error:
        raise InputError(f"{file} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    with source:
        yield _numbered(file, source)


def words_only(given: str | None, what: str, instead: str) -> None:
    """Raise `InputError` if words were asked for and a file or folder was given, existing or not: its name would be
    sent out in place of its text."""
    if given is None or not given.strip():
        return
    from veritas.use_cases.given import file_meant

    given = given.strip()
    path = file_meant(given)
    if path is None:
        return
    if path.exists():
        raise InputError(f"{given} is a file or folder here, and {what} is asked for: {instead}")
    raise InputError(f"{given}: there is no such file, and {what} is asked for: {instead}")


def _numbered(name: str, source: BinaryIO) -> Iterator[Line]:
    try:
        for number, line in enumerate(source, start=1):
            if number == 1:
                line = line.removeprefix(b"\xef\xbb\xbf")
            if line.strip():
                yield name, number, line
    except OSError as error:  # a folder opens on some systems and does not read
        raise InputError(f"{name} cannot be read: {error.strerror or error}") from error


def json_of(text: str) -> Any:
    """Return the value of a JSON text. Raises `ValueError`, for NaN, infinities and endless nesting too."""
    try:
        return json.loads(text, parse_constant=_no_constant)
    except RecursionError as error:
        raise ValueError(f"{error}") from error


def record_of(place: str, line: bytes, wanted: str, keys: Sequence[str]) -> dict[str, Any]:
    """Return the JSON object of a line, which has these keys. Raises `InputError`, naming the place and what each line
    is `wanted` to be."""
    try:
        record = json_of(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise InputError(f"{place}: not UTF-8 text: {error.reason} at byte {error.start}") from error
    except ValueError as error:
        raise InputError(f"{place}: not JSON ({error}); each line is {wanted}") from error
    if not isinstance(record, dict):
        raise InputError(f"{place}: a JSON {type(record).__name__}; each line is {wanted}")
    for key in keys:
        if key not in record:
            raise InputError(f"{place}: no {key!r}; each line is {wanted}")
    return record


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
