"""Whether a quotation stands in a source, word for word, and whether what it leaves out may turn its sense."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.citations.writing._brackets import (
    may_end_otherwise,
    may_stand_for,
    only_denies,
    reverses,
    stems,
)
from veritas.citations.writing.quoted_words import cleaned, typeset, without_mathematics

_ELLIPSIS = (
    r"\[\s*(?:\.{3}|…|\\l?dots(?:\{\})?)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.\s?\.\s?\.|…|\\[lc]?dots(?:\{\})?(?![A-Za-z])"
)
_CASE = "\x01"
"""Stands before a letter whose case was changed in brackets (`[w]e`)."""
_CUT = re.compile(rf"{_ELLIPSIS}|{_CASE}|\[(?P<put_in>[^\[\]]{{0,80}})\]")
_CAPITAL = re.compile(r"(?<!\w)\[([^\W\d_])\](?=[^\W\d_])")
_LETTERS = re.compile(r"[^\W\d_]*(?:['’]s?)?")
_HYPHENS = ("-", "‐", "‑", "–")
_MOST_PLACES = 12
_FARTHEST = 300
"""Most signs of a source that words in brackets stand for."""
_FARTHEST_LEFT_OUT = 1_500
"""Most signs of a source that an ellipsis surely leaves out."""
_ENDS = " .,;:!?\"'"
_SENTENCE_END = re.compile(r"[.!?]['\")\]]*\s+(?=[A-Z0-9(\[])")
_SIGNED = re.compile(r"(?:^|[^\w.,)\]])[-−–+]\Z")
_FIGURE_BEFORE = re.compile(r"\d[.,]\Z")
_BEFORE_FIGURE = re.compile(r"(?:[<>≤≥±×≈~]\s|[$€£¥~±#]|(?<![\w])[.,])\Z")
_FIGURE_BEHIND = re.compile(r"[.,]\d")
_BEHIND_FIGURE = re.compile(r"\s?[%‰°]|\s?[×]|\^")
_THAT = re.compile(r"\b(?:that|whether|if)\Z", re.IGNORECASE)
_LEAD = 10
"""Most words before `that` that say whether it is so."""

_WORD_CUT = "it begins or ends inside a word of the work"
_SIGN_CUT = "it leaves out a sign that belongs to a figure"
_DENIED = "the work denies this just before where the quotation begins"
_LEFT_OUT = "what it leaves out has a negation"
_SPLICED = "it joins parts of two sentences"
_TOO_FAR = "what it leaves out is long"
_PUT_IN = "the words in brackets are not the work's"
_PUT_IN_DENIAL = "it has a negation in brackets beside words that it leaves out"


@dataclass(frozen=True, slots=True, order=True)
class Standing:
    """Whether a quotation's words are in a source, in order; `doubt` says why they may yet say another thing there."""

    found: bool
    doubt: str = ""


def standing(readings: Sequence[str], sources: Sequence[str], *, denied: bool = False) -> Standing:
    """Return whether a quotation, in one of its readings, stands in one of the sources.

    Its words must be there in order, letter for letter. What typesetting makes of quotation marks, dashes and formulas
    makes no difference, nor does a mark at its ends or the case of its first letter. `[…]` leaves out, and `[words]`
    were put in by who quotes. There is a doubt where what is left out, or stands directly before, may turn the sense,
    and where words in brackets say what the source does not. `denied` says that the sentence around the quotation has
    a negation itself.
    """
    best = Standing(False)
    for quoted in readings:
        pieces = _pieces(quoted)
        if not pieces.parts:
            return Standing(True)  # nothing of it is the source's
        for source in sources:
            for text in dict.fromkeys((source, without_mathematics(source))):
                reached = _source(text).find(pieces, denied)
                if reached == "":
                    return Standing(True)
                if reached is not None:
                    best = Standing(True, reached)
    return best


def compared(text: str) -> str:
    """Return a text in the form in which it is compared."""
    return typeset(cleaned(text))


