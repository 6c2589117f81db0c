"""A check of citations as SARIF."""

from __future__ import annotations

from veritas.citations.checking.findings import RULES, Report
from veritas.report.sarif import sarif


def as_sarif(report: Report) -> str:
    """Return the findings of `veritas check` as SARIF 2.1.0."""
    found = report.findings
    return sarif("check", RULES, [(f.rule, f.level, f.message, (f.path, f.line, f.column)) for f in found])
