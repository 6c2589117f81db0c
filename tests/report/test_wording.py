"""Words for verdicts: one that is more often wrong than right has no plain name."""

from __future__ import annotations

import pytest

from veritas.report.wording import verdict_said


@pytest.mark.parametrize(
    ("verdict", "confidence", "told"),
    [
        ("supports", 0.62, ("supports", "Supported")),
        ("supports", 0.42, ("silent", "Doubtful: leans to “supported”")),
        ("refutes", 0.42, ("silent", "Doubtful: leans to “refuted”")),
        ("refutes", 0.5, ("refutes", "Refuted")),
        ("insufficient", 0.3, ("silent", "Insufficient evidence")),
        ("unavailable", 0.0, ("unavailable", "Unavailable")),
    ],
)
def test_a_verdict_below_one_half_is_told_as_doubtful(verdict: str, confidence: float, told: tuple[str, str]) -> None:
    assert verdict_said(verdict, confidence) == told
