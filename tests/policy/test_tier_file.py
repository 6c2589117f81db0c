"""How a person's policy file reads, extends another and is refused when it is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas import PolicyError
from veritas.policy.source_tiers import TieredSourcePolicy, load_source_policy

BASE = """
name: base
groups:
  good:
    tier: 1
    why: good
    sites:
      example.org: Example
      example.org/blog: Example's blog
      .gov.<country>: a government
  bad:
    tier: 4
    why: a forum
    sites:
      forum.<any>: forum
      <any>/talk: forum
"""


@pytest.fixture
def files(tmp_path: Path):
    (tmp_path / "base.yaml").write_text(BASE)

    def write(text: str, name: str = "child.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    return write


def tiers(policy: TieredSourcePolicy, *urls: str) -> list[object]:
    return [policy.classify(url).tier for url in urls]


def child(text: str) -> str:
    return "name: child\nextends: base.yaml\n" + text


def test_a_childs_line_wins_over_all_that_its_parent_says_of_the_site(files) -> None:
    policy = load_source_policy(files(child("groups:\n  n:\n    tier: 3\n    why: w\n    sites: {example.org: X}\n")))
    assert tiers(policy, "https://example.org/", "https://example.org/blog/1", "https://a.example.org/") == [3, 3, 3]


def test_a_child_changes_a_whole_group_and_says_so(files) -> None:
    policy = load_source_policy(
        files(child("groups:\n  good:\n    tier: 3\n    paywalled: true\n    why: less\n    sites: {x.org: X}\n"))
    )
    assert tiers(policy, "https://example.org/blog", "https://x.gov.uk/", "https://x.org/") == [3, 3, 3]
    verdict = policy.classify("https://example.org/")
    assert (verdict.rule, verdict.paywalled) == ("child/good: example.org", True)
    assert verdict.justification == "Example: less"


def test_rules_for_any_site_lower_and_never_credential(files) -> None:
    policy = load_source_policy(files(child("groups:\n  p:\n    tier: 3\n    why: w\n    sites: {<any>/~*: page}\n")))
    assert tiers(policy, "https://example.org/~bob", "https://nobody.org/~bob") == [3, 4]
    assert tiers(policy, "https://forum.example.org/", "https://a.forum.example.org/") == [4, 4]
    assert policy.classify("https://forum.example.org/").justification == "forum on forum.example.org: a forum"
    reason = "not credentialed: no rule of the policy names nobody.org (its address says: forum)"
    assert policy.classify("https://forum.nobody.org/").justification == reason
    assert "says: forum" not in policy.classify("https://forum.org/").justification


def test_a_rule_for_any_site_raises_no_page_that_is_named(files) -> None:
    lowered = "groups:\n  p:\n    tier: 3\n    why: w\n    sites: {<any>/~*: page, home.<any>: page}\n"
    barred = "  q:\n    tier: 4\n    why: w\n    sites: {example.com: Example}\n"
    policy = load_source_policy(files(child(lowered + barred)))
    assert tiers(policy, "https://example.org/~bob", "https://home.example.org/") == [3, 3]
    assert tiers(policy, "https://example.com/~bob", "https://home.example.com/") == [4, 4]


def test_a_rule_that_names_the_place_excepts_it_from_the_rules_for_any_site(files) -> None:
    text = "groups:\n  p:\n    tier: 2\n    why: w\n    sites: {forum.example.org: ours, example.org/talk: ours}\n"
    policy = load_source_policy(files(child(text)))
    urls = ["https://forum.example.org/1", "https://example.org/talk/1", "https://forum.example.org/talk"]
    assert tiers(policy, *urls) == [2, 2, 4]


def test_a_childs_line_for_a_suffix_does_not_open_the_forums_below_it(files) -> None:
    policy = load_source_policy(files(child("groups:\n  p:\n    tier: 2\n    why: w\n    sites: {.edu: E}\n")))
    assert tiers(policy, "https://mit.edu/", "https://forum.mit.edu/", "https://mit.edu/talk") == [2, 4, 4]


def test_longer_hosts_then_longer_paths_then_more_exact_ones_win(files) -> None:
    text = """name: x
groups:
  a: {tier: 1, why: w, sites: {x.org/a/b: ., sub.x.org: ., x.org/p/q1*: .}}
  b: {tier: 2, why: w, sites: {x.org/a: ., x.org/p/q*: .}}
  c: {tier: 3, why: w, sites: {x.org: ., x.org/p/*: ., x.org/*/z: .}}
