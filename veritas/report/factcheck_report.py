"""A checked text for programs and people: JSON, SARIF, Markdown, a line a finding, and a page that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from veritas.factcheck.mending import Mended
from veritas.factcheck.outcome import FINDINGS as FINDINGS
from veritas.factcheck.outcome import (
    MEANING,
    ORDER,
    CheckedStatement,
    FactCheck,
    Rate,
    ReadSource,
)
from veritas.factcheck.outcome import WORDS as WORDS
from veritas.factcheck.sources import could_not_be_read as could_not_be_read
from veritas.report.sarif import sarif
from veritas.text.visible import printable, web_address

TIERS = {1: "tier 1", 2: "tier 2", 3: "tier 3", 4: "tier 4", "wikipedia": "an encyclopedia"}
"""Words for a source's tier by the policy."""
__all__ = [
    "FINDINGS", "TIERS", "WORDS", "as_html", "as_json", "as_markdown", "as_sarif", "by_tier", "line", "place",
    "remarks", "rows", "said_of", "tier_of",
]  # fmt: skip


def as_json(check: FactCheck, mended: Mended | None = None) -> dict[str, Any]:
    """Return the check as JSON values. `statements` are in the order of the text, `counts` by verdict."""
    made = check.model_dump(mode="json")
    made["counts"] = dict(check.counts)
    if mended is not None:
        made["mended"] = mended.model_dump(mode="json")
    return made


def line(check: FactCheck, statement: CheckedStatement) -> str:
    """Return a statement's verdict in a line, with its difference and passage below, safe to print to a terminal."""
    row, column = place(check.text, statement.start)
    lines = [f"{check.name}:{row}:{column}: {WORDS[statement.verdict]}: {statement.statement}"]
    lines += [f"    {said}" for said in remarks(statement)]
    if statement.passage and statement.verdict not in ("mark_without_source", "uncited"):
        lines.append(f"    “{' '.join(statement.passage.split())}” {statement.source or ''}".rstrip())
    return "\n".join(map(printable, lines))


def remarks(statement: CheckedStatement) -> list[str]:
    """Return what is said beside a verdict: the difference, arithmetic, the council's judge, pages that a search found,
    the tier."""
    found = [statement.difference] if statement.difference else []
    if statement.calculation:
        found.append(f"calculated: {statement.calculation}")
    if statement.judged_by:
        found.append(f"judged by {statement.judged_by}, a judge of the council")
    found += [f"a search found it at {url}" for url in statement.found]
    if statement.verdict == "supported" and (tier := tier_of(statement)) in (4, "wikipedia"):
        found.append(f"supported by a source of {TIERS[tier]}")
    return found


def tier_of(statement: CheckedStatement) -> Any:
    """Return the best tier among the sources that say a statement; None where none does."""
    saying = {each.url for each in statement.sources if each.verdict == statement.verdict}
    tiers = [c.tier for c in statement.citations if c.url in saying and c.tier is not None]
    return min(tiers, key=lambda tier: 5 if tier == "wikipedia" else tier, default=None)


def place(text: str, offset: int) -> tuple[int, int]:
    """Return line and column, from 1, of an offset."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def said_of(rate: Rate) -> str:
    """Return a rate in words, with its coverage beside it."""
    if rate.share is None:
        return f"{rate.name}: none to count"
    beside = f" (of {rate.covered} that could be told, of {rate.whole} in all)" if rate.covered != rate.whole else ""
    return f"{rate.name}: {rate.share:.0%}, {rate.hits} of {rate.of}{beside}"


def as_sarif(check: FactCheck, path: str) -> str:
    """Return the statements that are not supported as SARIF; `path` is the text's, relative to the root."""
    return sarif(
        "factcheck",
        {verdict: MEANING[verdict] for verdict in ORDER},
        [
            (
                each.verdict,
                "error" if each.verdict == "contradicted" else "warning" if each.verdict in FINDINGS else "note",
                f"{WORDS[each.verdict]}: {each.statement}" + (f" ({each.difference})" if each.difference else ""),
                (path.replace("\\", "/"), *place(check.text, each.start)),
            )
            for each in check.worst_first
            if each.verdict != "supported"
        ],
    )


