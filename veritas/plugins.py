"""How plug-ins are found: entry points, one group a seam, for built-ins and third parties alike."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, TypeVar

from veritas.errors import InputError, PluginError, VeritasError

T = TypeVar("T")


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """The plug-ins of a seam by name; `group` is the part after "veritas."."""
    return {point.name: point for point in entry_points(group=f"veritas.{group}")}


def load(group: str, name: str) -> Any:
    """The object a plug-in's entry point names: a factory. Raises `InputError` when there is none of that name,
    `PluginError` when it cannot be loaded."""
    known = installed(group)
    if name not in known:
        raise InputError(f"no {group} plug-in is called {name!r}; installed: {', '.join(sorted(known)) or 'none'}")
    try:
        return known[name].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's module may raise anything, sys.exit() too, while it is imported
        raise PluginError(f"{_named(group, name)} cannot be loaded: {_said(error)}") from error


def make(group: str, name: str, seam: type[T], *given: Any) -> T:
    """What the plug-in's factory makes of `given`: something that follows the protocol `seam` (runtime-checkable).

    Raises `InputError` when no plug-in has that name; `PluginError` when it cannot be loaded, its factory fails, or
    what it makes lacks a part of the seam or has something else where the seam has a text."""
    factory = load(group, name)
    try:
        made: T = factory(*given)
        follows = isinstance(made, seam) and not isinstance(made, type)
        odd = [part for part in _texts(seam) if not isinstance(getattr(made, part), str)] if follows else []
    except (VeritasError, KeyboardInterrupt):  # the plug-in's own word, such as a key that is not set; Ctrl-C
        raise
    except BaseException as error:
        raise PluginError(f"{_named(group, name)} cannot be made: {_said(error)}") from error
    if not follows:
        lacking = [part for part in _parts(seam) if not hasattr(made, part)]
        what = "a class" if isinstance(made, type) else f"a {type(made).__name__}"
        lacks = f" without {', '.join(lacking)}" if lacking else ""
        raise PluginError(f"{_named(group, name)} makes {what}{lacks}, which is no {seam.__name__}")
    if odd:
        raise PluginError(f"{_named(group, name)} makes a {type(made).__name__} whose {' and '.join(odd)} is no text")
    return made


def _named(group: str, name: str) -> str:
    """The plug-in, where it points and whose it is."""
    point = installed(group).get(name)
    if point is None:
        return f"the {group} plug-in {name!r}"
    package = f", of the package {point.dist.name}" if point.dist is not None else ""
    return f"the {group} plug-in {name!r} ({point.value}{package})"


def _parts(seam: type[Any]) -> list[str]:
    return sorted(part for part in {*vars(seam), *getattr(seam, "__annotations__", {})} if not part.startswith("_"))


def _texts(seam: type[Any]) -> list[str]:
    """The properties of a seam that are a text."""
    getters = {part: getattr(vars(seam).get(part), "fget", None) for part in _parts(seam)}
    said = {part: getattr(getter, "__annotations__", {}).get("return") for part, getter in getters.items()}
    return [part for part, kind in said.items() if kind in ("str", str)]


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
