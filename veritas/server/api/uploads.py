"""Routes of uploads: documents that a caller sends, to be named as a corpus, a bibliography or a paper."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from veritas.errors import Absent
from veritas.server import uploads
from veritas.server.access import Reader, Runner
from veritas.server.api.common import Key
from veritas.server.context import Context, Here
from veritas.server.tokens import Token
from veritas.use_cases import background

router = APIRouter(tags=["uploads"])
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}}
FileName = Annotated[str, Query(min_length=1, max_length=150, description="The file's name, with its ending.")]
UploadName = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]


class Upload(BaseModel):
    """An upload: `corpus` is its name as a corpus, `files` are its file names, `bytes` its size on disk."""

    corpus: str
    files: list[str]
    bytes: int


class UploadList(BaseModel):
    """The uploads of a caller, their total size in bytes, and the limit."""

    uploads: list[Upload]
    bytes: int
    most: int


@router.post("/uploads", status_code=201, openapi_extra=_BODY)
async def begin(request: Request, name: FileName, who: Runner, here: Here, key: Key = None) -> Upload:
    """Store a document, which is the body of the request as it is."""
    return await _received(request, name, who, here, key=key)


@router.post("/uploads/{upload}", status_code=201, openapi_extra=_BODY)
async def more(upload: UploadName, request: Request, name: FileName, who: Runner, here: Here) -> Upload:
    """Store a further document of an upload; one of the same name takes the place of the first."""
    return await _received(request, name, who, here, upload)


@router.get("/uploads")
def listed(who: Reader, here: Here) -> UploadList:
    """Return the caller's uploads."""
    found = [_shown(each) for each in here.uploads.of(who)]
    return UploadList(uploads=found, bytes=sum(each.bytes for each in found), most=here.settings.uploads_of_token)


@router.delete("/uploads/{upload}", status_code=204)
def remove(upload: UploadName, who: Runner, here: Here) -> None:
    """Remove an upload. A run that still has to read it ends with an error. Whoever started the server removes any."""
    if not here.uploads.is_of(upload, who) and who.token_id not in here.own:
        raise Absent(f"there is no upload:{upload} of this token")
    here.uploads.remove(upload)


async def _received(
    request: Request, name: str, who: Token, here: Context, upload: str | None = None, key: str | None = None
) -> Upload:
    """Write the body of a request to disk in pieces, and return its upload."""
    length = request.headers.get("content-length")
    part = await run_in_threadpool(here.uploads.begin, who, int(length) if length else here.settings.upload_limit)
    try:
        waiting = bytearray()
        async for piece in request.stream():
            waiting += piece
            if len(waiting) >= uploads.PIECE:
                await run_in_threadpool(part.write, bytes(waiting))
                waiting.clear()
        await run_in_threadpool(part.write, bytes(waiting))

        def settled() -> uploads.Kept:
            if key is None:
                return here.uploads.settle(part, plain_name(name), who, upload)
            asked = ["upload", name, part.sha256]
            first = background.same_as_before(who.token_id, key, asked, secrets.token_hex(8), home=here.home)
            return here.uploads.settle(part, plain_name(name), who, first, new=True)

        return _shown(await run_in_threadpool(settled))
    finally:
        part.close()


def _shown(kept: uploads.Kept) -> Upload:
    return Upload(corpus=f"upload:{kept.upload}", files=list(kept.files), bytes=kept.bytes)


def plain_name(name: str) -> str:
    """Return a plain file name with the ending of the given one."""
    last = re.split(r"[\\/]", name)[-1]
    plain = re.sub(r"[^\w .()+-]", "_", last).strip(" .")
    return plain or "document.txt"
