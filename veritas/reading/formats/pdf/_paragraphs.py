"""Paragraphs from lines: their ends, the rows of tables, and the hyphens that the typesetter added."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median

from veritas.reading.formats.pdf._columns import Line

_BULLET = re.compile(r"[•◦▪‣∙·–*-]\s")
_NUMBERED = re.compile(r"(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s")
_CLOSED = re.compile(r"[.!?:…。！？][\"'”’»)\]¹²³⁰-⁹]*$")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BROKEN = re.compile(r"([^\W\d_]+)[-\u2010\xad]$")
_BEGINNING = re.compile(r"[^\W\d_]+")
_URL = re.compile(r"(?:https?:|www\.)\S*[/_.?&=:-]$")


class Vocabulary:
    """The words within a document's lines: they tell which hyphen at a line's end belongs to the word."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._words: Counter[str] = Counter()
        halves: list[tuple[str, str]] = []
        broken: re.Match[str] | None = None
        for line in lines:
            # The halves of a broken word are no words.
            rest = _BEGINNING.match(line) if broken else None
            if broken and rest:
                halves.append((broken.group(1).lower(), rest.group().lower()))
            broken = _BROKEN.search(line)
            for word in _WORD.findall(line, rest.end() if rest else 0, broken.start() if broken else len(line)):
                self._words[word.lower()] += 1
                if "-" in word:
                    self._words.update(word.lower().split("-"))
        # If words known from elsewhere mostly keep their hyphen, the typesetter broke no words here.
        kept = sum(self._words[f"{first}-{second}"] > 0 for first, second in halves)
        dropped = sum(self._words[first + second] > 0 for first, second in halves)
        self._keeps_hyphens = kept > dropped

    def join(self, above: str, below: str) -> str:
        """Join two lines by a space, or by nothing or the hyphen where a word was broken."""
        broken, rest = _BROKEN.search(above), _BEGINNING.match(below)
        if broken is None or rest is None:
            if (above.endswith(("-", "\u2010")) and below[:1].isdigit()) or _URL.search(above):
                return above + below
            return f"{above} {below}"
        first, second = broken.group(1).lower(), rest.group().lower()
        hyphened, plain = self._words[f"{first}-{second}"], self._words[first + second]
        stem = above[: broken.end(1)]
        if plain > hyphened or above.endswith("\xad"):
            return stem + below
        if hyphened or not rest.group()[0].islower():
            return f"{stem}-{below}"
        # Two words that each occur alone elsewhere are more likely a compound than the halves of a word.
        alone = len(first) > 3 and len(second) > 3 and self._words[first] and self._words[second]
        return f"{stem}-{below}" if alone or self._keeps_hyphens else stem + below


def paragraphs(lines: Sequence[Line], vocabulary: Vocabulary) -> list[str]:
    """Return the paragraphs of one column. Rows of a table and lines of a listing stay on lines of their own."""
    if not lines:
        return []
    right = max(line.right for line in lines)
    steps = [above.bottom - below.bottom for above, below in pairwise(lines) if above.bottom > below.bottom]
    # A column of few lines may be all gaps; no lines are set further apart than at double space.
    pitch = min(median(steps), 1.5 * median(line.height for line in lines)) if steps else lines[0].height
    found = [lines[0].text]
    for above, below in pairwise(lines):
        between = _between(above, below, right, pitch)
        if between == "\n" and found[-1] == above.text and "\t" not in above.text and below.text[:1].isupper():
            between = "\n\n"  # one short line above is a heading
        if between == " ":
            found[-1] = vocabulary.join(found[-1], below.text)
        elif between == "\n":
            found[-1] = f"{found[-1]}\n{below.text}"
        else:
            found.append(below.text)
    return found


def _between(above: Line, below: Line, right: float, pitch: float) -> str:
    """Return the separator of two lines of a column: a space, a newline, or a paragraph's end."""
    step = above.bottom - below.bottom
    size = max(above.height, below.height)
    if step > 1.45 * max(pitch, 1.0) and step > 1.3 * size:
        return "\n\n"
    if abs(above.height - below.height) > 0.15 * size or above.bold != below.bold:
        return "\n\n"
    if "\t" in above.text or "\t" in below.text:
        return "\n" if "\t" in above.text and "\t" in below.text else "\n\n"
    letter = below.height * 0.45
    closed = bool(_CLOSED.search(above.text))
    # If the next word had room on the line, the break was meant.
    short = above.right + (len(below.text.split(maxsplit=1)[0]) + 2) * letter < right
    item = bool(_NUMBERED.match(above.text) or _BULLET.match(above.text))
    if _BROKEN.search(above.text) and below.text[:1].isalpha():
        return " "
    if _BULLET.match(below.text) or (_NUMBERED.match(below.text) and (closed or short)):
        return "\n\n"
    if below.left > above.left + 1.2 * letter and not item and closed:
        return "\n\n"  # a first line set in; the second line of an item is set in too, but its first has a mark
    if short:
        return "\n\n" if closed else "\n"
    return " "
