"""Creating documents from the files and records of a corpus."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from contextvars import copy_context
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from veritas import plugins
from veritas.documents.document import Document, document_id
from veritas.documents.metadata import Metadata, read_metadata, read_sidecar, sidecar_names
from veritas.errors import CorpusError
from veritas.reading._listing import DOCSTRINGS, ListedFile, Root, is_records, sidecar_digest
from veritas.reading.charset import decode
from veritas.reading.converter_pool import GivenUp, Workshop
from veritas.reading.formats import (
    QUICK_BYTES,
    SEAM,
    Converted,
    Kind,
    convert,
    is_quick,
    kind_of,
    media_type_of,
    suffixes,
)
from veritas.reading.formats.converted import without_keys, without_tags
from veritas.reading.walking import read_bytes, written_here
from veritas.text.line_numbers import without_line_numbers

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


_MANUSCRIPTS = frozenset({"docx", "odt", "pdf", "text"})
"""Formats in which a manuscript has its lines numbered."""
_FIRST_CELL = re.compile(r"^[ \t]*\d{1,4}\t(.*)", re.MULTILINE)
_INVISIBLE = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060]")


@dataclass(frozen=True, slots=True)
class Made:
    """A document, whether its URL is its own (from its owner, or of a record), and remarks about it."""

    document: Document
    named: bool
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A file or record that becomes a document. `key` (32 bytes) identifies all its inputs; `where` is its place below
    the path of its root."""

    key: bytes
    where: str
    source: ListedFile | Record


class Maker:
    """Creates documents of items, in this process or in those of the workshop."""

    def __init__(self, workshop: Workshop, threads: Executor, today: date) -> None:
        self._workshop, self._threads, self._today = workshop, threads, today

    def items(self, root: Root, engine: str) -> Iterator[Item]:
        """Yield the items of a root. Raises `CorpusError` for a file of records with a broken line."""
        for file in root.files:
            if root.folder is None and is_records(root.path):
                if file.problem is not None:
                    raise CorpusError(f"{root.path} {file.problem}")
                for record in read_records(root.path, file.digest):
                    yield Item(_key(engine, root.name, record.id, record.digest), f":{record.line}", record)
            else:
                parts = (engine, root.name, os.fsencode(file.relative), file.digest, file.sidecar)
                yield Item(_key(*parts), f"{os.sep}{file.relative}" if root.folder else "", file)

    def begin(self, root: Root, item: Item) -> Callable[[], Made]:
        """Start creating the document; the returned function returns it, or raises the `CorpusError`."""
        if isinstance(item.source, Record):
            record = item.source
            return lambda: self._of_record(root, record)
        file = item.source
        path = root.folder / file.relative if root.folder else root.path
        if root.kind == DOCSTRINGS:
            return lambda: self._of_file(root, file, path, _documented(_foreign(path, file, follow=False)))
        conversion = self._conversion(path, file, follow=root.folder is None)
        return lambda: self._of_file(root, file, path, conversion())

    def _conversion(self, path: Path, file: ListedFile, *, follow: bool) -> Callable[[], Converted]:
        kind = kind_of(path)
        if kind is None:
            raise CorpusError(f"is of no kind that is read ({', '.join(suffixes())}, .jsonl)")
        if file.problem is not None:
            raise CorpusError(file.problem)
        try:
            quick = is_quick(kind) and path.stat().st_size <= QUICK_BYTES
        except OSError:
            quick = True  # and the reading of it will say what is the matter
        if quick:
            return lambda: convert(_foreign(path, file, follow=follow), kind)
        # With the context of whoever loads: a reader that takes long is said there.
        future = self._threads.submit(
            copy_context().run, lambda: self._workshop.convert(_foreign(path, file, follow=follow), kind)
        )
        return future.result

    def _of_file(self, root: Root, file: ListedFile, path: Path, converted: Converted) -> Made:
        converted = _without_margin(converted, kind_of(path))
        owner, remarks = read_metadata({**converted.front_matter, **_sidecar(path, file)})
        return self._made(
            url=owner.url or f"corpus://{root.name}/{_in_url(os.fsencode(file.relative))}",
            converted=converted,
            owner=owner,
            fallback_title=_module(root, file) if root.kind == DOCSTRINGS else re.sub(
                r"[_\s]+", " ", os.fsencode(path.stem).decode("utf-8", "replace")
            ).strip(),
            media_type="text/plain" if root.kind == DOCSTRINGS else media_type_of(kind_of(path) or ""),
            remarks=(*converted.remarks, *remarks),
            named=owner.url is not None,
        )

    def _of_record(self, root: Root, record: Record) -> Made:
        owner, remarks = read_metadata(record.fields)
        converted = without_keys(without_tags(Converted(record.text)))
        return self._made(
            url=owner.url or f"corpus://{root.name}/{_in_url(record.id.encode('utf-8', 'surrogatepass'))}",
            converted=converted,
            owner=owner,
            fallback_title=record.id,
            media_type="text/plain",
            remarks=(*converted.remarks, *remarks),
            named=True,
        )

    def _made(
        self, *, url: str, converted: Converted, owner: Metadata, fallback_title: str, media_type: str,
        remarks: tuple[str, ...], named: bool,
    ) -> Made:
        text = converted.text
        _check(text)
        if unseen := len(_INVISIBLE.findall(text)):
            said = f"holds {unseen} × character that is not seen or turns the writing direction; the text keeps them"
            remarks = (*remarks, said)
        document = Document(
            document_id=document_id(text),
            url=url,
            title=owner.title or converted.title or fallback_title,
            text=text,
            media_type=media_type,
            fetched_at=self._today,
            published_at=owner.published_at or converted.published_at,
            authors=owner.authors or converted.authors,
            doi=owner.doi or converted.doi,
            arxiv_id=owner.arxiv_id,
            page_starts=converted.page_starts,
            blocks=converted.blocks,
            references=owner.references,
            note=owner.note,
        )
        return Made(document, named, remarks)


