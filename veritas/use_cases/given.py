"""Checks of the arguments that a program gives the public face."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas.policy.cost_tiers import Budget

Paths = str | Path | Iterable[str | Path]
"""A folder or file, or several."""


def given_paths(paths: Paths, name: str = "corpus") -> list[str]:
    """Return the paths as text, one or several. Raises `InputError` for an empty path and for what is no path."""
    several = [paths] if isinstance(paths, str | Path) else paths
    if isinstance(several, bytes) or not isinstance(several, Iterable):
        raise InputError(f"{name} is {_what(paths)}: give a path, or a list of paths")
    listed = list(several)
    for path in listed:
        if not isinstance(path, str | Path):
            raise InputError(f"{name} holds something of type {type(path).__name__}: give a path, or a list of paths")
        if not str(path).strip():
            raise InputError(f'{name} is an empty path: the folder you stand in is "."')
    return [str(path) for path in listed]


def given_text(text: str, name: str) -> str:
    """Return a text. Raises `InputError` for what is none."""
    if isinstance(text, str):
        return text
    of_run = getattr(getattr(text, "run", None), "run_id", None)
    hint = f"; the id of this one is {of_run!r}" if of_run else ""
    raise InputError(f"{name} is {_what(text)}: give a text{hint}")


def given_budget(budget: float | Budget | None) -> Budget | None:
    """Return the budget, of which a number is US dollars. Raises `InputError` for what is none."""
    from veritas.policy.cost_tiers import Budget

    if budget is None or isinstance(budget, Budget):
        return budget
    if isinstance(budget, bool) or not isinstance(budget, int | float) or not budget >= 0:
        raise InputError(f"budget is {budget!r:.40}: give US dollars, 0 or more, or a veritas.Budget")
    return Budget(usd=budget)


def _what(given: Any) -> str:
    return "None" if given is None else f"of type {type(given).__name__}"
