"""Quotations of a text by their marks, and whether one stands in a source, word for word, or resembles it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.citations.marks.links import Kind
from veritas.citations.writing.quoted_words import cleaned, typeset, without_mathematics
from veritas.text.lexicon import CONTRACTED, NEGATION, STOP
from veritas.text.likeness import best_window
from veritas.text.stems import fold, stem

_ELLIPSIS = (
    r"\[\s*(?:\.{3}|…|\\l?dots(?:\{\})?)\s*\]|\(\s*(?:\.{3}|…)\s*\)|\.\s?\.\s?\.|…|\\[lc]?dots(?:\{\})?(?![A-Za-z])"
)
_CUT = re.compile(rf"(?:\s*(?:{_ELLIPSIS}|\[[^\[\]]{{0,80}}\]))+\s*")
_PUT_IN = re.compile(rf"(?:{_ELLIPSIS})|\[([^\[\]]{{0,80}})\]")
_CAPITAL = re.compile(r"(?<!\w)\[([^\W\d_])\](?=[^\W\d_])")
"""A letter whose case was changed: `[w]e`."""
_REMARK = re.compile(r"(?:sic|!|\?)\W?", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:['’.,-][^\W_]+)*")
_FARTHEST, _FARTHEST_LEFT_OUT = 300, 1_500
"""Most signs of a source that words in brackets stand for, and that an ellipsis leaves out."""
_MOST_PLACES = 12
_ENDS = " .,;:!?\"'"
_FIGURE_BEFORE = re.compile(r"(?:\d[.,]|(?:^|[^\w.,)\]])[-−–+])\Z")
_SIGN_BEFORE = re.compile(r"(?:[<>≤≥±×≈~]\s|[$€£¥~±#]|(?<!\w)[.,])\Z")
_SIGN_BEHIND = re.compile(r"\s?[%‰°×]|\^")

_WORD_CUT = "it begins or ends inside a word of the work"
_SIGN_CUT = "it leaves out a sign that belongs to a figure"
_LEFT_OUT = "what it leaves out has a negation or is long"
_NOT_THEIRS = "the words in brackets are not the work's"


@dataclass(frozen=True, slots=True, order=True)
class Standing:
    """Whether a quotation's words are in a source, in order; `doubt` says why they may yet say another thing there."""

    found: bool
    doubt: str = ""


def standing(readings: Sequence[str], sources: Sequence[str]) -> Standing:
    """Return whether a quotation, in one of its readings, stands in one of the sources.

    Its words must be there in order, letter for letter. What typesetting makes of quotation marks, dashes and formulas
    makes no difference, nor does a mark at its ends or the case of its first letter. `[…]` leaves out, and `[words]`
    were put in by who quotes. There is a doubt where it ends inside a compound or beside the sign of a figure, where
    what is left out has a negation, and where words in brackets are not the source's.
    """
    best = Standing(False)
    for quoted in readings:
        text = _CAPITAL.sub(r"\1", cleaned(quoted))
        gaps = list(_CUT.finditer(text))
        starts = [0, *(each.end() for each in gaps)]
        ends = [*(each.start() for each in gaps), len(text)]
        parts = [_stripped(typeset(text[start:end])) for start, end in zip(starts, ends, strict=True)]
        if not any(parts):
            return Standing(True)  # nothing of it is the source's
        for source in sources:
            for form in dict.fromkeys((source, without_mathematics(source))):
                reached = _source(form).find(parts, [each.group() for each in gaps])
                if reached == "":
                    return Standing(True)
                best = best if reached is None else Standing(True, reached)
    return best


def compared(text: str) -> str:
    """Return a text in the form in which it is compared."""
    return typeset(cleaned(text))


def _stripped(part: str) -> str:
    bare = part.strip(_ENDS)
    return f".{bare}" if bare[:1].isdigit() and part.lstrip(" ").startswith(".") else bare


