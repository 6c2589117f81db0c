"""Routes of uploads: documents that a caller sends, to be named as a corpus, a bibliography or a paper."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import APIRouter, HTTPException, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel

from veritas.errors import CorpusError
from veritas.files import write_whole
from veritas.server.access import Runner
from veritas.server.context import Context, Here
from veritas.server.roots import uploads_folder
from veritas.server.tokens import Token

router = APIRouter(tags=["uploads"])
MOST = 500
"""Most files of one upload."""
_BODY = {"requestBody": {"required": True, "content": {"application/octet-stream": {"schema": {"type": "string"}}}}}
FileName = Annotated[str, Query(min_length=1, max_length=150, description="The file's name, with its ending.")]


class Upload(BaseModel):
    """An upload: `corpus` is the name by which it is given as a corpus, `files` are the names in it."""

    corpus: str
    files: list[str]


@router.post("/uploads", status_code=201, openapi_extra=_BODY)
async def begin(request: Request, name: FileName, who: Runner, here: Here) -> Upload:
    """Store a document, which is the body of the request as it is."""
    return await run_in_threadpool(store, await request.body(), name, here, who)


@router.post("/uploads/{upload}", status_code=201, openapi_extra=_BODY)
async def more(
    upload: Annotated[str, Path(pattern="^[0-9a-f]{16}$")], request: Request, name: FileName, who: Runner, here: Here
) -> Upload:
    """Store a further document of an upload."""
    return await run_in_threadpool(store, await request.body(), name, here, who, upload)


def store(content: bytes, name: str, here: Context, who: Token, upload: str | None = None) -> Upload:
    """Store a document, of a new upload unless one is named. Raises `CorpusError` for one that is not there, or that is
    of another token."""
    folder = uploads_folder(here.settings) / (upload or secrets.token_hex(8))
    owner = folder.with_name(f".{folder.name}.owner")
    if upload is None:
        write_whole(owner, who.token_id)
    elif not folder.is_dir() or not owner.is_file() or owner.read_text(encoding="utf-8") != who.token_id:
        raise CorpusError(f"there is no upload:{upload} of this token")
    if upload is not None and len(list(folder.iterdir())) >= MOST:
        raise HTTPException(413, f"an upload has at most {MOST} files")
    write_whole(folder / plain_name(name), content)
    return Upload(corpus=f"upload:{folder.name}", files=sorted(path.name for path in folder.iterdir()))


def plain_name(name: str) -> str:
    """Return a name that is a file's and nothing else, with the ending of the given one."""
    last = re.split(r"[\\/]", name)[-1]
    plain = re.sub(r"[^\w .()+-]", "_", last).strip(" .")
    return plain or "document.txt"
