"""The gate's halt table and its rules of combination, read from `policies/gate.yaml` (verification-gate spec)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    SerializerFunctionWrapHandler,
    ValidationInfo,
    field_validator,
    model_serializer,
)

from veritas import plugins
from veritas.errors import InputError
from veritas.frozen import Frozen
from veritas.policy.yaml_file import read_yaml_model
from veritas.settings import policy_file

FindingKind = Literal["research-claim", "answer-sentence", "citation", "paper-node", "review-sentence"]
Condition = Literal[
    "fabricated", "misattributed", "second-look", "cannot-confirm",
    "supports", "refutes", "silent", "disagreement", "unavailable", "no-different-family", "differs", "doubtful",
]  # fmt: skip
"""The rows of the table. `second-look` is a finding whose attribution was corrected, and that is still not clean;
`differs` and `doubtful` are findings that the lenses support and the judge behind them does not."""
Measure = Literal["admit", "drop", "correct-and-verify-once", "leave-out", "leave-out-and-ask", "halt"]

_KEPT_OUT: tuple[Measure, ...] = ("drop", "leave-out", "leave-out-and-ask")
_UNKNOWN = "an outage is never read as fine, nor as a fabrication: what was not checked halts and waits for a person"
_ALLOWED: dict[Condition, tuple[tuple[Measure, ...], str]] = {
    "fabricated": (_KEPT_OUT, "a source that does not exist supports nothing"),
    "misattributed": (
        (*_KEPT_OUT, "correct-and-verify-once"),
        "a wrong attribution is corrected and verified once more, or keeps the finding out",
    ),
    "second-look": (_KEPT_OUT, "there is no third look: what is not clean after its correction stays out"),
    "cannot-confirm": (_KEPT_OUT, "what nobody confirmed is let through by a person alone"),
    "supports": (("admit", "leave-out-and-ask"), "a confirmed finding is admitted, or put before a person"),
    "refutes": (_KEPT_OUT, "what its own passage refutes is never let through"),
    "silent": (_KEPT_OUT, "what its passage does not say is let through by a person alone"),
    "disagreement": (_KEPT_OUT, "what the lenses do not agree on is unconfirmed"),
    "unavailable": (("halt",), _UNKNOWN),
    "no-different-family": (("halt",), f"nobody judges their own; {_UNKNOWN}"),
    "differs": (_KEPT_OUT, "what differs from its passage is not said by it, whoever calls it supported"),
    "doubtful": ((*_KEPT_OUT, "admit"), "what may differ from its passage is left out, or admitted with a badge"),
}


def _hyphened(name: str) -> str:
    return name.replace("_", "-")


class HaltTable(Frozen):
    """The action for a finding under each condition. A table that admits an unconfirmed finding cannot be constructed.
    """

    model_config = ConfigDict(alias_generator=_hyphened, populate_by_name=True)

    fabricated: Measure = "drop"
    misattributed: Measure = "correct-and-verify-once"
    second_look: Measure = "drop"
    cannot_confirm: Measure = "leave-out-and-ask"
    supports: Measure = "admit"
    refutes: Measure = "drop"
    silent: Measure = "leave-out-and-ask"
    disagreement: Measure = "drop"
    unavailable: Measure = "halt"
    no_different_family: Measure = "halt"
    differs: Measure = "drop"
    doubtful: Measure = "leave-out-and-ask"

    @field_validator("*", mode="after")
    @classmethod
    def _safe(cls, measure: Measure, info: ValidationInfo) -> Measure:
        allowed, why = _ALLOWED[_hyphened(info.field_name or "")]  # type: ignore[index]
        if measure not in allowed:
            raise ValueError(f"{measure} is not possible here ({why}); possible: {', '.join(allowed)}")
        return measure

    def measure(self, condition: Condition) -> Measure:
        """Return the table's action for a condition."""
        found: Measure = getattr(self, condition.replace("-", "_"))
        return found


