"""Quotations of a text, and whether one stands in a source, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veritas.citations.writing._brackets import may_deny, may_stand_for, only_denies
from veritas.citations.writing.places import Kind

MIN_WORDS = 5
"""Least words of a quotation that is looked up; fewer are a term or a manner of speaking."""
SHORT = 4
"""Words of a quotation that may be a term, and is told of as unknown where it is an altered copy."""
RESEMBLES = 75.0
"""Least likeness, of 100, of a quotation to a part of a source for it to count as that part, altered."""
RESEMBLES_SURELY = 85.0
"""The same for words that may be no quotation."""

_MARKS = re.compile(
    r"“(?P<curly>[^“”]{8,3000})”|«\s?(?P<angled>[^«»]{8,3000}?)\s?»|„(?P<low>[^„“”]{8,3000})[“”]"
    r"|(?<![\w\\=])\"(?P<plain>[^\"\n]{0,300}(?:\n(?!\s*\n)[^\"\n]{0,300}){0,12})\"(?!\w)"
)
# What these mark may be something else: an apostrophe, a remark. Only an altered copy of a source's words is told.
_OTHER_MARKS = re.compile(
    r"‘(?P<curled>(?:[^‘’\n]|’(?=\w)|\n(?!\s*\n)){8,1000})’(?!\w)|‹\s?(?P<pointed>[^‹›]{8,1000}?)\s?›"
    r"|‚(?P<lowered>[^‚‘’]{8,1000})[‘’]|»\s?(?P<turned>[^«»]{8,1000}?)\s?«"
    r"|(?<![\w'`\\=])['`](?P<single>(?:[^'`\n]|'(?=\w)|\n(?!\s*\n)){8,1000})'(?![\w'])"
)
_ELEMENT = re.compile(
    r"<(?P<tag>q|blockquote)\b[^<>]{0,300}>(?P<element>(?:(?!</?(?:q|blockquote)\b).){8,3000})</(?P=tag)>", re.I | re.S
)
_ENVIRONMENT = re.compile(
    r"\\begin\{(?P<env>quote|quotation|displayquote|displaycquote)\}(?:\[[^\[\]]*\]|\{[^{}]*\})*"
    r"(?P<tex>(?:(?!\\(?:begin|end)\{).){8,3000})\\end\{(?P=env)\}",
    re.DOTALL,
)
_BLOCK = re.compile(r"(?:^(?![ \t>]*(?:\[!|\*\*|__))[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_TEX_MARKS = re.compile(r"``(?P<tex>(?:(?!``|'').){8,3000}?)''", re.DOTALL)
_ENQUOTE = re.compile(
    r"\\(?:enquote|(?:foreign|hyphen|hybrid)?(?:text|block)c?quote)\*?"
    r"(?:\[[^\[\]]*\]|\{[^{}]*\}(?=[\[{]))*\{(?P<tex>[^{}]{8,3000})\}"
)
_CUT = re.compile(
    r"\[\s*(?:\.{3}|…|\\l?dots(?:\{\})?)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.\s?\.\s?\.|…|\\[lc]?dots(?:\{\})?"
    r"|\[[^\[\]]{1,60}\]"
)
_PUT_IN = re.compile(r"\[([^\[\]]*\w[^\[\]]*)\](?<!dots\])(?<!dots\{\}\])")
_MOST_PLACES = 12
_FARTHEST = 300
"""Most signs of a source that words in brackets stand for."""
_TYPESET = str.maketrans({
    "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "−": "-", "\u00a0": " ",
})  # fmt: skip
_EMPHASIS = re.compile(r"(?<!\w)[*_]{1,3}(?=\S)|(?<=\S)[*_]{1,3}(?!\w)")
_COMMAND = re.compile(r"\\(?:emph|textit|textbf|textsc|text)\{([^{}]*)\}")
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_ENDS = " .,;:!?\"'"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation: `text[start:end]` are its words with their quotation marks, `words` without. `sure` says that its
    marks can mean nothing else."""

    start: int
    end: int
    words: str
    sure: bool = True

    @property
    def short(self) -> bool:
        """Whether it may be a term and no quotation."""
        return len(self.words.split()) < MIN_WORDS


def quotations(text: str, kind: Kind) -> Iterator[Quotation]:
    """Yield the quotations of a text that have at least `MIN_WORDS` words, and those of `SHORT` whose marks are
    sure."""
    patterns: tuple[re.Pattern[str], ...] = (_ELEMENT, _MARKS, _OTHER_MARKS)
    if kind == "latex":
        patterns = (_TEX_MARKS, _ENQUOTE, _MARKS, _OTHER_MARKS, _ENVIRONMENT)
    patterns = (*patterns, _BLOCK) if kind == "markdown" else patterns
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for found in pattern.finditer(text):
            groups = found.groupdict()
            words = groups.get("element") or groups.get("tex")
            words = words or next((each for each in groups.values() if each is not None), found.group())
            sure = pattern not in (_OTHER_MARKS, _BLOCK, _ENVIRONMENT)
            few = len(words.split()) < (SHORT if sure else MIN_WORDS)
            if few or any(a < found.end() and found.start() < b for a, b in taken):
                continue
            taken.append(found.span())
            yield Quotation(found.start(), found.end(), words, sure)


