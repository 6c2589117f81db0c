"""The verification gate, the one place that decides about every finding (docs/gate.md).

    gate = Gate(StoredDocuments(documents), lenses)
    decisions = await gate.decide_all(findings)

`RegistryOracle` is in `veritas.citations.work_oracle`: it loads the citation machinery.
"""

from __future__ import annotations

from veritas.council.panel import panel
from veritas.gate.combining import Verdict, combine
from veritas.gate.decision import Correction, Decision
from veritas.gate.finding import Attribution, Finding
from veritas.gate.gate import Bench, Gate, council_gate
from veritas.gate.lens_calls import Ask, Asker, InProcess
from veritas.gate.named_oracles import OracleSetup, oracle_for
from veritas.gate.oracle import Oracle, OracleAnswer, Oracles, OracleVerdict
from veritas.gate.ruling import Action, Ruling, settle
from veritas.gate.stored_documents import AdmittedTexts, StoredDocuments

__all__ = [
    "Action", "AdmittedTexts", "Ask", "Asker", "Attribution", "Bench", "Correction", "Decision", "Finding", "Gate",
    "InProcess", "Oracle", "OracleAnswer", "OracleSetup", "OracleVerdict", "Oracles", "Ruling", "StoredDocuments",
    "Verdict", "combine", "council_gate", "oracle_for", "panel", "settle",
]  # fmt: skip
