"""Artifacts for tests: one as this code writes it, one as the specification shows it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from veritas.citations.artifacts import Artifact, Excerpt, Trail

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
ABSTRACT = (
    "We study how gradients are poisoned. A perturbation of 1.5 standard deviations suffices for p < 0.05 "
    "on CIFAR-10. Robust aggregation does not help."
)
SLUG = "1902.06156-baruch-little"


def artifact(**changes: Any) -> Artifact:
    fields: dict[str, Any] = {
        "title": "A Little Is Enough: Circumventing Defenses For Distributed Learning",
        "authors": ("Moran Baruch", "Gilad Baruch", "Yoav Goldberg"),
        "year": 2019,
        "venue": "arXiv",
        "arxiv_id": "1902.06156",
        "urls": {"abs": "https://arxiv.org/abs/1902.06156"},
        "sources_consulted": ("semantic_scholar", "arxiv"),
        "triangulation": Trail(
            primary_source="semantic_scholar",
            secondary_source="arxiv",
            decisive_fields_agreed=True,
            decisive_fields_checked=("title", "first_author_surname", "year", "arxiv_id"),
        ),
        "text_excerpts_unavailable": True,
        "verified_at": NOW,
        "claim_supported": "A perturbation of 1.5 standard deviations suffices",
        "abstract": ABSTRACT,
        "excerpts": (
            Excerpt(
                text="A perturbation of 1.5 standard deviations suffices for p < 0.05 on CIFAR-10.", location="Abstract"
            ),
        ),
        "snippet": "Moran Baruch, Gilad Baruch, Yoav Goldberg. *A Little Is Enough*. arXiv:1902.06156 (2019).",
        "bibtex": "@article{baruch2019little,\n  title={A Little Is Enough},\n  year={2019}\n}",
    }
    return Artifact(**(fields | changes))


BY_HAND = """---
# === Identity (verbatim from API; never LLM-generated) ===
title: "SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning"
authors:
  - Heyi Zhang
  - Yule Liu
year: 2025
venue: "arXiv preprint"
venue_full: null  # optional alternative form

arxiv_id: "2502.03801"
doi: null
urls:
  abs: https://arxiv.org/abs/2502.03801
  pdf: https://arxiv.org/pdf/2502.03801
  html: https://arxiv.org/html/2502.03801  # optional; preferred for parsing

sources_consulted: [semantic_scholar, openalex]
triangulation:
  primary_source: semantic_scholar
  secondary_source: openalex
  decisive_fields_agreed: true
  decisive_fields_checked: [title, first_author_surname, year, arxiv_id]
  notes: []
single_source_verified: false  # true iff triangulation was skipped
verified_by: a person
verified_at: "2026-05-23T17:42:00Z"
verification_version: "1.0"
human_overridden: false
override_reason: null
claim_supported: "FLPoison canonical headliner set includes ALIE, Fang, sign-flip"
---

## Abstract

We evaluate 15 representative poisoning attacks and 17 defense strategies in a unified benchmark.

## Excerpts supporting the claim

> "We evaluate 15 representative poisoning attacks and 17 defense
> strategies in a unified benchmark..."
> (Abstract, paragraph 2)

## Citation snippet

Heyi Zhang, Yule Liu. *SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning*. arXiv:2502.03801 (2025).

## BibTeX

```bibtex
@article{zhang2025sok,
  title={SoK: Benchmarking Poisoning Attacks and Defenses in Federated Learning},
  year={2025}
}
```
"""
