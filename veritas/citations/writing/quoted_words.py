"""The words of a quotation without the markup of their text, and the form in which they are compared with a source."""

from __future__ import annotations

import html
import re
import unicodedata
from functools import lru_cache

from veritas.citations.marks.links import Kind
from veritas.text.formulas import FORMULA, plain_formula

_TYPESET = str.maketrans({
    "’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-", "‐": "-", "−": "-",
})  # fmt: skip
_JOINED = str.maketrans({
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl", "\ufb05": "st", "\ufb06": "st",
    "\u00ad": None, "\u200b": None, "\u200c": None, "\u200d": None, "\u2060": None, "\ufeff": None,
})  # fmt: skip
# Quotation marks inside a quotation: those of who quotes, or of the source in another style.
_INNER = re.compile(r"[\"“”„‟«»‹›]|(?<!\w)['‘’‚`]+|(?<![\d\w])['‘’]+|(?<=[^\W\d_])['’](?!\w)|''")
_PERCENT = re.compile(r"(?<=\d)\s+(?=[%‰])")
_THOUSANDS = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?:(?:,|[\u00a0\u2009\u202f])\d{3})+(?!\d|,\d)")
_SPACED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?!\d)")
_SIGN = re.compile(r"\s*([=<>≤≥±×≈])\s*")
_EMPHASIS = re.compile(r"(?<![\w\\])[*_]{1,3}(?=\S)|(?<=\S)(?<!\\)[*_]{1,3}(?!\w)")
_LINK = re.compile(r"(?<![!\\])\[([^\[\]]+)\]\([^()\s]*(?:\s\"[^\"]*\")?\)")
_TAG = re.compile(r"</?(?:em|i|b|strong|u|span|mark|wbr|cite|a|small|sup|sub|q|code)\b[^<>]{0,300}>", re.IGNORECASE)
_LINE_TAG = re.compile(r"</?(?:br|p|div|blockquote)\b[^<>]{0,300}>", re.IGNORECASE)
_MD_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_COMMAND = re.compile(
    r"\\(?:emph|text(?:it|bf|sc|sl|tt|rm|sf|up|md|normal)?|mbox|uline|underline|mathrm|ensuremath|enquote|num)"
    r"\{([^{}]*)\}"
)
_SWITCH = re.compile(r"\{\\(?:em|it|bf|sc|sl|itshape|bfseries|scshape)\b\s*([^{}]*)\}")
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_ROLE = re.compile(r":math:`([^`]{1,80})`|\\\(((?:(?!\\\)).){1,80})\\\)")
_PROSE = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{3,}\s+[A-Za-z]{2,}")
_UNPRINTED = re.compile(r"\\(?:index|label|glsadd|todo|footnote|footnotemark|marginpar)(?:\[[^\[\]]*\])?\{[^{}]*\}")
_PUT_IN = (
    (re.compile(r"\\textelp\*?\{\}"), " […] "), (re.compile(r"\\textelp\*?\{([^{}]+)\}"), r" […] [\1] "),
    (re.compile(r"\\textins\*?\{([^{}]+)\}"), r"[\1]"),
)  # fmt: skip
"""What csquotes leaves out and puts in."""
_QUANTITY = re.compile(r"\\(?:SI|qty)(?:\[[^\[\]]*\])?\{([^{}\\]*)\}\{(?:\\(percent)|([A-Za-z]{1,4}))\}")
_REMARK = re.compile(
    r"\s*[(\[](?:(?:the )?(?:emphas[ie]s|italics|bold|stress)(?: is| are)?"
    r" (?:added|mine|ours|supplied|in (?:the )?original)|(?:my|our) (?:emphasis|italics))\.?[)\]](?=[.\s]*\Z)",
    re.IGNORECASE,
)
"""What who quotes says of the letters, inside the marks."""
_VERSE = re.compile(r"(?<=[^\W\d_][^\s]) /{1,2} (?=[^\W\d_])|(?<=[^\W\d_][,;.]) /{1,2} (?=[^\W\d_])")
_BROKEN = re.compile(r"(?<=[^\W\d_])-[ \t]*\n[ \t>]*(?=[^\W\d_])")


