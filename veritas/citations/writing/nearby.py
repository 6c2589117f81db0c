"""Quotations whose own sentence cites nothing: which citation beside them they may be of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Protocol, TypeVar

from veritas.citations.writing._brackets import reverses
from veritas.citations.writing.places import Kind

_NOTE = re.compile(r"^[ \t]{0,3}\[\^([^\]\s]{1,200})\]:[ \t]*(?P<text>[^\n]*(?:\n[ \t]+\S[^\n]*)*)", re.MULTILINE)
FENCE = r"(?:`{3,}|:{3,}|~{3,})[ ]?\{?\.?(?:epigraph|pull-?quote|highlights|(?:block)?quote)\b"
"""What begins a directive of quoted words, or a division of Pandoc's."""
_QUOTED_LINES = re.compile(
    r"(?:(?:[ \t]*>[^\n]*(?:\n|\Z))+|[ \t]*<blockquote\b.*</blockquote>"
    rf"|[ \t]*{FENCE}.*?(?:`{{3,}}|:{{3,}}|~{{3,}})?)\s*\Z",
    re.DOTALL | re.IGNORECASE,
)
_FRAME = re.compile(r"\s*(?:\.\.[ \t]+[\w-]+::[^\n]*|(?:[`:~]{3,}|[-=*_]{3,})[^\n]*|</?[a-z]+>)?\s*\Z", re.IGNORECASE)
_SHORT = 3
"""Most words beside its citations of a paragraph that only says where a block quotation is from."""
_MOST_BEHIND, _MOST_BEFORE = 3, 10
"""Most words between a quotation and the citation behind it or before it that is its source."""
_OPENED = re.compile(r"(?:\[[^\[\]]*|\\\w*[Cc]ite\w*\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*|:[\w:]*cite[\w:]*:`[^`]*)\Z")
_CLOSED = re.compile(r"\A[^\[\]{}`\"“]*[\]}`]")
_ELSEWHERE = re.compile(
    r"\b(?:see|cf|compare|unlike|whereas|but|however|while|though|contra(?:st|ry|dict\w*)|disagree\w*|oppos\w+|differ\w*"
    r"|refut\w+|against|versus|vs)\b",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"\b(?:our|my)\s+(?:\w+[\s-]+){0,2}?(?:hypothes[ei]s|press release|results?|findings?|replication|survey|draft"
    r"|abstract|reports?|posts?|questions?|claims?|conclusions?|headline|expectations?|predictions?|guess|slogan)\b"
    r"|\b(?:we|I)\s+(?:\w+ly\s+|had\s+|have\s+)?(?:replicat|repeat|hypothesi[sz]|expect|predict|wrote|conclud|propos"
    r"|reproduc)\w*"
    r"|\b(?:reviewers?|press release|blog\w*|newspapers?|headlines?|campaign\w*|tweet\w*|interview\w*|critics"
    r"|journalists?|the media|popular belief|the survey|questionnaire)\b"
    r"|\bmis(?:quot|stat|represent|report|attribut|cit|reading)\w*"
    r"|\b(?:wrong|false|incorrect|mistaken|untrue|inaccurate|misleading)(?:ly)?\s+(?:to\s+\w+|\w+s|\w+ed)\b",
    re.IGNORECASE,
)
"""Words before a quotation by which it is its writer's, somebody else's, or a misquotation."""
_ASKED = re.compile(r"\W*(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have)\b", re.IGNORECASE)
_SHOWN_WRONG = re.compile(
    r"(?:\W|\[[^\[\]]*\])*(?:that|this|it|which)\s+(?:is|was|would be)\s+(?:\w+ly\s+)?"
    r"(?:false|wrong|untrue|incorrect|inaccurate|misleading|a mis\w+|not (?:true|so|what|the case))\b",
    re.IGNORECASE,
)


class Placed(Protocol):
    """Something at the characters `[start, end)` of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


P = TypeVar("P", bound=Placed)


def is_block(text: str, kind: Kind) -> bool:
    """Return whether a paragraph is a block quotation: marked lines of Markdown, an indented one of
    reStructuredText."""
    if kind == "markdown":
        return _QUOTED_LINES.match(text) is not None
    lines = [line for line in text.split("\n") if line.strip()]
    return kind == "rst" and bool(lines) and all(line[:2] in ("  ", " \t") or line[0] == "\t" for line in lines)


def is_frame(text: str) -> bool:
    """Return whether a paragraph says nothing: a directive's first line, a fence, a rule."""
    return _FRAME.match(text) is not None


def only_cites(words: str) -> bool:
    """Return whether a paragraph without its citations says nothing else."""
    return len(words.split()) <= _SHORT


def notes(text: str, cited: Sequence[P]) -> Iterator[tuple[int, int, int]]:
    """Yield the place of each footnote's text that cites nothing itself, and that of the first mark that leads to
    it."""
    for found in _NOTE.finditer(text):
        begin, end = found.span("text")
        if any(begin <= each.start < end for each in cited):
            continue
        mark = f"[^{found[1]}]"
        at = text.find(mark)
        while at == found.start(1) - 2 or (at >= 0 and text.startswith(":", at + len(mark))):
            at = text.find(mark, at + 1)
        if at >= 0:
            yield begin, end, at


def marks_of_notes(text: str, cited: Sequence[P]) -> Iterator[tuple[P, int]]:
    """Yield each citation in the text of a footnote with the places of the marks that lead to it."""
    for found in _NOTE.finditer(text):
        begin, end = found.span("text")
        inside = [each for each in cited if begin <= each.start < end]
        for mark in re.finditer(re.escape(f"[^{found[1]}]") + "(?!:)", text) if inside else ():
            yield from ((each, mark.start()) for each in inside)


def stands_apart(text: str, quotation: Placed, start: int, end: int) -> bool:
    """Return whether other words than those that lead to a source stand between a quotation and the citation at
    `[start, end)`: the quoted words may be another work's."""
    if start >= quotation.end:
        between, most = _OPENED.sub("", text[quotation.end : start]), _MOST_BEHIND
    else:
        between, most = _CLOSED.sub("", text[end : quotation.start]), _MOST_BEFORE
    return len(re.findall(r"\w+", between)) > most or _ELSEWHERE.search(between) is not None or reverses(between)


def is_others(before: str, behind: str) -> bool:
    """Return whether the words around a quotation say that it may not be the cited work's: the writer's own words,
    somebody else's, a question, or a misquotation that is shown as such. `before` is what its sentence has before
    it."""
    asked = behind.lstrip("\"”’»' ")[:1] == "?" and _ASKED.match(before) is not None
    return asked or _OTHERS.search(before) is not None or _SHOWN_WRONG.match(behind) is not None
