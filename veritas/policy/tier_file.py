"""The source-tier file as a person writes it, and the extension of one file by another."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, NamedTuple

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool

from veritas.claims.sources import Tier
from veritas.frozen import Frozen
from veritas.policy._rules import Rule
from veritas.policy._site_pattern import parse_pattern
from veritas.policy.yaml_file import YamlFile, read_yaml
from veritas.settings import built_in_policies, policy_file

DEFAULT = "default"

Layers = tuple[tuple[Rule, ...], ...]


def _readable(text: str) -> str:
    parse_pattern(text)
    return text


def _no_truth(value: object) -> object:
    """Return a boolean as a text: `true` equals 1 in Python, and would be accepted as a tier."""
    return str(value) if isinstance(value, bool) else value


Site = Annotated[str, AfterValidator(_readable)]
WrittenTier = Annotated[Tier, BeforeValidator(_no_truth)]


class Group(Frozen):
    """Sites with the same verdict. `why` completes "it is …"; `sites` names the owner of each pattern.

    In a file that extends another, a group with an existing name states only what changes, and adds its sites.
    """

    tier: WrittenTier | None = None
    paywalled: StrictBool | None = None
    why: str | None = Field(default=None, min_length=1)
    sites: dict[Site, Annotated[str, Field(min_length=1)]] = Field(default_factory=dict)


class TierFile(Frozen):
    """The whole of a source-tier file."""

    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    about: str = ""
    extends: str | None = Field(default=None, pattern=r"^[^\x00]+$")
    groups: dict[Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]*$")], Group] = Field(default_factory=dict)
    remove: tuple[str, ...] = ()


class Restated(NamedTuple):
    """The new verdict of a file on a group it inherits."""

    policy: str
    tier: Tier
    paywalled: bool
    why: str


def default_path() -> Path:
    """Return the default policy, which `extends: default` names too."""
    return policy_file("source_tiers.yaml")


def _default_for(file: Path) -> Path:
    """Return the file that `extends: default` means: the default policy, and inside the user's own default policy the
    built-in one."""
    default = default_path()
    return built_in_policies() / default.name if default.resolve() == file.resolve() else default


def read_layers(path: Path) -> tuple[str, Layers]:
    """Return the policy's name and its rules, one layer for each file: the file's own, then those of the files it
    extends.

    Raises `PolicyError` naming file, line and key for every mistake in any of the files.
    """
    return _read(path, ())


def _read(path: Path, extending: tuple[Path, ...]) -> tuple[str, Layers]:
    file = read_yaml(path)
    content = file.to_model(TierFile)
    inherited: Layers = ()
    if content.extends is not None:
        parent = _default_for(path) if content.extends == DEFAULT else path.parent / content.extends
        if not parent.is_file():
            raise file.error(("extends",), f"there is no policy file {parent}; write {DEFAULT!r} or a path from here")
        chain = (*extending, path.resolve())
        if parent.resolve() in chain:
            raise file.error(("extends",), f"{parent} extends this file in turn; one of them must stand on its own")
        inherited = _read(parent, chain)[1]
    elif content.remove:
        raise file.error(("remove",), "there is nothing to remove from, as this file extends no other")
    for position, unwanted in enumerate(content.remove):
        inherited = _without(inherited, unwanted, file, position)
    inherited, own = _own_rules(file, content, inherited)
    return content.name, (own, *inherited)


def _without(layers: Layers, unwanted: str, file: YamlFile, position: int) -> Layers:
    """Return the layers without a group, or without one site, as the extended file spells it."""
    wanted = unwanted.strip().lower().rstrip("/")
    left = tuple(tuple(r for r in layer if wanted not in (r.group, r.pattern.text)) for layer in layers)
    if left == layers:
        raise file.error(("remove", position), f"nothing that this file extends has a group or a site {unwanted!r}")
    return left


def _own_rules(file: YamlFile, content: TierFile, inherited: Layers) -> tuple[Layers, tuple[Rule, ...]]:
    """Return the file's own rules, and the inherited ones that its groups of the same name change."""
    rules: list[Rule] = []
    seen: dict[str, int] = {}
    for name, group in content.groups.items():
        key = ("groups", name)
        before = next((rule for layer in inherited for rule in layer if rule.group == name), None)
        tier, why, paywalled = group.tier, group.why, group.paywalled
        if before is not None:
            tier = before.tier if tier is None else tier
            why = before.why if why is None else why
            paywalled = before.paywalled if paywalled is None else paywalled
        if tier is None or why is None:
            raise file.error(key, "a new group states its tier and why")
        if before is None and not group.sites:
            raise file.error(key, "a new group names at least one site under sites")
        if before is not None and (tier, why, paywalled) != (before.tier, before.why, before.paywalled):
            inherited = _restated(inherited, name, Restated(content.name, tier, bool(paywalled), why))
        for site, whose in group.sites.items():
            pattern, at = parse_pattern(site), (*key, "sites", site)
            if pattern.place in seen:
                raise file.error(at, f"this site is already in line {seen[pattern.place]}")
            seen[pattern.place] = file.line(at)
            rules.append(Rule(content.name, name, pattern, whose, tier, bool(paywalled), why))
    for rule in (*rules, *(rule for layer in inherited for rule in layer)):
        if rule.pattern.anywhere and rule.tier not in (3, 4):
            raise file.error(("groups", rule.group), f"{rule.pattern.text} can only lower: this group has tier 3 or 4")
    return inherited, tuple(rules)


def _restated(layers: Layers, group: str, said: Restated) -> Layers:
    return tuple(
        tuple(
            replace(r, policy=said.policy, tier=said.tier, paywalled=said.paywalled, why=said.why)
            if r.group == group else r
            for r in layer
        )
        for layer in layers
    )  # fmt: skip
