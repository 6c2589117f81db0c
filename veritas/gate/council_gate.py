"""The gate with the current council, for citations, papers and reviews."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veritas.gate.gate import Gate
from veritas.gate.oracle import Oracle

if TYPE_CHECKING:
    from veritas.council.seated_council import Council


def council_gate(oracle: Oracle, council: Council | None = None) -> Gate:
    """Return a gate whose lenses are the council's, by default those of the council that `veritas council` names.
    Raises `InputError` (with `PolicyError`) if the council cannot be used or a policy is wrong."""
    if council is None:
        from veritas.council.seated_council import build_council
        from veritas.council.select_council import choose_council

        council = build_council(choose_council().policy)
    seated = council
    return Gate(oracle, lambda finding, rule: seated.bench(finding.author, rule))
