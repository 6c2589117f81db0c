"""Quotations of a statement, compared with its source letter by letter."""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from veritas.documents.verbatim import fold_whitespace
from veritas.factcheck.pages import ReadPage, nearest

LEAST_WORDS = 4
"""Words from which what stands in quotation marks is a quotation; fewer may be a term, or words held at a distance."""
NEAR = 0.72
"""Least likeness, 0 to 1, of a quotation to the words of the source that it is a changed copy of."""
_PLAIN = str.maketrans({
    "’": "'", "‘": "'", "ʼ": "'", "‚": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-", "\u00a0": " ", "\u202f": " ", "\u2009": " ",
})  # fmt: skip
_LEFT_OUT = re.compile(r"\s*(?:\[?…\]?|\[?\.\s?\.\s?\.\]?)\s*|\s*\[[^\]]{0,60}\]\s*")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


@dataclass(frozen=True)
class Quoted:
    """How a quotation stands in a source: at `start` to `end`, with `difference` empty where every letter agrees. Not
    `found`: neither it nor anything near it stands there."""

    found: bool
    exact: bool
    start: int = 0
    end: int = 0
    difference: str = ""


def is_quotation(words: str) -> bool:
    """Return whether words in quotation marks are long enough to be checked letter by letter."""
    return len(_WORD.findall(words)) >= LEAST_WORDS


def quoted(quotation: str, page: ReadPage) -> Quoted:
    """Return how a quotation stands in a page. The kind of its quotation marks and dashes, white space, the case of its
    first letter and its last stop do not count; what it leaves out (`…`) and adds in brackets is told by it."""
    pieces = [piece for piece in _LEFT_OUT.split(quotation) if len(_WORD.findall(piece)) >= 1]
    places = [_place(piece, page.text) for piece in pieces]
    if pieces and all(place is not None for place in places):
        first, last = places[0], places[-1]
        assert first is not None
        assert last is not None
        start, end = first[0], max(last[1], first[1])
        if any(a is not None and b is not None and b[0] < a[0] for a, b in pairwise(places)):
            start, end = first
        return Quoted(True, True, start, end if end - start <= 2_000 else first[1])
    return _nearest(quotation, page)


def _place(piece: str, text: str) -> tuple[int, int] | None:
    wanted = fold_whitespace(piece.translate(_PLAIN)).strip("\"' ").rstrip(".,;:!? ")
    if not wanted:
        return None
    pattern = r"\s+".join(re.escape(word) for word in wanted.split(" "))
    first = re.escape(wanted[0])
    if wanted[0].isalpha() and pattern.startswith(first):
        pattern = f"[{wanted[0].lower()}{wanted[0].upper()}]{pattern[len(first) :]}"
    found = re.search(rf"(?<!\w){pattern}(?!\w)", text.translate(_PLAIN))
    return (found.start(), found.end()) if found else None


def _nearest(quotation: str, page: ReadPage) -> Quoted:
    """Return the words of the page that a quotation is a changed copy of, with what was changed."""
    mine = _WORD.findall(quotation.translate(_PLAIN))
    best: tuple[float, int, int, str] | None = None
    for at in nearest(page, quotation, 4):
        begin = page.sentences[at].start
        end = page.sentences[min(at + 1, len(page.sentences) - 1)].end
        words = list(_WORD.finditer(page.text[begin:end].translate(_PLAIN)))
        theirs = [word[0] for word in words]
        matcher = SequenceMatcher(None, [w.lower() for w in mine], [w.lower() for w in theirs], autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        if not blocks:
            continue
        first = max(0, blocks[0].b - blocks[0].a)
        last = min(len(words), blocks[-1].b + blocks[-1].size + len(mine) - blocks[-1].a - blocks[-1].size)
        share = 2 * sum(block.size for block in blocks) / (len(mine) + last - first)
        if best is None or share > best[0]:
            changed = _changed(mine, theirs[first:last])
            best = share, begin + words[first].start(), begin + words[last - 1].end(), changed
    if best is None or best[0] < NEAR:
        return Quoted(False, False, difference=f"the source does not have the words “{_short(quotation)}”")
    return Quoted(True, False, best[1], best[2], best[3])


def _changed(mine: list[str], theirs: list[str]) -> str:
    said = []
    for tag, a, b, c, d in SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes():
        if tag == "replace":
            said.append(f"“{' '.join(theirs[c:d])}” is quoted as “{' '.join(mine[a:b])}”")
        elif tag == "delete":
            said.append(f"“{' '.join(mine[a:b])}” is not in the source")
        elif tag == "insert":
            said.append(f"“{' '.join(theirs[c:d])}” is left out without a mark")
    return "the quotation is not letter by letter: " + "; ".join(said[:3]) if said else (
        "the quotation is not letter by letter: its punctuation differs"
    )


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80].rsplit(' ', 1)[0]} …"
