"""The numbers behind a node's metrics, from `policies/paper_verification.yaml`."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator

from veritas.claims.sources import Tier
from veritas.frozen import Frozen
from veritas.scoring.scorer_policy import RoleName
from veritas.settings import policy_file

MetricName = Literal[
    "credibility", "relevance", "evidence_strength", "method_rigor", "reproducibility", "citation_support"
]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]


class Reading(Frozen):
    """Limits on the reading for one node."""

    providers: int = Field(default=3, ge=0, le=20)
    hits: int = Field(default=5, ge=1, le=50)
    documents: int = Field(default=4, ge=0, le=50)
    references: int = Field(default=80, ge=0, le=1000)
    texts: int = Field(default=12, ge=0, le=200)
    evidence: int = Field(default=5, ge=1, le=50)


class Tiers(Frozen):
    """Worth of a source's tier as a witness."""

    one: Share = Field(alias="1")
    two: Share = Field(alias="2")
    three: Share = Field(alias="3")
    four: Share = Field(alias="4")
    wikipedia: Share

    def worth(self, tier: Tier | None) -> float:
        """Return the worth, 0 to 1; a source without a tier has that of tier 4."""
        named = {1: self.one, 2: self.two, 3: self.three, 4: self.four, "wikipedia": self.wikipedia}
        return named[tier] if tier is not None else self.four


class Strength(Frozen):
    """Shares of evidence strength earned inside the paper."""

    figures: Share
    table: Share
    own: Share


class CitationWorth(Frozen):
    """Worth of a cited work for the statement it is cited for."""

    says_it: Share
    exists: Share
    silent: Share
    minor: Share
    misattributed: Share
    gone: Share
    refutes: Share
    uncited: Share | None = None
    """Without effect, in files of before."""


class Signal(Frozen):
    """Words that indicate rigor or reproducibility, and their worth."""

    name: str = Field(min_length=1)
    worth: Share
    words: str = Field(min_length=1, max_length=600)
    anywhere: bool = False

    @field_validator("words")
    @classmethod
    def _compiles(cls, words: str) -> str:
        try:
            re.compile(words)
        except re.error as error:
            raise ValueError(f"this is no regular expression: {error}") from error
        return words


class Signals(Frozen):
    """The signals of the two metrics that are taken from the paper's own words."""

    method_rigor: tuple[Signal, ...]
    reproducibility: tuple[Signal, ...]


class VerificationPolicy(Frozen):
    """The verification policy, the whole file."""

    reading: Reading = Reading()
    tiers: Tiers
    own_support: Share
    own_refutes_from: Share
    about: Share
    strength: Strength
    citations: CitationWorth
    applies: dict[RoleName, tuple[MetricName, ...]]
    signals: Signals


def load_verification_policy(path: Path | None = None) -> VerificationPolicy:
    """Return the policy of a file, by default of the policies folder. Raises `PolicyError` with file, line and key."""
    return _read(path or policy_file("paper_verification.yaml"))


@lru_cache(maxsize=8)
def _read(path: Path) -> VerificationPolicy:
    from veritas.policy.yaml_file import read_yaml_model

    return read_yaml_model(path, VerificationPolicy)
