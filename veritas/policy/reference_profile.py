"""Profiles of reference checking: which findings fail a check, and which a venue counts as a hallucinated reference."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.settings import policy_file, policy_files

FOLDER = "references"
DEFAULT = "lenient"

Refusable = Literal["fabricated", "misattributed", "retracted", "withdrawn", "minor", "cannot_confirm"]
Criterion = Annotated[str, Field(pattern=r"^[a-z_ ]{2,40}(:[a-z_]{2,40})?$")]
"""What a venue counts: a verdict, `unconfirmed`, a field that differs, or a field with the code of the difference
(`authors:invented`)."""


class ReferenceProfile(Frozen):
    """A profile, as in `policies/references/*.yaml`.

    A reference fails the check if its verdict is in `refuse` or its standing in `refuse_standing`. With
    `refuse_unconfirmed` it also fails if it names authors and neither a registry nor its linked page confirms it. This
    applies to web pages, entries of an unclear type and entries whose page says something else; `every_type` adds
    books, theses, reports and programs. `pages` reads the linked pages of such entries. `hallucinated` lists the
    criteria of the venue; `slight` applies them to minor differences too.
    """

    name: str = ""
    description: str = ""
    basis: str = ""
    refuse: tuple[Refusable, ...]
    refuse_standing: tuple[Literal["expression_of_concern", "corrected"], ...] = ()
    refuse_unconfirmed: bool = False
    every_type: bool = False
    pages: bool = False
    hallucinated: tuple[Criterion, ...] = ()
    slight: bool = False


def load_profile(name: str | Path | None = None) -> ReferenceProfile:
    """Return a profile by its name or from a file; `lenient` by default.

    Raises `InputError` for an unknown name, `PolicyError` for a file that is not a valid profile.
    """
    given = str(name or DEFAULT)
    if given.endswith((".yaml", ".yml")):
        path = Path(given)
    else:
        known = profile_names()
        if given not in known:
            raise InputError(f"there is no profile {given[:60]!r}: name a .yaml file, or one of {', '.join(known)}")
        path = policy_file(f"{FOLDER}/{given}.yaml")
    profile = _load(path)
    return profile if profile.name else profile.model_copy(update={"name": path.stem})


def profile_names() -> tuple[str, ...]:
    """Return the names of the profiles of the policies folder."""
    return tuple(path.stem for path in policy_files(FOLDER))


@lru_cache(maxsize=8)
def _load(path: Path) -> ReferenceProfile:
    from veritas.policy.yaml_file import read_yaml_model

    return read_yaml_model(path, ReferenceProfile)
