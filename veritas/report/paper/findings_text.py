"""Render the findings of the arithmetic referee for the terminal, and their words for every report."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from veritas.documents.paper_parts import MainStatement
from veritas.papers.audit import PaperAudit
from veritas.papers.referee.finding import Check, Finding, Refereed
from veritas.text.plural import plural
from veritas.text.visible import printable

CHECKS: dict[Check, tuple[str, str]] = {
    "p-value": ("p-value", "test statistic"),
    "grim": ("mean", "mean"),
    "grimmer": ("standard deviation", "standard deviation"),
    "debit": ("standard deviation", "standard deviation"),
    "confidence-interval": ("confidence interval", "confidence interval"),
    "share": ("percentage", "percentage"),
    "table-sum": ("sum in a table", "table total"),
    "count": ("count", "sum"),
    "change": ("change", "change"),
    "degrees": ("degrees of freedom", "sample size"),
    "two-by-two": ("ratio", "ratio"),
    "table-cell": ("text and table", "table comparison"),
    "wording": ("wording", "wording"),
    "date": ("date", "date"),
    "scale": ("standard deviation", "standard deviation on its scale"),
    "standard-error": ("standard error", "standard error"),
    "effect-size": ("effect size", "effect size"),
    "heterogeneity": ("I²", "I²"),
}
"""What a check found wrong, and what it compares (singular)."""
SEVERITIES = {"decision": "changes significance", "error": "cannot be right", "rounding": "last digit", "note": "note"}


def show_refereed(found: Refereed, *, width: int = 100, color: bool = False) -> str:
    """Return the findings with their calculations, and what was recomputed."""
    bold, end = ("\x1b[1m", "\x1b[0m") if color else ("", "")
    lines = [f"{bold}{printable(found.title)}{end}", *(printable(note) for note in found.notes), ""]
    lines += findings_lines(found.findings, width, bold, end)
    lines += textwrap.wrap(said_in_all(found), width)
    return "\n".join(lines)


def findings_lines(findings: Sequence[Finding], width: int, bold: str, end: str) -> list[str]:
    """Return each finding in a few lines, with an empty line after it."""
    lines = []
    for each in findings:
        place = placed(each)
        lines.append(f"{bold}{CHECKS[each.check][0]}{end} ({SEVERITIES[each.severity]}{f', {place}' if place else ''})")
        for said in (
            f"“{printable(' '.join(each.quote.split()))}”",
            f"The paper says {printable(each.says)}; recomputed: {printable(each.recomputed)}.",
            f"{printable(each.calculation)}. Rounding allowed: {printable(each.allowed)}.",
            f"The paper would be right if {printable(each.right_if)}.",
        ):
            lines += textwrap.wrap(said, width, initial_indent="  ", subsequent_indent="  ")
        lines.append("")
    return lines


def placed(finding: Finding) -> str:
    """Return the places of a finding in words: `in Abstract and Results, pages 1 and 5`; empty if nothing is known."""
    pages = [str(page) for page in dict.fromkeys(p.page for p in (finding.location, *finding.also)) if page]
    told = f"in {printable(finding.where)}" if finding.where else ""
    on = f"{'page' if len(pages) == 1 else 'pages'} {' and '.join(pages)}" if pages else ""
    times = f"{1 + len(finding.also)} times" if finding.also else ""
    return ", ".join(part for part in (told, on, times) if part)


def said_in_all(found: Refereed | PaperAudit) -> str:
    """Return in sentences what was recomputed, and which numbers were only seen."""
    if found.recomputed:
        compared = ", ".join(plural(count, CHECKS[check][1]) for check, count in found.recomputed.items())
        said = f"{'' if found.findings else 'Nothing was found wrong. '}Recomputed: {compared}."
    elif found.unchecked:
        said = "Nothing was recomputed, which says nothing about the paper."
    else:
        said = "The text has no numbers that this referee can recompute: it says nothing about the paper."
    if found.unchecked:
        seen = ", ".join(plural(count, form) for form, count in found.unchecked.items())
        said += f" Seen and not recomputed: about {seen}. No check recognised a second number to compare them with; "
        said += "one may stand in the paper."
    return said


NAMES = {"aim": "main aim", "test": "main test", "result": "main result", "conclusion": "main conclusion"}
"""The names that reports use."""


def argument_lines(argument: Sequence[MainStatement], width: int, bold: str, end: str) -> list[str]:
    """Return each main statement with its page, or where it was looked for; nothing for an audit without them."""
    if not argument:
        return []
    lines = ["", f"{bold}What the paper says of itself{end}"]
    for each in argument:
        said = each.why
        if each.place is not None:
            said = f"“{''.join(c if c.isprintable() else '?' for c in each.text)}”"
            said += f" (page {each.place.page})" if each.place.page else ""
        lines += textwrap.wrap(f"{NAMES[each.kind]}: {said}", width, initial_indent="  ", subsequent_indent="    ")
    return lines
