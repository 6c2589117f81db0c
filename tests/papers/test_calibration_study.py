"""Calibration finds what was planted, and fools nobody where nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from veritas import InputError
from veritas.papers.calibration import surface
from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.nested import folds, planned, stage_for
from veritas.papers.calibration.paper_labels import Labels, _groups
from veritas.papers.calibration.parameter_search import STAGES, Budget, searched
from veritas.papers.calibration.report import BaselineResult, CalibrationReport, Figure
from veritas.papers.calibration.sheet import Calculator, Sheet, calculator
from veritas.papers.calibration.study import Choices, calibrate
from veritas.papers.calibration.synthetic_papers import planted_papers
from veritas.papers.calibration.verdict_wording import verdict
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.batch import score_batch
from veritas.scoring.graph import read_graph
from veritas.scoring.parameters import from_policy, read_parameters
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.scoring.uncertainty import GraphSamples
from veritas.settings import policy_file


def policy() -> ScorerPolicy:
    return read_yaml_model(policy_file("scorer.yaml"), ScorerPolicy)


def papers_of(count: int, strength: float, seed: int, nodes: int = 8) -> tuple[list[CachedPaper], Labels]:
    lines, labels = planted_papers(count, strength, seed, nodes)
    papers = []
    for line in lines:
        graph = read_graph(line["graph"]).graph
        assert graph is not None
        length = float(sum(map(len, graph.texts)))
        papers.append(CachedPaper((line["paper"],), (GraphSamples(graph, graph.metrics[None]),), length, line["paper"]))
    return papers, _groups(np.array([float(labels[paper.name]) for paper in papers]))


def study(count: int, strength: float, seed: int = 0, settings: int = 200, **more: Any) -> CalibrationReport:
    papers, labels = papers_of(count, strength, seed)
    return calibrate(papers, labels, policy(), Choices(settings=settings, seed=seed, processes=1, draws=300, **more))


def test_on_labels_that_are_noise_the_held_out_figure_is_chance_while_the_other_flatters() -> None:
    found = [study(40, 0.0, seed, settings=40, outer_folds=3, inner_folds=2) for seed in range(6)]
    honest = np.array([each.headline.value for each in found], dtype=np.float64)
    searched_to_the_end = np.array([each.stages[-1].nested_auroc.value for each in found], dtype=np.float64)
    flattering = np.array([each.stages[-1].apparent_auroc for each in found], dtype=np.float64)
    assert abs(honest.mean() - 0.5) < 0.1
    assert abs(searched_to_the_end.mean() - 0.5) < 0.1
    assert flattering.mean() > searched_to_the_end.mean() + 0.05
    assert sum(each.beats_chance for each in found) <= 2
    assert all("not told apart from chance" in each.verdict for each in found if not each.beats_chance)
    said = [warning for each in found for warning in each.warnings]
    assert any("overfitting" in warning for warning in said)


def test_a_planted_relation_is_found_on_papers_that_were_held_out() -> None:
    found = study(80, 4.0, seed=1, settings=400)
    assert found.headline.low is not None
    assert found.headline.value is not None
    default = found.stages[0].nested_auroc.value
    assert default is not None
    assert found.beats_chance
    assert found.headline.value > default + 0.1
    assert found.chosen_stage != "default"
    # and it is said that a plain mean of the metrics, which the relation was planted in, does as well or better
    mean = next(each for each in found.baselines if each.name == "mean metric")
    assert mean.nested_auroc.value is not None
    assert mean.nested_auroc.value > 0.8
    assert found.verdict.count("mean metric") == 1
    judged = "but worse than" if (mean.difference.high or 0.0) < 0.0 else "not shown to be better than"
    assert judged in found.verdict
    assert {each.name for each in found.baselines} >= {"text length", "node count"}
    assert {each.group for each in found.ablations} == {"metric", "role", "edge feature", "propagation", "component"}
    assert type(found).model_validate_json(found.model_dump_json()) == found


def rival(name: str, low: float, high: float) -> BaselineResult:
    unknown = Figure(value=None, low=None, high=None)
    difference = Figure(value=(low + high) / 2, low=low, high=high)
    return BaselineResult(
        name=name, auroc=None, spearman=None, nested_auroc=unknown, nested_spearman=unknown, difference=difference
    )


@pytest.mark.parametrize(
    ("rivals", "said"),
    [
        ([rival("text length", 0.1, 0.3)], "better than chance"),
        ([rival("text length", -0.1, 0.3)], "better than chance, but not shown to be better than text length alone"),
        ([rival("mean metric", -0.4, -0.1)], "better than chance, but worse than mean metric alone"),
        (
            [rival("mean metric", -0.4, -0.1), rival("text length", -0.1, 0.3)],
            "better than chance, but worse than mean metric alone, and not shown to be better than text length alone",
        ),
    ],
)
def test_the_verdict_names_what_is_better_and_what_may_be(rivals: list[BaselineResult], said: str) -> None:
    headline = Figure(value=0.73, low=0.6, high=0.85)
    assert verdict("auroc", headline, True, True, rivals, "sparse").endswith(f"0.600 to 0.850: {said}")


def test_the_labels_of_held_out_papers_cannot_change_what_is_chosen() -> None:
    papers, labels = papers_of(24, 1.0, 3)
    held_out = np.array([0, 5, 9, 14, 20])
    seen = np.setdiff1d(np.arange(24), held_out)
    flipped = labels.values.copy()
    flipped[held_out] = 1.0 - flipped[held_out]
    base = read_parameters()
    start = surface.point_of(base)
    chosen = []
    for values in (labels.values, flipped):
        sheet = Sheet(papers, _groups(values), base, "paper", "auroc", [seen])
        chosen.append(searched(Calculator(sheet, None), start, Budget.of(60), 7)[0])
    assert all(np.array_equal(chosen[0][stage], chosen[1][stage]) for stage in STAGES)


def test_the_stage_is_chosen_by_inner_folds_of_the_training_papers_alone() -> None:
    _, labels = papers_of(24, 1.0, 3)
    plan = planned(24, labels.strata, list(range(24)), 3, 2, 0)
    for search, seen in enumerate(plan.subsets[:4]):
        held_out = plan.outer[search - 1] if search else np.array([], dtype=np.intp)
        assert not np.isin(held_out, seen).any()
        for inner, tested in zip(plan.inner_search[search], plan.inner[search], strict=True):
            assert not np.isin(plan.subsets[inner], held_out).any()
            assert not np.isin(plan.subsets[inner], tested).any()
            assert np.isin(tested, seen).all()
    random = np.random.default_rng(0)
    scores = {(n, stage): random.random(24) for n in range(len(plan.subsets)) for stage in STAGES}
    before = stage_for(1, plan, scores, labels, "auroc")
    values = labels.values.copy()
    values[plan.outer[0]] = 1.0 - values[plan.outer[0]]
    assert stage_for(1, plan, scores, _groups(values), "auroc") == before


def test_of_stages_equally_good_the_earliest_is_taken() -> None:
    _, labels = papers_of(24, 1.0, 3)
    plan = planned(24, labels.strata, list(range(24)), 3, 2, 0)
    same = np.random.default_rng(1).random(24)
    flat = {(n, s): same for n in range(len(plan.subsets)) for s in STAGES}
    assert stage_for(0, plan, flat, labels, "auroc") == "default"
    better = {(n, s): labels.values if s == "refine" else same for n in range(len(plan.subsets)) for s in STAGES}
    assert stage_for(0, plan, better, labels, "auroc") == "refine"


def test_folds_are_disjoint_cover_everything_share_labels_and_keep_copies_together() -> None:
    same = list(range(30))
    same[7] = same[21] = same[3]
    made = folds(np.arange(30), [int(i % 2 == 0) for i in range(30)], same, 4, seed=5)
    assert sorted(np.concatenate(made).tolist()) == list(range(30))
    assert all(5 <= len(fold) <= 10 for fold in made)
    assert all(2 <= sum(i % 2 == 0 for i in fold.tolist()) <= 6 for fold in made)
    assert sum({3, 7, 21} <= set(fold.tolist()) for fold in made) == 1


def test_copies_of_a_paper_are_named_and_held_out_together() -> None:
    papers, labels = papers_of(24, 0.0, 0)
    twin = CachedPaper(("twin",), papers[0].graphs, papers[0].characters, papers[0].content)
    values = np.append(labels.values, labels.values[0])
    found = calibrate([*papers, twin], _groups(values), policy(), Choices(settings=20, processes=1, draws=50))
    assert found.card.copies == (("paper-0", "twin"),)
    assert any("held out together" in said for said in found.warnings)


def test_too_few_papers_are_refused_and_few_are_warned_about() -> None:
    with pytest.raises(InputError, match="too few labels: 3 papers above and 3 below"):
        study(6, 1.0, settings=20)
    found = study(10, 1.0, settings=20)
    assert (found.outer_folds, found.inner_folds) == (2, 2)
    assert any("10 papers are few" in said for said in found.warnings)


def test_every_point_is_a_setting_and_the_policy_says_exactly_that_setting() -> None:
    base = read_parameters()
    start = surface.point_of(base)
    random = np.random.default_rng(0)
    everywhere = surface.dense(start, 200, random)
    near = surface.refined(everywhere[:5], 200, 0.3, random)
    assert np.array_equal(everywhere[0], start)
    assert np.array_equal(near[0], everywhere[0])
    few = surface.sparse(near[1], 200, random)
    assert ((few != near[1]).sum(axis=1)[1:] <= 2 + 10).all()  # two, and what is brought to a sum of 1 again
    graph = papers_of(1, 0.0, 0)[0][0].graphs[0].graph
    for points in (everywhere, near, few):
        assert (points[:, surface.GRAPH][:, 3] <= 0.0).all()  # fragility stays a penalty
        assert (np.delete(points[:, surface.GRAPH], 3, axis=1) >= 0.0).all()
        scores = score_batch(graph, surface.parameters_of(base, points)).score[0]
        for place in (0, 3, 150):
            written = ScorerPolicy.model_validate_json(surface.policy_of(policy(), points[place]).model_dump_json())
            assert score_batch(graph, from_policy(written)).score[0, 0] == pytest.approx(scores[place], abs=1e-12)


def test_a_search_never_ends_below_where_it_began_on_its_own_papers() -> None:
    papers, labels = papers_of(20, 0.5, 2)
    base = read_parameters()
    sheet = Sheet(papers, labels, base, "paper", "spearman", [np.arange(20), np.arange(0, 20, 2)])
    at_work = Calculator(sheet, None)
    from veritas.papers.calibration.rank_measures import spearman

    for subset, stages in zip(sheet.subsets, searched(at_work, surface.point_of(base), Budget.of(40), 0), strict=True):
        reached = spearman(at_work.scores(np.stack([stages[stage] for stage in STAGES])), labels, subset)
        assert (np.diff(reached) >= -1e-12).all()


def test_processes_give_what_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    from veritas.papers.calibration import sheet as module

    monkeypatch.setattr(module, "CHUNK", 16)
    papers, labels = papers_of(10, 1.0, 0)
    base = read_parameters()
    sheet = Sheet(papers, labels, base, "veritas", "auroc", [np.arange(10)])
    points = surface.dense(surface.point_of(base), 50, np.random.default_rng(0))
    with calculator(sheet, 50, 1) as one:
        here, best_here = one.scores(points), one.best(points, None, 5)[0]
    monkeypatch.setattr(module, "WORTH_PROCESSES", 0)
    with calculator(sheet, 50, 2) as two:
        there, best_there = two.scores(points), two.best(points, None, 5)[0]
    assert np.array_equal(here, there)
    assert np.array_equal(best_here[1], best_there[1])


def test_a_papers_score_is_the_mean_over_its_graphs_and_samples() -> None:
    papers, _ = papers_of(2, 1.0, 0)
    both = CachedPaper(("both",), (papers[0].graphs[0], papers[1].graphs[0]), 1.0, "c")
    labels = _groups(np.array([0.0, 1.0, 1.0]))
    sheet = Sheet([*papers, both], labels, read_parameters(), "paper", "auroc", [])
    scores = sheet.laid_out().scores(surface.point_of(read_parameters())[None])[0]
    assert scores[2] == pytest.approx((scores[0] + scores[1]) / 2, abs=1e-12)


def test_the_policy_file_is_read_back_with_the_same_weights_and_carries_its_card(tmp_path: Path) -> None:
    from veritas.report.calibration_study import as_policy, as_text

    found = study(24, 2.0, settings=60)
    path = tmp_path / "calibrated.yaml"
    path.write_text(as_policy(found, policy()), encoding="utf-8")
    read = read_yaml_model(path, ScorerPolicy)
    assert read.model_dump(mode="json")["graph_weights"] == found.parameters["graph_weights"]
    assert read.synergy == policy().synergy
    text = path.read_text(encoding="utf-8")
    assert found.card.content in text
    assert "held out:" in text
    assert "flatters" in text
    assert "baseline:   text length" in text
    assert "text length" in as_text(found)
