"""The interface for programs, `/api/v1`: a module for each subject."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from fastapi.routing import APIRoute

from veritas.server.api import approvals, checks, living, papers, reviews, runs, uploads
from veritas.server.api import work as background_work

PREFIX = "/api/v1"


def router() -> APIRouter:
    """Return all routes of the interface."""
    made = APIRouter(prefix=PREFIX, generate_unique_id_function=_operation)
    areas = (runs, checks, background_work, papers, reviews, living, approvals, uploads)
    for module in areas:
        made.include_router(module.router)
    return made


def _operation(route: APIRoute) -> str:
    """Return the name of a route's function in a client: `runs_begin`."""
    return f"{route.tags[0]}_{route.name}".replace(" ", "_")


_PROBLEM = {
    "type": "object", "required": ["type", "title", "status", "detail"],
    "description": "RFC 9457: `detail` is a sentence for a person, `code` the name of the error, `errors` the fields "
    "of the request that do not fit; the others come with a run that has no result.",
    "properties": {"status": {"type": "integer"}, "exit_code": {"type": "integer"}, "errors": {"type": "array"}}
    | {name: {"type": "string"} for name in ("type", "title", "detail", "code", "run_id", "state")}
    | {name: {"type": ["string", "null"]} for name in ("stage", "reason")},
}  # fmt: skip
_EVERYWHERE = {
    401: "no token, or one that is not valid", 403: "the token may not do this", 422: "the request does not fit",
    429: "too many requests", 500: "a defect of VERITAS", 503: "something needed did not answer",
}  # fmt: skip
_NAMED = {404: "nothing of that name is there", 409: "it is not in a state for this"}


def described(document: dict[str, Any]) -> dict[str, Any]:
    """Return an OpenAPI document with the token, and the problems that each operation may answer with."""
    parts = document["components"]
    parts["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    document["security"] = [{"token": []}]
    parts["schemas"]["Problem"] = _PROBLEM
    for unused in ("HTTPValidationError", "ValidationError"):
        parts["schemas"].pop(unused, None)
    body = {"content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            named = _NAMED if "{" in path or method == "post" or operation.get("parameters") else {}
            long = {413: "the request is too long"} if "requestBody" in operation else {}
            for status, said in sorted((_EVERYWHERE | named | long).items()):
                operation["responses"][str(status)] = {"description": said, **body}
    return document
