"""Errors as RFC 9457 problems: a sentence for a person, without a stack trace, a key or a path of this machine."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from veritas.errors import Absent, Cancelled, InputError, NotFinished, Unavailable, VeritasError
from veritas.keys import withheld_from_message
from veritas.server.own_words import Door, in_words_of
from veritas.server.settings import Settings

logger = logging.getLogger(__name__)

_STATUS: tuple[tuple[type[VeritasError], int], ...] = (
    (Absent, 404), (NotFinished, 409), (InputError, 422), (Unavailable, 503), (Cancelled, 409), (VeritasError, 500),
)  # fmt: skip
MCP = "/mcp"
"""Where clients of the Model Context Protocol call."""
_CONFLICTS = frozenset({"AskedBefore", "Waiting"})
_PATH = re.compile(r"(?<![\w:/.~-])(?:~|[A-Za-z]:)?(?:[\\/][^\s\\/:;,'\"()<>]+){2,}[\\/]?")


class Problem(Response):
    """A response of type `application/problem+json`."""

    media_type = "application/problem+json"

    def __init__(
        self, status: int, detail: str, *, headers: Mapping[str, str] | None = None, **more: Any
    ) -> None:
        body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
        super().__init__(json.dumps(body).encode(), status_code=status, headers=dict(headers or {}))


class RpcProblem(Response):
    """A problem for a client of the Model Context Protocol, which shows the sentence of a JSON-RPC error, and of any
    other body the status alone."""

    media_type = "application/json"

    def __init__(self, problem: Problem) -> None:
        told = json.loads(bytes(problem.body))
        body = {"jsonrpc": "2.0", "id": None, "error": {"code": -32_000, "message": told["detail"], "data": told}}
        kept = {name: value for name, value in problem.headers.items() if not name.startswith("content-")}
        super().__init__(json.dumps(body).encode(), status_code=problem.status_code, headers=kept)


def without_paths(text: str, settings: Settings) -> str:
    """Return a text without paths of this machine: those below a root begin with its name, an upload is named as one,
    and of others the last part is left."""
    for folder in {settings.home, settings.home.resolve()}:
        text = re.sub(rf"{re.escape(str(folder / 'uploads'))}/(?=[0-9a-f]{{16}}(?![\w.-]))", "upload:", text)
    for name, folder in settings.roots.items():
        text = re.sub(rf"{re.escape(str(folder))}(?![\w.-])", name, text)
    for folder in {settings.home, settings.home.resolve()}:
        if folder.is_absolute():
            text = re.sub(rf"{re.escape(str(folder))}(?![\w.-])", "the store", text)
    return _PATH.sub(lambda match: "…/" + re.split(r"[\\/]", match[0].rstrip("\\/"))[-1], text)


_PART = re.compile(r"^(?:query|body|path|header)\.(?=.)")
_FORM = re.compile(r"^(?:String should match pattern) .*")


def _fault(where: str, what: str) -> str:
    """Return what is wrong with a field of a request, with the field's own name: `within: give one of …`."""
    what = _FORM.sub("it has a value that is not among those it may have", what)
    what = re.sub(r"^Input should be (?=')", "give ", what)
    return f"{_PART.sub('', where)}: {what[:1].lower()}{what[1:]}"


def _told(fault: Mapping[str, Any]) -> dict[str, str]:
    """Return where a fault of a request is, and what it is."""
    if fault["type"] == "json_invalid":
        return {"where": "body", "what": f"no JSON: {fault['ctx']['error']}, at character {fault['loc'][-1]}"}
    where = ".".join(str(part) for part in fault["loc"])
    return {"where": where, "what": str(fault["msg"]).removeprefix("Value error, ")}


def status_of(error: VeritasError) -> int:
    """Return the HTTP status of an error."""
    if type(error).__name__ in _CONFLICTS:
        return 409
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def install(app: FastAPI, settings: Settings) -> None:
    """Answer every expected error as a problem; the guard answers all others."""

    def veritas_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, VeritasError)
        status = status_of(error)
        if status == 500:
            logger.error("%s failed: %s", request.url.path, error)
            return Problem(500, "VERITAS stopped before it would have done something wrong; its log says more")
        headers = {"Retry-After": "5"} if status == 503 else {}
        door: Door = "http" if request.url.path.startswith("/api/") else "page"

        def plain(text: str) -> str:
            return in_words_of(door, without_paths(withheld_from_message(text), settings))

        more: dict[str, Any] = {"code": type(error).__name__, "exit_code": error.exit_code}
        if isinstance(error, NotFinished):
            reason = plain(error.reason) if error.reason is not None else None
            more |= {"run_id": error.run_id, "state": error.state, "stage": error.stage, "reason": reason}
        return Problem(status, plain(str(error)), headers=headers, **more)

    def unfit(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        faults = [_told(each) for each in error.errors()]
        first = _fault(faults[0]["where"], faults[0]["what"]) if faults else "the request cannot be read"
        return Problem(422, first, errors=faults)

    def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        headers = dict(error.headers or {})
        if error.status_code == 401:
            headers.setdefault("WWW-Authenticate", "Bearer")
        problem = Problem(error.status_code, str(error.detail), headers=headers)
        return RpcProblem(problem) if request.url.path == MCP else problem

    app.add_exception_handler(VeritasError, veritas_error)
    app.add_exception_handler(RequestValidationError, unfit)
    app.add_exception_handler(HTTPException, http_error)

