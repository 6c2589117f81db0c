"""The policy file of the scorer, and parameters as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.papers.paper_graphs import chain
from veritas import InputError, PolicyError
from veritas.scoring.batch import score_batch
from veritas.scoring.parameters import read_parameters, stacked
from veritas.scoring.score import score
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.settings import policy_file


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    text = policy_file("scorer.yaml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = folder / "scorer.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_file_says_what_the_papers_tables_say() -> None:
    parameters = read_parameters()
    assert parameters.edge_weights.tolist() == [0.3, 0.2, 0.2, 0.1, 0.2]
    assert parameters.graph_weights.tolist() == [0.25, 0.25, 0.15, -0.15, 0.1, 0.1]
    assert float(parameters.eta) == pytest.approx(2 ** (-1 / 8), abs=1e-15)
    assert np.count_nonzero(parameters.priors != 0.5) == 10
    assert parameters.role_weights.sum(axis=1) == pytest.approx(np.ones(10))


def test_every_parameter_of_the_file_is_also_a_default_or_named_there() -> None:
    import yaml

    given = yaml.safe_load(policy_file("scorer.yaml").read_text(encoding="utf-8"))
    assert set(given) == set(ScorerPolicy.model_fields)
    for group in (
        "metric_weights",
        "edge_weights",
        "propagation",
        "graph_weights",
        "components",
        "normalisation",
        "veritas",
    ):
        assert set(given[group]) == set(ScorerPolicy.model_fields[group].annotation.model_fields)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("agg: min ", "agg: least ", "agg"),
        ("Hypothesis: {Claim: 0.75", "Hypothesys: {Claim: 0.75", "Hypothesys"),
        ("redundancy_full: 3", "redundancy_full: 0", "redundancy_full"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(PolicyError, match=said) as caught:
        read_parameters(written(tmp_path, (old, new)))
    assert "scorer.yaml" in str(caught.value)


def test_settings_must_have_the_right_shapes_and_numbers() -> None:
    base = read_parameters()
    with pytest.raises(ValueError, match="shape"):
        base.varied(edge_weights=np.ones((4, 3)))
    with pytest.raises(ValueError, match="disagree"):
        base.varied(alpha=np.ones(3), eta=np.ones(4))
    with pytest.raises(InputError, match="none of min"):
        base.varied(agg="median")
    with pytest.raises(ValueError, match="one setting"):
        score(chain(1.0, 1.0), base.varied(alpha=np.ones(3)))
    with pytest.raises(ValueError, match="samples"):
        score_batch(chain(1.0, 1.0), base, np.ones((2, 6)))
    with pytest.raises(ValueError, match="differs"):
        stacked([base, base.varied(margin=0.1)])
