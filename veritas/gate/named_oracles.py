"""Oracles by name: the one that each kind of finding is decided by, and those that `gate.yaml` adds to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from veritas import plugins
from veritas.documents.document import Document
from veritas.gate.oracle import Oracle, Oracles
from veritas.policy.gate_policy import FindingKind, GatePolicy, load_gate_policy

SEAM: Final = "oracle"

FIRST: Final[Mapping[FindingKind, str]] = {
    "research-claim": "stored-documents",
    "answer-sentence": "admitted-texts",
    "citation": "registries",
    "paper-node": "stored-documents",
    "review-sentence": "corpus",
}
"""The oracle that is asked first about each kind of finding. It holds a finding to what was read, so that no other can
take its place: `gate.yaml` adds to it."""


@dataclass(frozen=True)
class OracleSetup:
    """What an oracle is made with: the kind of the findings it is asked about, and what these may be looked up in, as
    the product that asks has it at hand. None is what it has not."""

    kind: FindingKind
    documents: Sequence[Document] | None = None
    """Of research claims, sentences of an answer and nodes of papers: every document that was read."""
    texts: Sequence[str] | None = None
    """Of sentences of an answer: the claims that were admitted, and their passages."""
    registries: Any = None
    """Of citations: `veritas.registries.all_registries.Registries`."""
    triangulation: Any = None
    """Of citations: the rules by which records are compared, where they are not those of the policies folder."""
    corpus: Any = None
    """Of sentences of a review: `veritas.reviews.claim_corpus.Corpus`."""


def oracle_for(setup: OracleSetup, policy: GatePolicy | None = None) -> Oracle:
    """Return the oracle of a kind of finding: its own, and after it those that the policy adds, in their order. The
    first that does not confirm has the word.

    Raises `InputError` for a name that no installed oracle has, `PluginError` for one that cannot be made.
    """
    further = (policy or load_gate_policy()).oracles.get(setup.kind, ())
    made = [plugins.make(SEAM, name, Oracle, setup) for name in (FIRST[setup.kind], *further)]
    return made[0] if len(made) == 1 else Oracles(made)
