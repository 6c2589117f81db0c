"""The verification gate: one place that decides about every finding, whoever asks (docs/gate.md).

    gate = Gate(StoredDocuments(documents), lenses)
    decisions = await gate.decide_all(findings)

`RegistryOracle` is in `veritas.verifying.gate.registries`: it loads the citation machinery.
"""

from __future__ import annotations

from veritas.verifying.gate.asking import Ask, Asker, InProcess
from veritas.verifying.gate.combining import Verdict, combine
from veritas.verifying.gate.council_gate import council_gate
from veritas.verifying.gate.decision import Correction, Decision
from veritas.verifying.gate.finding import Attribution, Finding
from veritas.verifying.gate.gate import Bench, Gate
from veritas.verifying.gate.oracle import Oracle, OracleAnswer, Oracles, OracleVerdict
from veritas.verifying.gate.panel import panel
from veritas.verifying.gate.ruling import Action, Ruling, settle
from veritas.verifying.gate.stored_documents import AdmittedTexts, StoredDocuments

__all__ = [
    "Action", "AdmittedTexts", "Ask", "Asker", "Attribution", "Bench", "Correction", "Decision", "Finding", "Gate",
    "InProcess", "Oracle", "OracleAnswer", "OracleVerdict", "Oracles", "Ruling", "StoredDocuments",
    "Verdict", "combine", "council_gate", "panel", "settle",
]  # fmt: skip
