"""What the rule set `veritas` changes, each on a case where the reference errs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.papers.paper_graphs import chain, graph, node
from veritas.scoring.graph import PaperGraph
from veritas.scoring.parameters import read_parameters
from veritas.scoring.score import Scoring, score
from veritas.scoring.support import Support


def veritas(made: PaperGraph, **varied: Any) -> Scoring:
    return score(made, read_parameters().varied(**varied), "veritas")


def argument(*more: dict[str, Any], value: float = 0.8) -> PaperGraph:
    return graph(
        node("h", "Hypothesis", value=value),
        node("m", "Method", ["h"], value),
        node("r", "Result", ["m"], value),
        node("c", "Conclusion", ["r", *(n["id"] for n in more if n.get("_to_c"))], value),
        *more,
    )


def against(value: float | None, **how: Any) -> dict[str, Any]:
    return node("x", "Counterevidence", ["h"], value, **how) | {"_to_c": True}


def test_strong_counterevidence_lowers_the_score_which_the_reference_lets_it_raise() -> None:
    plain = argument()
    weak, strong = argument(against(0.1)), argument(against(1.0))
    assert score(strong, rules="reference").score > score(weak, rules="reference").score
    assert veritas(strong).score < veritas(weak).score < veritas(plain).score
    ignored = argument(against(0.0))
    assert veritas(ignored).score == pytest.approx(veritas(plain).score, abs=1e-15)


def test_counterevidence_hung_below_what_it_contradicts_counts_against_it() -> None:
    below = graph(
        node("h", "Hypothesis"),
        node("k", "Claim", ["h"]),
        node("c", "Conclusion", ["k"]),
        node("x", "Counterevidence", ["k"]),
    )
    assert Support(below).against.tolist() == [3]
    assert veritas(below).score < veritas(chain(1.0, 1.0, 1.0, roles=("Claim",))).score


def test_an_argument_through_counterevidence_is_no_argument() -> None:
    made = graph(node("h", "Hypothesis"), node("x", "Counterevidence", ["h"]), node("c", "Conclusion", ["x"]))
    assert score(made, rules="reference").components["best_path"] > 0.5
    found = veritas(made)
    assert found.components["best_path"] == 0.0
    assert found.score == pytest.approx(0.0, abs=1e-8)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0, None])
def test_a_disclosed_limitation_changes_nothing(value: float | None) -> None:
    plain = veritas(argument())
    below = veritas(argument(node("l", "Limitation", ["c"], value)))
    above = veritas(argument(node("l", "Limitation", value=value) | {"_to_c": True}))
    assert below.score == above.score == plain.score
    assert below.interval == plain.interval
    assert (
        score(argument(node("l", "Limitation", ["c"], 0.0)), rules="reference").score
        < score(argument(), rules="reference").score
    )


def test_a_worthless_root_takes_the_argument_down() -> None:
    good, rootless = chain(0.9, 0.9, 0.9, 0.9), chain(0.0, 0.9, 0.9, 0.9)
    reference = [score(made, rules="reference").score for made in (good, rootless)]
    ours = [veritas(made).score for made in (good, rootless)]
    assert reference[0] - reference[1] < 0.05
    assert ours[0] - ours[1] > 0.25
    assert veritas(rootless).components["best_path"] == 0.0
    assert veritas(rootless).components["fragility"] == 1.0


def test_a_statement_covers_as_much_as_it_is_trusted_and_no_more() -> None:
    def beside(value: float) -> PaperGraph:
        return argument(node("k", "Claim", ["h"], value) | {"_to_c": True})

    sound, hollow = beside(0.8), beside(0.0)
    reference = [score(made, rules="reference") for made in (sound, hollow)]
    ours = [veritas(made) for made in (sound, hollow)]
    assert [each.components["bridge_coverage"] for each in reference] == [1.0, 1.0]
    assert reference[0].score - reference[1].score < 0.01
    assert ours[0].score - ours[1].score > 0.1
    assert ours[0].components["bridge_coverage"] == pytest.approx(0.8)
    assert ours[1].components["bridge_coverage"] == pytest.approx(np.nansum(ours[1].trust) / 5)


def test_what_is_not_verified_gives_an_interval_and_not_one_half() -> None:
    made = graph(
        node("h", "Hypothesis", value=0.9), node("e", "Evidence", ["h"], None), node("c", "Conclusion", ["e"], 0.9)
    )
    found = veritas(made)
    low, high = found.interval
    assert low < found.score < high
    assert high - low > 0.15
    best = graph(
        node("h", "Hypothesis", value=0.9), node("e", "Evidence", ["h"], 1.0), node("c", "Conclusion", ["e"], 0.9)
    )
    assert veritas(best).score == pytest.approx(high)
    shown = found.as_json()
    assert shown["score_interval"] == [pytest.approx(low), pytest.approx(high)]
    assert shown["node_quality"][1] is None
    assert "score_interval" not in score(made).as_json()


def test_paths_that_meet_in_one_node_are_not_redundant() -> None:
    made = graph(
        node("h", "Hypothesis"),
        node("a", "Evidence", ["h"]),
        node("b", "Evidence", ["h"]),
        node("k", "Claim", ["a", "b"]),
        node("r", "Result", ["k"]),
        node("s", "Result", ["k"]),
        node("c", "Conclusion", ["r", "s"]),
    )
    assert score(made, rules="reference").components["redundancy"] == pytest.approx(2 / 3)
    assert veritas(made).components["redundancy"] == pytest.approx(1 / 3)
