"""The bodies of requests to the interface."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from veritas.claims.graph import StageName
from veritas.server.roots import corpus_paths, path_below
from veritas.server.settings import Settings

Tier = Literal["quick", "standard", "deep"]
CouncilName = Field(
    default=None, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$",
    description="The name of a ready council; without one the first that can sit.",
)  # fmt: skip
"""A council by its name: a file that a caller names is not read."""

Preflight = Field(
    default=True, description="Ask the models first whether they answer; a run in which none can is not begun."
)


class Form(BaseModel):
    """A request; an unknown field is an error."""

    model_config = ConfigDict(extra="forbid", str_max_length=100_000)


class Limits(Form):
    """The limits of a run: US dollars, calls, and seconds of waiting for answers."""

    usd: float | None = Field(default=None, ge=0, allow_inf_nan=False, description="US dollars.")
    calls: int | None = Field(default=None, ge=1, le=1_000_000_000, description="Calls of models.")
    seconds: float | None = Field(
        default=None, gt=0, allow_inf_nan=False, description="Seconds to wait for answers of models."
    )


class QuestionForm(Form):
    """A question, and how it is to be answered.

    `corpus` are documents: a folder or file below a configured folder (by the folder's name and the path in it), an
    upload (`upload:ID`), or an installed package (`package:NAME`). `policy` is a file of source tiers below such a
    folder; `council` the name of a ready council. Without a corpus the web is searched, with `web` both.
    """

    question: str = Field(
        min_length=1, max_length=10_000, description="One question, in plain words.",
        examples=["Does Prefect retry failed tasks?"],
    )  # fmt: skip
    corpus: list[str] = Field(
        default_factory=list, max_length=50,
        description="Documents: FOLDER/PATH below a configured folder, upload:ID, or package:NAME. Without any the web "
        "is searched.",
    )  # fmt: skip
    web: bool = Field(default=False, description="Search the web beside the corpus.")
    tier: Tier = Field(default="standard", description="The depth: how much is searched, contested and judged.")
    council: str | None = CouncilName
    policy: str | None = Field(default=None, description="A file of source tiers below a configured folder.")
    budget: Limits | None = Field(default=None, description="The most that the run may take; without it no limit.")
    since: date | None = Field(default=None, description="Only sources dated on or after this day.")

    def given(self, settings: Settings) -> dict[str, Any]:
        """Return the parameters of a run, with the paths of its documents. Raises `CorpusError`."""
        return {
            "corpus": corpus_paths(self.corpus, settings), "web": self.web, "tier": self.tier, "council": self.council,
            "policy": path_below(self.policy, settings) if self.policy is not None else None,
            "budget": self.budget.model_dump() if self.budget is not None else None, "since": self.since,
        }  # fmt: skip


class RunForm(QuestionForm):
    """A run: a question, how it is to be answered, and the seed of what is left to chance."""

    seed: int = Field(default=0, ge=0, le=2**63 - 1, description="Seed of what is left to chance.")
    preflight: bool = Preflight

    def given(self, settings: Settings) -> dict[str, Any]:
        """Return the parameters of a run, with the paths of its documents. Raises `CorpusError`."""
        return {**super().given(settings), "seed": self.seed}


class ReplayForm(Form):
    """A replay: the first stage to repeat, and the changed settings."""

    from_stage: StageName = Field(description="First stage that is done again; those before are taken from the run.")
    tier: Tier | None = Field(default=None, description="The depth; without it as it was.")
    council: str | None = CouncilName
    policy: str | None = Field(default=None, description="A file of source tiers below a configured folder.")
    budget: Limits | None = Field(default=None, description="The most that the replay may take.")
    seed: int | None = Field(default=None, ge=0, le=2**63 - 1, description="Seed of what is left to chance.")
    preflight: bool = Preflight

    def changes(self, settings: Settings) -> dict[str, Any]:
        """Return the settings that replace those of the earlier run. Raises `CorpusError`."""
        named = self.model_dump(exclude={"from_stage", "preflight", "budget", "policy"}, exclude_none=True)
        if self.budget is not None:
            named["budget"] = self.budget.model_dump(exclude_none=True)
        if self.policy is not None:
            named["policy"] = str(path_below(self.policy, settings))
        return named


class ResumeForm(Form):
    """The limits under which a run is resumed."""

    preflight: bool = Preflight
