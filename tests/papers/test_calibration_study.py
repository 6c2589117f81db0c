"""Calibration finds what was planted, and fools nobody where nothing was."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.calibration import papers_of
from veritas import InputError
from veritas.papers.calibration import surface
from veritas.papers.calibration.labelled_papers import CachedPaper
from veritas.papers.calibration.paper_labels import _groups
from veritas.papers.calibration.study import STAGES, CalibrationReport, Choices, Sheet, calibrate, folds, searched
from veritas.papers.calibration.surface import spearman
from veritas.policy.yaml_file import read_yaml_model
from veritas.scoring.batch import score_batch
from veritas.scoring.parameters import from_policy, read_parameters
from veritas.scoring.scorer_policy import ScorerPolicy
from veritas.settings import policy_file


def policy() -> ScorerPolicy:
    return read_yaml_model(policy_file("scorer.yaml"), ScorerPolicy)


def study(count: int, strength: float, seed: int = 0, settings: int = 200, **more: Any) -> CalibrationReport:
    papers, labels = papers_of(count, strength, seed)
    return calibrate(papers, labels, policy(), Choices(settings=settings, seed=seed, **more))


def test_on_labels_that_are_noise_the_held_out_figure_is_chance_while_the_other_flatters() -> None:
    found = [study(40, 0.0, seed, settings=40, folds=3) for seed in range(6)]
    honest = np.array([each.stages[-1].held_out_auroc.value for each in found], dtype=np.float64)
    flattering = np.array([each.stages[-1].same_papers_auroc for each in found], dtype=np.float64)
    assert abs(honest.mean() - 0.5) < 0.1
    assert flattering.mean() > honest.mean() + 0.05
    assert sum(each.beats_chance for each in found) <= 2
    assert all("not told apart from chance" in each.verdict for each in found if not each.beats_chance)
    assert sum(each.chosen_stage == "default" for each in found) >= 4


def test_a_planted_relation_is_found_on_papers_that_were_held_out() -> None:
    found = study(80, 4.0, seed=1, settings=400)
    default = found.stages[0].held_out_auroc.value
    assert found.headline.value is not None
    assert default is not None
    assert found.beats_chance
    assert found.headline.value > default + 0.1
    assert found.chosen_stage == "refine"
    assert "better than the weights it began with" in found.verdict
    assert type(found).model_validate_json(found.model_dump_json()) == found


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
        sheet = Sheet(papers, _groups(values), base, "paper", "auroc")
        chosen.append(searched(sheet, [seen], start, 60, 7)[0])
    assert all(np.array_equal(chosen[0][stage], chosen[1][stage]) for stage in STAGES)


def test_folds_are_disjoint_cover_everything_share_labels_and_keep_copies_together() -> None:
    papers, _ = papers_of(30, 0.0, 0)
    for copy in (7, 21):
        papers[copy] = CachedPaper(papers[copy].names, papers[copy].graphs, papers[3].content)
    made = folds(papers, _groups(np.array([float(i % 2 == 0) for i in range(30)])), 4, seed=5)
    assert sorted(np.concatenate(made).tolist()) == list(range(30))
    assert all(5 <= len(fold) <= 10 for fold in made)
    assert all(2 <= sum(i % 2 == 0 for i in fold.tolist()) <= 6 for fold in made)
    assert sum({3, 7, 21} <= set(fold.tolist()) for fold in made) == 1


def test_too_few_papers_are_refused_and_few_are_warned_about() -> None:
    with pytest.raises(InputError, match="too few labels: 3 papers above and 3 below"):
        study(6, 1.0, settings=20)
    found = study(10, 1.0, settings=20)
    assert found.folds == 2
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
    graph = papers_of(2, 0.0, 0)[0][0].graphs[0].graph
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
    sheet = Sheet(papers, labels, base, "paper", "spearman")
    subsets = [np.arange(20), np.arange(0, 20, 2)]
    for subset, stages in zip(subsets, searched(sheet, subsets, surface.point_of(base), 40, 0), strict=True):
        reached = spearman(sheet.scores(np.stack([stages[stage] for stage in STAGES])), labels, subset)
        assert (np.diff(reached) >= -1e-12).all()


def test_a_papers_score_is_the_mean_over_its_graphs_and_samples() -> None:
    papers, _ = papers_of(2, 1.0, 0)
    both = CachedPaper(("both",), (papers[0].graphs[0], papers[1].graphs[0]), "c")
    labels = _groups(np.array([0.0, 1.0, 1.0]))
    sheet = Sheet([*papers, both], labels, read_parameters(), "paper", "auroc")
    scores = sheet.scores(surface.point_of(read_parameters())[None])[0]
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
    assert found.content in text
    assert "held out:" in text
    assert "flatters" in as_text(found)
