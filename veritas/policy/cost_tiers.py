"""Cost tiers and the budget: the size of a run, and the order in which it is reduced (section IX)."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.council_policy import Price
from veritas.policy.yaml_file import read_yaml_model
from veritas.settings import policy_file

Step = Literal["providers", "members", "rounds"]

UNKNOWN_MODEL = Price(input=15.0, output=75.0)
"""US dollars for a million tokens at which a budget counts a model of unknown price: the cost of the dearest of the
usual ones. `price:` in the council's file takes precedence."""
UNKNOWN_SEARCH = 0.02
"""US dollars at which a budget counts a search of unknown price; `price:` in `providers.yaml` takes precedence."""


class CostTier(Frozen):
    """The numbers of a tier; each is documented in `policies/cost_tiers.yaml`."""

    rounds: int = Field(ge=1, le=3)
    providers_per_member: int = Field(ge=1, le=10)
    verifier: str = Field(min_length=1)
    """A rule of `gate.yaml`."""
    hits_per_search: int = Field(default=10, ge=1, le=100)
    sources_per_search: int = Field(default=5, ge=1, le=50)
    passages_per_source: int = Field(default=4, ge=1, le=50)
    claims_per_turn: int = Field(default=5, ge=1, le=50)


class CostTiers(Frozen):
    """The whole of `cost_tiers.yaml`."""

    tiers: dict[str, CostTier]
    degrade: tuple[Step, ...] = ("providers", "members", "rounds")

    @model_validator(mode="after")
    def _complete(self) -> CostTiers:
        missing = {"quick", "standard", "deep"} - set(self.tiers)
        if missing:
            raise ValueError(f"tiers lacks {', '.join(sorted(missing))}")
        if len(set(self.degrade)) != len(self.degrade):
            raise ValueError("degrade names a step twice")
        return self

    def tier(self, name: str) -> CostTier:
        """Return the tier of that name. Raises `InputError` when there is none."""
        if name not in self.tiers:
            raise InputError(f"there is no cost tier {name!r}; there are: {', '.join(self.tiers)}")
        return self.tiers[name]


class Budget(Frozen):
    """The most a run may spend, each None for no limit: US dollars, calls (turns of members and lenses, and
    searches), seconds of wall time."""

    usd: float | None = Field(
        default=None, ge=0, title="US dollars", description="The most it may cost. Empty for no limit."
    )
    calls: int | None = Field(
        default=None, ge=1, description="The most turns of members and judges, and searches. Empty for no limit."
    )
    seconds: float | None = Field(
        default=None, gt=0, description="The longest it may take, in seconds. Empty for no limit."
    )


class Cut(Frozen):
    """A reduction of the plan to fit the budget, and the reason."""

    step: Step
    reason: str


class Plan(Frozen):
    """The size of a run: the tier's numbers, less the reductions."""

    providers_per_member: int = Field(ge=1)
    members: int = Field(ge=1)
    rounds: int = Field(ge=1, le=3)
    cuts: tuple[Cut, ...] = ()

    def smaller(self, step: Step, reason: str) -> Plan | None:
        """Return the plan reduced by one step in that direction, or None if it is at its minimum."""
        if step == "providers" and self.providers_per_member > 1:
            change = {"providers_per_member": self.providers_per_member - 1}
            what = f"{self.providers_per_member - 1} search provider(s) a member instead of {self.providers_per_member}"
        elif step == "members" and self.members > 1:
            change = {"members": self.members - 1}
            what = f"{self.members - 1} member(s) instead of {self.members}"
        elif step == "rounds" and self.rounds > 1:
            change = {"rounds": self.rounds - 1}
            what = f"{self.rounds - 1} debate round(s) instead of {self.rounds}"
        else:
            return None
        cut = Cut(step=step, reason=f"{what}: {reason}")
        return self.model_copy(update={**change, "cuts": (*self.cuts, cut)})


def load_cost_tiers(path: Path | None = None) -> CostTiers:
    """Read `cost_tiers.yaml` (default: the policies folder's). Raises `PolicyError` naming file, line and key."""
    return read_yaml_model(path or policy_file("cost_tiers.yaml"), CostTiers)
