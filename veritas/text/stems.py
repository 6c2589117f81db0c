"""Stems: one form of a word for its spellings, inflections and commonest derivations."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# "384,400" and "384400" are one number, so they fold to one form.
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:[,\u00a0\u2009\u202f]\d{3})+(?:\.\d+)?")
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
    "used": "use", "uses": "use", "using": "use", "user": "user", "viruses": "virus", "viral": "virus",
    "hypotheses": "hypothesis", "analyzed": "analysis", "analysed": "analysis", "criteria": "criterion",
    "bacterial": "bacterium", "indices": "index", "indexes": "index", "sent": "send", "added": "add", "adding": "add",
    "adds": "add", "licence": "license", "licences": "license", "retry": "retry", "retries": "retry",
    "retried": "retry", "university": "university", "universities": "university", "physics": "physics",
    "general": "general", "address": "address", "access": "access", "process": "process",
    "author": "authors", "authors": "authors", "authored": "authors", "authority": "authority",
    "authorities": "authority",
}
"""Irregular forms; a word that stands for itself keeps its whole form. Who wrote something ("author") is kept apart
from who may do something ("auth", "authorize") and from who decides ("authority")."""

_SUFFIXES = (
    "izations", "ization", "ational", "ations", "ically", "fulness", "iveness", "ation", "ities", "ments", "ingly",
    "ating", "ators", "ative", "ated", "ates", "ator", "ment", "ions", "ance", "ence", "able", "ible", "ally", "edly",
    "ives", "ized", "izes", "izer", "izing", "ised", "ises", "ising", "ion", "ity", "ive", "ize", "ise", "ate", "ant",
    "ent", "ing", "ory", "ors", "ers", "ous", "ful", "ed", "al", "ly", "ic", "or", "er", "es", "e", "y",
)
_BY_LAST: dict[str, tuple[str, ...]] = {
    last: tuple(s for s in _SUFFIXES if s[-1] == last) for last in {s[-1] for s in _SUFFIXES}
}


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """Return lower case without compatibility forms and accents, Greek letters by name: "TGFβ" -> "tgfbeta"."""
    lower = word.lower()
    if lower.isascii():
        return lower
    lower = _GREEK_LETTER.sub(lambda m: _GREEK[m.group()], unicodedata.normalize("NFKC", lower).lower())
    if lower.isascii():
        return lower
    return "".join(c for c in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(c)) or lower


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Return the light stem of a lower-case word, folded: one suffix off, at least four letters left.

    Symbols with digits stay whole; a number loses its thousands marks.
    """
    if not word.isascii() and not word[0].isdigit():
        word = fold(word)
    word = word.split("'")[0].split("’")[0] or word
    irregular = _IRREGULAR.get(word)
    if irregular is not None:
        return irregular if irregular == word else stem(irregular)
    if len(word) < 4 or not word.isalpha():
        if word[:1].isdigit():
            if _THOUSANDS.fullmatch(word):
                return _SEPARATOR.sub("", word)
            return word[:-1] if word[-1] == "s" and len(word) > 3 and word[-4:-1].isdecimal() else word  # "1990s"
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
