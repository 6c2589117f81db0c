"""Verdicts for programs and for people: JSON, SARIF, one line a finding, a self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from veritas.citations.bibliography.correction import corrected_entry
from veritas.citations.bibliography.entry_verdict import FINDINGS, Judged, Verdict
from veritas.citations.record_exports import landing_page
from veritas.report.sarif import sarif
from veritas.text.visible import printable
from veritas.works.records import BibRecord

RULES = {
    "fabricated": "No such work is known to any registry.",
    "retracted": "The paper was retracted.",
    "withdrawn": "The paper was withdrawn.",
    "misattributed": "The work is not what the entry says it is.",
    "minor": "The work exists and is cited with a small error.",
    "unavailable": "A registry that was needed did not answer.",
    "cannot_confirm": "The registries cannot confirm the entry, and need not.",
    "verified": "The work exists; the profile refuses what no record confirms of it.",
}
_WORDS = {"cannot_confirm": "cannot confirm"}
_WORST_FIRST = tuple(RULES)


def as_json(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the verdicts as every door tells them: `entries` in their order, `counts` of every verdict, `unanswered`
    and the `profile`.

    `unanswered` tells each cause once: `because`, the `registries` that it kept from answering, and the `keys` (or
    titles) of the entries without a verdict.
    """
    entries = [_entry(each) for each in judged]
    found = Counter(each.verdict for each in judged)
    counts = {verdict.value: found[verdict] for verdict in Verdict}
    return {"entries": entries, "counts": counts, "unanswered": _unanswered(entries), "profile": profile_json(judged)}


def worst_first(entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return entries of the JSON, those with something wrong first."""
    return sorted(entries, key=lambda each: _WORST_FIRST.index(each["verdict"]))


def _unanswered(entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    causes: dict[str, tuple[dict[str, None], dict[str, None]]] = {}
    for each in entries:
        if each["verdict"] != "unavailable":
            continue
        for problem in each["problems"] or [each["reason"]]:
            registry, because = "", problem
            if each["problems"]:  # which begin with the name of who did not answer
                registry, _, because = problem.partition(" ")
            registries, keys = causes.setdefault(because, ({}, {}))
            registries |= {registry.rstrip(":"): None} if registry else {}
            keys[each["key"] or each["title"] or "an entry without a key"] = None
    return [
        {"because": because, "registries": list(registries), "keys": list(keys)}
        for because, (registries, keys) in causes.items()
    ]


def unanswered_line(cause: Mapping[str, Any]) -> str:
    """Return a cause of `unanswered` in one line, safe to print to a terminal."""
    keys = cause["keys"]
    more = f" and {len(keys) - 3} more" if len(keys) > 3 else ""
    return printable(" ".join(filter(None, (
        f"{', '.join(keys[:3])}{more}:", ", ".join(cause["registries"]), cause["because"],
    ))))  # fmt: skip


def _entry(judged: Judged) -> dict[str, Any]:
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
    found = Counter(each.verdict.value for each in judged)
    said = ", ".join(f"{found[name]} {_WORDS.get(name, name)}" for name in _WORST_FIRST if found[name])
    rows = "\n".join(map(_row, sorted(judged, key=lambda each: _WORST_FIRST.index(each.verdict.value))))
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
