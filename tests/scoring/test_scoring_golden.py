"""What the scorer computes under rules `reference` is what the reference computed, value by value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from veritas.papers.score_lines import Options, answer
from veritas.scoring.batch import score_batch
from veritas.scoring.graph import RECONCILE, NotAGraph, read_graph
from veritas.scoring.graph_structure import Structure
from veritas.scoring.parameters import COMPONENTS, read_parameters, stacked
from veritas.scoring.score import score

pytestmark = pytest.mark.shared
TOLERANCE = 1e-9
WORDING = {"warnings", "errors", "message"}


def differences(made: Any, given: Any, path: str = "") -> list[str]:
    if isinstance(given, dict):
        if not isinstance(made, dict) or not set(given) - WORDING <= set(made):
            return [f"{path}: keys"]
        return [d for key in given if key not in WORDING for d in differences(made[key], given[key], f"{path}/{key}")]
    if isinstance(given, list):
        if not isinstance(made, list) or len(made) != len(given):
            return [f"{path}: length"]
        return [d for i, pair in enumerate(zip(made, given, strict=True)) for d in differences(*pair, f"{path}[{i}]")]
    if isinstance(given, float) and isinstance(made, float):
        return [] if abs(made - given) <= TOLERANCE else [f"{path}: {made} is not {given}"]
    return [] if made == given and (made is None) == (given is None) else [f"{path}: {made!r} is not {given!r}"]


def options(rules: str) -> Options:
    return Options(rules, read_parameters())  # type: ignore[arg-type]


def test_whole_graph_scoring_matches_in_every_value_and_path(golden: Any) -> None:
    for row in golden("platos_public.jsonl"):
        made, refused = answer(row, 1, options("reference"))
        assert not refused
        assert differences(made["expected"], row["expected"]) == [], row["case"]
        assert [list(edge) for edge in read_graph(row["graph"]).graph.edges] == row["edges"]  # type: ignore[union-attr]


def test_the_paper_rules_differ_in_the_best_path_and_in_components_of_weight_zero_alone(golden: Any) -> None:
    other_paths = 0
    for row in golden("platos_public.jsonl"):
        made, _ = answer(row, 1, options("paper"))
        for mine, theirs in zip(made["expected"], row["expected"], strict=True):
            assert mine["components"]["best_path"] == pytest.approx(theirs["best_path_strict"], abs=TOLERANCE)
            assert mine["best_path_nodes"] == theirs["best_path_strict_nodes"] or not theirs["best_path_unique"]
            for name in ("node_quality", "node_trust", "edge_raw", "edge_gated"):
                assert differences(mine[name], theirs[name]) == []
            if abs(theirs["best_path_strict"] - theirs["components"]["best_path"]) > TOLERANCE:
                other_paths += 1
            elif all(theirs["components"].values()):
                assert mine["score"] == pytest.approx(theirs["score"], abs=TOLERANCE)
    assert other_paths


def test_a_batch_of_all_settings_matches_them_one_by_one(golden: Any) -> None:
    base = read_parameters()
    for row in golden("platos_public.jsonl"):
        graph = read_graph(row["graph"]).graph
        assert graph is not None
        found = score_batch(graph, stacked([base.changed(s) for s in row["settings"]]), rules="reference")
        assert found.score[0] == pytest.approx([e["score"] for e in row["expected"]], abs=TOLERANCE)
        parts = [[e["components"][name] for name in COMPONENTS] for e in row["expected"]]
        assert np.abs(found.components[0] - parts).max() <= TOLERANCE


def test_alignment_and_priors_match(golden: Any) -> None:
    for row in golden("platos_public.jsonl"):
        graph = read_graph(row["graph"]).graph
        assert graph is not None
        structure = Structure(graph)
        given = row["edge_features_default"]
        assert structure.alignment[structure.edge_at] == pytest.approx(given["alignment"], abs=TOLERANCE)
        priors = read_parameters().priors[graph.roles[graph.tail], graph.roles[graph.head]]
        assert priors == pytest.approx(given["role_prior"], abs=TOLERANCE)


def test_verification_runs_match_after_every_node(golden: Any) -> None:
    for row in golden("platos_streaming.jsonl"):
        made, _ = answer(row, 1, options("reference"))
        given = {key: value for key, value in row.items() if key not in ("graph", "kind")}
        assert differences(made, given) == [], row["case"]


def test_checks_accept_and_refuse_the_same_graphs_with_the_same_edges(golden: Any) -> None:
    for row in golden("platos_validation.jsonl"):
        made, refused = answer({"case": row["case"], "input": row["input"]}, 1, options("paper"))
        assert not refused
        for mode in RECONCILE:
            given = row["by_reconcile"][mode]
            assert differences(made["by_reconcile"][mode], given) == [], (row["case"], mode)
            assert bool(made["by_reconcile"][mode].get("warnings")) == bool(given.get("warnings"))


def test_a_graph_refused_by_the_checks_is_refused_by_the_scorer_and_no_other(golden: Any) -> None:
    for row in golden("platos_validation.jsonl"):
        made, refused = answer({"case": row["case"], "graph": row["input"]}, 1, options("paper"))
        given = row["by_reconcile"]["prefer_parents"]
        assert refused == ("raises" in given or not given["ok"]), row["case"]
        assert ("raises" in made) == ("raises" in given)
        try:
            found = read_graph(row["input"]).graph
        except NotAGraph:
            assert "raises" in given
        else:
            assert found is None or 0.0 < score(found).score < 1.0
