"""Checklists of `policies/checklists/`: their items as published, and the signs that carry each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from pydantic import Field

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.papers.desk.signs import Sign, load_signs
from veritas.policy.yaml_file import read_yaml
from veritas.settings import policy_file, policy_files

DesignName = Literal[
    "randomised-trial", "observational", "systematic-review", "animal-study", "machine-learning", "software"
]
"""The designs that a checklist is chosen by."""


class Item(Frozen):
    """An item, with its published number and heading; `asks` is its requirement in this project's words.

    It is found if each sign of `found_by` is, and found in part if some are. An item without signs asks for judgement:
    a reader answers it.
    """

    id: str = Field(min_length=1, max_length=10)
    part: str
    heading: str = Field(min_length=1)
    asks: str = Field(min_length=1)
    found_by: tuple[str, ...] = ()
    applies_if: str = ""
    """The case in which the item applies, if not always: then its absence is no lack, and a reader decides."""
    elsewhere: str = ""
    """What is reviewed for the item beside the paper, such as the repository: the paper need not tell it."""


class Checklist(Frozen):
    """A checklist. `until` is the year from which another replaces it: papers before that year are put before it."""

    name: str = ""
    title: str = Field(min_length=1)
    about: str
    designs: tuple[DesignName, ...] = ()
    version: str
    until: int | None = None
    source: str
    licence: str
    items: tuple[Item, ...] = Field(min_length=1)


def checklist_names() -> tuple[str, ...]:
    """Return the names of the checklists of the policies folder."""
    return tuple(path.stem for path in policy_files("checklists"))


def load_checklist(named: str | Path, signs: Mapping[str, Sign] | None = None) -> Checklist:
    """Return a checklist by its name or file. Raises `PolicyError` with file, line and key for one that is wrong, such
    as with a sign that there is none of, and `InputError` for an unknown name."""
    file = read_yaml(_file(named))
    found = file.to_model(Checklist)
    known = load_signs() if signs is None else signs
    ids: set[str] = set()
    for number, item in enumerate(found.items):
        if item.id in ids:
            raise file.error(("items", number, "id"), f"item {item.id} stands there twice")
        ids.add(item.id)
        for sign in item.found_by:
            if sign not in known:
                raise file.error(("items", number, "found_by"), f"there is no sign {sign!r} in checklist_signs.yaml")
    return found.model_copy(update={"name": _file(named).stem})


def checklists_for(design: DesignName, year: int | None = None) -> tuple[str, ...]:
    """Return the names of the checklists for a design: of several versions, the one that was in force in `year`, or
    the newest if the year is unknown."""
    fitting = [each for name in checklist_names() if design in (each := load_checklist(name)).designs]
    old = [each for each in fitting if each.until is not None and year is not None and year < each.until]
    return tuple(each.name for each in old or [each for each in fitting if each.until is None])


def _file(named: str | Path) -> Path:
    text = str(named)
    if re.fullmatch(r"[\w.-]+", text) and not text.endswith((".yaml", ".yml")):
        ready = policy_file(f"checklists/{text}.yaml")
        if ready.is_file():
            return ready
    path = Path(text).expanduser()
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return path
    names = ", ".join(checklist_names())
    raise InputError(f"there is no checklist {text[:80]!r}: name one of {names}, or a YAML file of your own")
