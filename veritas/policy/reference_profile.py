"""Profiles: which verdicts on a reference stop a pipeline, and which a venue calls a hallucinated reference."""

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
"""A verdict, `unconfirmed`, the field of a difference, or a field and the code of a difference (`authors:invented`)."""


class ReferenceProfile(Frozen):
    """A profile; examples are `policies/references/*.yaml`.

    `refuse` are verdicts that stop a pipeline, and `refuse_standing` a standing that does. With `refuse_unconfirmed`,
    so does a work with named authors that neither a registry nor its own page confirms: a web page or an entry of an
    unclear type, one with a page that says something else, and with `every_type` a book, thesis, report or program as
    well. With `pages`, the linked pages of such entries are read. `hallucinated` are the criteria of the venue;
    `slight` says whether a minor difference may be refused.
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

    Raises `InputError` for a name that is none, `PolicyError` for a file that cannot be read as a profile.
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