def as_markdown(check: FactCheck, mended: Mended | None = None) -> str:
    """Return the report as Markdown: worst first, then the rates and the sources by tier."""
    lines = [f"# {_md(check.name)}, checked", "", _md(check.headline), ""]
    lines += [f"- {_md(note)}" for note in check.notes] + ([""] if check.notes else [])
    for verdict in ORDER:
        held = [each for each in check.statements if each.verdict == verdict]
        if not held:
            continue
        lines += [f"## {WORDS[verdict].capitalize()} ({len(held)})", "", MEANING[verdict], ""]
        for each in held:
            lines.append(f"- {_md(each.statement)}")
            lines += [f"  - {_md(said)}" for said in remarks(each)]
            if each.passage:
                lines.append(f"  - source: “{_md(' '.join(each.passage.split()))}” {_md(each.source or '')}".rstrip())
        lines.append("")
    lines += ["## Rates", "", *(f"- {said_of(rate)}: {rate.rule}" for rate in check.rates), ""]
    lines += ["## Sources", "", *(f"- {_md(_source_line(each))}" for each in by_tier(check.sources)), ""]
    if mended is not None and mended.changes:
        lines += ["## Changes of the corrected draft", ""]
        lines += [f"- “{_md(each.was.strip() or each.now.strip())}”: {_md(each.reason)}" for each in mended.changes]
        lines.append("")
    return "\n".join(lines)


def by_tier(sources: Sequence[ReadSource]) -> list[ReadSource]:
    """Return the sources by tier, best first, an encyclopedia last; dead ones last within each."""
    return sorted(sources, key=lambda each: (5 if each.tier == "wikipedia" else each.tier, each.problem is not None))


def _source_line(source: ReadSource) -> str:
    said = f"{TIERS[source.tier]}: {source.title or source.url} ({source.url})"
    if source.problem:
        said += f"; {could_not_be_read(source.problem)}"
        if source.archived:
            said += f"; archived: {source.archived}"
    return f"{said}; only a part could be read" if source.partial else said


def _md(text: str) -> str:
    return printable(" ".join(text.split())).replace("<", "&lt;").replace("|", "\\|")


_STYLE = """
:root{color-scheme:light dark;--line:#8884;--bad:#c22;--open:#a60;--good:#283}
@media(prefers-color-scheme:dark){:root{--bad:#f88;--open:#fb6;--good:#8d8}}
body{font:16px/1.55 system-ui,sans-serif;max-width:76rem;margin:2rem auto;padding:0 1rem}
.row{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:0 1.5rem;border-top:1px solid var(--line);
padding:.5rem 0}.row p{margin:.2rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
.note{font-size:.86rem;margin:0 0 .6rem}
@media(max-width:50rem){.row{grid-template-columns:1fr}}
blockquote{margin:.2rem 0;padding-left:.6rem;border-left:3px solid var(--line)}
mark{background:none;color:inherit;border-bottom:3px solid}b.v{white-space:nowrap}
.contradicted,.not_in_source,.partly,.mark_without_source{border-color:var(--bad)}b.contradicted,b.not_in_source,b.partly,
b.mark_without_source{color:var(--bad)}.unreachable,.cannot_tell,.uncited{border-color:var(--open)}b.unreachable,
b.cannot_tell,b.uncited{color:var(--open)}.supported{border-color:var(--good)}b.supported{color:var(--good)}
del{opacity:.75}small{opacity:.8}
"""


