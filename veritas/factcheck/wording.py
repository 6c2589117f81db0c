"""The words of a statement: its stretch of the text without marks and without markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable

from veritas.factcheck.shapes import Quotation, TextFormat
from veritas.text.markup import plain_text

_TAG = re.compile(r"</?[A-Za-z][\w-]{0,20}(?:\s[^<>\n]{0,400})?/?>")
_EMPHASIS = re.compile(
    r"(?<![\w*])[*]{1,3}(?=\S)|(?<=\S)[*]{1,3}(?![\w*])|\*\*|(?<![^\s(\[“\"'*—–])_{1,3}(?=\w)|(?<=\w|[.!?)])_{1,3}(?!\w)|~~|(?<!\\)`+"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPTY = re.compile(
    r"[(\[（]\s*(?:(?:see|source|sources|via|cf\.?|siehe|quellen?|vgl\.?|e\.g\.|voir|and|und|also)[\s:,;]*)*[,;·&\s|]*[)\]）]",
    re.IGNORECASE,
)
_QUOTE = re.compile(r"(?m)^[ \t]*>[ \t]?")
_SOURCE_TAIL = re.compile(r"(?i)[\s(—–-]*\b(?:sources?|quellen?|via|see|siehe|ref(?:erence)?s?)\s*:?\s*$")
_BEFORE_STOP = re.compile(r"\s+(\.(?!\w)|[,;:!?…)\]”’»])")
_TWICE = re.compile(r"([,;:])(?:\s*(?:[,;:]|\.(?!\w)))+")
_DANGLING = re.compile(r"^(?!-{1,2}\w)[\s,;:.·|\]+–—-]+(?=\S)")
_QUOTED = re.compile(
    r"“([^“”\n]{3,600})”|„([^„“\n]{3,600})“|«\s?([^«»\n]{3,600}?)\s?»|(?<![\w\"])\"(?=\S)([^\"\n]{3,600})(?<=\S)\"(?!\w)"
)
_COMMANDS_KEPT = re.compile(r"\\(?:textbf|textit|emph|text|textsc|underline|textrm|texttt)\b")


def wording(text: str, start: int, end: int, gone: Iterable[tuple[int, int]], form: TextFormat) -> str:
    """Return the words of `text[start:end]` on one line, without the stretches `gone` and without markup."""
    pieces, at = [], start
    for first, last in gone:
        if first >= end or last <= at:
            continue
        pieces.append(text[at : max(at, first)])
        at = min(end, last)
    said = " ".join((*pieces, text[at:end])) if pieces else text[at:end]
    if form == "latex":
        said = plain_text(_COMMANDS_KEPT.sub("", said).replace("\\item", " "))
    else:
        said = _ESCAPE.sub(r"\1", _EMPHASIS.sub("", _TAG.sub(" ", _QUOTE.sub("", said))))
    said = _EMPTY.sub(" ", html.unescape(said))
    said = _BEFORE_STOP.sub(r"\1", " ".join(said.split()))
    said = _DANGLING.sub("", _TWICE.sub(r"\1", said))
    return _SOURCE_TAIL.sub("", said).strip() if pieces else said.strip()


def quotations(text: str, start: int, end: int) -> tuple[Quotation, ...]:
    """Return what stands in quotation marks in a stretch of a text."""
    found = []
    for match in _QUOTED.finditer(text, start, end):
        group = match.lastindex or 1
        found.append(Quotation(quoted=match[group], start=match.start(group), end=match.end(group)))
    return tuple(found)
