"""Verdicts for programs and for people: JSON, SARIF, one line a finding, a self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from html import escape
from typing import Any

from veritas.citations.bibliography.correction import corrected_entry
from veritas.citations.bibliography.entry_verdict import FINDINGS, Judged, Verdict
from veritas.citations.record_exports import landing_page
from veritas.report.sarif import sarif
from veritas.text.visible import printable
from veritas.works.records import BibRecord

RULES = {
    "verified": "The work exists; the profile refuses what no record confirms of it.",
    "minor": "The work exists and is cited with a small error.",
    "misattributed": "The work is not what the entry says it is.",
    "retracted": "The paper was retracted.",
    "withdrawn": "The paper was withdrawn.",
    "fabricated": "No such work is known to any registry.",
    "cannot_confirm": "The registries cannot confirm the entry, and need not.",
    "unavailable": "A registry that was needed did not answer.",
}
_WORDS = {"cannot_confirm": "cannot confirm"}


def counts(judged: Sequence[Judged]) -> dict[str, int]:
    """Return verdict -> number of entries, for every verdict."""
    found = Counter(each.verdict for each in judged)
    return {verdict.value: found[verdict] for verdict in Verdict}


def entry_json(judged: Judged) -> dict[str, Any]:
    """Return one entry of `veritas bib --json`."""
    evidence = judged.evidence
    return {
        "file": judged.entry.file,
        "key": judged.entry.key,
        "line": judged.entry.line,
        "type": judged.entry.type,
        "form": judged.form.value,
        "title": judged.entry.record.full_title,
        "verdict": judged.verdict.value,
        "reason": judged.reason,
        "differences": [
            {"field": each.field, "cited": each.cited, "found": each.found, "minor": each.minor, "code": each.code}
            for each in judged.differences
        ],
        "notes": list(judged.notes),
        "standing": evidence.status.standing,
        "updates": [
            {"kind": each.kind.value, "notice": each.doi, "date": each.date, "asserted_by": each.asserted_by}
            for each in evidence.status.updates
        ],
        "match": None if judged.match is None else _record(judged.match),
        "independent_sources": judged.independent,
        "page": None if evidence.page is None else evidence.page.model_dump(),
        "ruling": None if judged.ruling is None else judged.ruling.model_dump(mode="json"),
        "corrected": corrected_entry(judged),
        "evidence": [
            {
                "source": each.source,
                "found_by": each.by,
                "same_work": each.same_work,
                "conflicts": list(each.conflicts),
                "notes": list(each.notes),
                **_record(each.record),
            }
            for each in evidence.candidates
        ],
        "searched": [
            {"source": each.source, "records": len(each.found), "problem": each.problem} for each in evidence.searched
        ],
        "problems": list(evidence.problems),
    }


def profile_json(judged: Sequence[Judged]) -> dict[str, Any] | None:
    """Return the profile that ruled on the verdicts, and how many entries it refuses and calls hallucinated; None if
    there was none."""
    ruled = [each.ruling for each in judged if each.ruling is not None]
    if not ruled:
        return None
    return {
        "name": ruled[0].profile,
        "refused": sum(each.refused for each in ruled),
        "hallucinated": sum(each.hallucinated for each in ruled),
    }


def profile_line(judged: Sequence[Judged]) -> str:
    """Return the word of the profile in one line; empty if there was none."""
    told = profile_json(judged)
    if told is None:
        return ""
    return f"by the profile {told['name']}: {told['refused']} refused, {told['hallucinated']} hallucinated"


def _ruled(judged: Judged) -> str:
    """Return what the profile says of an entry, in brackets; empty where it says nothing."""
    ruling = judged.ruling
    if ruling is None or not (ruling.refused or ruling.hallucinated):
        return ""
    said = "hallucinated: " + ", ".join(ruling.criteria) if ruling.hallucinated else "refused"
    if ruling.because:
        said += f", {ruling.because}"
    return f" [{ruling.profile}: {said}]"


def _record(record: BibRecord) -> dict[str, Any]:
    return {
        "title": record.full_title,
        "authors": [str(name) for name in record.authors[:20]],
        "year": record.year,
        "venue": record.venue,
        "doi": record.doi,
        "arxiv_id": record.arxiv_id,
        "url": landing_page(record),
    }


def line(judged: Judged) -> str:
    """Return a finding in one line, with its differences below, safe to print to a terminal."""
    word = _WORDS.get(judged.verdict.value, judged.verdict.value)
    lines = [f"{judged.entry.file}:{judged.entry.line}: {word}: {judged.entry.key}: {judged.reason}{_ruled(judged)}"]
    lines += [f"    {each.field}: {each.cited!r} should be {each.found!r}" for each in judged.differences]
    return "\n".join(map(printable, lines))


def as_sarif(judged: Sequence[Judged]) -> str:
    """Return the entries that are not verified or that the profile refuses, as SARIF."""
    levels = dict.fromkeys(FINDINGS, "error") | {Verdict.MINOR: "warning"}
    return sarif(
        "bib",
        RULES,
        [
            (
                each.verdict.value,
                levels.get(each.verdict, "warning" if each.refused else "note"),
                f"{each.entry.key}: {each.reason}{_ruled(each)}",
                (each.entry.file.replace("\\", "/"), each.entry.line, 1),
            )
            for each in judged
            if each.verdict is not Verdict.VERIFIED or each.refused
        ],
    )


_STYLE = """
:root{color-scheme:light dark;--line:#8884}
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.4rem .6rem;
border-bottom:1px solid var(--line)}td.v{white-space:nowrap;font-weight:600}pre{overflow:auto;white-space:pre-wrap}
.fabricated,.retracted,.withdrawn,.misattributed{color:#c22}.minor,.unavailable{color:#a60}.verified{color:#283}
@media(prefers-color-scheme:dark){.fabricated,.retracted,.withdrawn,.misattributed{color:#f88}.minor,.unavailable
{color:#fb6}.verified{color:#8d8}}small{opacity:.75}
"""


def as_html(judged: Sequence[Judged], when: str) -> str:
    """Return the verdicts as a self-contained page: it loads nothing, runs nothing, and strangers' text is escaped."""
    said = ", ".join(f"{number} {_WORDS.get(name, name)}" for name, number in counts(judged).items() if number)
    rows = "\n".join(_row(each) for each in judged)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        '<meta name="viewport" content="width=device-width"><title>Bibliography</title>'
        f"<style>{_STYLE}</style></head><body><h1>Bibliography</h1><p>{escape(said)}. Verified {escape(when)}"
        f"{escape(f', {profile_line(judged)}' if judged else '')}.</p>"
        f"<table><thead><tr><th>Verdict</th><th>Entry</th><th>Why</th></tr></thead><tbody>{rows}</tbody></table>"
        "</body></html>\n"
    )


def _row(judged: Judged) -> str:
    verdict = judged.verdict.value
    differences = "".join(
        f"<li>{escape(each.field)}: <del>{escape(each.cited or '—')}</del> → "
        f"<ins>{escape(each.found or '—')}</ins></li>"
        for each in judged.differences
    )
    links = " ".join(
        dict.fromkeys(
            f'<a href="{escape(url)}">{escape(each.source)}</a>'
            for each in judged.evidence.candidates
            if (each.same_work or each.record == judged.match)
            and (url := landing_page(each.record))
            and url.startswith("https://")
        )
    )
    corrected = corrected_entry(judged)
    return (
        f'<tr><td class="v {verdict}">{escape(_WORDS.get(verdict, verdict))}</td>'
        f"<td>{escape(judged.entry.record.full_title or judged.entry.text or '(no title)')}<br>"
        f"<small>{escape(judged.entry.key)}, {escape(judged.entry.file)}:{judged.entry.line}</small></td>"
        f"<td>{escape(judged.reason + _ruled(judged))}<ul>{differences}</ul><small>{links}</small>"
        + (f"<details><summary>Corrected</summary><pre>{escape(corrected)}</pre></details>" if corrected else "")
        + "</td></tr>"
    )
