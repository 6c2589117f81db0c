"""Look-alikes: sites that pass themselves off as credentialed ones, by foreign letters, one letter off, or a name in
front.

For most of these a look-alike only gives the better reason, as an unnamed site is not credentialed anyway. A name
spelled with another script's letters (`nіh.gov` with a Cyrillic і) is different: a rule for a whole suffix would let it
in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable

from veritas.policy.suffixes import registrable_domain

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
    """The registrable domains that a policy credentials, and the hosts drawn or spelled like one of them.

    `vouched` says whether a rule of the policy credentials a host; it is asked about names that a host pretends to.
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
        """Return the name that `host`, which no rule credentials, can be taken for; None if there is none."""
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
    """Return the ASCII name that a punycode host is drawn like, if letters of another script make it so; else None."""
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
    """Return one spelling for all that look alike: accents off, foreign letters, 0 for o, 1 for l, rn for m, vv for
    w."""
    if not text.isascii():
        text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
        text = text.translate(_DRAWN_ALIKE)
    return text.replace("0", "o").replace("1", "l").replace("rn", "m").replace("vv", "w")


def _shortened(name: str) -> set[str]:
    """Return the name itself and with each one letter left out: two names one letter apart share one of these."""
    return {name} | {name[:i] + name[i + 1:] for i in range(len(name))}


def _one_letter_off(a: str, b: str) -> bool:
    """Return whether one letter added, left out or changed, or two neighbours swapped, turns `a` into `b`."""
    if len(a) > len(b):
        a, b = b, a
    i = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), len(a))
    if len(a) < len(b):
        return len(b) - len(a) == 1 and a[i:] == b[i + 1:]
    return a[i + 1:] == b[i + 1:] or (a[i + 1:i + 2] + a[i:i + 1] == b[i:i + 2] and a[i + 2:] == b[i + 2:])
