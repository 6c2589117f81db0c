"""A `.jsonl` corpus: one JSON object a line, `{id, title?, text, url?, published_at?, authors?, doi?, note?, …}`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veritas.errors import CorpusError

MAX_LINE_BYTES = 50 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """A line: its number, its id, its text with newlines as `\\n`, all its fields, and the SHA-256 of the line."""

    line: int
    id: str
    text: str
    fields: dict[str, Any]
    digest: bytes


def read_records(path: Path, expected: bytes) -> Iterator[Record]:
    """Yield the records of a `.jsonl` in order; blank lines and exact repetitions are skipped.

    `expected` is the known SHA-256 of the file. Raises `CorpusError` at the end if the file changed meanwhile; raises
    `CorpusError`, with file and line, for a line that is no JSON object with an `id` and a `text`, and for an id of two
    different records. A file with one broken line is not read at all, because a truncated download would look like a
    smaller corpus.
    """
    seen: dict[str, tuple[int, bytes]] = {}
    read = hashlib.sha256()
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                read.update(line)
                if len(line) > MAX_LINE_BYTES:
                    raise CorpusError(f"{path}:{number}: the line is longer than {MAX_LINE_BYTES >> 20} MB")
                if number == 1:
                    line = line.removeprefix(b"\xef\xbb\xbf")
                if not line.strip():
                    continue
                record = _record(line, number, path)
                before = seen.setdefault(record.id, (number, record.digest))
                if before[0] != number:
                    if before[1] == record.digest:
                        continue
                    raise CorpusError(
                        f"{path}:{number}: the id {record.id[:100]!r} is also that of line {before[0]}, with other "
                        "content: give each record its own id"
                    )
                yield record
    except OSError as error:
        raise CorpusError(f"{path} cannot be read: {error.strerror or error}") from error
    if read.digest() != expected:
        raise CorpusError(f"{path} was changed while the corpus was read: ask again")


def _record(line: bytes, number: int, path: Path) -> Record:
    where = f"{path}:{number}"
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise CorpusError(f"{where}: not a line of JSON ({' '.join(str(error).split())[:120]})") from error
    if not isinstance(fields, dict):
        raise CorpusError(f"{where}: a {type(fields).__name__} where an object with id and text was expected")
    identity, text = fields.get("id"), fields.get("text")
    if isinstance(identity, bool) or not isinstance(identity, (str, int)) or not str(identity).strip():
        raise CorpusError(f"{where}: the id is missing or no string")
    if not isinstance(text, str):
        raise CorpusError(f"{where}: the text is missing or no string")
    return Record(number, str(identity).strip(), text.replace("\r\n", "\n").replace("\r", "\n"), fields,
                  hashlib.sha256(line.strip()).digest())  # fmt: skip
