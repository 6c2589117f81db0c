"""Who sits in the council, as the policy file says it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field, model_validator

from veritas.frozen import Frozen
from veritas.policy.yaml_file import read_yaml_model
from veritas.settings import policies_folder


class MemberPolicy(Frozen):
    """A seat: its name in the graph, the plug-in that speaks, and the lens it judges peers with."""

    name: str = Field(min_length=1, pattern=r"^[\w.:@/-]+$")
    member: str
    judge: str


class CouncilPolicy(Frozen):
    """The whole of `council.yaml`."""

    members: tuple[MemberPolicy, ...] = Field(min_length=1)
    verifiers: tuple[str, ...] = Field(min_length=1)
    writer: str

    @model_validator(mode="after")
    def _consistent(self) -> CouncilPolicy:
        names = [m.name for m in self.members]
        twice = {n for n in names if names.count(n) > 1}
        if twice:
            raise ValueError(f"two members are called {', '.join(sorted(twice))}")
        if self.writer not in names:
            raise ValueError(f"the writer {self.writer!r} is not one of the members: {', '.join(names)}")
        return self


def load_council_policy(path: Path | None = None) -> CouncilPolicy:
    """Reads `council.yaml` (default: the policies folder's). Raises `PolicyError` naming file, line and key."""
    return read_yaml_model(path or policies_folder() / "council.yaml", CouncilPolicy)
