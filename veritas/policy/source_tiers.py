"""The source policy that ships: rules from `policies/source_tiers.yaml`, looked up by the page behind a URL's
carriers.

Look-alikes: sites that pass themselves off as credentialed ones, by foreign letters, one letter off, or a name in
front.

For most of these a look-alike only gives the better reason, as an unnamed site is not credentialed anyway. A name
spelled with another script's letters (`nіh.gov` with a Cyrillic і) is different: a rule for a whole suffix would let it
in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path

from veritas.claims.sources import Tier
from veritas.errors import InputError, PluginError, VeritasError
from veritas.frozen import Frozen, content_hash
from veritas.policy._rules import Rule, Rules
from veritas.policy._url_parts import Address, read_address
from veritas.policy._wrappers import Hidden, see_through
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.policy.suffixes import registrable_domain
from veritas.policy.tier_file import Layers, default_path, read_layers
from veritas.policy.yaml_file import read_yaml

SEAM = "source_policy"
_KEY = re.compile(rb"(?m)^plugin[ \t]*:")


class PluginFile(Frozen):
    """A policy file that names a plug-in."""

    plugin: str


def plugin_named(path: Path) -> str | None:
    """Return the plug-in that a policy file names under `plugin:`; None for a file of tiers. Raises `PolicyError`."""
    try:
        if _KEY.search(path.read_bytes()) is None:  # a file of tiers is long, and is parsed once
            return None
    except OSError:
        return None  # the code that reads the file reports the error
    from veritas import plugins  # it reads the metadata of every package, which a file of tiers does not need

    file = read_yaml(path)
    name = file.to_model(PluginFile).plugin
    if name not in plugins.installed(SEAM):
        there = ", ".join(sorted(plugins.installed(SEAM)))
        raise file.error(("plugin",), f"no {SEAM} plug-in is called {name!r}; installed: {there}")
    return name


class PluggedSourcePolicy:
    """The policy of a plug-in. An error or an invalid answer raises `PluginError`, because an unclassified URL is
    neither admitted nor rejected."""

    def __init__(self, name: str) -> None:
        from veritas import plugins

        self.name = name
        self._inner = plugins.make(SEAM, name, SourcePolicy)
        said = getattr(self._inner, "fingerprint", None)
        self.fingerprint = content_hash([name, plugins.release(SEAM, name), said if isinstance(said, str) else ""])
        """SHA-256 over the plug-in, its release and, if it has one, its own fingerprint."""

    def classify(self, url: str) -> TierVerdict:
        """See `SourcePolicy`. Raises `PluginError` for no verdict, and for one that contradicts itself."""
        from veritas import plugins

        try:
            verdict = self._inner.classify(url)
        except (VeritasError, KeyboardInterrupt):
            raise
        except BaseException as error:  # a stranger's code
            raise PluginError(plugins.failed(SEAM, self.name, error)) from error
        if not isinstance(verdict, TierVerdict):
            said = InputError(f"{type(verdict).__name__}, which is no TierVerdict")
            raise PluginError(plugins.failed(SEAM, self.name, said))
        if verdict.admitted != (verdict.tier in (1, 2, 3)):
            said = InputError(f"tier {verdict.tier} with admitted={verdict.admitted}: tiers 1 to 3 are, others not")
            raise PluginError(plugins.failed(SEAM, self.name, said))
        return verdict


# Letters that are drawn like Latin ones, each before the letter it is taken for (after Unicode's confusables, UTS 39):
# Cyrillic, Greek, Armenian, and Latin letters beyond ASCII that are more than a letter with an accent.
_PAIRS = """
аa вb сc ԁd еe гr һh нh іi јj кk ӏl мm оo рp пn ԛq ѕs тt иu ѵv ԝw хx уy ьb
αa βb εe γy ηn ιi κk νv οo ρp σo τt υu χx ωw
օo սu ոn հh ցg զq
ɑa ɡg ıi ɩi łl øo đd ħh ŧt ʟl ɴn ᴄc ᴏo ᴜu ᴠv ᴡw ᴢz
"""
_DRAWN_ALIKE = {ord(pair[0]): pair[1] for pair in _PAIRS.split()}
SHORTEST_NAME = 5
"""Least letters of a name that is compared letter by letter; too many honest shorter names are one letter apart (bbc,
bbs, nbc)."""


class Lookalikes:
    """The registrable domains that a policy credentials, and the hosts that imitate one of them.

    `vouched` says whether a rule of the policy credentials a host; it is called with the names that a host imitates.
    """

    def __init__(self, hosts: Iterable[str], vouched: Callable[[str], bool]) -> None:
        self._vouched = vouched
        self._names = {registrable_domain(host) for host in hosts if "." in host and "<" not in host}
        self._drawn = {_drawn(name): name for name in self._names}
        self._near: dict[str, list[str]] = {}
        for name in self._names:
            if len(name.partition(".")[0]) >= SHORTEST_NAME:
                for form in _shortened(name):
                    self._near.setdefault(form, []).append(name)

    def imitated(self, host: str) -> str | None:
        """Return the name that `host`, which no rule credentials, imitates; None if there is none."""
        name = registrable_domain(host)
        foreign = homograph(host)
        if foreign is not None:
            return foreign
        if self._drawn.get(_drawn(shown(name)), name) != name:
            return self._drawn[_drawn(shown(name))]
        in_front = host[: -len(name) - 1]
        dotted = name.partition(".")[0].strip("-").replace("-", ".")
        for pretended in (in_front, dotted):
            if "." in pretended and self._vouched(pretended):
                return pretended
        for form in _shortened(name):
            for near in self._near.get(form, ()):
                if near != name and _one_letter_off(name, near):
                    return near
        return None


def homograph(host: str) -> str | None:
    """Return the ASCII name that a punycode host imitates with letters of another script; else None."""
    if "xn--" not in host:
        return None
    plain = _drawn(shown(host))
    return registrable_domain(plain) if plain.isascii() and "." in plain and _foreign(shown(host)) else None


def shown(host: str) -> str:
    """Return the host as a browser may show it: punycode labels in their own letters."""
    return re.sub(r"xn--([a-z0-9-]+)", _decode, host) if "xn--" in host else host


def _decode(label: re.Match[str]) -> str:
    try:
        return label[1].encode("ascii").decode("punycode")
    except UnicodeError:
        return label[0]


def _foreign(text: str) -> bool:
    return any(ord(letter) in _DRAWN_ALIKE for letter in unicodedata.normalize("NFKD", text))


def _drawn(text: str) -> str:
    """Return one spelling for all that look alike: without accents, foreign letters replaced, 0 for o, 1 for l, rn for
    m, vv for w."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
        text = text.translate(_DRAWN_ALIKE)
    return text.replace("0", "o").replace("1", "l").replace("rn", "m").replace("vv", "w")


def _shortened(name: str) -> set[str]:
    """Return the name and all variants without one letter: two names that differ in one letter share one of these."""
    return {name} | {name[:i] + name[i + 1:] for i in range(len(name))}


def _one_letter_off(a: str, b: str) -> bool:
    """Return whether one letter added, left out or changed, or two neighbours swapped, turns `a` into `b`."""
    if len(a) > len(b):
        a, b = b, a
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return len(b) - len(a) == 1 and a[i:] == b[i + 1:]
    return a[i + 1:] == b[i + 1:] or (a[i + 1:i + 2] + a[i:i + 1] == b[i:i + 2] and a[i + 2:] == b[i + 2:])


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
        """Return the verdict for a URL, after resolving carriers. Never raises; takes some tens of microseconds."""
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
    """Return a part of a URL, escaped for a log or a terminal."""
    text = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
    return "".join(c if c.isprintable() else "\ufffd" for c in text)
