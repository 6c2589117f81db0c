"""Formulas of TeX as plain text, where one line of signs says them: `\\chi^2_{2} = 6.58` is "χ²₂ = 6.58"."""

from __future__ import annotations

import re
import unicodedata

from veritas.text.markup import LETTERS
from veritas.text.wordlist import words

FORMULA = re.compile(r"(?<![\\$\w])\$(?=[^\s$])((?:[^$\n\\]|\\[^\n]|\n(?!\s*\n)){1,200}?)(?<=[^\s])\$(?![\d$])")
"""A formula between dollars in running text, which may also be of sums of money."""
MOST = 1000
"""Limit in characters of a formula that one line says."""
_SIGNS = {
    **LETTERS, "le": "≤", "ge": "≥", "leqslant": "≤", "geqslant": "≥", "lt": "<", "gt": ">", "ne": "≠", "neq": "≠",
    "approx": "≈", "sim": "~", "equiv": "≡", "propto": "∝", "in": "∈", "mp": "∓", "ast": "*", "circ": "°", "prime": "′",
    "vert": "|", "mid": "|", "quad": " ", "qquad": " ", "ll": "≪", "gg": "≫", "log": "log", "ln": "ln", "exp": "exp",
    "min": "min", "max": "max",
    **dict.fromkeys(words("mathrm mathit mathbf mathsf boldsymbol bm operatorname rm it bf left right big Big"), ""),
}  # fmt: skip
_TEXT = re.compile(r"\\(?:text(?:rm|it|bf|sf|normal)?|mbox|emph)\s*\{([^{}\\$]*)\}")
_COMMAND = re.compile(r"\\(?:([A-Za-z]+)|([%$#_{}&])|([,;: !]))")
_OVER = re.compile(r"\\(hat|bar|tilde)\s*(?:\{(\w)\}|([A-Za-z])(?![A-Za-z]))")
_MARKS = {"hat": "\u0302", "bar": "\u0304", "tilde": "\u0303"}
_SCRIPT = re.compile(r"([_^])\s*(?:\{([^{}]*)\}|([^\s{}]))")
_GROUP = re.compile(r"\{([^{}]*)\}")
_SMALL = {
    "^": dict(zip("0123456789+−=()n°′*†‡", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿ°′*†‡", strict=True)),
    "_": dict(zip("0123456789+−=()aehijklmnoprstuvx,", "₀₁₂₃₄₅₆₇₈₉₊₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ,", strict=True)),
}
_KEPT = str.maketrans({each: chr(0xE000 + ord(each)) for each in "-_^{}\\&"})
_BACK = {ord(value): key for key, value in _KEPT.items()}


def plain_formula(source: str) -> str | None:
    """Return the signs of a formula, or None where it has a shape that they do not say: a fraction, a root, rows."""
    if len(source) > MOST:
        return None
    said = _TEXT.sub(lambda found: found[1].translate(_KEPT), source)
    said = _OVER.sub(lambda found: (found[2] or found[3]) + _MARKS[found[1]], said.replace("~", " "))
    said = _COMMAND.sub(_sign, said).replace("-", "−").replace("'", "′")
    for _ in range(4):
        said = _GROUP.sub(r"\1", _SCRIPT.sub(_script, said))
    if any(each in said for each in "\\{}^&_"):
        return None
    return unicodedata.normalize("NFC", " ".join(said.translate(_BACK).split()))


def _sign(found: re.Match[str]) -> str:
    if found[1]:
        return _SIGNS.get(found[1], found[0])
    return found[2].translate(_KEPT) if found[2] else "" if found[3] == "!" else " "


def _script(found: re.Match[str]) -> str:
    said, small = (found[2] or found[3] or "").strip(), _SMALL[found[1]]
    bare = said.replace(" ", "")
    if bare and all(each in small for each in bare):
        return "".join(small[each] for each in bare)
    return found[1].translate(_KEPT) + said if said and " " not in said and "\\" not in said else found[0]
