"""The scorer's parameters as arrays: one setting, or many as a trailing axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from veritas.errors import InputError
from veritas.scoring.graph import Floats, Ints
from veritas.scoring.roles import METRICS, ROLE_NUMBER, ROLES
from veritas.settings import policy_file

if TYPE_CHECKING:
    from veritas.scoring.scorer_policy import MetricMix, ScorerPolicy

AGGREGATIONS: tuple[str, ...] = ("min", "mean", "softmin", "dampmin")
EDGE_FEATURES: tuple[str, ...] = ("role_prior", "parent_quality", "child_quality", "alignment", "synergy")
COMPONENTS: tuple[str, ...] = ("bridge_coverage", "best_path", "redundancy", "fragility", "coherence", "coverage")


@dataclass(frozen=True, eq=False)
class Parameters:
    """All numbers of `policies/scorer.yaml`.

    The shapes below are those of one setting. Any array may have one more axis at its end, of length K, and then the
    parameters are K settings; arrays without it are the same in all. `varied(...)` makes them.
    """

    metric_weights: Floats  # (6)
    role_weights: Floats  # (10, 6)
    edge_weights: Floats  # (5)
    priors: Floats  # (10, 10): parent, child
    synergy_parent: Floats  # (10, 10, 6)
    synergy_child: Floats  # (10, 10, 6)
    enabled: Floats  # (): 1 or 0
    agg: Ints  # (): index in AGGREGATIONS
    alpha: Floats  # ()
    eta: Floats  # ()
    softmin_beta: Floats  # ()
    dampmin_lambda: Floats  # ()
    graph_weights: Floats  # (6)
    trust_floor: float = 1e-6
    default_raw_conf: float = 0.5
    unscored_confidence: float = 0.5
    redundancy_full: int = 3
    least_capacity: float = 1e-6
    coherent_from: float = 0.5
    least_span: float = 1e-9
    margin: float = 1e-9
    contradiction: float = 1.0

    @cached_property
    def role_shares(self) -> Floats:
        """Node-quality mix of each role, (10, 6, K or 1), magnitudes summing to 1."""
        return _shares(self.role_weights if self.role_weights.ndim == 3 else self.role_weights[..., None])

    @cached_property
    def parent_shares(self) -> Floats:
        """Synergy mix of the parent by pair of roles, (100, 6, K or 1); the pair's number is 10 * parent + child."""
        return _shares(self.synergy_parent.reshape(len(ROLES) ** 2, len(METRICS), -1))

    @cached_property
    def child_shares(self) -> Floats:
        """Synergy mix of the child, in the form of `parent_shares`."""
        return _shares(self.synergy_child.reshape(len(ROLES) ** 2, len(METRICS), -1))

    @property
    def settings(self) -> int | None:
        """Number K of settings, or None for one setting without that axis."""
        lengths = {getattr(self, name).shape[-1] for name, axes in _AXES.items() if getattr(self, name).ndim > axes}
        if len(lengths) > 1:
            raise ValueError(f"the parameters disagree about the number of settings: {sorted(lengths)}")
        return lengths.pop() if lengths else None

    def varied(self, **arrays: Any) -> Parameters:
        """Return a copy with some parameters replaced: by one value, or by K with the settings as the last axis.

        `agg` may be a name or a sequence of names. Raises `ValueError` for a shape that does not fit.
        """
        if "agg" in arrays:
            arrays["agg"] = _agg_numbers(arrays["agg"])
        for name, value in arrays.items():
            axes = _AXES.get(name)
            if axes is None:
                continue
            dtype = np.intp if name == "agg" else np.float64
            array = np.asarray(value, dtype=dtype)
            expected = getattr(self, name).shape[:axes]
            if array.ndim not in (axes, axes + 1) or array.shape[:axes] != expected:
                raise ValueError(f"{name} has shape {array.shape}, not {expected} or that with the settings after it")
            arrays[name] = array
        made = replace(self, **arrays)
        _ = made.settings
        return made

    def columns(self, which: Ints) -> Parameters:
        """Return those of K settings numbered `which`, with repetition."""
        # `take` keeps the settings of one number side by side in memory; indexing with an array would not, and every
        # operation on a row of them would then step through the whole array.
        chosen: dict[str, Any] = {
            name: getattr(self, name).take(which, axis=-1)
            for name, axes in _AXES.items()
            if getattr(self, name).ndim > axes
        }
        return replace(self, **chosen) if chosen else self

    def changed(self, setting: Mapping[str, Any]) -> Parameters:
        """Return a copy with the changes of one setting in JSON: `propagation`, `metric_weights`, `edge_weights`,
        `graph_weights`, each an object that may name some of its keys. Raises `InputError` if it is malformed."""
        arrays: dict[str, Any] = {}
        groups = {"metric_weights": METRICS, "edge_weights": EDGE_FEATURES, "graph_weights": COMPONENTS}
        for group, names in groups.items():
            given = _numbers(setting.get(group), group, names)
            if given:
                values = getattr(self, group).copy()
                for name, value in given.items():
                    values[names.index(name)] = value
                arrays[group] = values
        propagation = setting.get("propagation")
        if propagation is not None:
            if not isinstance(propagation, dict):
                raise InputError("propagation is not an object")
            rest = dict(propagation)
            if "enabled" in rest:
                enabled = rest.pop("enabled")
                if not isinstance(enabled, bool):
                    raise InputError(f"propagation: enabled is {enabled!r}, neither true nor false")
                arrays["enabled"] = float(enabled)
            if "agg" in rest:
                arrays["agg"] = rest.pop("agg")
            scalars = ("alpha", "eta", "softmin_beta", "dampmin_lambda", "trust_floor", "default_raw_conf")
            arrays |= _numbers(rest, "propagation", scalars)
        return self.varied(**arrays)


