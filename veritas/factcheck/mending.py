"""A corrected draft: nothing is changed but what failed, each change with its reason; nothing is written anew."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veritas.factcheck.outcome import CheckedStatement, FactCheck
from veritas.frozen import Frozen

_LEANING = re.compile(r"\W*(?:it|its|he|she|they|their|his|her|this|that|these|those|such|both|the latter|the former|"
                      r"also|however|but|so|therefore|as a result|instead)\b", re.IGNORECASE)  # fmt: skip
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+\Z")
_END = re.compile(r"[.!?…][\"'”’)\]*_]*\Z")


class Change(Frozen):
    """A change of the draft: `text[start:end]` of the text that was checked became `now`, for a reason."""

    start: int
    end: int
    was: str
    now: str
    reason: str


class Mended(Frozen):
    """A corrected draft, with its changes in the order of the text."""

    text: str
    changes: tuple[Change, ...]


def mend(check: FactCheck) -> Mended:
    """Return the text with what failed taken out or marked.

    What its source contradicts is taken out, if the text stays whole without it; else, and where the source does not
    say it, or says a part, a remark in brackets follows it. A mark without a source is taken out. All else stays
    letter by letter: what could not be read or judged is not touched.
    """
    changes: list[Change] = []
    for number, statement in enumerate(check.statements):
        following = check.statements[number + 1] if number + 1 < len(check.statements) else None
        changes += _changes(check.text, statement, following)
    kept: list[Change] = []
    for change in sorted(changes, key=lambda each: (each.start, -each.end)):
        if not kept or change.start >= kept[-1].end:
            kept.append(change)
    parts, at = [], 0
    for change in kept:
        parts += [check.text[at : change.start], change.now]
        at = change.end
    return Mended(text="".join((*parts, check.text[at:])), changes=tuple(kept))


def _changes(text: str, statement: CheckedStatement, following: CheckedStatement | None) -> Sequence[Change]:
    if statement.verdict == "mark_without_source":
        return _without_marks(text, statement)
    if statement.verdict == "contradicted":
        span = _whole(text, statement, following)
        if span is not None:
            return [_change(text, *span, "", f"contradicted: {statement.difference}")]
        return [_remark(text, statement, "the cited source contradicts this", statement.difference)]
    if statement.verdict == "not_in_source":
        return [_remark(text, statement, "not in the cited source", statement.difference)]
    if statement.verdict == "partly":
        return [_remark(text, statement, "only in part in the cited source", statement.difference)]
    return []


def _change(text: str, start: int, end: int, now: str, reason: str) -> Change:
    return Change(start=start, end=end, was=text[start:end], now=now, reason=reason)


def _without_marks(text: str, statement: CheckedStatement) -> list[Change]:
    found = []
    for start, end in dict.fromkeys((c.start, c.end) for c in statement.citations if c.url is None):
        if any(c.url is not None and (c.start, c.end) == (start, end) for c in statement.citations):
            continue  # one mark of several numbers, some of which lead somewhere
        if start > 0 and text[start - 1] == " " and (end >= len(text) or not text[end].isalnum()):
            start -= 1
        problem = next((c.problem for c in statement.citations if c.url is None and c.problem), "no source is named")
        found.append(_change(text, start, end, "", f"mark without a source: {problem}"))
    return found


def _whole(text: str, statement: CheckedStatement, following: CheckedStatement | None) -> tuple[int, int] | None:
    """Return the span to take a statement out by, its marks included; None where the text would not stay whole: a part
    of a sentence, a cell of a table, or a sentence that the next one leans on."""
    start, end = statement.start, statement.end
    for mark in statement.citations:
        if mark.start >= end and not text[end : mark.start].strip(" \t"):
            end = max(end, mark.end)
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    stop = len(text) if stop < 0 else stop
    if "|" in text[line:stop] or "\t" in text[line:stop]:
        return None
    if end < len(text) and text[end] in ".!?":
        end += 1
    before, behind = text[line:start], text[end:stop]
    if _BULLET.fullmatch(before) and not behind.strip():
        return line, min(stop + 1, len(text))
    begins = not before.strip() or _END.search(before.rstrip()) is not None
    ends = _END.search(text[start:end].rstrip("]0123456789[ ")) is not None or _END.search(text[start:end]) is not None
    if not begins or not ends:
        return None
    if following is not None and _LEANING.match(text[following.start : following.end]) and (
        "\n\n" not in text[end : following.start]
    ):  # fmt: skip
        return None
    return (start, end + 1) if text[end : end + 1] == " " else (start, end)


def _remark(text: str, statement: CheckedStatement, remark: str, reason: str) -> Change:
    """Return the change that adds a remark in brackets behind a statement, before its stop."""
    at = statement.end
    while at > statement.start and text[at - 1] in ".!?… \n\t":
        at -= 1
    return _change(text, at, at, f" [{remark}]", f"{statement.verdict.replace('_', ' ')}: {reason}")
