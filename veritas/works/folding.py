"""Folded letters for comparison: accents, case, ligatures and scripts, so that `Seßler` and `Sessler` are equal."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ŋ": "n", "ħ": "h", "ŧ": "t",
    "ə": "e", "ȷ": "j", "ς": "σ",
}  # fmt: skip
_PLAIN = str.maketrans(_LETTERS)
_SPELT_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"})
_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi", "ο": "omicron", "π": "pi", "ρ": "rho",
    "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_LONE_GREEK = re.compile(r"(?<![α-ω])([α-ω])(?![α-ω])")
_CJK = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=65536)
def fold(text: str, *, spelt_out: bool = False) -> str:
    """Return `text` in lower case without accents. With `spelt_out`, ü is `ue`, ö `oe`, å `aa`.

    Marks are removed only from Latin, Greek and Cyrillic letters; in other scripts (kana, Devanagari) they belong to
    the letter.
    """
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    if spelt_out:
        text = text.translate(_SPELT_OUT)
    kept: list[str] = []
    base = ""
    for sign in unicodedata.normalize("NFD", text):
        if unicodedata.combining(sign):
            if base and ord(base) >= 0x0530:
                kept.append(sign)
        else:
            base = sign
            kept.append(sign)
    return unicodedata.normalize("NFC", "".join(kept).translate(_PLAIN))


@lru_cache(maxsize=65536)
def words(text: str, *, spelt_out: bool = False) -> tuple[str, ...]:
    """Return the folded words of `text`: letters and digits only, `&` as `and`, a lone Greek letter as its name."""
    folded = fold(text, spelt_out=spelt_out).replace("&", " and ")
    folded = _LONE_GREEK.sub(lambda found: f" {_GREEK.get(found[1], found[1])} ", folded)
    folded = re.sub(r"(?<=\w)['’ʼ`´](?=s\b)|['’ʼ`´ʻ]|[ˆˇˉ]", "", folded)  # an accent of a formula beside its letter
    return tuple(re.sub(r"[\W_]+", " ", folded).split())


def is_cjk(text: str) -> bool:
    """Return whether `text` holds Chinese, Japanese or Korean characters."""
    return bool(_CJK.search(text))
