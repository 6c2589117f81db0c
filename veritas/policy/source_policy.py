"""The source-policy seam: a URL in, a verdict with its reason out. Pure: no network, clock or model (section IV)."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from veritas.claims.sources import Tier
from veritas.frozen import Frozen


class TierVerdict(Frozen):
    """A policy's verdict on a URL. `admitted` is true if a claim may rest on it: tiers 1 to 3. Tier 4 and "wikipedia"
    (read for its references, never cited) are not.

    `rule` names the rule that decided; `effective_url` is the page behind archives, proxies and redirects, else equal
    to `url`; `publisher` identifies independent sources: the registrable domain, or for a curated corpus the document's
    own URL.
    """

    url: str
    tier: Tier
    paywalled: bool
    admitted: bool
    justification: str
    rule: str
    effective_url: str
    publisher: str


@runtime_checkable
class SourcePolicy(Protocol):
    """A policy that decides what may be read and cited. Never raises for an invalid URL: that is tier 4 with the
    reason."""

    def classify(self, url: str) -> TierVerdict:
        """Return the verdict for a fully-qualified URL (`http`, `https` or `corpus`)."""
        ...
