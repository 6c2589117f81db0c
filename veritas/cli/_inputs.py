"""Common parts of commands: options, input lines, and JSON in them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, BinaryIO, NoReturn

import typer

from veritas.errors import InputError

Line = tuple[str, int, bytes]
"""Name of the input, number of the line, its bytes."""


@contextmanager
def given_lines(file: str) -> Iterator[Iterator[Line]]:
    """Yield the lines that are not blank, each as it comes: input may be an endless pipe.

    `-` is standard input. Raises `InputError` if the file cannot be read.
    """
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
    """Raise `InputError` for the name of a file or folder, existing or not, if a text is expected: the name would be
    sent in place of the text."""
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
    """Return the JSON object of a line with these keys. Raises `InputError`, with the line's place and what is
    `wanted`."""
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


def corpus_path(given: str) -> Path:
    """Return the path. Raises `InputError` for an empty one, such as from an unset shell variable."""
    if not given.strip():
        raise InputError('--corpus is an empty path: the current folder is "."')
    return Path(given)


Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on stderr.")]
OneJson = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else.")]
Council = Annotated[str | None, typer.Option(help="A council file, or the name of a built-in council.")]
CitationsPolicy = Annotated[
    Path | None, typer.Option("--policy", metavar="FILE", help="A policy file in place of policies/citations.yaml.")
]
SourcePolicy = Annotated[Path | None, typer.Option(help="Source policy (default: policies/source_tiers.yaml).")]
NoPreflight = Annotated[
    bool, typer.Option("--no-preflight", help="Skip the check that models and providers are available.")
]
Corpora = Annotated[
    list[Path] | None,
    typer.Option(
        "--corpus", "-c", parser=corpus_path, metavar="PATH",
        help="A folder, a file, a .jsonl or .zip file, package:NAME, or git+https://…. Repeatable.",
    ),
]  # fmt: skip
"""The documents in which an answer is looked for."""


Artifacts = Annotated[str, typer.Option("--artifacts", metavar="DIR", help="The artifacts' folder in the project.")]
CitationMap = Annotated[
    Path | None,
    typer.Option("--map", metavar="FILE", help="JSON or YAML of citation key: artifact, for \\cite and @key."),
]