class _Source:
    """A source's words as they are compared, and the stems that it has at all."""

    def __init__(self, text: str) -> None:
        self.signs = cleaned(text)
        self.text = typeset(self.signs)

    def find(self, parts: Sequence[str], gaps: Sequence[str]) -> str | None:
        """Return the least doubt about where the parts stand, empty if there is none; None if they stand nowhere."""
        reached: dict[int, str] = {-1: ""}
        put_in = ""
        for at, part in enumerate(parts):
            if at:
                put_in += gaps[at - 1]
            if not part and at < len(parts) - 1:
                continue
            before, reached = reached, {}
            for end, so_far in before.items():
                for start in self._places(part, end, put_in) if part else (end,):
                    following = gaps[at] if at < len(gaps) else ""
                    doubts = (
                        so_far, self._border(start, part, put_in, following),
                        self._gap(end, start, put_in, last=not part),
                    )  # fmt: skip
                    if None not in doubts:
                        doubt = next(filter(None, doubts), "")
                        if not doubt or start + len(part) not in reached:
                            reached[start + len(part)] = doubt
            put_in = ""
        return min(reached.values(), default=None)

    def _places(self, part: str, at: int, put_in: str) -> Iterator[int]:
        """Yield the first places of a part behind `at`, whatever the case of its first letter."""
        last = len(self.text) if at < 0 else at + (_FARTHEST_LEFT_OUT if _leaves_out(put_in) else _FARTHEST)
        for each in dict.fromkeys((part, part[0].swapcase() + part[1:])):
            begin = max(at, 0)
            for _ in range(_MOST_PLACES):
                found = self.text.find(each, begin)
                if found < 0 or found > last:
                    break
                yield found
                begin = found + 1

    def _border(self, start: int, part: str, before: str, following: str) -> str | None:
        """Return the doubt about where a part begins and ends; None where that cuts a word or a figure in two."""
        if not part:
            return ""
        end = start + len(part)
        left, behind = self.signs[max(start - 12, 0) : start], self.signs[end : end + 12]
        if (before[-1:] == "]" and part[0].isalpha()) or (following[:1] == "[" and part[-1].isalpha()):
            return _NOT_THEIRS if left[-1:].isalpha() or behind[:1].isalpha() else ""
        if part[0].isalnum() and (left[-1:].isalnum() or (part[0].isdigit() and _FIGURE_BEFORE.search(left))):
            return None
        if part[-1].isalnum() and (behind[:1].isalnum() or (part[-1].isdigit() and re.match(r"[.,]\d", behind))):
            return None
        if (part[0].isalnum() and re.search(r"\w[-‐‑–]\Z", left)) or (
            part[-1].isalnum() and re.match(r"[-‐‑–]\w", behind)
        ):
            return _WORD_CUT
        signed = part[0].isdigit() and _SIGN_BEFORE.search(left)
        return _SIGN_CUT if signed or (part[-1].isdigit() and _SIGN_BEHIND.match(behind)) else ""

    def _gap(self, end: int, start: int, put_in: str, *, last: bool) -> str:
        """Return the doubt about a gap where the source has `[end, start)`."""
        between = "" if end < 0 or last else self.text[end:start]
        words = " ".join(each[1] for each in _PUT_IN.finditer(put_in) if each[1])
        if _leaves_out(put_in) and _denies(between):
            return _LEFT_OUT
        if not words or _REMARK.fullmatch(words.strip()):
            return ""
        own = _stems(words)
        return "" if _denies(words) == _denies(between) and own - STOP <= self.stems else _NOT_THEIRS

    @property
    def stems(self) -> frozenset[str]:
        return _stems(self.text)


@lru_cache(maxsize=64)
def _source(text: str) -> _Source:
    return _Source(text)


def _leaves_out(gap: str) -> bool:
    return any(not each[1] for each in _PUT_IN.finditer(gap))


def _denies(text: str) -> bool:
    return any(fold(word) in NEGATION or word.lower().endswith(CONTRACTED) for word in _WORD.findall(text))


@lru_cache(maxsize=64)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(fold(word)) for word in _WORD.findall(text))


MIN_WORDS = 5
"""Least words of a quotation that is looked up; fewer are a term or a manner of speaking."""
RESEMBLES = 75.0
"""Least likeness, of 100, of a quotation to a part of a source for it to count as that part, altered."""
RESEMBLES_SURELY = 85.0
"""The same for words that may be no quotation."""

