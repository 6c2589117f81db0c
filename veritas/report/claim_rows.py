"""Claims for a list that has each once: several members often assert the same, on the same words."""

from __future__ import annotations

from dataclasses import dataclass

from veritas.claims.envelope import ClaimEnvelope, SpanRef
from veritas.documents.verbatim import fold_whitespace
from veritas.report.graph_index import GraphIndex


@dataclass(frozen=True)
class ClaimRow:
    """A claim that is shown, and those that say the same on the same passages. `outcomes` and `labels` are the keys of
    all of them, for filters."""

    claim: ClaimEnvelope
    alike: tuple[ClaimEnvelope, ...]
    outcomes: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def asserters(self) -> tuple[str, ...]:
        """Everybody who asserts it, each once."""
        return tuple(dict.fromkeys(claim.asserted_by for claim in (self.claim, *self.alike)))


def claim_rows(index: GraphIndex) -> list[ClaimRow]:
    """Return the claims in the order of the graph; of several alike one that is cited is shown, else the first."""
    grouped: dict[tuple[str, tuple[SpanRef, ...]], list[ClaimEnvelope]] = {}
    for claim in index.graph.claims:
        grouped.setdefault((fold_whitespace(claim.claim), claim.spans), []).append(claim)
    rows = []
    for group in grouped.values():
        shown = next((claim for claim in group if index.outcome(claim).key == "cited"), group[0])
        rows.append(
            ClaimRow(
                claim=shown,
                alike=tuple(claim for claim in group if claim is not shown),
                outcomes=tuple(dict.fromkeys(index.outcome(claim).key for claim in group)),
                labels=tuple(dict.fromkeys(claim.verifier_judgment or "none" for claim in group)),
            )
        )
    return rows
