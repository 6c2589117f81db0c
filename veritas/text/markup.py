"""Markup to plain text: LaTeX commands, XML entities, JATS and MathML tags, as titles and names carry them."""

from __future__ import annotations

import html
import re
import unicodedata

MAX_TEXT = 4000
"""Limit in characters of a title, name or venue; a longer one is an abstract, or an attack."""

ACCENTS = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331",
}  # fmt: skip
"""Accents, as the combining character that follows its letter."""
LETTERS = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "aa": "å", "AA": "Å",
    "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ", "NG": "Ŋ",
    "textendash": "–", "textemdash": "—", "textquoteright": "’", "textquoteleft": "‘", "textregistered": "®",
    "texttrademark": "™", "textbackslash": "\ue05c", "textasciicircum": "\ue05e", "times": "×", "infty": "∞",
    "ell": "ℓ", "textasciitilde": "~", "ldots": "…", "dots": "…", "to": "→", "rightarrow": "→", "pm": "±", "cdot": "·",
    "leq": "≤", "geq": "≥",
}  # fmt: skip
"""Letters and signs by their commands."""
_GREEK = (
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
)  # fmt: skip
for _name in _GREEK:
    LETTERS[_name] = unicodedata.lookup(f"GREEK SMALL LETTER {'lamda' if _name == 'lambda' else _name}")
    LETTERS[_name.title()] = unicodedata.lookup(f"GREEK CAPITAL LETTER {'lamda' if _name == 'lambda' else _name}")
    LETTERS[f"var{_name}"] = LETTERS[_name]

_ACCENTED = re.compile(r"\\(?:([`'^~=.\"])|([urHvdckb])(?=[\s{\\]))\s*(?:\{\s*(\\?[^\W\d_]?)\s*\}|(\\?[^\W\d_]))")
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?(?:\s*\{\}|\s+(?=\S)|)")
_ESCAPED = re.compile(r"\\([&%$#_{}])")
_MATH = re.compile(r"\$([^$]{0,400})\$")
_DISPLAY = re.compile(r"\\[()\[\]]")

_TAG_NAMES = (
    "i|b|u|em|strong|sub|sup|scp?|sans-serif|monospace|roman|italic|bold|underline|overline|tt|span|div|p|br|a|font"
    "|small|big|title|xref|inline-formula|disp-formula|alternatives|tex-math|named-content|styled-content"
    "|inline-graphic|graphic|math|m[a-z]{1,10}"
    "|semantics|annotation(?:-xml)?|script|style|img|h[1-6]|ext-link|fn|break"
)
_TAG = re.compile(rf"</?(?:[A-Za-z]\w{{0,9}}:)?(?:{_TAG_NAMES})(?:\s[^<>]*)?/?>", re.IGNORECASE)
_HIDDEN = re.compile(
    r"<((?:\w{1,9}:)?(?:annotation(?:-xml)?|script|style|tex-math))\b[^<>]*>[^<]{0,2000}</\1\s*>", re.IGNORECASE
)
_COMMENT = re.compile(r"<!--.{0,2000}?-->|<!\[CDATA\[|\]\]>", re.DOTALL)
_UNSEEN = re.compile(
    r"[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ud800-\udfff\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]"
)
_TWICE = re.compile(r"<(?:\w{1,9}:)?(?:math|script|style)\b", re.IGNORECASE)


def plain_text(text: str) -> str:
    """Return `text` (its first `MAX_TEXT` characters) as a reader sees it: markup resolved, whitespace folded, NFC.

    Unknown LaTeX commands are dropped and their arguments kept. A lone `$` or `<` that is no markup stays.
    """
    text = _UNSEEN.sub("", text[:MAX_TEXT])
    for _ in range(4):  # some depositors escape entities twice
        plain = html.unescape(text)
        if plain == text:
            break
        text = plain
    if "<" in text:
        text = _COMMENT.sub("", text)
        if _TWICE.search(text):
            text = _HIDDEN.sub("", text)  # the same formula once more, as TeX
        text = _TAG.sub(_tag_space, text)
    if "\\" in text or "$" in text or "{" in text:
        text = _latex(text)
    text = text.replace("``", "“").replace("''", "”")
    return " ".join(unicodedata.normalize("NFC", _UNSEEN.sub("", text)).split())


def _tag_space(tag: re.Match[str]) -> str:
    """Return "" for an inline tag, a space for one that breaks a line."""
    return " " if re.match(r"</?(?:br|p|div|break)\b", tag.group(), re.IGNORECASE) else ""


def _latex(text: str) -> str:
    text = _ESCAPED.sub(lambda found: chr(0xE000 + ord(found[1])), text)  # parked in the private use area
    text = text.replace("\\\\", " ").replace("\\-", "")
    text = _ACCENTED.sub(_accent, text).replace("~", " ")
    text = _DISPLAY.sub("", text)
    text = _MATH.sub(_math, text)
    text = _COMMAND.sub(lambda found: LETTERS.get(found[1], ""), text)
    text = text.replace("{", "").replace("}", "").replace("\\", "")
    return re.sub("[\ue000-\ue07f]", lambda found: chr(ord(found.group()) - 0xE000), text)


def _accent(found: re.Match[str]) -> str:
    mark = ACCENTS[found[1] or found[2]]
    letter = (found[3] if found[3] is not None else found[4]) or ""
    letter = {"\\i": "i", "\\j": "j"}.get(letter, letter.lstrip("\\"))
    return unicodedata.normalize("NFC", letter + mark) if letter else ""


def _math(found: re.Match[str]) -> str:
    """Drop dollars around a formula: a command, a script, or one short token. `$5 and $10` keeps its signs."""
    inner = found[1]
    if "\\" in inner or "^" in inner or "_" in inner or "{" in inner or (inner.strip() and " " not in inner.strip()):
        return re.sub(r"[\^_]", "", inner)
    return found.group()
