"""Checks and audits of citations, and of the registries, for programs and for people."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from veritas.citations.auditing.drift import SAID, Audited, AuditReport
from veritas.citations.checking.findings import RULES, Report
from veritas.registries.contract import Checked
from veritas.report.sarif import sarif
from veritas.text.visible import printable


def as_json(report: AuditReport) -> dict[str, Any]:
    """Return the document of `veritas audit --json`."""
    return {
        "root": report.root,
        "begun_at": report.begun_at,
        "ok": not report.failed,
        "complete": report.complete,
        "artifacts": [
            {
                "path": each.path,
                "title": each.title,
                "ok": not each.findings,
                "complete": each.complete,
                "findings": [finding.model_dump(mode="json") for finding in each.findings],
                "problems": list(each.problems),
                "proposal": each.proposal,
                "audited_at": each.audited_at,
            }
            for each in report.artifacts
        ],
    }


def as_diff(report: AuditReport) -> str:
    """Return all proposals as one patch for `git apply`."""
    return "".join(each.proposal for each in report.artifacts if each.proposal)


def summary(report: AuditReport) -> str:
    """Return one line: how many artifacts, how many with findings, how many not fully looked at."""
    drifted = sum(bool(each.findings) for each in report.artifacts)
    partial = sum(not each.complete for each in report.artifacts)
    said = f"{len(report.artifacts)} artifacts, {drifted} with findings"
    return said + (f", {partial} not fully looked at: a registry did not answer" if partial else "")


def lines(audited: Audited) -> list[str]:
    """Return the findings on one artifact, a line each, safe to print to a terminal."""
    said = [f"{audited.path}: {finding.drift.value}: {finding.message}" for finding in audited.findings]
    said += [f"{audited.path}: not known: {problem}" for problem in audited.problems]
    return [printable(line) for line in said]


def as_markdown(report: AuditReport) -> str:
    """Return the audit as Markdown for the Prefect UI."""
    rows = "\n".join(
        f"| {_cell(each.path)} | {finding.drift.value} | {_cell(finding.message)} |"
        for each in report.artifacts
        for finding in each.findings
    )
    table = f"| artifact | what | how |\n|---|---|---|\n{rows}\n" if rows else "Every citation stands.\n"
    return f"# Citation audit\n\n{summary(report)}\n\n{table}"


def _cell(text: str) -> str:
    return escape(text, quote=False).replace("|", "\\|").replace("\n", " ").replace("[", "\\[")


_STYLE = """
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
section{border-top:1px solid #8884;padding:.5rem 0}
h2{font-size:1.05rem}pre{overflow:auto;background:#8881;padding:.5rem}
.bad{color:#c22}.good{color:#283}.partial{color:#a60}
@media(prefers-color-scheme:dark){.bad{color:#f88}.good{color:#8d8}.partial{color:#fb6}}
"""


def as_html(report: AuditReport) -> str:
    """Return the audit as a self-contained page: it loads nothing, runs nothing, and strangers' text is escaped."""
    parts = "\n".join(_section(each) for each in report.artifacts if each.findings or not each.complete)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">'
        '<meta name="viewport" content="width=device-width"><title>Citation audit</title>'
        f"<style>{_STYLE}</style></head><body><h1>Citation audit</h1>"
        f"<p>{escape(summary(report))}. Begun {escape(report.begun_at)}.</p>"
        f"{parts or '<p class=good>Every citation stands.</p>'}</body></html>\n"
    )


def _section(audited: Audited) -> str:
    findings = "".join(
        f'<li class="bad"><strong>{escape(SAID[finding.drift])}</strong> {escape(finding.message)}'
        + (f"<br>was {escape(finding.was)}, now {escape(finding.now)}" if finding.was and finding.now else "")
        + "</li>"
        for finding in audited.findings
    )
    problems = "".join(f'<li class="partial">Not known: {escape(problem)}</li>' for problem in audited.problems)
    proposal = f"<pre>{escape(audited.proposal)}</pre>" if audited.proposal else ""
    return (
        f"<section><h2>{escape(audited.title or audited.path)}</h2><p>{escape(audited.path)}</p>"
        f"<ul>{findings}{problems}</ul>{proposal}</section>"
    )


def as_sarif(report: Report) -> str:
    """Return the findings of `veritas check` as SARIF 2.1.0."""
    found = report.findings
    return sarif("check", RULES, [(f.rule, f.level, f.message, (f.path, f.line, f.column)) for f in found])


def registry_json(checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the document of `veritas audit --contract --json`."""
    return {
        "ok": all(each.status == "ok" for each in checked),
        "broken": sorted({each.source for each in checked if each.status == "broken"}),
        "unavailable": sorted({each.source for each in checked if each.status == "unavailable"}),
        "checks": [each.model_dump() for each in checked],
    }


def line(checked: Checked) -> str:
    """Return a check in one line, without control characters."""
    said = f"{checked.source}: {checked.what}: {checked.status}" + (f": {checked.message}" if checked.message else "")
    return printable(said)
