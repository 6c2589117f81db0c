"""Quotations of a text by their marks, and the words of a source that one resembles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from veritas.citations.writing.nearby import FENCE, stands_apart
from veritas.citations.writing.places import Kind
from veritas.citations.writing.speech import CITES
from veritas.citations.writing.standing import compared
from veritas.text.likeness import best_window

MIN_WORDS = 5
"""Least words of a quotation that is looked up; fewer are a term or a manner of speaking."""
SHORT = 4
"""Words of a quotation that may be a term, and is told of as unknown where it is an altered copy."""
FEWEST = 3
"""Words of a quotation in which an altered figure is told of as unknown."""
RESEMBLES = 75.0
"""Least likeness, of 100, of a quotation to a part of a source for it to count as that part, altered."""
RESEMBLES_SURELY = 85.0
"""The same for words that may be no quotation."""

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
# What these mark may be something else: an apostrophe, a remark. Only an altered copy of a source's words is told.
_OTHER_MARKS = re.compile(
    r"‘(?P<curled>(?:[^‘’\n]|’(?=\w)|\n(?!\s*\n)){8,1000})’(?!\w)|‹\s?(?P<pointed>[^‹›]{8,1000}?)\s?›"
    r"|”(?P<swedish>[^“”„]{8,3000})”|‚(?P<lowered>[^‚‘’]{8,1000})[‘’]|»\s?(?P<turned>[^«»]{8,1000}?)\s?«"
    r"|(?<![\w'`\\=])['`](?P<single>(?:[^'`\n]|'(?=\w)|\n(?!\s*\n)){8,1000})'(?![\w'])"
)
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
_ADMONITION = re.compile(
    r"^[ \t]*[!?]{3}\+?[ \t]+(?:quote|cite)\b[^\n]*\n(?P<indented>(?:[ \t]{2,}\S[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
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
_SAID = (
    r"\b(?:writes?|wrote|written|says?|said|states?|stated|puts? it|quot(?:e[sd]?|ing)|word for word|verbatim|reads?"
    r"|(?:their|his|her|its)(?: own| exact| very)? words)(?:\s*(?:\[@[^\[\]]*\]|\([^()\n]{0,60}\)|as follows))?"
)
"""Words by which what stands behind them in other letters is told as a quotation."""
_TOLD = rf"{_SAID}(?:\s*that)?\s*[,:]?\s*"
"""The same for italics; what is bold behind `that` may be what its writer stresses."""
_EMPHASISED = re.compile(
    rf"{_TOLD}(?P<mark>[*_])(?![*_\s])(?P<italic>[^*_\n]{{20,1000}}(?:\n(?!\s*\n)[^*_\n]{{1,300}}){{0,12}})(?P=mark)"
    r"(?![*_\w])"
    rf"|{_SAID}\s*[,:]?\s*(?:[*_]{{2,4}}(?![*_\s])(?P<bold>[^*_\n]{{20,1000}}(?:\n(?!\s*\n)[^*_\n]{{1,300}}){{0,12}})[*_]{{2,4}}"
    r"|==(?P<marked>(?:(?!==|\n\s*\n).){20,1000})=="
    r"|(?:<(?:em|i|b|strong|mark|u)\b[^<>]{0,100}>)+(?P<tagged>[^<>]{20,1000})</)",
    re.IGNORECASE | re.DOTALL,
)
_TEX_EMPHASISED = re.compile(
    rf"(?:(?:{_TOLD}|\\(?:marginpar|marginnote|sidenote|pullquote)\{{\s*)\\(?:emph|textit|textsl)"
    rf"|{_SAID}\s*[,:]?\s*\\(?:textbf|underline|uline|hl))"
    r"\{(?:\\(?:emph|text(?:it|bf|sl))\{)?(?P<italic>[^{}]{20,3000})\}"
    rf"|{_TOLD}\{{\\(?:it|em|sl|itshape|slshape)(?![A-Za-z])\s*(?P<switched>[^{{}}]{{20,3000}})\}}",
    re.IGNORECASE,
)
_FENCED = re.compile(
    rf"^[ \t]*(?P<fence>{FENCE})[^\n]*\n(?:[ \t]*:[\w-]+:[^\n]*\n)*"
    r"(?P<fenced>(?:(?![ \t]*(?:`{3}|:{3}|~{3}))[^\n]*(?:\n|\Z)){1,40})",
    re.MULTILINE | re.IGNORECASE,
)
_SOURCE_LINE = r"[ \t]*(?:—|–|-{2,3})[ \t]*[^\s|-]"
_LINED = re.compile(
    rf"^(?P<lined>(?:\|[ \t][^\n|]*\n){{1,40}}?)(?:\|[ \t]*\n)?\|{_SOURCE_LINE}[^\n|]*$", re.MULTILINE
)
"""A line block that ends with the line that names its source."""
_INDENTED = re.compile(rf"^(?P<indented>(?:[ \t]{{2,}}[^\s|][^\n]*\n){{1,40}}?){_SOURCE_LINE}", re.MULTILINE)
_VERBATIM = re.compile(
    r"(?:^|(?<=[.!?:]\s))(?P<italic>[^\n\"“”()\[\]*_]{20,1000}?)[.,]?\s"
    r"(?=\((?:quoted )?(?:verbatim|word for word|quoted)\b[^()\[\]\n]{0,20}\[?@)",
    re.MULTILINE | re.IGNORECASE,
)
"""A sentence without marks that the brackets behind it tell as quoted."""
_BLANK = re.compile(r"&(?:nbsp|thinsp|ensp|emsp|#160|#xa0);|~|\\[ ,;]", re.IGNORECASE)
_UNSURE = frozenset((
    _OTHER_MARKS, _BLOCK, _ADMONITION, _ENVIRONMENT, _EMPHASISED, _TEX_EMPHASISED, _VERBATIM, _FENCED, _LINED,
    _INDENTED,
))  # fmt: skip
"""What these find may be no quotation. Only an altered copy of a source's words is told."""
_SPOKEN = frozenset({_MARKS, _OTHER_MARKS, _TEX_MARKS, _ENQUOTE})
"""What these find may be direct speech."""
_FRAMES = frozenset(("open", "tag", "env", "mark", "fence"))
"""Groups of patterns that are no words."""
_DIGIT = re.compile(r"\d")
_ENDS = " .,;:!?\"'"


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quotation: `text[start:end]` are its words with their quotation marks, `words` without. `sure` says that its
    marks can mean nothing else."""

    start: int
    end: int
    words: str
    sure: bool = True
    cites: bool = False
    """Whether a citation stands inside its marks."""

    @property
    def short(self) -> bool:
        """Whether it may be a term and no quotation."""
        return _count(self.words) < MIN_WORDS

    @property
    def of_a_figure(self) -> bool:
        """Whether it is too short to be anything but a figure with what it counts."""
        return _count(self.words) < SHORT


def _count(words: str) -> int:
    return len(_BLANK.sub(" ", words).split())


def quotations(text: str, kind: Kind) -> Iterator[Quotation]:
    """Yield the quotations of a text that have at least `MIN_WORDS` words, and of those whose marks are sure also such
    of `SHORT`, or of `FEWEST` with a figure."""
    patterns: tuple[re.Pattern[str], ...] = (_ELEMENT, _MARKS, _OTHER_MARKS)
    if kind == "latex":
        patterns = (_TEX_MARKS, _ENQUOTE, _MARKS, _OTHER_MARKS, _ENVIRONMENT, _TEX_EMPHASISED)
    elif kind == "markdown":
        patterns = (*patterns, _BLOCK, _ADMONITION, _FENCED, _LINED, _EMPHASISED, _VERBATIM)
    elif kind == "rst":
        patterns = (*patterns, _LINED, _INDENTED, _EMPHASISED)
    elif kind == "source":
        patterns = (*patterns, _TEX_MARKS)
    taken: list[tuple[int, int]] = []
    for pattern in patterns:
        for found in pattern.finditer(text):
            said = (each for name, each in found.groupdict().items() if each is not None and name not in _FRAMES)
            words = next(said, found.group())
            sure = pattern not in _UNSURE
            least = MIN_WORDS if not sure else FEWEST if _DIGIT.search(words) else SHORT
            start, end = found.span("indented" if pattern is _ADMONITION else 0)
            if _count(words) < least or any(a < end and start < b for a, b in taken):
                continue
            if _count(words) >= SHORT:  # fewer may stand in a longer quotation
                taken.append((start, end))
            one = Quotation(start, end, words, sure)
            yield from _spoken(one, text, kind) if pattern in _SPOKEN else (one,)


def _spoken(quotation: Quotation, text: str, kind: Kind) -> Iterator[Quotation]:
    """Yield a quotation, or, if a citation inside its marks belongs to quotations in it, those: the words around them
    are somebody's speech."""
    at = text.find(quotation.words, quotation.start)
    cited = [(at + found.start(), at + found.end()) for found in CITES.finditer(quotation.words)]
    inner = [
        replace(each, start=at + each.start, end=at + each.end, sure=True)
        for each in (quotations(quotation.words, kind) if cited else ())
    ]
    inner = [each for each in inner if any(not stands_apart(text, each, *place) for place in cited)]
    yield from inner or (replace(quotation, cites=bool(cited)),)


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