@dataclass(frozen=True, slots=True)
class _Gap:
    """What stands between two parts of a quotation: words that were put in, whether others are left out, and whether
    a part touches its brackets."""

    put_in: str = ""
    leaves_out: bool = False
    behind_word: bool = False
    before_word: bool = False

    @property
    def says(self) -> bool:
        """Whether there is anything in it."""
        return bool(self.put_in) or self.leaves_out or self.behind_word


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The parts of a quotation; `gaps` has what stands before each, and what stands behind the last."""

    parts: tuple[str, ...]
    gaps: tuple[_Gap, ...]


def _pieces(quoted: str) -> _Pieces:
    quoted = _CAPITAL.sub("\x01\\1", cleaned(quoted))
    parts: list[str] = []
    gaps: list[_Gap] = []
    gap, at = _Gap(), 0
    for found in [*_CUT.finditer(quoted), None]:
        raw = typeset(quoted[at : found.start() if found else None])
        part = raw.strip(_ENDS)
        if part[:1].isdigit() and raw.lstrip(" ").startswith("."):
            part = f".{part}"
        if len(part) > 1:
            parts.append(part)
            gaps.append(gap)
            gap = _Gap()
        if found is None:
            break
        at = found.end()
        words = found["put_in"]
        if words is None:
            gap = gap if found.group() == _CASE else replace(gap, leaves_out=True)
            continue
        touches = quoted[found.start() - 1 : found.start()].isalpha()
        gap = _Gap(
            f"{gap.put_in} {words}".strip(),
            gap.leaves_out,
            gap.behind_word or (touches and not gap.says),
            quoted[at : at + 1].isalpha(),
        )
    return _Pieces(tuple(parts), (*gaps, gap))


class _Source:
    """A source's words as they are compared, and the words that it has at all."""

    def __init__(self, text: str) -> None:
        self.signs = cleaned(text)
        self.text = typeset(self.signs)
        self._words: frozenset[str] | None = None

    @property
    def words(self) -> frozenset[str]:
        """The stems of its words."""
        if self._words is None:
            self._words = stems(self.text)
        return self._words

    def find(self, pieces: _Pieces, denied: bool) -> str | None:
        """Return the least doubt about a quotation's place, empty if there is none; None if it stands nowhere."""
        parts, gaps = pieces.parts, pieces.gaps
        first = "" if not gaps[0].put_in else self._added(gaps[0])
        if first is None:
            return None
        reached: dict[int, str] = {}
        for start in self._places(parts[0], 0, len(self.text)):
            doubt = self._border(start, parts[0], gaps[0], gaps[1])
            if doubt is not None:
                doubt = doubt or first or ("" if denied or gaps[0].leaves_out else self._denied(start))
                _least(reached, start + len(parts[0]), doubt)
        for at, part in enumerate(parts[1:], 1):
            gap, before, reached = gaps[at], reached, {}
            for end, so_far in before.items():
                for start in self._places(part, end, len(self.text) if gap.leaves_out else end + _FARTHEST):
                    doubt = self._border(start, part, gap, gaps[at + 1])
                    between = None if doubt is None else self._between(end, start, gap)
                    if doubt is not None and between is not None:
                        _least(reached, start + len(part), so_far or doubt or between)
        last = ((doubt, self._behind(end, gaps[-1])) for end, doubt in reached.items())
        return min((doubt or behind for doubt, behind in last if behind is not None), default=None)

    def _places(self, part: str, at: int, last: int) -> Iterator[int]:
        """Yield the first places of a part between `at` and `last`, whatever the case of its first letter."""
        other = part[0].swapcase() + part[1:]
        for each in dict.fromkeys((part, other)):
            begin = at
            for _ in range(_MOST_PLACES):
                found = self.text.find(each, begin)
                if found < 0 or found > last:
                    break
                yield found
                begin = found + 1

    def _border(self, start: int, part: str, gap: _Gap, following: _Gap) -> str | None:
        """Return the doubt about where a part begins and ends; None where that cuts a word or a figure in two."""
        left, behind = self.signs[max(start - 12, 0) : start], self.signs[start + len(part) :][:12]
        if gap.before_word:
            return _WORD_CUT
        if part[0].isalnum() and (left[-1:].isalnum() or (part[0].isdigit() and _FIGURE_BEFORE.search(left))):
            return None
        if part[-1].isalnum() and not following.behind_word and (
            behind[:1].isalnum() or (part[-1].isdigit() and _FIGURE_BEHIND.match(behind))
        ):
            return None
        if part[0].isdigit() and _SIGNED.search(left):
            return None
        if part[0].isalnum() and left[-1:] in _HYPHENS and left[-2:-1].isalnum():
            return _WORD_CUT
        if part[-1].isalnum() and behind[:1] in _HYPHENS and behind[1:2].isalnum() and not following.behind_word:
            return _WORD_CUT
        if (part[0].isdigit() and _BEFORE_FIGURE.search(left)) or (part[-1].isdigit() and _BEHIND_FIGURE.match(behind)):
            return _SIGN_CUT
        return ""

    def _added(self, gap: _Gap) -> str | None:
        """Return the doubt about words that were put in at an end of a quotation; None if they deny."""
        says = may_stand_for(gap.put_in, "", self.words)
        return None if says is False else "" if says else _PUT_IN

    def _behind(self, end: int, gap: _Gap) -> str | None:
        """Return the doubt about what a quotation has behind its last part; None if that cannot stand there."""
        if not gap.behind_word:
            return _PUT_IN_DENIAL if gap.leaves_out and reverses(gap.put_in) else self._added(gap)
        ending = _LETTERS.match(self.text, end)
        return _doubt(may_end_otherwise(gap.put_in.partition(" ")[0], ending.group() if ending else ""))

    def _between(self, end: int, start: int, gap: _Gap) -> str | None:
        """Return the doubt about a gap where the source has `[end, start)`; None if it cannot stand there."""
        if gap.leaves_out:
            if only_denies(self.text[end:start].strip(_ENDS)):
                return None
            if reverses(gap.put_in):
                return _PUT_IN_DENIAL
            return self._left_out(end, start) or ("" if not gap.put_in else self._added(gap) or "")
        words, between = gap.put_in, self.text[end:start]
        if gap.behind_word:
            ending = _LETTERS.match(between)
            rest = between[ending.end() :] if ending else between
            own, _, words = words.partition(" ")
            other = may_end_otherwise(own.strip(","), ending.group() if ending else "")
            if other is not True:
                return _doubt(other)
            between = rest
        return _doubt(may_stand_for(words, between.strip(_ENDS), self.words))

    def _left_out(self, end: int, start: int) -> str:
        """Return the doubt about what an ellipsis leaves out."""
        between = self.text[end:start]
        stops = [each for each in _SENTENCE_END.finditer(self.text, end, start + 1) if each.end() <= start]
        if len(between) > _FARTHEST_LEFT_OUT:
            return _TOO_FAR
        if not stops:
            aside = between.strip()
            set_off = aside[:1] in (",", "(", ";", "-") and aside[-1:] in (",", ")", ";", "-")
            return _LEFT_OUT if reverses(between) and not set_off else ""
        tail, head = self.text[end : stops[0].start()], self.text[stops[-1].end() : start]
        if tail.strip(_ENDS) and head.strip(_ENDS):
            return _SPLICED
        return _LEFT_OUT if reverses(tail) or reverses(head) else ""

    def _denied(self, start: int) -> str:
        """Return the doubt about words that the work denies directly before them."""
        before = self.text[max(start - 200, 0) : start]
        sentence = _SENTENCE_END.split(before)[-1].rstrip(_ENDS)
        last = sentence.rpartition(" ")[2]
        if reverses(last) or (_THAT.search(sentence) and reverses(" ".join(sentence.split()[-_LEAD:]))):
            return _DENIED
        return ""


@lru_cache(maxsize=64)
def _source(text: str) -> _Source:
    return _Source(text)


def _doubt(fits: bool | None) -> str | None:
    return None if fits is False else "" if fits else _PUT_IN


def _least(reached: dict[int, str], end: int, doubt: str) -> None:
    """Keep the least doubt about a way that ends at a place."""
    if end not in reached or not doubt:
        reached[end] = doubt