_AXES: dict[str, int] = {
    "metric_weights": 1, "role_weights": 2, "edge_weights": 1, "priors": 2, "synergy_parent": 3, "synergy_child": 3,
    "enabled": 0, "agg": 0, "alpha": 0, "eta": 0, "softmin_beta": 0, "dampmin_lambda": 0, "graph_weights": 1,
}  # fmt: skip
"""The arrays that may have the settings as one more axis, with their number of axes without it."""


def stacked(settings: Sequence[Parameters]) -> Parameters:
    """Join K settings into one `Parameters`. Raises `ValueError` if constants without a settings axis differ."""
    first = settings[0]
    for field in fields(Parameters):
        if field.name not in _AXES and any(getattr(s, field.name) != getattr(first, field.name) for s in settings):
            raise ValueError(f"{field.name} differs between the settings, and cannot")
    arrays: dict[str, Any] = {}
    for name in _AXES:
        values = [getattr(s, name) for s in settings]
        # graph_weights have the axis in any case, so that K equal settings stay K; it costs nothing there
        same = name != "graph_weights" and all(np.array_equal(value, values[0]) for value in values)
        arrays[name] = values[0] if same else np.stack(values, axis=-1)
    return replace(first, **arrays)


def from_policy(policy: ScorerPolicy) -> Parameters:
    """Return the arrays of a policy file."""
    roles, metrics = len(ROLES), len(METRICS)
    role_weights = np.ones((roles, metrics))
    for role, mix in policy.node_quality.items():
        role_weights[ROLE_NUMBER[role]] = _row(mix)
    priors = np.full((roles, roles), policy.role_priors.default)
    for parent, children in policy.role_priors.pairs.items():
        for child, prior in children.items():
            priors[ROLE_NUMBER[parent], ROLE_NUMBER[child]] = prior
    synergy_parent, synergy_child = np.ones((roles, roles, metrics)), np.ones((roles, roles, metrics))
    for pair in policy.synergy:
        at = ROLE_NUMBER[pair.parent], ROLE_NUMBER[pair.child]
        synergy_parent[at], synergy_child[at] = _row(pair.parent_mix), _row(pair.child_mix)
    flow, limits = policy.propagation, policy.components
    return Parameters(
        metric_weights=np.array([getattr(policy.metric_weights, m) for m in METRICS]),
        role_weights=role_weights,
        edge_weights=np.array([getattr(policy.edge_weights, f) for f in EDGE_FEATURES]),
        priors=priors,
        synergy_parent=synergy_parent,
        synergy_child=synergy_child,
        enabled=np.array(float(flow.enabled)),
        agg=_agg_numbers(flow.agg),
        alpha=np.array(flow.alpha),
        eta=np.array(flow.eta),
        softmin_beta=np.array(flow.softmin_beta),
        dampmin_lambda=np.array(flow.dampmin_lambda),
        graph_weights=np.array([getattr(policy.graph_weights, c) for c in COMPONENTS]),
        trust_floor=flow.trust_floor,
        default_raw_conf=flow.default_raw_conf,
        unscored_confidence=limits.unscored_confidence,
        redundancy_full=limits.redundancy_full,
        least_capacity=limits.least_capacity,
        coherent_from=limits.coherent_from,
        least_span=policy.normalisation.least_span,
        margin=policy.normalisation.margin,
        contradiction=policy.veritas.contradiction,
    )


def read_parameters(path: Path | None = None) -> Parameters:
    """Return the parameters in a file, by default `scorer.yaml` of the policies folder. Raises `PolicyError`."""
    return _read(path or policy_file("scorer.yaml"))


@lru_cache(maxsize=8)
def _read(path: Path) -> Parameters:
    from veritas.policy.yaml_file import read_yaml_model
    from veritas.scoring.scorer_policy import ScorerPolicy

    return from_policy(read_yaml_model(path, ScorerPolicy))


def _shares(weights: Floats) -> Floats:
    """Divide weights by the sum of their magnitudes over the second axis, which counts as 1 where it is 0."""
    total = np.abs(weights).sum(axis=1, keepdims=True)
    total[total == 0.0] = 1.0
    shares: Floats = weights / total
    return shares


_SHARES = frozenset({"trust_floor", "default_raw_conf"})


def _row(mix: MetricMix) -> list[float]:
    return [getattr(mix, metric) for metric in METRICS]


def _agg_numbers(value: Any) -> Ints:
    try:
        if isinstance(value, str):
            return np.array(AGGREGATIONS.index(value), dtype=np.intp)
        if isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            return value.astype(np.intp)
        return np.array([AGGREGATIONS.index(name) for name in value], dtype=np.intp)
    except (ValueError, TypeError):
        raise InputError(f"agg is {value!r}, none of {', '.join(AGGREGATIONS)}") from None


def _numbers(given: Any, group: str, names: Sequence[str]) -> dict[str, float]:
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise InputError(f"{group} is not an object")
    for name, value in given.items():
        if name not in names:
            raise InputError(f"{group}: {name!r} is none of {', '.join(names)}")
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= 1e9:
            raise InputError(f"{group}: {name} is {str(value)[:40]}, not a number between -1e9 and 1e9")
        if name in _SHARES and not 0.0 <= value <= 1.0:
            raise InputError(f"{group}: {name} is {value!r}, not between 0 and 1")
    return {name: float(value) for name, value in given.items()}