def forms(words: str, kind: Kind) -> tuple[str, ...]:
    """Return the words of a quotation without the markup of their text, in each reading that the markup allows: a
    hyphen at a line's end, a sign that may be mathematics, a blank between thousands. The first is the likeliest."""
    words = _REMARK.sub("", words)
    if not _BROKEN.search(words):
        read = _read(words, kind)
    else:
        joined, kept = _BROKEN.sub("", words), _BROKEN.sub("-", words)
        read = tuple(dict.fromkeys((*_read(joined, kind), *_read(kept, kind))))
    read = (*read, *(_VERSE.sub(" ", each) for each in read))
    return tuple(dict.fromkeys((*read, *(_SPACED.sub(_joined, each) for each in read))))


def _read(words: str, kind: Kind) -> tuple[str, ...]:
    if kind == "latex":
        return (_folded(_untexed(words)),)
    if kind == "rst":
        words = _EMPHASIS.sub("", _ROLE.sub(r"\1", re.sub(r"(?m)^[ \t]*\|[ \t]+", "", words)))
        return tuple(dict.fromkeys(_folded(re.sub(r"\\(\s)", by, words)) for by in ("", " ")))
    if kind != "markdown":
        return (_folded(words),)
    words = re.sub(r"(?m)^[ \t]*(?:>[ \t]?|\|[ \t]+(?=[^|\n]*$)|(?:`{3,}|:{3,})[^\n]*$)", "", words)
    words = _EMPHASIS.sub("", _LINK.sub(r"\1", _TAG.sub("", _LINE_TAG.sub(" ", words))))
    read = (html.unescape(_MD_ESCAPE.sub(r"\1", each)) for each in (words, without_mathematics(words)))
    return tuple(dict.fromkeys(map(_folded, read)))


def _folded(text: str) -> str:
    return " ".join(text.split())


def _untexed(words: str) -> str:
    for pattern, sign in _PUT_IN:
        words = pattern.sub(sign, words)
    words = _QUANTITY.sub(lambda found: f"{found[1]}%" if found[2] else f"{found[1]} {found[3]}", words)
    words = without_mathematics(_UNPRINTED.sub("", words))
    words = words.replace("\\-", "").replace("\\/", "").replace("{,}", ",").replace("{-}", "-")
    words = re.sub(r"\\[ ,;]|~", " ", re.sub(r"\\text(?:quotedbl)?(?:left|right)\b(?:\{\})?", "", words))
    for _ in range(4):
        simpler = _SWITCH.sub(r"\1", _COMMAND.sub(r"\1", words))
        if simpler == words:
            break
        words = simpler
    words = words.replace("``", '"').replace("''", '"').replace('"`', '"').replace("\"'", '"')
    return _ESCAPED.sub(r"\1", words).replace("---", "—").replace("--", "–")


def without_mathematics(text: str) -> str:
    """Return a text with figures and signs in place of its short formulas (`$p < 0.05$`)."""
    if "$" not in text and "\\(" not in text and ":math:" not in text:
        return text
    return FORMULA.sub(_figures, _ROLE.sub(_figures, text))


def _figures(found: re.Match[str]) -> str:
    inner: str = next(filter(None, found.groups()))
    said = plain_formula(inner)
    return found.group() if found.re is FORMULA and _PROSE.search(inner) else inner if said is None else said


@lru_cache(maxsize=64)
def cleaned(text: str) -> str:
    """Return a text without what typesetting adds: ligatures, soft hyphens, quotation marks, the width of blanks.
    Entities of HTML, which registries keep as such or escape twice, are the signs they mean."""
    for _ in range(3 if "&" in text else 0):
        text = html.unescape(text)
    text = _PERCENT.sub("", _THOUSANDS.sub(_joined, unicodedata.normalize("NFC", text).translate(_JOINED)))
    return _folded(_SIGN.sub(r" \1 ", _INNER.sub("", text)))


def _joined(found: re.Match[str]) -> str:
    return re.sub(r"\D", "", found.group())


def typeset(text: str) -> str:
    """Return a cleaned text, as long as it is, with one sign for each kind of apostrophe and dash."""
    return text.translate(_TYPESET)