def plain(words: str, kind: Kind) -> str:
    """Return words without the markup of their text: emphasis, escapes, hard spaces."""
    if kind == "latex":
        words = _ESCAPED.sub(r"\1", _COMMAND.sub(r"\1", words)).replace("~", " ").replace("---", "-").replace("--", "-")
    elif kind in ("markdown", "rst"):
        words = _EMPHASIS.sub("", re.sub(r"(?m)^[ \t]*>[ \t]?", "", words))
    return " ".join(words.split())


def stands(quoted: str, sources: Sequence[str]) -> bool:
    """Return whether a quotation stands in one of the sources.

    Its words must be there in order, letter for letter. What typesetting makes of quotation marks and dashes makes no
    difference, nor does a mark at its ends; `[…]` leaves out, and `[words]` were put in by who quotes, for words that
    mean no other thing.
    """
    parts, gaps = _pieces(quoted)
    if not parts:
        return True  # nothing of it is the source's
    return any(_in_order(parts, gaps, _folded(source)) for source in sources)


def denies_what_it_leaves_out(quoted: str) -> bool:
    """Return whether a quotation has a negation put in where it leaves words out: what it replaces cannot be told."""
    return any(gap.leaves_out and may_deny(gap.put_in) for gap in _pieces(quoted)[1])


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two parts of a quotation: words that were put in, and whether others are left out."""

    put_in: str = ""
    leaves_out: bool = False

    def fits(self, between: str) -> bool:
        """Return whether it may stand where the source has `between`."""
        if self.leaves_out:
            return not only_denies(between)
        return may_stand_for(self.put_in, between)


def _pieces(quoted: str) -> tuple[list[str], list[_Gap]]:
    """Return the parts of a quotation and what stands before each; what stands behind the last is left off."""
    parts: list[str] = []
    gaps: list[_Gap] = []
    put_in, leaves_out, at = "", False, 0
    for found in [*_CUT.finditer(quoted), None]:
        part = _folded(quoted[at : found.start() if found else None]).strip(_ENDS)
        if len(part) > 1:
            parts.append(part)
            gaps.append(_Gap(put_in.strip(), leaves_out))
            put_in, leaves_out = "", False
        if found:
            at = found.end()
            words = _PUT_IN.fullmatch(found.group())
            put_in, leaves_out = f"{put_in} {words[1]}" if words else put_in, leaves_out or words is None
    return parts, gaps


def _in_order(parts: Sequence[str], gaps: Sequence[_Gap], source: str) -> bool:
    whole = len(parts) == 1
    ends = [end for _, end in _places(parts[0], source, 0, whole=whole)]
    if not ends:  # a quotation may begin a sentence where the source does not
        ends = [end for _, end in _places(parts[0][0].swapcase() + parts[0][1:], source, 0, whole=whole)]
    for part, gap in zip(parts[1:], gaps[1:], strict=True):
        before = ends[:1] if gap.leaves_out else ends
        ends = sorted({
            there for end in before for start, there in _places(part, source, end, whole=False, near=not gap.leaves_out)
            if gap.fits(source[end:start].strip(_ENDS))
        })  # fmt: skip
    return bool(ends)


def _places(part: str, source: str, at: int, *, whole: bool, near: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where a part stands in a source, the first ones; if `near`, not far behind `at`."""
    for _ in range(_MOST_PLACES):
        found = _find(part, source, at, whole=whole)
        if found < 0 or (near and found > at + _FARTHEST):
            return
        yield found, found + len(part)
        at = found + 1


def _find(part: str, source: str, at: int, *, whole: bool) -> int:
    while (found := source.find(part, at)) >= 0:
        end = found + len(part)
        cut = source[found - 1 : found].isalnum() and part[0].isalnum()
        cut = cut or (source[end : end + 1].isalnum() and part[-1].isalnum())
        if not (whole and cut):
            return found
        at = found + 1
    return -1


def resembles(quoted: str, sources: Sequence[str], least: float = RESEMBLES) -> str | None:
    """Return the words of a source of which a quotation is an altered copy, with a likeness of `least` of 100; None if
    it resembles nothing."""
    from rapidfuzz import fuzz

    folded = _folded(quoted).strip(_ENDS)
    best, shown = least, None
    for source in sources:
        whole = _folded(source)
        found = fuzz.partial_ratio_alignment(folded, whole, score_cutoff=best)
        if found is not None and found.score >= best and len(whole) * 2 > len(folded):
            best, shown = found.score, _whole_words(whole, found.dest_start, found.dest_end)
    return shown


def _whole_words(text: str, start: int, end: int) -> str:
    """Return the words of a text from `start` to `end`, none cut in two, with `…` where the text goes on."""
    start = text.rfind(" ", 0, start + 1) + 1 if text[start : start + 1] != " " else start + 1
    stop = text.find(" ", max(end - 1, 0))
    stop = len(text) if stop < 0 else stop
    return f"{'… ' if start else ''}{text[start:stop]}{' …' if stop < len(text) else ''}"


def _folded(text: str) -> str:
    return " ".join(text.translate(_TYPESET).split())