class CombinationRule(Frozen):
    """A rule that combines the lenses' judgments of a finding into one; `policies/gate.yaml` explains every key."""

    combine: Literal["unanimity", "quorum", "weights"] = "unanimity"
    judges: Literal["verifiers", "peers", "anyone"] = "verifiers"
    lenses: int = Field(default=1, ge=1, le=20)
    families: int = Field(default=1, ge=1, le=20, validate_default=True)
    oracle: bool = True
    needed: int | None = Field(default=None, ge=1, validate_default=True)
    weights: dict[str, float] = Field(default_factory=dict, validate_default=True)
    threshold: float | None = Field(default=None, validate_default=True)

    @property
    def voices(self) -> int:
        """Number of voices: the lenses, and the oracle where it counts as one."""
        return self.lenses + self.oracle

    def weight(self, *names: str) -> float:
        """Return the weight of the first of the names (lens, family) that has one; otherwise 1."""
        return next((self.weights[name] for name in names if name in self.weights), 1.0)

    @field_validator("families")
    @classmethod
    def _enough_lenses(cls, families: int, info: ValidationInfo) -> int:
        lenses = info.data.get("lenses")
        if lenses is not None and families > lenses:
            raise ValueError(f"{lenses} lens(es) cannot be of {families} families")
        return families

    @field_validator("needed")
    @classmethod
    def _majority(cls, needed: int | None, info: ValidationInfo) -> int | None:
        said = info.data
        if said.get("combine") != "quorum":
            if needed is not None:
                raise ValueError("it belongs to combine: quorum alone")
            return needed
        lenses, oracle = said.get("lenses", 1), bool(said.get("oracle", True))
        if needed is None:
            raise ValueError("combine: quorum takes needed, how many voices must say the same")
        if needed > lenses + oracle:
            raise ValueError(f"there are {lenses + oracle} voices in all")
        if 2 * (needed - oracle) <= lenses:
            counted = f" beside the oracle's, {needed - 1}" if oracle else ""
            raise ValueError(
                f"{needed}{counted} of {lenses} lens(es) is no majority: the others could say the opposite, and an "
                f"unconfirmed finding would pass; at least {lenses // 2 + 1 + oracle} are needed"
            )
        return needed

    @field_validator("weights")
    @classmethod
    def _weights(cls, weights: dict[str, float], info: ValidationInfo) -> dict[str, float]:
        if weights and info.data.get("combine") != "weights":
            raise ValueError("it belongs to combine: weights alone")
        for name, weight in weights.items():
            if not 0 < weight <= 1000:
                raise ValueError(f"the weight of {name} is {weight}: a number above 0, up to 1000")
        return weights

    @field_validator("threshold")
    @classmethod
    def _threshold(cls, threshold: float | None, info: ValidationInfo) -> float | None:
        if info.data.get("combine") != "weights":
            if threshold is not None:
                raise ValueError("it belongs to combine: weights alone")
            return threshold
        if threshold is None:
            raise ValueError("combine: weights takes threshold, the share of the weight that must say the same")
        if not 0.5 < threshold <= 1:
            raise ValueError(f"{threshold} is no majority: a share above 0.5, up to 1")
        return threshold


class FloorRule(Frozen):
    """The floor behind the lenses' `supports` (`veritas.judging.floor`): the probability of `refutes` from which a
    finding differs from its passage, and the probabilities of `supports` below which it is in doubt, for lenses of one
    family and of several."""

    refuse: float = Field(default=0.5, gt=0, le=1)
    alone: float = Field(default=0.5, ge=0, le=1)
    agreed: float = Field(default=0.05, ge=0, le=1)


class GatePolicy(Frozen):
    """The whole of `gate.yaml`. `seconds` is the time limit for one answer of an oracle, `lens_seconds` for one of a
    lens without limits of its own."""

    table: HaltTable = HaltTable()
    rules: dict[str, CombinationRule] = Field(min_length=1)
    uses: dict[FindingKind, str] = Field(default_factory=dict)
    one_family: dict[FindingKind, str] = Field(default_factory=dict)
    """The rules for a council without a language model of another family than the author's, where the rule of `uses`
    has no panel."""
    floor: FloorRule = FloorRule()
    oracles: dict[FindingKind, tuple[str, ...]] = Field(default_factory=dict)
    """Oracles that are asked about a kind of finding after its own, by their names as plug-ins."""
    seconds: float = Field(default=600.0, gt=0, le=86_400)
    lens_seconds: float = Field(default=60.0, gt=0, le=86_400)
    together: int = Field(default=1, ge=1, le=20)
    """Most claims that a model judges in one call."""

    @model_serializer(mode="wrap")
    def _as_before(self, dumped: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the policy without the oracles if there are none, as in stored runs, whose inputs are compared with
        it."""
        values: dict[str, Any] = dumped(self)
        return values if self.oracles else {name: value for name, value in values.items() if name != "oracles"}

    @field_validator("oracles")
    @classmethod
    def _installed(cls, oracles: dict[FindingKind, tuple[str, ...]]) -> dict[FindingKind, tuple[str, ...]]:
        there = plugins.installed("oracle")
        for kind, names in oracles.items():
            for name in names:
                if name not in there:
                    raise ValueError(f"{kind} names {name}, and there is no such oracle: {', '.join(sorted(there))}")
        return oracles

    @field_validator("uses", "one_family")
    @classmethod
    def _known(cls, uses: dict[FindingKind, str], info: ValidationInfo) -> dict[FindingKind, str]:
        rules: dict[str, Any] = info.data.get("rules", {})
        for kind, name in uses.items():
            if rules and name not in rules:
                raise ValueError(f"{kind} names {name}, and there is no such rule: {', '.join(rules)}")
        return uses

    def rule(self, name: str) -> CombinationRule:
        """Return the rule of that name. Raises `InputError` where there is none."""
        if name not in self.rules:
            raise InputError(f"gate.yaml has no rule {name!r}; it has: {', '.join(self.rules)}")
        return self.rules[name]

    def rule_for(self, kind: FindingKind) -> str:
        """Return the name of the rule for a kind of finding. Raises `InputError` where the file names none."""
        if kind not in self.uses:
            raise InputError(f"gate.yaml names no rule for {kind}: add it under uses, or name a rule")
        return self.uses[kind]


def load_gate_policy(path: Path | None = None) -> GatePolicy:
    """Return the policy in `path`, by default `gate.yaml` of the policies folder. Raises `PolicyError` naming file,
    line and key."""
    return _load(path or policy_file("gate.yaml"))


@lru_cache(maxsize=8)
def _load(path: Path) -> GatePolicy:
    return read_yaml_model(path, GatePolicy)
