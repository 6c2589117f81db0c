"""The fitted weights: what is shipped is complete, names only features that exist, and gives probabilities."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from veritas.meaning.embedded.claim_evidence import Alignment, Passage, Statement
from veritas.meaning.embedded.entailment import EmbeddedLens, decide
from veritas.meaning.embedded.features import FORM_FEATURES, features
from veritas.meaning.embedded.model import VERDICTS, WEIGHTS, Model, fitted

INPUTS = [
    ("Aspirin lowers the risk of stroke.", "Aspirin lowered the risk of stroke by 23%. It did so in adults."),
    ("A is best with 3.5.", "Table 1: Scores.\nModel\tF1\nA\t3.5\nB\t2.0"),
    ("He was born in 1902.", "# A page\nHe was born in 1903.\nMenu\nLog in"),
    ("x", "y"),
]


def given_features(claim: str, passage: str) -> dict[str, float]:
    stated = Statement(claim)
    return features(Alignment(stated, Passage(passage, stated)))


def test_every_feature_the_model_reads_is_one_the_code_computes() -> None:
    computed = set().union(*(given_features(*pair) for pair in INPUTS))
    assert set(fitted().features) == computed
    assert set(FORM_FEATURES) <= computed


def test_the_same_features_are_computed_for_all_prose() -> None:
    assert set(given_features(*INPUTS[0])) == set(given_features(*INPUTS[2])) == set(given_features(*INPUTS[3]))


@pytest.mark.parametrize("pair", INPUTS, ids=["abstract", "table", "page", "letters"])
def test_chances_are_probabilities(pair: tuple[str, str]) -> None:
    chances = fitted().chances(given_features(*pair))
    assert list(chances) == list(VERDICTS)
    assert sum(chances.values()) == pytest.approx(1)
    assert all(0 <= c <= 1 for c in chances.values())


def test_the_gate_tells_a_table_from_a_page_and_a_sentence() -> None:
    page = "\n".join(["# A page", *(f"He was born in 19{n}. He lived in the town of Marlow [{n}]." for n in range(40))])
    inputs = (INPUTS[1], (INPUTS[2][0], page), ("A man walks his dog.", "A man walks a dog."))
    forms = [max(f, key=lambda k: f[k]) for f in (fitted().forms(given_features(*pair)) for pair in inputs)]
    assert forms == ["table", "page", "sentence"]


def test_a_form_unlike_any_that_was_seen_is_judged_by_the_forest_without_a_form_and_said_to_be_strange() -> None:
    claim = "The pump was sold in Norway."
    odd = "\n".join(f"A\t{n}\tet al [1] [2] we our us" for n in range(400))
    assert fitted().familiarity(given_features("A man walks his dog.", "A man walks a dog.")) == 1.0
    assert fitted().familiarity(given_features(claim, odd)) == 0.0
    assert "unlike any" in EmbeddedLens().find(claim, odd)[2]
    assert "unlike any" not in EmbeddedLens().find("A man walks his dog.", "A man walks a dog.")[2]
    yes, no = [900, 50, 50], [50, 50, 900]
    model = Model({
        "features": [], "form": ["table"], "known": {"one": {"centre": [0.0], "triangle": [[1.0]]}}, "sharpness": 1.0,
        "gate": {"only": {"bias": 0.0, "weights": {}}}, "share_any": 0.1, "forests": {"only": [[yes]], "any": [[no]]},
    })
    assert model.chances({"table": 1.0})["supports"] == pytest.approx(0.9 * 0.9 + 0.1 * 0.05)
    assert model.chances({"table": 1.5})["supports"] == pytest.approx(0.05)


GOLDEN = [0.964, 0.611, 0.258]


def test_the_shipped_weights_give_the_chances_they_gave_when_they_were_fitted() -> None:
    found = [round(fitted().chances(given_features(*pair))["supports"], 3) for pair in INPUTS[:3]]
    assert found == GOLDEN


def test_every_tree_is_closed_and_its_leaves_are_distributions() -> None:
    loaded = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    count = len(loaded["features"])
    for forest in loaded["forests"].values():
        for tree in forest:
            for at, node in enumerate(tree):
                if len(node) == 4:
                    assert 0 <= node[0] < count
                    assert at < node[2] < len(tree)  # children come later: walking down always ends
                    assert at < node[3] < len(tree)
                else:
                    assert len(node) == 3
                    assert sum(node) == pytest.approx(1000, abs=2)


def test_the_model_follows_its_weights() -> None:
    leaf_yes, leaf_no = [900, 50, 50], [50, 50, 900]
    model = Model({
        "features": ["cover_best"], "form": ["table"], "known": {"one": {"centre": [0.0], "triangle": [[1.0]]}},
        "gate": {"only": {"bias": 0.0, "weights": {}}}, "share_any": 0.5, "sharpness": 1.0,
        "forests": {"only": [[[0, 0.5, 1, 2], leaf_no, leaf_yes]], "any": [[leaf_no]]},
    })
    assert model.chances({"cover_best": 0.9})["supports"] == pytest.approx(0.475)
    assert model.chances({"cover_best": 0.1})["supports"] == pytest.approx(0.05)


def test_without_a_threshold_reached_the_lens_abstains() -> None:
    assert decide({"supports": 0.44, "refutes": 0.3, "silent": 0.26}, 0.45, 0.34) == "silent"
    assert decide({"supports": 0.44, "refutes": 0.36, "silent": 0.2}, 0.45, 0.34) == "refutes"
    assert decide({"supports": 0.46, "refutes": 0.36, "silent": 0.18}, 0.45, 0.34) == "supports"
    assert decide({"supports": 0.9, "refutes": 0.05, "silent": 0.05}, 0.95, 0.34) == "silent"


def test_judging_needs_neither_numpy_nor_scikit_learn() -> None:
    code = (
        "import sys; from veritas.meaning.embedded import EmbeddedLens; "
        "EmbeddedLens().find('Aspirin lowers risk.', 'Aspirin lowered the risk of stroke.'); "
        "print([m for m in ('numpy', 'sklearn', 'scipy', 'socket') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(done.stdout.replace("'", '"')) == []
