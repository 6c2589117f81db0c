"""How plug-ins are found: entry points, one group a seam, for built-ins and third parties alike."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from veritas.errors import InputError


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The plug-ins of a seam by name; `group` is the part after "veritas."."""
    return {point.name: point for point in entry_points(group=f"veritas.{group}")}


def load(group: str, name: str) -> Any:
    """The object a plug-in's entry point names: a factory. Raises `InputError` when there is none of that name."""
    known = installed(group)
    if name not in known:
        raise InputError(f"no {group} plug-in is called {name!r}; installed: {', '.join(sorted(known)) or 'none'}")
    try:
        return known[name].load()
    except ImportError as error:
        raise InputError(f"the {group} plug-in {name!r} cannot be loaded: {error}") from error
