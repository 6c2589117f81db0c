"""The policy files that ship: whole, readable, and what the documentation says of them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from veritas.cli.app import app
from veritas.policy.lookalike import homograph
from veritas.policy.source_tiers import load_source_policy
from veritas.policy.suffixes import registrable_domain, registry_keeps
from veritas.policy.tier_file import TierFile, default_path, read_layers
from veritas.policy.yaml_file import read_yaml_model

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "policies" / "examples").glob("*.yaml"))
DOC = ROOT / "docs" / "source_policy.md"


def test_several_hundred_sites_are_named_in_every_tier() -> None:
    _, (rules,) = read_layers(default_path())
    for tier, least in {1: 700, 2: 250, 3: 150, 4: 250, "wikipedia": 15}.items():
        assert sum(rule.tier == tier for rule in rules) >= least


COUNTRY = {"gov": "uk", "govt": "nz", "gob": "mx", "gouv": "fr", "mil": "co", "ac": "uk", "edu": "au"}


def test_every_line_decides_for_its_own_page() -> None:
    """No line is dead: a page made from its pattern is decided by that line."""
    policy = load_source_policy()
    _, (rules,) = read_layers(default_path())
    dead = {}
    for rule in rules:
        if rule.pattern.anywhere:
            continue
        word = rule.pattern.host.partition(".")[0]
        host = rule.pattern.host.replace("<country>", COUNTRY.get(word, "?"))
        path = "/".join(part.replace("*", "1") for part in rule.pattern.text.split("/")[1:])
        decided = policy.classify(f"https://{'' if '.' in host else 'x.'}{host}/{path}").rule
        if decided != rule.name:
            dead[rule.name] = decided
    assert dead == {}


def test_no_credentialed_site_looks_like_an_impostor() -> None:
    _, (rules,) = read_layers(default_path())
    assert [r.pattern.host for r in rules if r.pattern.host and homograph(r.pattern.host)] == []


def test_every_reason_is_a_short_phrase_and_every_site_has_an_owner() -> None:
    file = read_yaml_model(default_path(), TierFile)
    for name, group in file.groups.items():
        assert group.tier is not None, name
        assert group.why, name
        assert len(group.why) <= 130, name
        assert not group.why.endswith("."), name
        assert all(whose.strip() == whose and len(whose) <= 90 for whose in group.sites.values()), name


def test_only_sold_sources_of_tiers_1_to_3_are_paywalled() -> None:
    _, (rules,) = read_layers(default_path())
    assert {rule.tier for rule in rules if rule.paywalled} == {1, 2, 3}


@pytest.mark.parametrize(("word", "country"), COUNTRY.items())
def test_a_country_suffix_is_one_that_its_registry_keeps(word: str, country: str) -> None:
    assert registry_keeps(f"{word}.{country}")
    assert not registry_keeps(f"{word}.com")
    assert not registry_keeps(f"{word}.tk")


@pytest.mark.parametrize(
    ("host", "registered"),
    [
        ("a.b.example.com", "example.com"),
        ("example.co.uk", "example.co.uk"),
        ("a.example.co.uk", "example.co.uk"),
        ("a.alice.github.io", "alice.github.io"),
        ("gov.uk", "gov.uk"),
        ("a.b.unknown-suffix", "b.unknown-suffix"),
        ("a.xn--85x722f.com.cn", "xn--85x722f.com.cn"),
        ("a.b.xn--55qx5d.cn", "b.xn--55qx5d.cn"),
        ("com", "com"),
    ],
)
def test_the_registrable_domain_is_found_for_punycode_too(host: str, registered: str) -> None:
    assert registrable_domain(host) == registered


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_an_example_policy_loads_and_differs_from_the_default(path: Path) -> None:
    assert load_source_policy(path).fingerprint != load_source_policy().fingerprint


def test_the_examples_do_what_they_are_for() -> None:
    default = load_source_policy()
    law, hospital = (load_source_policy(ROOT / "policies" / "examples" / f"{n}.yaml") for n in ("law-firm", "hospital"))
    for url in ("https://www.westlaw.com/x", "https://advance.lexis.com/x"):
        assert (default.classify(url).tier, law.classify(url).tier) == (4, 1)
    assert law.classify("https://www.theguardian.com/commentisfree/x").tier == 4
    for url in ("https://www.uptodate.com/contents/x", "https://bestpractice.bmj.com/x"):
        assert hospital.classify(url).tier == 1
    assert default.classify("https://www.medrxiv.org/x").tier == 1
    assert hospital.classify("https://www.medrxiv.org/x").tier == 3
    assert hospital.classify("https://pubmed.ncbi.nlm.nih.gov/1/").tier == 1


COMMANDS = re.findall(r"^    (veritas tier .*)$", DOC.read_text("utf-8"), re.MULTILINE)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_documentation_works_as_written(command: str, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    result = CliRunner().invoke(app, shlex.split(command)[1:])
    assert result.exit_code == 0, result.output
    assert "not credentialed: no rule" not in result.output


@pytest.mark.parametrize("block", re.findall(r"```yaml\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL))
def test_a_policy_of_the_documentation_loads(block: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(block)
    assert load_source_policy(path).classify("https://www.nature.com/articles/x").tier == 1
