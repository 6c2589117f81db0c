"""The source policy that ships: rules from `policies/source_tiers.yaml`, looked up by the page behind a URL's
carriers."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path

from veritas.claims.sources import Tier
from veritas.frozen import content_hash
from veritas.policy._plugged_policy import PluggedSourcePolicy, plugin_named
from veritas.policy._rules import Rule, Rules
from veritas.policy._url_parts import Address, read_address
from veritas.policy._wrappers import Hidden, see_through
from veritas.policy.lookalike import Lookalikes, homograph, shown
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.policy.suffixes import registrable_domain
from veritas.policy.tier_file import Layers, default_path, read_layers

MAX_WRAPPERS = 5
"""Most carriers inside one another that are seen through: honest chains have two or three (an archived AMP page)."""

MAX_SHOWN = 80
"""Most characters of a URL's part that a justification repeats."""

_CORPUS = re.compile(r"corpus://(?P<corpus>[^/\x00-\x1f]+)/(?P<id>[^\x00-\x1f]+)", re.IGNORECASE)
_UNWRITABLE = re.compile(r"[\ud800-\udfff]")
_EXTENDS = re.compile(rb"^[^#\n]*extends", re.MULTILINE)
_latest: dict[Path, tuple[bytes, TieredSourcePolicy]] = {}
"""The policy that was read last from a file that extends no other, with the file's content."""


def default_source_policy() -> TieredSourcePolicy:
    """Return the policy of `source_tiers.yaml` in the policies folder; the entry point `default` names it."""
    return _tiered(default_path())


def load_source_policy(path: Path | None = None) -> SourcePolicy:
    """Return the policy in that file, by default `source_tiers.yaml` of the policies folder. A file that says `plugin:
    NAME` and nothing else names one of the group `veritas.source_policy`.

    Raises `PolicyError` naming file, line and key; `PluginError` for a plug-in that cannot be loaded or made.
    """
    named = path or default_path()
    plug_in = plugin_named(named)
    return _tiered(named) if plug_in is None else PluggedSourcePolicy(plug_in)


def _tiered(path: Path) -> TieredSourcePolicy:
    # Thousands of rules take longer to read than a small run to do all else, and most runs of a process have the same.
    content = _content(path)
    known = _latest.get(path)
    if known is not None and known[0] == content:
        return known[1]
    policy = TieredSourcePolicy(*read_layers(path))
    if content is not None and not _EXTENDS.search(content) and content == _content(path):
        _latest.clear()
        _latest[path] = content, policy
    return policy


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except (OSError, ValueError):
        return None  # the code that reads the file reports the error


class TieredSourcePolicy:
    """A `SourcePolicy` made of rules (veritas spec, section IV, Table I)."""

    def __init__(self, name: str, layers: Layers) -> None:
        self.name = name
        self._layers = layers
        self._rules = Rules(layers)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 (64 hex digits) of all rules in the policy's files: equal for policies that decide alike."""
        return content_hash(
            [[[r.name, r.whose, r.tier, r.paywalled, r.why] for r in layer] for layer in self._layers]
        )

    def classify(self, url: str) -> TierVerdict:
        """Return the verdict for a URL, seen through what carries the page. Never raises; takes some tens of
        microseconds."""
        given = _UNWRITABLE.sub("\ufffd", url)
        corpus = _CORPUS.fullmatch(given.strip())
        if corpus is not None:
            page = given.strip()
            why = f"curated by you: corpus {_shown(corpus['corpus'])}"
            return _verdict(given, page, 1, why, "built-in: corpus", page)
        carriers: list[str] = []
        address = read_address(given)
        while isinstance(address, Address):
            inner = see_through(address)
            if isinstance(inner, Hidden):
                return _barred(given, address, "hidden-page", f"{address.host} {inner.why}", carriers)
            if inner is None or not (inner.carrier is None or self._rules.credentials(inner.carrier)):
                return self._page(given, address, carriers)
            if len(carriers) == MAX_WRAPPERS:
                why = f"the page lies behind more than {MAX_WRAPPERS} carriers"
                return _barred(given, address, "hidden-page", why, carriers)
            carriers.append(address.host)
            address = read_address(inner.url)
        why = f"not credentialed: {address.why}{_through(carriers)}"
        return _verdict(given, given, 4, why, f"built-in: {address.kind}", "")

    def _page(self, given: str, address: Address, carriers: list[str]) -> TierVerdict:
        rule = self._rules.find(address)
        foreign = homograph(address.host)
        if foreign is not None and (rule is None or "xn--" not in rule.pattern.host):
            return _lookalike(given, address, foreign, carriers)
        if rule is not None:
            return _by_rule(given, address, rule, carriers)
        imitated = self._lookalikes.imitated(address.host)
        if imitated is not None:
            return _lookalike(given, address, imitated, carriers)
        site = registrable_domain(address.host)
        part = f"{address.host}/{_shown(address.path[0])}" if address.path and self._rules.knows(address.host) else site
        why = f"no rule of the policy names {part}" if "." in site else f"{site} is no public site"
        mark = self._rules.mark(address)
        if mark is not None:
            why = f"{why} (its address says: {mark.whose})"
        return _barred(given, address, "not-credentialed", why, carriers)

    @cached_property
    def _lookalikes(self) -> Lookalikes:
        hosts = {rule.pattern.host for layer in self._layers for rule in layer if rule.tier in (1, 2)}
        return Lookalikes(hosts, self._rules.credentials)


def _by_rule(given: str, address: Address, rule: Rule, carriers: list[str]) -> TierVerdict:
    whose = f"{rule.whose} on {address.host}" if rule.pattern.anywhere else rule.whose
    why = f"{whose}: {rule.why}{_through(carriers)}"
    return _verdict(given, address.url, rule.tier, why, rule.name, registrable_domain(address.host), rule.paywalled)


def _lookalike(given: str, address: Address, imitated: str, carriers: list[str]) -> TierVerdict:
    site = registrable_domain(address.host)
    letters = f" ({_shown(shown(site))} in its own letters)" if "xn--" in site else ""
    why = f"a look-alike of {imitated}: looks like {imitated}, is registered as {site}{letters}"
    return _barred(given, address, "look-alike", why, carriers)


def _barred(given: str, address: Address, kind: str, why: str, carriers: list[str]) -> TierVerdict:
    why = f"not credentialed: {why}{_through(carriers)}"
    return _verdict(given, address.url, 4, why, f"built-in: {kind}", registrable_domain(address.host))


def _verdict(
    given: str, meant: str, tier: Tier, why: str, rule: str, publisher: str, paywalled: bool = False
) -> TierVerdict:
    return TierVerdict(
        url=given,
        tier=tier,
        paywalled=paywalled,
        admitted=tier in (1, 2, 3),
        justification=why,
        rule=rule,
        effective_url=meant,
        publisher=publisher,
    )


def _through(carriers: list[str]) -> str:
    return f" (seen through {', '.join(carriers)})" if carriers else ""


def _shown(text: str) -> str:
    """Return a part of a URL, fit to stand in a log or a terminal."""
    text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
