"""What forms of the pages hold: fields, and files, which are kept as uploads of the server."""

from __future__ import annotations

import contextlib
import re
import secrets
import shutil
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Annotated

from fastapi import Depends, Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from veritas.errors import InputError, StoreUnavailable
from veritas.server.roots import uploads_folder
from veritas.server.settings import Settings

FILES = 200
"""Most files of one form."""


async def filled(request: Request) -> AsyncIterator[FormData]:
    """Yield the form of a request; its files are gone afterwards."""
    async with request.form(max_files=FILES, max_fields=2_000) as form:
        yield form


Filled = Annotated[FormData, Depends(filled)]
"""The parameter of a route that takes a form. Its routes are asynchronous."""


def text_of(form: FormData, name: str, most: int = 100_000) -> str:
    """Return a field's text without white space around it; "" where it is missing. Raises `InputError` for one that is
    too long."""
    value = form.get(name)
    text = value.strip().replace("\r\n", "\n") if isinstance(value, str) else ""
    if len(text) > most:
        raise InputError(f"{name} has {len(text):,} characters, the limit is {most:,}")
    return text


def number_of(form: FormData, name: str, *, least: float = 0.0, most: float = 1e9) -> float | None:
    """Return a field's number, None where it is empty. Raises `InputError` for what is none, or out of range."""
    text = text_of(form, name, 40)
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{name.replace('_', ' ')} is {text!r}: give a number") from None
    if not least <= number <= most:
        raise InputError(f"{name.replace('_', ' ')} is {text}: give a number from {least:g} to {most:g}")
    return number


def texts_of(form: FormData, name: str) -> list[str]:
    """Return the texts of a field that may be given several times."""
    return [value for value in form.getlist(name) if isinstance(value, str) and value]


async def kept(form: FormData, settings: Settings, *, field: str = "files", pasted: str = "pasted") -> list[str]:
    """Keep the files and the pasted text of a form as one upload, and return its name as a corpus; nothing for a form
    without any. Raises `InputError` for an empty file, `StoreUnavailable`."""
    files = [each for each in form.getlist(field) if isinstance(each, UploadFile) and each.filename]
    text = text_of(form, pasted, 2_000_000)
    if not files and not text:
        return []
    name = secrets.token_hex(8)
    await run_in_threadpool(_write, uploads_folder(settings), name, files, text)
    return [f"upload:{name}"]


def _write(folder: Path, name: str, files: Sequence[UploadFile], text: str) -> None:
    """Write an upload aside, and move it into place when it is whole."""
    aside = folder / f".{name}"
    try:
        aside.mkdir(parents=True)
        taken: set[str] = set()
        for file in files:
            with (aside / _own_name(file.filename or "", taken)).open("wb") as out:
                shutil.copyfileobj(file.file, out)
                if not out.tell():
                    raise InputError(f"the file {file.filename!r} is empty")
        if text:
            (aside / _own_name("pasted text.txt", taken)).write_text(text, encoding="utf-8", errors="replace")
        aside.rename(folder / name)
    except OSError as error:
        raise StoreUnavailable(f"the files cannot be stored: {error.strerror or error}") from error
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(aside, ignore_errors=True)


def _own_name(given: str, taken: set[str]) -> str:
    """Return a name for a file that a stranger named: its last part, without anything that leads elsewhere or hides."""
    last = re.split(r"[\\/]", given)[-1]
    clean = re.sub(r"[^\w. ()-]", "_", last).strip(". ")[-120:] or "file"
    stem, dot, ending = clean.rpartition(".")
    name, number = clean, 2
    while name.casefold() in taken:
        name, number = (f"{stem}-{number}{dot}{ending}" if dot else f"{clean}-{number}"), number + 1
    taken.add(name.casefold())
    return name