def will_pass(error: CorpusError, root: Root, item: Item) -> bool:
    """Return whether reading an item may succeed later with the same content: it ran out of time or memory, or a
    plug-in failed."""
    if isinstance(error, GivenUp) or isinstance(item.source, Record):
        return True
    if root.kind == DOCSTRINGS:
        return False
    kind: Kind | None = kind_of(PurePath(item.source.relative))
    return item.source.problem is not None or kind is None or not plugins.is_built_in(SEAM, kind)


def _key(*parts: Any) -> bytes:
    digest = hashlib.sha256()
    for part in parts:
        block = part if isinstance(part, bytes) else str(part).encode("utf-8", "surrogatepass")
        digest.update(len(block).to_bytes(8, "little") + block)
    return digest.digest()


def _foreign(path: Path, file: ListedFile, *, follow: bool) -> bytes:
    """Return the content of a file. Raises `CorpusError` for one that VERITAS wrote, which is no source."""
    try:
        data = read_bytes(path, follow=follow)
    except CorpusError as error:  # which could be read when it was listed
        raise GivenUp(str(error)) from error
    if hashlib.sha256(data).digest() != file.digest:
        raise GivenUp("was changed while the corpus was read: ask again")
    if written_here(data):
        raise CorpusError("is a report that VERITAS wrote, no source of its own")
    return data


def _sidecar(path: Path, file: ListedFile) -> Mapping[str, Any]:
    """Return the content of the sidecar that the file had when it was listed."""
    if not file.sidecar:
        return {}
    fields = read_sidecar(path)
    names = [name for name in sidecar_names(path.name) if path.with_name(name).is_file()]
    if fields is None or not names or sidecar_digest(path.with_name(names[0])) != file.sidecar:
        raise GivenUp("has a sidecar that was changed while the corpus was read: ask again")
    return fields


def _documented(data: bytes) -> Converted:
    from veritas.reading.formats.docstrings import convert_docstrings

    return without_keys(without_tags(convert_docstrings(decode(data)[0])))


def _module(root: Root, file: ListedFile) -> str:
    """Return the name of a module of a package."""
    parts = [root.folder.name if root.folder else "", *PurePath(file.relative).with_suffix("").parts]
    return ".".join(part for part in parts if part != "__init__")


def _without_margin(converted: Converted, kind: Kind | None) -> Converted:
    """Return a manuscript without line numbers, which would interrupt its sentences."""
    if kind not in _MANUSCRIPTS:
        return converted
    rows = [match[1] for match in _FIRST_CELL.finditer(converted.text)]
    if 2 * sum("\t" in row for row in rows) > len(rows):  # a table with a column of numbers
        return converted
    text, starts, count = without_line_numbers(converted.text, converted.page_starts)
    if not count:
        return converted
    said = f"had {count} line numbers, which were taken out"
    return replace(converted, text=text, page_starts=starts, remarks=(*converted.remarks, said))


def _check(text: str) -> None:
    """Raise `CorpusError` for a text in which no quote can occur."""
    if not text.strip():
        raise CorpusError("has no text in it")
    if "\x00" in text:
        raise CorpusError("holds NUL characters, so it is no text")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise CorpusError(f"holds half of a surrogate pair at character {error.start}, which is no text") from error


def _in_url(identity: bytes) -> str:
    """Return `identity` as the path of a URL; segments of dots only are escaped, because they would change the path."""
    quoted = quote(identity, safe="/-._~")
    return "/".join(part.replace(".", "%2E") if part in (".", "..") else part for part in quoted.split("/"))
