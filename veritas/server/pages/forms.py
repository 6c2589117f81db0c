"""Form data of the pages: fields, and files, which are stored as uploads of the server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from io import BytesIO
from typing import Annotated, Any, BinaryIO, NamedTuple, TypeVar

from fastapi import Depends, HTTPException, Request
from pydantic import ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile

from veritas.errors import InputError
from veritas.frozen import first_fault
from veritas.server.api.forms import Form
from veritas.server.api.uploads import plain_name
from veritas.server.context import Context
from veritas.server.tokens import Token
from veritas.use_cases.given import is_read

F = TypeVar("F", bound=Form)

FILES = 200
"""Most files of one form."""
FIELD = 8_000_000
"""Most bytes of a field: two million letters of any script."""


async def filled(request: Request) -> AsyncIterator[FormData]:
    """Yield the form of a request; its files are closed afterwards."""
    async with request.form(max_files=FILES, max_fields=2_000, max_part_size=FIELD) as form:
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


def number_of(
    form: FormData, name: str, *, least: float = 0.0, most: float = 1e9, said: str = ""
) -> float | None:
    """Return a field's number, None if it is empty. Raises `InputError`, which calls the field `said`, by default its
    name, for an invalid number, or one out of range."""
    text, label = text_of(form, name, 40), said or name.replace("_", " ")
    if not text:
        return None
    try:
        number = float(text)
    except ValueError:
        raise InputError(f"{label} is {text!r}: give a number") from None
    if not least <= number <= most:
        raise InputError(f"{label} is {text}: give a number from {least:g} to {most:g}")
    return number


def texts_of(form: FormData, name: str) -> list[str]:
    """Return the texts of a field that may be given several times."""
    return [value for value in form.getlist(name) if isinstance(value, str) and value]


def checked(kind: type[F], **fields: Any) -> F:
    """Return fields as a form of the interface for programs; empty texts count as not given. Raises `InputError` with
    the first fault."""
    given: Mapping[str, Any] = {name: value for name, value in fields.items() if value not in ("", None)}
    try:
        return kind.model_validate(dict(given))
    except ValidationError as error:
        raise InputError(first_fault(error)) from error


class Sent(NamedTuple):
    """An uploaded file: its name, the open file, and its size in bytes."""

    name: str
    file: BinaryIO
    size: int


def files_of(form: FormData, field: str = "files") -> list[Sent]:
    """Return the files of a form."""
    sent = [each for each in form.getlist(field) if isinstance(each, UploadFile) and each.filename]
    return [Sent(each.filename or "", each.file, each.size or 0) for each in sent]


async def kept(
    form: FormData, here: Context, who: Token, *, field: str = "files", pasted: str = "pasted", corpus: bool = True
) -> list[str]:
    """Store the files and the pasted text of a form as one upload, and return its name as a corpus; nothing for a form
    without any.

    Raises `InputError` for an empty file and, for a `corpus`, if no file has a readable format, `StoreUnavailable`, and
    403 for a caller who may only read.
    """
    files = files_of(form, field)
    if text := text_of(form, pasted, 2_000_000):
        content = text.encode("utf-8", "replace")
        files.append(Sent("pasted text.txt", BytesIO(content), len(content)))
    if files and not who.allows("run"):
        raise HTTPException(403, "files and pasted texts are kept on the server: that needs the role run")
    if corpus and files and not any(is_read(stored_name(each.name)) for each in files):
        raise InputError(f"{files[0].name[:150]!r} is of no kind that is read: no run over it could go on")
    return [await run_in_threadpool(keep, files, here, who)] if files else []


def keep(files: Sequence[Sent], here: Context, who: Token) -> str:
    """Store files as one upload, and return its name. Raises `InputError` for an empty one."""
    for each in files:
        if not each.size:
            raise InputError(f"the file {each.name[:150]!r} is empty")
    upload: str | None = None
    taken = set[str]()
    for each in files:
        upload = here.uploads.keep(each.file, each.size, _untaken(each.name, taken), who, upload).upload
    return f"upload:{upload}"


def stored_name(name: str) -> str:
    """Return the name under which a single uploaded file is stored."""
    return plain_name(name)[-140:].lstrip(" .") or "document.txt"


def _untaken(name: str, taken: set[str]) -> str:
    """Return a free name for a file, with a number if the name is in use."""
    plain = stored_name(name)
    stem, dot, ending = plain.rpartition(".")
    free, number = plain, 2
    while free.casefold() in taken:
        free, number = (f"{stem}-{number}.{ending}" if dot else f"{plain}-{number}"), number + 1
    taken.add(free.casefold())
    return free
