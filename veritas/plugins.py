"""Discovery of plug-ins: entry points, one group for each seam, for built-ins and third parties alike."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.metadata import Distribution, EntryPoint, entry_points
from types import ModuleType
from typing import Any, TypeVar, cast

from pydantic import ValidationError

from veritas.errors import InputError, PluginError, Unavailable, VeritasError
from veritas.frozen import first_fault
from veritas.sinks import printing_aside

T = TypeVar("T")

OWN_PACKAGE = "veritas-cite"
"""The distribution whose entry points are the built-ins."""
PREFIX = "veritas."
MOST_WORDS = 1_000
"""Characters of a plug-in's error that are told."""


@dataclass(frozen=True)
class Registered:
    """An entry point. `value` is its target, `package` and `version` are empty where no distribution owns it, `problem`
    says why it cannot be used and is None for one that loads and can be called."""

    seam: str
    name: str
    value: str
    package: str
    version: str
    problem: str | None = None


@cache
def _every() -> Any:
    # Each question reads the entry points of every installed package. Python 3.11 answers with another class than
    # 3.12, and both have `groups` and `select`.
    return entry_points()


@cache
def installed(group: str) -> dict[str, EntryPoint]:
    """Return the plug-ins of a seam by name; `group` is the part after "veritas.". Nothing is imported.

    A built-in keeps its name against every other package; of other packages the first on the path has it.
    """
    found: dict[str, EntryPoint] = {}
    for point in _every().select(group=f"{PREFIX}{group}"):
        known = found.get(point.name)
        if known is None or (_owner(point) == OWN_PACKAGE and _owner(known) != OWN_PACKAGE):
            found[point.name] = point
    return found


def is_built_in(group: str, name: str) -> bool:
    """Return whether the plug-in of that name comes with VERITAS itself."""
    return name in _built_in(group)


@cache
def _built_in(group: str) -> frozenset[str]:
    return frozenset(name for name, point in installed(group).items() if _owner(point) == OWN_PACKAGE)


def release(group: str, name: str) -> str:
    """Return package and version of a plug-in, to tell its releases apart; empty for one that no package owns."""
    point = installed(group).get(name)
    return f"{point.dist.name} {point.dist.version}" if point is not None and point.dist is not None else ""


def seam_names() -> tuple[str, ...]:
    """Return the seams for which something is registered, in order. Nothing is imported."""
    return tuple(sorted(g.removeprefix(PREFIX) for g in _every().groups if g.startswith(PREFIX)))


def registered(wanted: str | None = None) -> tuple[Registered, ...]:
    """Return every entry point of the seam `wanted`, or of all seams, by seam and name. Each is imported; one that
    fails, or whose name another package holds, says so in `problem` and stops nothing."""
    points = {seam: _points(f"{PREFIX}{seam}") for seam in seam_names()}
    seams = {seam for seam, of_seam in points.items() if any(_owner(point) == OWN_PACKAGE for point in of_seam)}
    asked = points if wanted is None else {wanted: points.get(wanted, [])}
    return tuple(_tried(seam, point, seams) for seam, of_seam in asked.items() for point in of_seam)


def _points(group: str) -> list[EntryPoint]:
    seen = {(point.name, point.value, _owner(point)): point for point in _every().select(group=group)}
    return sorted(seen.values(), key=lambda point: (point.name, _owner(point)))


def _tried(seam: str, point: EntryPoint, seams: Set[str]) -> Registered:
    problem = None
    holder = installed(seam)[point.name]
    if seam not in seams:
        near = get_close_matches(seam, seams, 1)
        meant = f"did you mean {PREFIX}{near[0]}?" if near else f"there are {', '.join(sorted(seams))}"
        problem = f"is never asked for: there is no seam {seam!r}; {meant}"
    elif (holder.value, _owner(holder)) != (point.value, _owner(point)):
        problem = f"is not used: {_owner(holder) or holder.value} has a plug-in of this name"
    else:
        try:
            _factory(seam, point.name)
        except PluginError as error:
            problem = str(error)
    version = point.dist.version if point.dist is not None else ""
    return Registered(seam, point.name, point.value, _owner(point), version, problem)


def _owner(point: EntryPoint) -> str:
    return _name(point.dist) if point.dist is not None else ""


@cache
def _name(package: Distribution) -> str:
    # Each question for the name parses the description of the whole package.
    return package.name


def load(group: str, name: str) -> Any:
    """Return the object a plug-in's entry point names: a factory. Raises `InputError` when there is none of that name,
    `PluginError` when it cannot be loaded."""
    known = installed(group)
    if name not in known:
        raise InputError(f"no {group} plug-in is called {name!r}; installed: {', '.join(sorted(known)) or 'none'}")
    try:
        with printing_aside():
            return known[name].load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a stranger's module may raise anything, sys.exit() too, while it is imported
        raise PluginError(f"{named(group, name)} cannot be loaded: {said(error)}") from error