_CITATION = (
    r"\[[^\[\]]*@[^\[\]]*\]|~?\\\w{0,40}[Cc]ite\w{0,40}\*?\s*(?:\[[^\[\]]*\]\s*){0,2}\{[^{}]*\}"
    r"|\{?:?\w{0,40}cite[\w:]{0,40}[:}]`[^`]*`|#cite\([^()]*\)|\[\^[^\]\s]+\]"
)
ONE_CITATION = rf"(?:{_CITATION}|\(?\[[^\[\]]*\]\([^()\s]*\)\)?)"
CITATION = re.compile(rf"\s*{ONE_CITATION}")
_CITES = re.compile(
    rf"\s*(?:\(\s*[^()\[\]]{{0,40}}{ONE_CITATION}\)|{_CITATION}|\([^()]{{0,80}}@\w[^()]{{0,80}}\))"
    r"|(?P<named>(?<![\w.@])-?@[^\W\d_][\w:./+-]*\w)"
)
"""A citation that is no part of the words around it, with its brackets; `named` is a key in its sentence."""
_MARKS = re.compile(
    r"“(?P<curly>[^“”]{8,3000})”|«\s?(?P<angled>[^«»]{8,3000}?)\s?»|„(?P<lowered>[^„“”\"]{8,3000})\""
    r"|„(?P<low>[^„“”]{8,3000})[“”]|「(?P<corner>[^「」]{8,3000})」|『(?P<corners>[^『』]{8,3000})』"
    r"|＂(?P<wide>[^＂]{8,3000})＂|[″〝](?P<prime>[^″〝〞]{8,3000})[″〞]|❝(?P<heavy>[^❝❞]{8,3000})❞"
    r"|&(?:quot|ldquo|laquo|bdquo|#34|#8220|#x201c);(?P<entity>(?:(?!&(?:quot|[lr]dquo|[lr]aquo|#34|#822[01]);).){8,3000}?)"
    r"&(?:quot|rdquo|raquo|ldquo|#34|#8221|#x201d);"
    r"|\\\"(?P<escaped>(?:(?!\\\").){8,3000}?)\\\""
    r"|(?<![\w\\=])\"(?P<plain>[^\"\n]{0,3000}(?:\n(?!\s*\n)[^\"\n]{0,300}){0,12})(?<!\\)\"(?!\w)",
    re.DOTALL,
)
_OTHER_MARKS = re.compile(
    r"‘(?P<curled>(?:[^‘’\n]|’(?=\w)|\n(?!\s*\n)){8,1000})’(?!\w)|‹\s?(?P<pointed>[^‹›]{8,1000}?)\s?›"
    r"|”(?P<swedish>[^“”„]{8,3000})”|‚(?P<lowered>[^‚‘’]{8,1000})[‘’]|»\s?(?P<turned>[^«»]{8,1000}?)\s?«"
    r"|(?<![\w'`\\=])['`](?P<single>(?:[^'`\n]|'(?=\w)|\n(?!\s*\n)){8,1000})'(?![\w'])"
)
"""Marks that may be something else: an apostrophe, a remark."""
_ELEMENT = re.compile(
    r"<(?P<tag>q|blockquote)\b[^<>]{0,300}>(?P<element>(?:(?!</?(?:q|blockquote)\b).){8,3000})</(?P=tag)>", re.I | re.S
)
_OPTION = r"\[(?:[^\[\]{}]|\{(?:[^{}]|\{[^{}]*\})*\}|\[[^\[\]]*\])*\]"
"""An optional argument of LaTeX, which may have a citation with a page in braces (`[{\\cite[4]{key}}]`)."""
_ENVIRONMENT = re.compile(
    rf"\\begin\{{(?P<env>quote|quotation|(?:foreign|hyphen)?displayc?quote)\}}(?:{_OPTION}|\{{[^{{}}]*\}})*"
    r"(?P<tex>(?:(?!\\(?:begin|end)\{).){8,3000})\\end\{(?P=env)\}",
    re.DOTALL,
)
_BLOCK = re.compile(r"(?:^(?![ \t>]*(?:\[!|\*\*|__))[ \t]*>[^\n]*(?:\n|\Z))+", re.MULTILINE)
_TEX_MARKS = re.compile(
    r"``(?P<tex>(?:(?!``|'').){8,3000}?)''|\"`(?P<babel>(?:(?!\"`|\"').){8,3000}?)\"'"
    r"|\\(?P<open>glqq|og|textquotedblleft|quotedblbase|guillemotleft)(?![A-Za-z])(?:\{\})?\s*"
    r"(?P<named>(?:(?!\\(?:grqq|fg|textquotedblright|guillemotright)(?![A-Za-z])).){8,3000}?)"
    r"\\(?:grqq|fg|textquotedblright|guillemotright)(?![A-Za-z])",
    re.DOTALL,
)
_BRACED = r"(?:[^{}]|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}){1,3000}"
_ENQUOTE = re.compile(
    rf"\\epigraph\{{(?P<epigraph>{_BRACED})\}}"
    r"|\\(?:(?:enquote|say|dictum|(?:foreign|hyphen|hybrid)?(?:text|block)c?quote)\*?)(?![A-Za-z])"
    rf"(?:{_OPTION}|\{{[^{{}}]*\}}(?=[\[{{]))*\{{(?P<tex>{_BRACED})\}}"
)
_BLANK = re.compile(r"&(?:nbsp|thinsp|ensp|emsp|#160|#xa0);|~|\\[ ,;]", re.IGNORECASE)
_UNSURE = frozenset((_OTHER_MARKS, _BLOCK, _ENVIRONMENT))
"""What these find may be no quotation. Only an altered copy of a source's words is told."""
_FRAMES = frozenset(("open", "tag", "env"))
"""Groups of patterns that are no words."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation: `text[start:end]` are its words with their quotation marks, `words` without. `sure` says that its
    marks can mean nothing else."""

    start: int
    end: int
    words: str
    sure: bool = True