def as_html(check: FactCheck, when: str, mended: Mended | None = None) -> str:
    """Return the report as a page: it loads nothing, runs nothing, and strangers' text is escaped.

    The text stands as it was, each statement marked, with what the source says in the margin; the worst are listed
    first.
    """
    worst = "".join(
        f'<li><a href="#s{check.statements.index(each)}"><b class="v {each.verdict}">{WORDS[each.verdict]}</b></a> '
        f"{escape(each.statement)}<br><small>{escape('; '.join(remarks(each)))}</small></li>"
        for each in check.worst_first
        if each.verdict != "supported"
    )
    rates = "".join(f"<li>{escape(said_of(each))} <small>{escape(each.rule)}</small></li>" for each in check.rates)
    sources = "".join(f"<li>{_source_html(each)}</li>" for each in by_tier(check.sources))
    notes = "".join(f"<li>{escape(note)}</li>" for note in check.notes)
    aside = ", ".join(f"{count} {kind.replace('_', ' ')}" for kind, count in check.set_aside.items())
    changes = "".join(
        f"<li><del>{escape(each.was.strip())}</del> <ins>{escape(each.now.strip())}</ins> "
        f"<small>{escape(each.reason)}</small></li>"
        for each in (mended.changes if mended is not None else ())
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">'
        f'<meta name="viewport" content="width=device-width"><title>Checked: {escape(check.name)}</title>'
        f"<style>{_STYLE}</style></head><body><h1>{escape(check.name)}, checked</h1>"
        f"<p><strong>{escape(check.headline)}</strong></p><p><small>{escape(when)}; judged by {escape(check.judge)}."
        + (f" Set aside: {escape(aside)}." if aside else "")
        + "</small></p>"
        + (f"<ul>{notes}</ul>" if notes else "")
        + (f"<h2>Worst first</h2><ol>{worst}</ol>" if worst else "")
        + f"<h2>The text</h2>{''.join(_rows(check))}<h2>Rates</h2><ul>{rates}</ul><h2>Sources</h2><ul>{sources}</ul>"
        + (f"<h2>Changes of the corrected draft</h2><ul>{changes}</ul>" if changes else "")
        + "</body></html>\n"
    )


def rows(check: FactCheck) -> list[tuple[list[tuple[str, int | None]], list[int]]]:
    """Return the text in blocks, each as its pieces with the number of the statement they are of (None for what is
    between), and the numbers of the statements that begin in it."""
    text, made = check.text, []
    order = sorted(range(len(check.statements)), key=lambda number: check.statements[number].start)
    at, waiting = 0, list(order)
    while at < len(text):
        cut = text.find("\n\n", at)
        held = [n for n in waiting if at <= check.statements[n].start < (cut if cut >= 0 else len(text))]
        end = max([cut + 2 if cut >= 0 else len(text), *(check.statements[n].end for n in held)])
        pieces: list[tuple[str, int | None]] = []
        where = at
        for number in held:
            statement = check.statements[number]
            if statement.start < where:
                continue  # two statements of one place: the first is shown
            pieces += [(text[where : statement.start], None), (text[statement.start : statement.end], number)]
            where = statement.end
        pieces.append((text[where:end], None))
        made.append(([piece for piece in pieces if piece[0]], held))
        waiting = [n for n in waiting if n not in held]
        at = end
    return made


def _rows(check: FactCheck) -> list[str]:
    found = []
    for pieces, held in rows(check):
        shown = "".join(
            escape(said) if number is None else
            f'<mark class="{check.statements[number].verdict}" id="s{number}">{escape(said)}</mark>'
            for said, number in pieces
        )  # fmt: skip
        notes = "".join(_note(check.statements[number]) for number in held)
        if shown.strip():
            found.append(f'<div class="row"><p>{shown.strip()}</p><div>{notes}</div></div>')
    return found


def _note(statement: CheckedStatement) -> str:
    said = "; ".join(remarks(statement))
    quote = f"<blockquote>{escape(statement.passage)}</blockquote>" if statement.passage else ""
    return (
        f'<div class="note"><b class="v {statement.verdict}">{WORDS[statement.verdict]}</b> {escape(said)}{quote}'
        f"<small>{_link(statement.source) if statement.source else ''}</small></div>"
    )


def _source_html(source: ReadSource) -> str:
    said = f"{TIERS[source.tier]}: {escape(source.title)} {_link(source.url)} "
    said += f"<small>{escape(source.tier_reason)}</small>"
    if source.problem:
        said += f"; <b class='unreachable'>{escape(could_not_be_read(source.problem))}</b>"
    if source.archived:
        said += f"; archived: {_link(source.archived)}"
    return f"{said}; only a part could be read" if source.partial else said


def _link(url: str) -> str:
    address = web_address(url)
    return f'<a rel="noreferrer nofollow" href="{escape(address)}">{escape(url)}</a>' if address else escape(url)
