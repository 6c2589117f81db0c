"""What a model is told of a text's citations: the gravest findings, where there are more than it is told of."""

from __future__ import annotations

from veritas.citations.checking.findings import Finding, Report
from veritas.server.mcp.claim_results import MOST_FINDINGS, text_check


def test_an_error_behind_many_warnings_is_told_first() -> None:
    slight = [Finding("page.md", line, 1, "unsealed", "no seal") for line in range(1, MOST_FINDINGS + 2)]
    wrong = Finding("page.md", MOST_FINDINGS + 2, 1, "missing-artifact", "none there")
    told = text_check(Report("", [*slight, wrong], files=1, links=102, artifacts=101, seconds=0.0))
    assert [each.rule for each in told.findings[:2]] == ["missing-artifact", "unsealed"]
    assert told.could_not_tell[-1] == "2 further findings are not listed"
