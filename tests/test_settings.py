"""`VERITAS_POLICIES`: a folder with one file in it overrides that file, the rest are the built-in ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import InputError
from veritas.council.select_council import choose_council, council_file
from veritas.papers.extraction.modes import load_mode, mode_names
from veritas.policy.cost_tiers import load_cost_tiers
from veritas.policy.gate_policy import load_gate_policy
from veritas.policy.search_providers import load_providers
from veritas.policy.source_tiers import load_source_policy
from veritas.reviews.writing.retrieve_claims import read_structure
from veritas.settings import built_in_policies, policy_file


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "own"
    folder.mkdir()
    monkeypatch.setenv("VERITAS_POLICIES", str(folder))
    return folder


def test_one_file_overrides_that_file_alone(own: Path) -> None:
    text = (built_in_policies() / "cost_tiers.yaml").read_text(encoding="utf-8")
    (own / "cost_tiers.yaml").write_text(text.replace("rounds: 1", "rounds: 2"), encoding="utf-8")
    assert load_cost_tiers().tier("quick").rounds == 2
    assert load_gate_policy() == load_gate_policy(built_in_policies() / "gate.yaml")
    assert load_providers().providers
    assert load_source_policy().classify("https://www.nature.com/articles/x").tier == 1
    assert choose_council(environ={}).name == "embedded"


def test_an_own_council_yaml_chooses_among_the_ready_councils(own: Path) -> None:
    (own / "council.yaml").write_text("choose: [mine, embedded]\n", encoding="utf-8")
    (own / "councils").mkdir()
    ready = (built_in_policies() / "councils" / "one-key.yaml").read_text(encoding="utf-8")
    (own / "councils" / "mine.yaml").write_text(ready, encoding="utf-8")
    chosen = choose_council(environ={})
    assert (chosen.name, [p.council for p in chosen.passed_over]) == ("embedded", ["mine"])
    assert council_file("mine").parent == (own / "councils").resolve()
    assert council_file("vllm").parent == (built_in_policies() / "councils").resolve()


def test_own_modes_and_structures_stand_beside_the_ready_ones(own: Path) -> None:
    (own / "modes").mkdir()
    (own / "modes" / "law.yaml").write_text("extends: academic\n", encoding="utf-8")
    assert mode_names() == ("academic", "finance", "journal", "law")
    assert load_mode("law").roles == load_mode("academic").roles
    assert read_structure("imrad").sections


@pytest.mark.parametrize("name", ["gates.yaml", "gate.yml", "cost_tier.yaml", "source-tiers.yaml"])
def test_a_misspelt_policy_is_named_and_not_passed_over(own: Path, name: str) -> None:
    (own / name).write_text("x: 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=rf"{name} is no policy that is read; did you mean \w+\.yaml"):
        policy_file("gate.yaml")