"""
    policy = load_source_policy(files(text))
    urls = {
        "https://x.org/a/b/c": 1, "https://x.org/a/bb": 2, "https://x.org/a": 2, "https://x.org/": 3,
        "https://sub.x.org/a": 1, "https://x.org/p/q12": 1, "https://x.org/p/q2": 2, "https://x.org/p/r": 3,
        "https://x.org/anything/z": 3, "https://x.org/b": 3, "https://notx.org/": 4,
    }  # fmt: skip
    assert tiers(policy, *urls) == list(urls.values())


def test_the_fingerprint_follows_what_is_said(files) -> None:
    one = load_source_policy(files(BASE, "one.yaml")).fingerprint
    assert one == load_source_policy(files("# a comment\n" + BASE, "two.yaml")).fingerprint
    assert one != load_source_policy(files(BASE.replace("why: good", "why: better"), "three.yaml")).fingerprint


def test_a_file_is_read_again_when_it_or_what_it_extends_has_changed(files) -> None:
    assert load_source_policy() is load_source_policy()
    own = load_source_policy(files(BASE, "base.yaml"))
    assert load_source_policy(files(BASE, "base.yaml")) is own
    above = load_source_policy(files("name: a\nextends: base.yaml\n", "a.yaml"))
    better = files(BASE.replace("why: good", "why: better"), "base.yaml")
    assert load_source_policy(better).fingerprint != own.fingerprint
    assert load_source_policy(better.with_name("a.yaml")).fingerprint != above.fingerprint
    better.unlink()
    with pytest.raises(PolicyError, match="no such file"):
        load_source_policy(better)


@pytest.mark.parametrize(
    ("text", "place", "says"),
    [
        ("extends: base.yaml\n", "1: ", "'name' is missing"),
        (child("group: {}\n"), "3: group", "no such key"),
        (child("groups:\n  g: {tier: true, why: w, sites: {a.org: A}}\n"), "4: groups.g.tier", "wikipedia"),
        (child("groups:\n  g: {why: w, sites: {a.org: A}}\n"), "4: groups.g", "tier and why"),
        (child("groups:\n  g: {tier: 1, why: w}\n"), "4: groups.g", "at least one site"),
        (child("groups:\n  g:\n    tier: 1\n    why: w\n    sites:\n      a.org: A\n      https://b.org: B\n"),
         "9: groups.g.sites.https://b.org", "leave out the scheme"),
        (child("groups:\n  g: {tier: 1, why: w, sites: {'a b.org': A}}\n"), "4: groups.g.sites.a b.org", "space"),
        (child("groups:\n  g: {tier: 1, why: w, sites: {10.1.1.1: A}}\n"), "4: groups.g.sites.10.1.1.1", "IP address"),
        (child("groups:\n  g: {tier: 3, why: w, sites: {<any>: A}}\n"), "4: groups.g.sites.<any>", "every page"),
        (child("groups:\n  g: {tier: 3, why: w, sites: {a.<any>/x: A}}\n"), "4: groups.g.sites.a.<any>/x", "subdomain"),
        (child("groups:\n  g: {tier: 3, why: w, sites: {a.<land>: A}}\n"), "4: groups.g.sites.a.<land>", "not the"),
        (child("groups:\n  bad: {tier: 2}\n"), "4: groups.bad", "only lower"),
        (child("remove: [nothing.org]\n"), "3: remove.0", "'nothing.org'"),
        ("name: x\nextends: nowhere.yaml\n", "2: extends", "no policy file"),
        ("name: x\nextends: child.yaml\n", "2: extends", "in turn"),
    ],
)  # fmt: skip
def test_a_mistake_names_file_line_and_key(files, text: str, place: str, says: str) -> None:
    path = files(text)
    with pytest.raises(PolicyError) as caught:
        load_source_policy(path)
    assert str(caught.value).startswith(f"{path}:{place}")
    assert says in str(caught.value)


def test_a_cycle_over_several_files_is_refused(files) -> None:
    files("name: b\nextends: c.yaml\n", "b.yaml")
    files("name: c\nextends: a.yaml\n", "c.yaml")
    with pytest.raises(PolicyError, match=r"c\.yaml:2: extends: .* in turn"):
        load_source_policy(files("name: a\nextends: b.yaml\n", "a.yaml"))


def test_a_default_policy_of_ones_own_extends_the_built_in_one(files, tmp_path: Path, monkeypatch) -> None:
    own = "name: ours\nextends: default\ngroups: {g: {tier: 1, why: w, sites: {wiki.intern: ours}}}\n"
    files(own, "source_tiers.yaml")
    monkeypatch.setenv("VERITAS_POLICIES", str(tmp_path))
    policy = load_source_policy()
    assert tiers(policy, "https://wiki.intern/x", "https://www.nature.com/articles/x") == [1, 1]
