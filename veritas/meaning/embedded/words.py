"""Words: cutting text into tokens and folding a word to the form in which two mentions of it meet."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(
    r"\d{1,3}(?:[\u00a0\u2009\u202f]\d{3})+(?![^\W_])|\d+(?:[.,]\d+)*(?![^\W_])|[^\W_]+(?:['’][^\W\d_]{1,2}\b)?"
)
# "384,400" and "384400" are one number, so that they fold to one form.
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?")
_POINTS = re.compile(r"[.,\u00a0\u2009\u202f]")
_SEPARATOR = re.compile(r"[,\u00a0\u2009\u202f]")

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho",
    "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon", "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}
_GREEK_LETTER = re.compile("[" + "".join(_GREEK) + "]")

_BRITISH = (
    ("tumour", "tumor"), ("haem", "hem"), ("aemi", "emi"), ("oestr", "estr"), ("oedem", "edem"), ("paed", "ped"),
    ("foet", "fet"), ("oesoph", "esoph"), ("behaviour", "behavior"), ("colour", "color"), ("favour", "favor"),
    ("isation", "ization"), ("labour", "labor"), ("centre", "center"), ("fibre", "fiber"), ("programme", "program"),
    ("ageing", "aging"), ("signall", "signal"), ("labell", "label"), ("modell", "model"), ("travell", "travel"),
)

_IRREGULAR = {
    "mice": "mouse", "men": "man", "women": "woman", "children": "child", "people": "person", "feet": "foot",
    "was": "be", "were": "be", "is": "be", "are": "be", "been": "be", "am": "be", "being": "be", "has": "have",
    "had": "have", "having": "have", "did": "do", "does": "do", "done": "do", "won": "win", "lost": "lose",
    "losing": "lose", "less": "less", "led": "lead", "found": "find", "made": "make", "shown": "show", "gave": "give",
    "given": "give", "took": "take", "taken": "take", "began": "begin", "begun": "begin", "became": "become",
    "wrote": "write", "written": "write", "said": "say", "went": "go", "gone": "go", "came": "come", "rose": "rise",
    "risen": "rise", "fell": "fall", "fallen": "fall", "grew": "grow", "grown": "grow", "knew": "know",
    "known": "know", "held": "hold", "kept": "keep", "left": "left", "built": "build", "bought": "buy",
    "sold": "sell", "met": "meet", "ran": "run", "sung": "sing", "sang": "sing", "died": "die", "dies": "die",
    "dying": "die", "death": "die", "deaths": "die", "analyses": "analysis", "better": "better", "reduction": "reduc",
    "reductions": "reduc", "loss": "lose", "losses": "lose", "lower": "lower", "lowers": "lower", "lowered": "lower",
    "higher": "higher", "larger": "larger", "greater": "greater", "smaller": "smaller", "number": "number",
    "numbers": "number", "bacteria": "bacterium", "data": "data", "series": "series", "species": "species",
    "news": "news", "note": "note", "notes": "note", "noted": "note",
    "this": "this", "his": "his", "its": "its", "us": "us", "thus": "thus",
    "binding": "bind", "bound": "bind", "binds": "bind", "growth": "grow", "weight": "weight", "born": "born",
    "never": "never", "under": "under", "after": "after", "over": "over", "other": "other", "paper": "paper",
    "water": "water", "cancer": "cancer", "cancers": "cancer", "tumor": "tumor", "tumors": "tumor", "best": "best",
}

_SUFFIXES = (
    "izations", "ization", "ational", "ations", "ically", "fulness", "iveness", "ation", "ities", "ments", "ingly",
    "ating", "ators", "ative", "ated", "ates", "ator", "ment", "ions", "ance", "ence", "able", "ible", "ally", "edly",
    "ives", "ized", "izes", "izer", "izing", "ised", "ises", "ising", "ion", "ity", "ive", "ize", "ise", "ate", "ant",
    "ent", "ing", "ory", "ors", "ers", "ous", "ful", "ed", "al", "ly", "ic", "or", "er", "es", "e", "y",
)
_BY_LAST: dict[str, tuple[str, ...]] = {
    last: tuple(s for s in _SUFFIXES if s[-1] == last) for last in {s[-1] for s in _SUFFIXES}
}


class Token(NamedTuple):
    """One word or number. `start`, `end` are offsets in the text given; `lower` has Greek letters spelled out."""

    text: str
    lower: str
    stem: str
    start: int
    end: int

    @property
    def is_number(self) -> bool:
        """True if it is digits only (with points or commas)."""
        return self.text[0].isdigit() and _POINTS.sub("", self.text).isdigit()

    @property
    def is_name(self) -> bool:
        """True if it looks like a name or symbol: a capital or a digit somewhere, and a letter."""
        return any(c.isupper() for c in self.text) or (not self.text.isalpha() and not self.is_number)


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Lower case, compatibility forms and accents undone, Greek letters by name: "TGFβ" -> "tgfbeta"."""
    lower = word.lower()
    if lower.isascii():
        return lower
    lower = _GREEK_LETTER.sub(lambda m: _GREEK[m.group()], unicodedata.normalize("NFKC", lower).lower())
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c)) or lower


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The light stem of a folded word: one suffix off, at least four letters left; symbols with digits stay whole."""
    word = word.split("'")[0].split("’")[0] or word
    irregular = _IRREGULAR.get(word)
    if irregular is not None:
        return irregular
    if len(word) < 4 or not word.isalpha():
        return word
    for british, american in _BRITISH:
        if british in word:
            word = word.replace(british, american)
    if word.endswith("ies") and len(word) > 4:
        word = word[:-3] + "y"
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for suffix in _BY_LAST.get(word[-1], ()):
        left = len(word) - len(suffix)
        if left >= (3 if suffix in ("ed", "ing", "e") else 4) and word.endswith(suffix):
            word = word[:left]
            break
    if len(word) > 4 and word[-1] == word[-2] and word[-1] in "bdgmnprt":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 4 else word


def tokens(text: str) -> list[Token]:
    """The words and numbers of `text`, in order. Hyphens and slashes part words; decimal points do not."""
    found = []
    for match in _TOKEN.finditer(text):
        word = match.group()
        lower = fold(_SEPARATOR.sub("", word) if _THOUSANDS.fullmatch(word) else word)
        found.append(Token(word, lower, stem(lower), match.start(), match.end()))
    return found
