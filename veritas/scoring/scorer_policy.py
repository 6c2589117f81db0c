"""The model of `policies/scorer.yaml`: the values that a person may write there."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from veritas.frozen import Frozen

RoleName = Literal[
    "Assumption", "Claim", "Conclusion", "Context", "Counterevidence",
    "Evidence", "Hypothesis", "Limitation", "Method", "Result",
]
AggName = Literal["min", "mean", "softmin", "dampmin"]
# A billion is far beyond any use, and keeps sums and products of weights far from overflow.
Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e9, le=1e9)]
Weight = Annotated[float, Field(allow_inf_nan=False, ge=0, le=1e9)]
Share = Annotated[float, Field(allow_inf_nan=False, ge=0, le=1)]


class MetricWeights(Frozen):
    """A factor on each metric (formula 2)."""

    credibility: Weight = 1.0
    relevance: Weight = 1.0
    evidence_strength: Weight = 1.0
    method_rigor: Weight = 1.0
    reproducibility: Weight = 1.0
    citation_support: Weight = 1.0


class MetricMix(Frozen):
    """Proportions of the metrics in a mix (formulas 3 and 6); a metric that is not named does not count."""

    credibility: Finite = 0.0
    relevance: Finite = 0.0
    evidence_strength: Finite = 0.0
    method_rigor: Finite = 0.0
    reproducibility: Finite = 0.0
    citation_support: Finite = 0.0


class EdgeWeights(Frozen):
    """Weights of the parts of a raw confidence (formula 4)."""

    role_prior: Finite = 0.30
    parent_quality: Finite = 0.20
    child_quality: Finite = 0.20
    alignment: Finite = 0.10
    synergy: Finite = 0.20


class RolePriors(Frozen):
    """Priors by parent role, then child role; `default` for pairs that are not named."""

    default: Share = 0.5
    pairs: dict[RoleName, dict[RoleName, Share]] = Field(default_factory=dict)


class Synergy(Frozen):
    """The metric mixes of one pair of roles."""

    parent: RoleName
    child: RoleName
    parent_mix: MetricMix
    child_mix: MetricMix


class Propagation(Frozen):
    """Constants of formulas 7 to 10. Values out of range are clamped when used, as the paper says of alpha."""

    enabled: bool = True
    agg: AggName = "min"
    alpha: Finite = 1.0
    eta: Finite = 2 ** (-1 / 8)
    softmin_beta: Finite = 6.0
    dampmin_lambda: Finite = 0.35
    trust_floor: Share = 1e-6
    default_raw_conf: Share = 0.5


class GraphWeights(Frozen):
    """Weights of the components (formula 12)."""

    bridge_coverage: Finite = 0.25
    best_path: Finite = 0.25
    redundancy: Finite = 0.15
    fragility: Finite = -0.15
    coherence: Finite = 0.10
    coverage: Finite = 0.10


class ComponentLimits(Frozen):
    """Constants of the components."""

    unscored_confidence: Share = 0.5
    redundancy_full: Annotated[int, Field(ge=1)] = 3
    least_capacity: Annotated[float, Field(gt=0, le=1)] = 1e-6
    coherent_from: Share = 0.5


class Normalisation(Frozen):
    """The small constants of formulas 13 and 14."""

    least_span: Annotated[float, Field(gt=0, lt=1)] = 1e-9
    margin: Annotated[float, Field(ge=0, lt=0.5)] = 1e-9


class VeritasRules(Frozen):
    """Constants that only the rule set `veritas` reads."""

    contradiction: Share = 1.0


class ScorerPolicy(Frozen):
    """The scorer policy, the whole file."""

    metric_weights: MetricWeights = MetricWeights()
    node_quality: dict[RoleName, MetricMix] = Field(default_factory=dict)
    edge_weights: EdgeWeights = EdgeWeights()
    role_priors: RolePriors = RolePriors()
    synergy: tuple[Synergy, ...] = ()
    propagation: Propagation = Propagation()
    graph_weights: GraphWeights = GraphWeights()
    components: ComponentLimits = ComponentLimits()
    normalisation: Normalisation = Normalisation()
    veritas: VeritasRules = VeritasRules()

    @model_validator(mode="after")
    def _one_synergy_a_pair(self) -> ScorerPolicy:
        pairs = [(s.parent, s.child) for s in self.synergy]
        if len(set(pairs)) != len(pairs):
            raise ValueError("synergy names a pair of roles twice")
        return self
