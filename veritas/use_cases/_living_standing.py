"""The standing of what an answer cites: asked of the scholarly registries, by DOI."""

from __future__ import annotations

import time
from collections.abc import Mapping

from veritas.claims.graph import ClaimGraph

FRESH = 86_400.0
"""Seconds for which a registry's answer counts."""


async def standings(graph: ClaimGraph) -> Mapping[str, str]:
    """Return DOI -> standing of the works that an answer cites. One that no registry tells of now is left out (I5).

    Nobody is asked for an answer that cites nothing with a DOI.
    """
    cited = {reference.doi: reference for reference in graph.answer.bibliography if reference.doi}
    if not cited:
        return {}
    from veritas.citations.bibliography.entry import Entry
    from veritas.citations.bibliography.verify_entries import verify
    from veritas.use_cases.citations import configured_registries

    entries = [
        Entry(
            file="answer", key=doi, line=1, type="article",
            fields={name: value for name, value in {
                "doi": doi, "title": reference.title, "author": " and ".join(reference.authors),
                "year": str(reference.year or ""),
            }.items() if value},
        )
        for doi, reference in cited.items()
    ]  # fmt: skip
    judged = await verify(entries, configured_registries(newer_than=time.time() - FRESH))
    return {
        each.entry.key: each.evidence.status.standing
        for each in judged
        if any(candidate.same_work for candidate in each.evidence.candidates)
    }
