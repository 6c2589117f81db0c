"""Blocks of a text: paragraphs, headings, list items, table rows and code of Markdown, reST and plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

BlockKind = Literal["prose", "heading", "item", "table", "code", "markup"]


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a text. `text[start:end]` is its content, without its bullet, hash marks or fence."""

    kind: BlockKind
    start: int
    end: int


_FENCE = re.compile(r"\s*(`{3,}|~{3,})")
_HASH = re.compile(r"\s{0,3}#{1,6}\s+(?=\S)")
_RULE = re.compile(r"\s*(?:([=\-~^\"'`*+#_.:<>])\1{2,}|[|+](?:\s*[:=-]{2,}\s*[|+])+)\s*$")
_ITEM = re.compile(r"\s*(?:[-*+•·◦▪‣–]|\(?\d{1,3}[.)]|\(?[a-z]\)|\(?[ivx]{1,4}\)|#\.)\s+(?=\S)")
_TABLE = re.compile(r"\s*(?:\|.*\||\+[-=+]{3,}\+|[^\t\n]*\S\t[^\t\n]*\S\t.*)\s*$")
_CELLS = re.compile(r"\S\t\s*\S")
"""Two cells of a row: wrapped prose has no tabs, so no neighbouring line belongs to the same sentence."""
_MARKUP = re.compile(
    r"\s*(?:\.\.\s.*|\.\.|:[\w +-]+:(?:\s.*)?|\[[^\]]+\]:\s+\S+.*|<!--.*|</?\w[^>]*>\s*|!\[.*|\[!\[.*|@\w+.*)$"
)
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|\$|%|C:\\>|In \[\d*\]:|Out\[\d*\]:)\s")
_SESSION = re.compile(r"\s*>>>\s")
_CODE_LINE = re.compile(
    r"""(?x)
    [;{}]\s*$                                   # statement or brace ends
    | ^\s*(?:def|class|import|from|return|async\s+def|await|if|for|while|try|with|elif|else|except|raise|print|var|let
          |const|function|public|private|SELECT|INSERT|CREATE|UPDATE|pip|npm|git|sudo|docker|curl|export)\b.*[:;=(){}]\s*$
    | ^\s*(?:from\s+[\w.]+\s+import\b|import\s+[\w.]+(?:\s+as\s+\w+)?\s*$|pip\s+install\b|\#!)
    | ^\s*[\w.\[\]"']+\s*(?:=|:=|\+=|->)\s*\S     # assignment
    | ^\s*[\w.]+\([^)]*\)\s*$                     # a bare call
    | ^\s*@\w[\w.]*(?:\(.*)?$                     # decorator
    | ^\s*</?\w+[^>]*>                            # tag
    | ^\s*["'\[{(].*[\]})"'],?\s*$                # literal
    | ^\s*-{1,2}[\w-]+(?:[=\s]|$)                 # option
    """
)
_ENDS = re.compile(r"[.!?:;。！？…][\"')\]”’*_`]*\s*$")


def code_like(line: str) -> bool:
    """Return whether a line reads as program text rather than as language."""
    return bool(_CODE_LINE.search(line) or _PROMPT.match(line))


def behind_bullet(text: str, start: int, end: int) -> int:
    """Return where the words of an item begin, behind its bullet or number."""
    bullet = _ITEM.match(text, start, end)
    return bullet.end() if bullet else start


def blocks(text: str) -> list[Block]:
    """Return the blocks of `text` in order. They never overlap; only whitespace and decoration lie between them."""
    return list(_blocks(text))


def _lines(text: str) -> list[tuple[int, int]]:
    """Return the offsets of each line, without its line break; any Unicode line break counts."""
    found, at = [], 0
    for line in text.splitlines(keepends=True):
        bare = line.rstrip("\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029")
        found.append((at, at + len(bare)))
        at += len(line)
    return found


