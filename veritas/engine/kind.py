"""Kinds of runs: each product's stages, their folder, the texts of its messages, and older JSON formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from veritas.claims.graph import Call
from veritas.errors import InputError, StoreTooNew
from veritas.store.stage_record import StoredStage

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""A function that turns a stage's output (JSON values) of one version into the next. Once released it is never
changed."""


@dataclass(frozen=True)
class Kind:
    """A kind of run. `resume` and `replay` are the commands in its messages, with `{run}` and `{stage}` to be filled
    in; `rests_on` says in words what a stage's output depends on."""

    name: str
    stages: tuple[str, ...]
    resume: str
    replay: str
    rests_on: str
    folder: str = ""
    """The folder of its runs below `VERITAS_HOME`."""
    reports: str = "reports"
    """Where a run's own folder of reports lies below `VERITAS_HOME`."""
    migrations: Mapping[str, Sequence[Migration]] = field(default_factory=dict)
    """Migrations by stage: the n-th makes version n + 1 of version n."""

    def home(self, home: Path) -> Path:
        """Return the home folder of its runs."""
        return home / self.folder

    def check(self, stage: str) -> str:
        """Return the stage. Raises `InputError` when there is none of that name."""
        if stage not in self.stages:
            raise InputError(f"there is no stage {stage!r}; the stages are: {', '.join(self.stages)}")
        return stage

    def before(self, stage: str) -> tuple[str, ...]:
        """Return the stages before one."""
        return self.stages[: self.stages.index(stage)]

    def version(self, stage: str) -> int:
        """Return the version in which a stage's output is written today."""
        return len(self.migrations.get(stage, ())) + 1

    def document(self, stage: str, output: Any, calls: Sequence[Call]) -> dict[str, Any]:
        """Return the stored document of a stage: its output as JSON values, the version of its format, and its calls.
        """
        return {"version": self.version(stage), "output": output, "calls": [c.model_dump(mode="json") for c in calls]}

    def output(self, stage: str, document: Mapping[str, Any]) -> Any:
        """Return the output in the present format. Raises `StoreTooNew` for one of a newer VERITAS."""
        written, output = document.get("version", 1), document["output"]
        if written > self.version(stage):
            raise StoreTooNew(f"stage {stage} was stored by a newer VERITAS (form {written}). Upgrade VERITAS")
        for migration in self.migrations.get(stage, ())[written - 1 :]:
            output = migration(output)
        return output

    def stored(self, stage: str, stored: StoredStage | None) -> Any:
        """Return a stored stage's output in the present format; None if it is not stored."""
        return None if stored is None else self.output(stage, stored.value())