def quotations(text: str, kind: Kind) -> Iterator[Quotation]:
    """Yield the quotations of a text that have at least `MIN_WORDS` words."""
    patterns: tuple[re.Pattern[str], ...] = (_ELEMENT, _MARKS, _OTHER_MARKS)
    if kind == "latex":
        patterns = (_TEX_MARKS, _ENQUOTE, _MARKS, _OTHER_MARKS, _ENVIRONMENT)
    elif kind == "markdown":
        patterns = (*patterns, _BLOCK)
    elif kind == "source":
        patterns = (*patterns, _TEX_MARKS)
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for found in pattern.finditer(text):
            said = (each for name, each in found.groupdict().items() if each is not None and name not in _FRAMES)
            words, (start, end) = next(said, found.group()), found.span()
            if len(_BLANK.sub(" ", words).split()) < MIN_WORDS or any(a < end and start < b for a, b in taken):
                continue
            taken.append((start, end))
            one = Quotation(start, end, words, pattern not in _UNSURE)
            yield from (one,) if pattern in (_BLOCK, _ENVIRONMENT) else _cited_inside(one, text, kind)


def _cited_inside(quotation: Quotation, text: str, kind: Kind) -> Iterator[Quotation]:
    """Yield a quotation without the citation inside its marks; one that has quotations in it, or goes on behind the
    citation, may be somebody's speech: of that the quotations inside, and nobody is accused of the words around."""
    first = _CITES.search(quotation.words)
    if first is None:
        yield quotation
        return
    at = text.find(quotation.words, quotation.start)
    inner = list(quotations(quotation.words, kind))
    yield from (replace(each, start=at + each.start, end=at + each.end, sure=True) for each in inner)
    if not inner:
        goes_on = first["named"] or re.search(r"\w", _CITES.sub("", quotation.words[first.end() :]))
        yield replace(quotation, words=_CITES.sub("", quotation.words), sure=quotation.sure and not goes_on)


def resembles(quoted: str, sources: Sequence[str], least: float = RESEMBLES) -> str | None:
    """Return the words of a source of which a quotation is an altered copy, with a likeness of `least` of 100; None if
    it resembles nothing."""
    folded = compared(quoted).strip(_ENDS)
    best, shown = least, None
    for source in sources:
        whole = compared(source)
        found = best_window(folded, whole, least=best)
        if found is not None and found.score >= best and len(whole) * 2 > len(folded):
            best, shown = found.score, _whole_words(whole, found.start, found.end)
    return shown


def _whole_words(text: str, start: int, end: int) -> str:
    """Return the words of a text from `start` to `end`, none cut in two, with `…` where the text goes on."""
    start = text.rfind(" ", 0, start + 1) + 1 if text[start : start + 1] != " " else start + 1
    stop = text.find(" ", max(end - 1, 0))
    stop = len(text) if stop < 0 else stop
    return f"{'… ' if start else ''}{text[start:stop]}{' …' if stop < len(text) else ''}"
