"""A tool whose every failure is a clear error of the tool, never one of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import MethodType
from typing import TYPE_CHECKING, Any, Literal

from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field, ValidationError

from veritas.errors import Cancelled, Unavailable, VeritasError
from veritas.frozen import first_fault
from veritas.server.own_words import in_words_of
from veritas.server.tokens import Token
from veritas.text.visible import visible

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

Role = Literal["read", "run"]


@dataclass(frozen=True)
class Caller:
    """The caller of a tool: its roles, and its token over HTTP."""

    roles: frozenset[str]
    token: Token | None = None


CallerOf = Callable[[Any], Caller]
"""A function that returns who sent an HTTP request; it is given None over stdio."""


def anybody(request: Any) -> Caller:
    """Return a caller with every role: over stdio it is the person who started the server."""
    return Caller(frozenset(("read", "run")))


class StrictTool(Tool):
    """A tool that refuses unknown arguments and requires a role."""

    role: Role = "read"
    caller_of: CallerOf = Field(default=anybody, exclude=True)
    plain: Callable[[str], str] = Field(default=str, exclude=True)
    """Takes out of an error what a client need not see."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        """Run the tool. Every expected failure raises `ToolError` with a sentence for the model."""
        if self.role not in self.caller_of(context.request_context.request).roles:
            raise ToolError(f"this token has not the role {self.role!r}, which {self.name} needs")
        arguments = {name: value for name, value in arguments.items() if value is not None}  # null is "not given"
        known = list(self.parameters.get("properties", {}))
        if unknown := sorted(set(arguments) - set(known)):
            raise ToolError(f"{self.name} has no argument {unknown[0]!r:.80}; it has {', '.join(known)}")
        try:
            self.fn_metadata.validate_arguments(arguments)
        except ValidationError as error:
            raise ToolError(f"{self.name}: {visible(_fault(error))}") from error
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(cause := error.__cause__, VeritasError):
                raise ToolError(visible(in_words_of("mcp", self.plain(_said(cause))))) from cause
            raise


def _fault(error: ValidationError) -> str:
    """Return the first error in the arguments; a text in place of a list gets an example."""
    first = error.errors(include_url=False, include_context=False)[0]
    if first["type"] in ("tuple_type", "list_type") and isinstance(first["input"], str):
        name = ".".join(map(str, first["loc"]))
        return f'{name} is one text: give a list of texts, such as ["docs"]'
    return first_fault(error)


def _said(error: VeritasError) -> str:
    if isinstance(error, Unavailable):
        return f"UNAVAILABLE, which is no finding for or against anything: {error}"
    if isinstance(error, Cancelled):
        return f"stopped: {error}"
    return str(error)


def tool(
    method: Callable[..., Any],
    *,
    title: str,
    role: Role,
    caller_of: CallerOf,
    plain: Callable[[str], str],
    read_only: bool = True,
    idempotent: bool = True,
    open_world: bool,
) -> StrictTool:
    """Return a method as a tool; its docstring is what the model reads. No tool destroys anything."""
    assert isinstance(method, MethodType)
    hints = ToolAnnotations(
        title=title, read_only_hint=read_only, idempotent_hint=idempotent, open_world_hint=open_world,
        destructive_hint=False,
    )  # fmt: skip
    own = {"fn": method, "title": title, "annotations": hints, "role": role, "caller_of": caller_of, "plain": plain}
    return _described(method.__func__).model_copy(update=own)


@cache
def _described(function: Callable[..., Any]) -> StrictTool:
    """Return the tool of a method with its description and schemas, which are cached because they take most of a
    server's start."""
    made = StrictTool.from_function(MethodType(function, object()), structured_output=True)
    assert isinstance(made, StrictTool)
    made.description = " ".join(made.description.split())
    made.parameters = {**_without(made.parameters, "title"), "additionalProperties": False}
    # What is within a part of a result, the result shows itself.
    made.fn_metadata.output_schema = _without(
        made.fn_metadata.output_schema, "title", "default", "additionalProperties", "$defs"
    )
    return made


def _without(schema: Any, *keys: str, names: bool = False) -> Any:
    """Return a schema without some of its keys, such as Pydantic's titles, which cost tokens and carry no information.
    Without its definitions, what refers to them is any object."""
    if isinstance(schema, dict):
        if "$defs" in keys and "$ref" in schema:
            return {"type": "object"}
        return {
            key: _without(value, *keys, names=key in ("properties", "$defs"))
            for key, value in schema.items()
            if names or key not in keys
        }
    return [_without(each, *keys) for each in schema] if isinstance(schema, list) else schema
