"""Oracles by name: the built-in one of each kind of finding, and those that `gate.yaml` adds."""

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
    """The arguments of an oracle's factory: the kind of the findings, and what they can be looked up in, as far as the
    product has it (else None)."""

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
    """Return the oracle of a kind of finding: the built-in one, followed by those of the policy, in order.

    The first that does not confirm decides. Raises `InputError` for an unknown name, `PluginError` for one that cannot
    be created.
    """
    further = (policy or load_gate_policy()).oracles.get(setup.kind, ())
    made = [plugins.make(SEAM, name, Oracle, setup) for name in (FIRST[setup.kind], *further)]
    return made[0] if len(made) == 1 else Oracles(made)
