"""Diagnostics of bibliography entries: in a .bib file, and where an entry is cited."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

from veritas.citations.bibliography.entry import Entry
from veritas.citations.writing.diagnostic import Diagnostic, Level, SeeAlso
from veritas.citations.writing.known_bibliographies import Bibliography
from veritas.citations.writing.open_questions import EntryVerdicts, subject_of
from veritas.registries.offline import NOT_ASKED

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry_verdict import Judged

WRONG = frozenset({"fabricated", "misattributed"})
_GONE = frozenset({"retracted", "withdrawn"})
_LONGEST_TITLE = 80

WHAT_TO_DO = {
    "fabricated": "Cite a work that exists",
    "misattributed": "Correct it by the record",
    "retracted": "Cite another work",
    "unregistered": "Correct the DOI",
    "unconfirmed": "Give an identifier or a link that shows it",
}


def of_entry(entry: Entry, verdicts: EntryVerdicts, here: str | None = None) -> tuple[str, Level, str] | None:
    """Return what is wrong with an entry as code, level and message; None if nothing is. `here` is the working folder,
    if it was asked for before."""
    if entry.problem:
        return "unreadable-entry", "warning", f"the entry cannot be read: {entry.problem}"
    judged, here = verdicts.get(entry), os.getcwd() if here is None else here
    of = entry.subject, entry.file, here, judged is None
    return verdicts.told.get(of, len(entry.subject), lambda: _advised(entry, judged, verdicts))


def _advised(entry: Entry, judged: Judged | None, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    found = _of_entry(entry, judged, verdicts)
    advice = WHAT_TO_DO.get(found[0]) if found else None
    return found if found is None or advice is None else (*found[:2], f"{found[2]}. {advice}")


def nothing_known(entry: Entry) -> str:
    """Return that nobody here knows a work, and which command asks."""
    title = " ".join((entry.record.title or "").split()) if entry.file else ""
    shown = title if len(title) <= _LONGEST_TITLE else f"{title[:_LONGEST_TITLE]}…"
    named = f"“{shown}”" if title else f"doi:{entry.record.doi}" if entry.record.doi else "this work"
    said = f"nothing on this machine tells whether {named} exists. Ask with veritas bib"
    if not entry.file:
        return said
    near = os.path.relpath(entry.file)
    return f"{said} {shlex.quote(entry.file if near.startswith('..') else near)}"


def _of_entry(entry: Entry, judged: Judged | None, verdicts: EntryVerdicts) -> tuple[str, Level, str] | None:
    if judged is None:
        return "unknown", "unknown", nothing_known(entry)
    verdict = judged.verdict.value
    if verdict in WRONG:
        return verdict, "error", judged.reason
    if verdict in _GONE:
        return "retracted", "error", judged.reason
    if judged.evidence.registered is False and verdict in ("cannot_confirm", "unavailable"):
        return "unregistered", "error", f"the DOI {entry.record.doi} is registered nowhere"
    refused = verdicts.profile is not None and judged.refused
    if refused and verdict == "cannot_confirm":
        return "unconfirmed", "error", f"{judged.reason}; the profile {_ruled(judged)} refuses it"
    if verdict in ("cannot_confirm", "unavailable"):
        problems = judged.evidence.problems
        nobody = bool(problems) and all(each.endswith(NOT_ASKED) for each in problems)
        return "unknown", "unknown", nothing_known(entry) if nobody else judged.reason
    if (standing := judged.evidence.status.standing) in ("corrected", "expression_of_concern"):
        level: Level = "error" if refused else "warning"
        return "corrected", level, f"{standing.replace('_', ' ')}: {'; '.join(judged.notes)}"
    if verdict == "minor" and refused:
        return "differs", "error", f"{_differing(judged)}; the profile {_ruled(judged)} refuses it"
    if verdict == "minor":
        return "differs", "information", _differing(judged)
    if refused and judged.ruling is not None and judged.ruling.because:
        return "unconfirmed", "error", f"{judged.ruling.because}; the profile {_ruled(judged)} refuses it"
    return None


def _ruled(judged: Judged) -> str:
    return judged.ruling.profile if judged.ruling is not None else ""


def _differing(judged: Judged) -> str:
    told = [f"{each.field} is “{each.found}” in the record" for each in judged.differences if each.found]
    return "; ".join(told) or judged.reason


def of_bibliography(bibliography: Bibliography, verdicts: EntryVerdicts) -> Iterator[Diagnostic]:
    """Yield what is wrong with the entries of a .bib file."""
    here = os.getcwd()
    for entry in bibliography.entries:
        if (found := of_entry(entry, verdicts, here)) is None:
            continue
        code, level, message = found
        start, end = key_place(bibliography.text, entry)
        yield Diagnostic(start, end, code, level, message, subject_of(entry) or entry.key, entry.key)


def key_place(text: str, entry: Entry) -> tuple[int, int]:
    """Return the place of an entry's key in its file; its first line where it has none."""
    begin, end = entry.span or (0, 0)
    opened = max(text.find(sign, begin, end) for sign in "{(") if not entry.key else begin
    at = text.find(entry.key, opened, end) if entry.key else -1
    if at >= 0:
        return at, at + len(entry.key)
    line = text.find("\n", begin)
    return begin, min(len(text) if line < 0 else line, end) or end


def at_citation(entry: Entry, verdicts: EntryVerdicts) -> Diagnostic | None:
    """Return what is wrong with a work where its entry is cited, at the place 0; slight differences are shown in the
    file alone."""
    found = of_entry(entry, verdicts)
    if found is None or found[0] in ("differs", "unreadable-entry"):
        return None
    code, level, message = found
    there = (SeeAlso(entry.file, entry.line, f"the entry of @{entry.key}"),) if entry.file else ()
    return Diagnostic(0, 0, code, level, f"@{entry.key}: {message}", subject_of(entry), entry.key, there)