def _blocks(text: str) -> Iterator[Block]:
    lines = _lines(text)
    i, n = 0, len(lines)
    literal = False  # the paragraph before ended in "::", so an indented block is a literal one
    while i < n:
        start, end = lines[i]
        line = text[start:end]
        if not line.strip():
            i += 1
            continue
        fence = _FENCE.match(line)
        if fence and "`" not in line[fence.end() :]:
            stop = i + 1
            while stop < n and not text[slice(*lines[stop])].strip().startswith(fence[1]):
                stop += 1
            if stop > i + 1:
                yield from _block("code", text, lines[i + 1][0], lines[stop - 1][1])
            i, literal = stop + 1, False
            continue
        if _RULE.match(line):
            i += 1
            continue
        indented = line[:1] == "\t" or line.startswith("    ")
        if indented and (i == 0 or not text[slice(*lines[i - 1])].strip() or literal):
            stop = _indented_until(text, lines, i)
            body = [text[a:b] for a, b in lines[i:stop] if text[a:b].strip()]
            if literal or 2 * sum(map(code_like, body)) >= len(body):
                yield from _block("code", text, start, lines[stop - 1][1])
                i, literal = stop, False
                continue
        literal = False
        if hash_mark := _HASH.match(line):
            yield from _block("heading", text, start + hash_mark.end(), end)
            i += 1
        elif _TABLE.match(line):
            yield from _block("table", text, start, end)
            i += 1
        elif _PROMPT.match(line):
            stop = i + 1
            while _SESSION.match(line) and stop < n and text[slice(*lines[stop])].strip():
                stop += 1  # what the interpreter printed: a blank line ends it
            yield from _block("code", text, start, lines[stop - 1][1])
            i = stop
        elif _MARKUP.match(line):
            yield from _block("markup", text, start, end)
            i += 1
        elif i + 1 < n and _underlined(line, text[slice(*lines[i + 1])]):
            yield from _block("heading", text, start, end)
            i += 2
        else:
            stop = _paragraph_until(text, lines, i)
            item = _ITEM.match(line)
            first, last = start + (item.end() if item else 0), lines[stop - 1][1]
            yield from _block(_paragraph_kind(text[first:last], bool(item), stop - i), text, first, last)
            literal = text[first:last].rstrip().endswith("::")
            i = stop


def _block(kind: BlockKind, text: str, start: int, end: int) -> Iterator[Block]:
    """Yield the block trimmed of outer whitespace; nothing if it is empty."""
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        yield Block(kind, start, end)


def _indented_until(text: str, lines: list[tuple[int, int]], i: int) -> int:
    stop = i
    for j in range(i, len(lines)):
        line = text[slice(*lines[j])]
        if line.strip():
            if not (line[:1] == "\t" or line.startswith("    ")):
                break
            stop = j + 1
    return stop


def _underlined(line: str, below: str) -> bool:
    rule = _RULE.match(below)
    if rule is None or rule[1] is None or _ITEM.match(line):
        return False
    return len(below.strip()) + 2 >= len(line.strip()) and len(line.split()) <= 20


def _paragraph_until(text: str, lines: list[tuple[int, int]], i: int) -> int:
    """Return one past the last line that runs on from line `i`: wrapped prose is joined, a line on its own is not."""
    widest = 0
    for j in range(i, len(lines)):
        line = text[slice(*lines[j])]
        if j > i:
            before = text[slice(*lines[j - 1])]
            if (
                not line.strip()
                or _ITEM.match(line)
                or _HASH.match(line)
                or _FENCE.match(line)
                or _TABLE.match(line)
                or _RULE.match(line)
                or _PROMPT.match(line)
                or (_MARKUP.match(line) and not line[:1].isspace())
                or (j + 1 < len(lines) and _underlined(line, text[slice(*lines[j + 1])]))
                or _CELLS.search(before)
                or _CELLS.search(line)
                or _stops_short(before, line, widest)
            ):
                return j
        widest = max(widest, len(line.rstrip()))
    return len(lines)


def _stops_short(before: str, line: str, widest: int) -> bool:
    """Return whether the author ended `before`, rather than a wrap: it had room for the next line's first word and the
    next line starts anew, or it is far longer than any wrap."""
    first = line.split(maxsplit=1)[0]
    anew = first[:1].isupper() or first[:1] in "\"'“([*_`"
    if len(before) > 160:
        return True
    room = len(before.rstrip()) + 1 + len(first) < min(60, 0.75 * max(widest, 60))
    return room and anew


def _paragraph_kind(content: str, item: bool, lines: int) -> BlockKind:
    bare = [line for line in content.splitlines() if line.strip()]
    if len(bare) >= 1 and all(code_like(line) for line in bare):
        return "code"
    if item:
        return "item"
    words = content.split()
    if lines == 1 and len(words) <= 12 and not _ENDS.search(content):
        return "heading"
    return "prose"
