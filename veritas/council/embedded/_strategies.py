"""Strategies: the preferences of each embedded member among the sentences that are on topic."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

from veritas.council.embedded._candidate_evidence import Candidate, Inquiry, relevance
from veritas.council.embedded.assertable import FINDS
from veritas.council.embedded.facets import DEFINITION, defined_subject
from veritas.text.quantities import quantities
from veritas.text.tokens import index_terms

Strategy = Callable[[Inquiry, Sequence[Candidate]], list[float]]
"""A function that gives each candidate a score; higher is better."""

_COMPARES = re.compile(
    r"(?i)\b(?:than|versus|vs\.?|compared|higher|lower|greater|fewer|less|more|increas\w+|decreas\w+|reduc\w+|faster|"
    r"slower|twice|double|half|most|least|maximum|minimum|default|limit)\b"
)


def lead(inquiry: Inquiry, found: Sequence[Candidate]) -> list[float]:
    """Score definitions and leads: sentences that introduce the topic, early in their document, their paragraph, or
    under a heading that names the topic."""
    scores = []
    for candidate in found:
        statement = candidate.statement
        subject = frozenset(index_terms(defined_subject(statement.claim)))
        defines = inquiry.covered(subject) if subject else 0.0
        early = 1 / (1 + (candidate.passage.start + statement.start) / 600)
        opens = 1.0 if statement.place == 0 else 0.4 if statement.place == 1 else 0.0
        headed = inquiry.covered(statement.heading)
        weight = 0.5 if inquiry.facet == DEFINITION else 0.3
        scores.append(relevance(candidate) + weight * defines + 0.2 * early + 0.1 * opens + 0.15 * headed)
    return scores


def salience(inquiry: Inquiry, found: Sequence[Candidate]) -> list[float]:
    """Score coverage and density: topic words weighed by their rarity among the candidates, in a sentence that is about
    little else."""
    total = len(found)
    frequency = {key: sum(key in c.statement.stems for c in found) for key in inquiry.weights}
    rarity = {
        key: weight * (0.5 + math.log(1 + (total - frequency[key] + 0.5) / (frequency[key] + 0.5)))
        for key, weight in inquiry.weights.items()
        if frequency[key]
    }
    whole = sum(rarity.values()) or 1.0
    scores = []
    for candidate in found:
        stems = candidate.statement.stems
        share = sum(weight for key, weight in rarity.items() if key in stems) / whole
        density = inquiry.count(stems) / max(8, len(stems))
        finds = 0.1 if FINDS.search(candidate.statement.text) else 0.0
        scores.append(0.6 * share + 0.4 * relevance(candidate) + 0.5 * density + finds)
    return scores


def numeric(inquiry: Inquiry, found: Sequence[Candidate]) -> list[float]:
    """Score quantities, comparisons and results."""
    scores = []
    for candidate in found:
        text = candidate.statement.claim
        measured = [q for q in quantities(text) if q.unit not in ("year", "day", "n")]
        score = relevance(candidate) + 0.3 * bool(measured) + 0.05 * min(3, len(measured))
        score += 0.15 * bool(_COMPARES.search(text)) + 0.15 * bool(FINDS.search(candidate.statement.text))
        scores.append(score)
    return scores
