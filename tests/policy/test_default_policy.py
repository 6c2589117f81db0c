"""The policy files that ship: whole, readable, and what the documentation says of them."""

from __future__ import annotations

import pytest

from veritas.policy.source_tiers import homograph, load_source_policy
from veritas.policy.suffixes import registrable_domain
from veritas.policy.tier_file import default_path, read_layers


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


def test_only_sold_sources_of_tiers_1_to_3_are_paywalled() -> None:
    _, (rules,) = read_layers(default_path())
    assert {rule.tier for rule in rules if rule.paywalled} == {1, 2, 3}


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