def _factory(group: str, name: str) -> Callable[..., Any]:
    """Return what the entry point names, where it can be called. Raises as `load` does, and `PluginError` where it
    cannot."""
    factory = load(group, name)
    if callable(factory):
        return cast("Callable[..., Any]", factory)
    if isinstance(factory, ModuleType):
        wanted = f"is a module: name the class in it, as in {installed(group)[name].value}:MyClass"
    else:
        wanted = f"is an object of type {type(factory).__name__}: name the class, or a function that makes the object"
    raise PluginError(f"{named(group, name)} {wanted}")


def _misfit(factory: Callable[..., Any], given: tuple[Any, ...]) -> str:
    """Return what a factory is called with, where its signature does not take that; empty where it does, or where the
    signature is not known."""
    try:
        inspect.signature(factory).bind(*given)
    except TypeError:
        gets = " and ".join(type(each).__name__ for each in given) or "nothing"
        return f" (it is called with {gets})"
    except ValueError:
        pass
    return ""


def make(group: str, name: str, seam: type[T], *given: Any) -> T:
    """Return what the plug-in's factory makes of `given`: an object that follows the runtime-checkable protocol `seam`.

    Raises `InputError` when no plug-in has that name; `PluginError` when it cannot be loaded, its factory fails, or its
    object lacks a part of the seam or has something other than a text where the seam has one.
    """
    factory = _factory(group, name)
    try:
        with printing_aside():
            made: T = factory(*given)
        follows = isinstance(made, seam) and not isinstance(made, type)
        odd = [part for part in _texts(seam) if not isinstance(getattr(made, part), str)] if follows else []
    except (VeritasError, KeyboardInterrupt):  # the plug-in's own word, such as a key that is not set; Ctrl-C
        raise
    except BaseException as error:
        raise PluginError(f"{named(group, name)} cannot be made: {said(error)}{_misfit(factory, given)}") from error
    if not follows:
        lacking = [part for part in _parts(seam) if not hasattr(made, part)]
        what = "a class" if isinstance(made, type) else f"a {type(made).__name__}"
        lacks = f" without {', '.join(lacking)}" if lacking else ""
        raise PluginError(f"{named(group, name)} makes {what}{lacks}, which is no {seam.__name__}")
    if odd:
        raise PluginError(f"{named(group, name)} makes a {type(made).__name__} whose {' and '.join(odd)} is no text")
    return made


def failed(group: str, name: str, error: BaseException) -> str:
    """Return the message about a plug-in that failed in use: its name and its error."""
    return f"{named(group, name)} failed: {said(error)}"


def named(group: str, name: str) -> str:
    """Return which plug-in it is, where it points and whose it is, in words."""
    point = installed(group).get(name)
    if point is None:
        return f"the {group} plug-in {name!r}"
    package = f", of the package {point.dist.name}" if point.dist is not None else ""
    return f"the {group} plug-in {name!r} ({point.value}{package})"


def _parts(seam: type[Any]) -> list[str]:
    return sorted(part for part in {*vars(seam), *getattr(seam, "__annotations__", {})} if not part.startswith("_"))


def _texts(seam: type[Any]) -> list[str]:
    """Return the names of the seam's properties that are texts."""
    getters = {part: getattr(vars(seam).get(part), "fget", None) for part in _parts(seam)}
    said = {part: getattr(getter, "__annotations__", {}).get("return") for part, getter in getters.items()}
    return [part for part, kind in said.items() if kind in ("str", str)]


def said(error: BaseException) -> str:
    """Return the kind of a plug-in's error and its words: at most `MOST_WORDS` of them, as valid text. Of a failed
    validation, its first complaint."""
    name = type(error).__name__
    try:
        words = f"{error.title}: {first_fault(error)}" if isinstance(error, ValidationError) else str(error)
    except Exception:  # noqa: BLE001 (an error of a stranger that cannot even be put into words)
        return name
    if len(words) > MOST_WORDS:
        words = f"{words[:MOST_WORDS]}…"
    words = " ".join(words.encode("utf-8", "replace").decode().split())
    return f"{name}: {words}" if words else name


async def contained(answer: Awaitable[T], what: str) -> T:
    """Await a plug-in's answer, with what it prints on standard error. `what` failed, in words.

    Raises `Unavailable` where the plug-in ends more than its answer: by `SystemExit`, or a cancellation that its asker
    did not want. A cancellation of the asker and Ctrl-C go through.
    """
    try:
        with printing_aside():
            return await answer
    except (Exception, KeyboardInterrupt, GeneratorExit):  # the last: the asker is closed
        raise
    except asyncio.CancelledError as problem:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise Unavailable(f"{what}: CancelledError: it was cancelled, not by its asker") from problem
    except BaseException as problem:  # a stranger's code may raise anything
        raise Unavailable(f"{what}: {said(problem)}") from problem
