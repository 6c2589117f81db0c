"""Rules of one or several policy files, and the order in which they decide for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.claims.sources import Tier
from veritas.policy._site_pattern import COUNTRY, SitePattern
from veritas.policy._url_parts import Address
from veritas.policy.suffixes import registrable_domain, registry_keeps


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of a policy file: its pages, their owner, and the verdict of its group."""

    policy: str
    group: str
    pattern: SitePattern
    whose: str
    tier: Tier
    paywalled: bool
    why: str

    @property
    def name(self) -> str:
        """The rule's name in a verdict: policy, group and pattern."""
        return f"{self.policy}/{self.group}: {self.pattern.text}"


# Rank of a match by how particular it is: labels of the host, parts of the path, 1 if the rule names its site, letters
# of the path.
Rank = tuple[int, int, int, int]


class Rules:
    """An index that finds the rule for an address. `layers` are the files' rules, the extending policy before the one
    it extends."""

    def __init__(self, layers: Sequence[Sequence[Rule]]) -> None:
        self._layers = [_by_host(rule for rule in layer if not rule.pattern.anywhere) for layer in layers]
        # Rules for any site count together, in whichever file they stand; an extending file's replaces one like it.
        anywhere = {rule.pattern.text: rule for layer in reversed(layers) for rule in layer if rule.pattern.anywhere}
        self._by_label = {rule.pattern.label: rule for rule in anywhere.values() if rule.pattern.label}
        self._by_path = _by_start(rule for rule in anywhere.values() if rule.pattern.path)

    def find(self, address: Address) -> Rule | None:
        """Return the rule that decides, or None if no rule names the site.

        Of the rules that name a site, those of an extending file come first, then the longest host, then the longest
        path. A rule for any site decides instead if it is more specific and its tier is worse: such rules only lower,
        they never credential an unnamed site.
        """
        named, rank = self._named(address)
        if named is None:
            return None
        at_hand = self._anywhere(address, rank[0])
        worse = [rule for rule, its_rank in at_hand if its_rank > rank and _worse(rule.tier, named.tier)]
        if not worse:
            return named
        worst = max(worse, key=lambda rule: _badness(rule.tier))
        return replace(worst, paywalled=True) if named.paywalled else worst

    def mark(self, address: Address) -> Rule | None:
        """Return the rule for any site that rejects the address, if there is one."""
        return next((rule for rule, _ in self._anywhere(address, 0) if rule.tier == 4), None)

    def credentials(self, host: str) -> bool:
        """Return whether a rule for the site (not for a path in it) puts it in tier 1 to 3."""
        rule, _ = self._named(Address(f"https://{host}/", host, (), "/"))
        return rule is not None and rule.tier in (1, 2, 3)

    def knows(self, host: str) -> bool:
        """Return whether a rule names this exact host, even if only for a part of it."""
        return any(host in layer for layer in self._layers)

    def _named(self, address: Address) -> tuple[Rule | None, Rank]:
        for layer in self._layers:
            depth, host = address.host.count(".") + 1, address.host
            while host:
                rule = _longest(_at(layer, host, depth), address.path)
                if rule is not None:
                    return rule, (depth, len(rule.pattern.path), 1, rule.pattern.literal)
                depth, host = depth - 1, host.partition(".")[2]
        return None, (0, 0, 0, 0)

    def _anywhere(self, address: Address, named_depth: int) -> Iterator[tuple[Rule, Rank]]:
        """Yield the rules for any site that apply here. A rule for a path counts as if it named the site."""
        for rule in _fitting(self._by_path, address.path):
            yield rule, (named_depth, len(rule.pattern.path), 0, rule.pattern.literal)
        labels = address.host.split(".")
        for i in range(len(labels) - registrable_domain(address.host).count(".") - 1):
            rule_for_label = self._by_label.get(labels[i])
            if rule_for_label is not None:
                yield rule_for_label, (len(labels) - i, 0, 0, 0)


# Rules by the first part of their path, "" for those whose path is empty or begins with a pattern: a resolver such as
# doi.org has hundreds of rules, of which one look-up leaves a few to try.
Starts = dict[str, list[Rule]]


def _by_host(rules: Iterable[Rule]) -> dict[str, Starts]:
    hosts: dict[str, list[Rule]] = {}
    for rule in rules:
        hosts.setdefault(rule.pattern.host, []).append(rule)
    return {host: _by_start(of_host) for host, of_host in hosts.items()}


def _by_start(rules: Iterable[Rule]) -> Starts:
    starts: Starts = {}
    for rule in rules:
        first = rule.pattern.path[0] if rule.pattern.path else ""
        starts.setdefault(first if isinstance(first, str) else "", []).append(rule)
    return starts


def _fitting(starts: Starts, path: tuple[str, ...]) -> Iterator[Rule]:
    for start in (path[0], "") if path else ("",):
        for rule in starts.get(start, ()):
            if rule.pattern.fits(path):
                yield rule


def _longest(starts: Starts, path: tuple[str, ...]) -> Rule | None:
    """Return the fitting rule with the longest path; of equal ones the one with fewer wildcards."""
    return max(_fitting(starts, path), key=lambda r: (len(r.pattern.path), r.pattern.literal), default=None)


def _at(layer: dict[str, Starts], host: str, depth: int) -> Starts:
    """Return the layer's rules about exactly this host, or else about the country suffix that it equals."""
    found = layer.get(host)
    if found is None and depth == 2 and host[-3:-2] == ".":
        found = layer.get(f"{host[:-3]}.{COUNTRY}")
        if found is not None and not registry_keeps(host):
            found = None
    return found or {}


def _badness(tier: Tier) -> int:
    return 5 if tier == "wikipedia" else int(tier)


def _worse(tier: Tier, than: Tier) -> bool:
    return _badness(tier) > _badness(than)
