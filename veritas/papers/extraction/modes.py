"""Analysis modes: the further roles of a kind of document, and the preferences of an extractor for it."""

from __future__ import annotations

import re
from pathlib import Path

from pydantic import Field, field_validator

from veritas.documents.paper_parts import SectionName
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.papers.extraction._linking import DEFINITIONS
from veritas.policy.yaml_file import YamlFile, read_yaml
from veritas.scoring.roles import ROLES, role_number
from veritas.scoring.scorer_policy import RoleName
from veritas.settings import policy_file, policy_files

DEFAULT_MODE = "academic"


class ModeRole(Frozen):
    """A role beside the ten: its definition, the one of the ten that the scorer uses for it, and for the embedded
    extractor its cues (regular expressions, any case) and its sections."""

    base: RoleName
    definition: str = Field(min_length=1)
    cues: tuple[str, ...] = ()
    sections: tuple[SectionName, ...] = ()

    @field_validator("cues")
    @classmethod
    def _compiles(cls, cues: tuple[str, ...]) -> tuple[str, ...]:
        for cue in cues:
            try:
                re.compile(cue)
            except re.error as error:
                raise ValueError(f"{cue!r} is no regular expression: {error}") from error
            if len(cue) > 300:
                raise ValueError("a cue is a few words, not more than 300 characters")
        return cues


class ModeFile(Frozen):
    """A file of `policies/modes/`. With `extends`, it inherits what it does not set itself from another mode."""

    extends: str | None = None
    description: str = ""
    instructions: tuple[str, ...] = ()
    roles: dict[str, ModeRole] = Field(default_factory=dict)
    wanted: dict[RoleName, int] = Field(default_factory=dict)
    """Number of nodes of each of the ten roles that the embedded extractor looks for in a graph of sixteen."""

    @field_validator("wanted")
    @classmethod
    def _some(cls, wanted: dict[str, int]) -> dict[str, int]:
        if any(not 0 <= count <= 100 for count in wanted.values()):
            raise ValueError("between 0 and 100 nodes of a role")
        return wanted


class Mode(Frozen):
    """A mode with everything that it inherits."""

    name: str
    description: str
    instructions: tuple[str, ...]
    roles: dict[str, ModeRole]
    wanted: dict[str, int]

    @property
    def names(self) -> tuple[str, ...]:
        """Every role that a node may have: the ten, then the mode's own."""
        return (*ROLES, *self.roles)

    def base(self, role: str) -> str | None:
        """Return the one of the ten that a role counts as, in any case and by its aliases; None for an unknown role."""
        number = role_number(role)
        if number is not None:
            return ROLES[number]
        own = self.named(role)
        return self.roles[own].base if own is not None else None

    def named(self, role: str) -> str | None:
        """Return a role as this mode spells it; None for an unknown role."""
        number = role_number(role)
        if number is not None:
            return ROLES[number]
        return next((name for name in self.roles if _plain(name) == _plain(role)), None)

    def definitions(self) -> dict[str, str]:
        """Return the definition of every role."""
        own = {name: f"{role.definition} (a kind of {role.base})" for name, role in self.roles.items()}
        return {**DEFINITIONS, **own}


def mode_names() -> tuple[str, ...]:
    """Return the names of the modes of the policies folder."""
    return tuple(path.stem for path in policy_files("modes"))


def load_mode(named: str | Path = DEFAULT_MODE) -> Mode:
    """Return a mode by its name or file. Raises `PolicyError` with file, line and key; `InputError` if unknown."""
    return _read(_file(named, Path.cwd()), ())


def _file(named: str | Path, beside: Path) -> Path:
    text = str(named)
    if re.fullmatch(r"[\w-]+", text):
        ready = policy_file(f"modes/{text}.yaml")
        near = beside / f"{text}.yaml"
        if near.is_file() and (beside != Path.cwd() or not ready.is_file()):
            return near.resolve()
        if ready.is_file():
            return ready.resolve()
    path = Path(text).expanduser()
    if path.suffix in (".yaml", ".yml") and path.is_file():
        return path.resolve()
    raise InputError(f"there is no mode {text!r}: name one of {', '.join(mode_names())}, or a YAML file of your own")


def _read(path: Path, above: tuple[Path, ...]) -> Mode:
    file = read_yaml(path)
    said = file.to_model(ModeFile)
    if said.extends is not None:
        try:
            base_file = _file(said.extends, path.parent)
        except InputError as error:
            raise file.error(("extends",), str(error)) from error
        if base_file == path or base_file in above:
            raise file.error(("extends",), f"{said.extends} extends this one in its turn")
        base = _read(base_file, (*above, path))
    else:
        base = Mode(name="", description="", instructions=(), roles={}, wanted={})
    for name in said.roles:
        _check_name(name, file)
    return Mode(
        name=path.stem,
        description=said.description or base.description,
        instructions=(*base.instructions, *said.instructions),
        roles={**base.roles, **said.roles},
        wanted={**base.wanted, **said.wanted},
    )


def _check_name(name: str, file: YamlFile) -> None:
    if role_number(name) is not None:
        raise file.error(("roles", name), f"{name} is one of the ten roles already")
    if not re.fullmatch(r"[A-Z][\w-]*(?: [\w-]+){0,3}", name):
        raise file.error(("roles", name), "a role's name is one to four words, the first with a capital letter")


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()
