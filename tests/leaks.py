"""Looks for keys in everything that a run left behind. It knows nothing of how they are taken out."""

from __future__ import annotations

import base64
import html
import json
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import unquote

import duckdb

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{12,}")
_APART = re.compile(r"\\+[nrt]|[^A-Za-z0-9]+")
_UNICODE = re.compile(r"\\+u00([0-7][0-9a-fA-F])")


def leaks(secrets: Sequence[str], *, folders: Iterable[Path] = (), texts: Iterable[str] = ()) -> list[str]:
    """Where a key is to be found, plainly or written in another way: files by their bytes, databases by their rows."""
    found = [f"text {number}" for number, text in enumerate(texts) if _holds(text, secrets)]
    for folder in folders:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            found += [f"{path.name}: {where}" for where, text in _texts(path) if _holds(text, secrets)]
    return found


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    data = path.read_bytes()
    yield "name", path.name
    yield "bytes", data.decode("latin-1")
    if path.suffix == ".duckdb":
        with closing(duckdb.connect(str(path), read_only=True)) as database:
            for (table,) in database.execute("SELECT table_name FROM duckdb_tables()").fetchall():
                for row in database.execute(f'SELECT * FROM "{table}"').fetchall():
                    yield table, "\n".join(_cell(cell) for cell in row)
    elif data.startswith(b"SQLite format 3"):
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
                for row in database.execute(f'SELECT * FROM "{table}"').fetchall():
                    yield table, "\n".join(_cell(cell) for cell in row)


def _cell(cell: object) -> str:
    if isinstance(cell, bytes | bytearray):
        with suppress(zlib.error):
            return zlib.decompress(cell).decode("utf-8", "replace")
        return bytes(cell).decode("latin-1")
    return cell if isinstance(cell, str) else json.dumps(cell, default=str)


def _holds(text: str, secrets: Sequence[str]) -> bool:
    looked_for = [secret.lower() for secret in secrets]
    if any(secret in form for form in map(str.lower, _forms(text)) for secret in looked_for):
        return True
    joined = _bare(text)
    return any(len(bare := _bare(secret)) >= 14 and bare in joined for secret in secrets)


def _bare(text: str) -> str:
    return _APART.sub("", text).lower()


def _forms(text: str) -> Iterator[str]:
    yield text
    plain = text
    for _ in range(3):
        plain = html.unescape(unquote(_UNICODE.sub(lambda m: chr(int(m[1], 16)), plain)))
    yield plain
    for run in _BASE64.findall(text.replace("%2B", "+").replace("%2F", "/")):
        for begin in range(4):
            part = run[begin:].replace("-", "+").replace("_", "/")
            yield base64.b64decode(part[: len(part) // 4 * 4]).decode("latin-1")
