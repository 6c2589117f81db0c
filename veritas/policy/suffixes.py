"""Registrable domains: the registered part of a host name, by the installed public-suffix list (no download)."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any


@lru_cache(maxsize=16384)
def registrable_domain(host: str) -> str:
    """Return the name that one party registered: `a.b.example.co.uk` -> `example.co.uk`, `a.alice.github.io` ->
    `alice.github.io`.

    `host` is lower-case ASCII (punycode). A host that is itself a public suffix (`gov.uk`) is returned unchanged.
    """
    labels = host.split(".")
    # The list is loaded without the punycode form of its entries, which halves the time to load it.
    found = _suffixes().privatesuffix(".".join(map(_unicode, labels)))
    return host if found is None else ".".join(labels[-(found.count(".") + 1):])


@lru_cache(maxsize=4096)
def registry_keeps(suffix: str) -> bool:
    """Return whether the country's registry itself runs `suffix` (such as `gov.uk`), so that nobody can buy it.

    Uses only the list's ICANN section: its private section holds suffixes that companies run.
    """
    _, _, country = suffix.partition(".")
    text = _icann_section()
    return f"\n{suffix}\n" in text or f"\n*.{country}\n" in text


def _unicode(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label


@cache
def _suffixes() -> Any:
    from publicsuffixlist import PublicSuffixList

    return PublicSuffixList(accept_encoded_idn=False)


@cache
def _icann_section() -> str:
    from publicsuffixlist import PSLFILE

    return Path(PSLFILE).read_text("utf-8").partition("===END ICANN DOMAINS===")[0]
