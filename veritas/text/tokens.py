"""Words: how a text is cut into tokens, which of them say nothing, and what stem stands for a word."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from veritas.text.wordlist import words

_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+(?:['’](?:t|re|ve|ll|d|m)\b)?")
_CAMEL = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|[A-Z]+(?=[A-Z][a-z])|\d+")

STOP_WORDS = words(
    """
    a about above after again all also although am among an and any are aren't as at be became because been
    before being below between both but by can cannot could did do does doing done down during each either else
    etc ever every few for from further had has have having he hence her here hers him his how however i if in
    indeed into is it its itself just let many may me might more most much must my neither no nor not now of off
    often on once one only onto or other others our ours out over own per quite rather really same shall she
    should since so some such than that the their theirs them then there thereby therefore these they this those
    though through thus to too toward towards under until up upon us very via was we were what whatever when
    where whereas whether which while who whom whose why will with within without would yet you your yours don't
    doesn't didn't isn't wasn't weren't can't won't couldn't wouldn't shouldn't hasn't haven't hadn't
    """
)
"""Words that carry no topic. Negations are among them: polarity is judged apart (`veritas.text.polarity`)."""

GENERIC_WORDS = words(
    """
    affect affects aim aspect associate associated association basis become behave behavior behaviour cause
    causes change changes concern consider current currently define defined definition describe described detail
    details determine differ difference different do does effect effective effects evidence example examples
    exist explain fact factor factors feature features find finding findings get give given good happen happens
    help helps impact important improve include includes including influence information involve involved kind
    know known lead leads level levels like main make makes mean means measured mechanism method methods need
    needed new number occur place play plays possible present provide provides purpose reason related relate
    relation relationship report reported result results role see set show shown shows significant significantly
    study studies support supports system take thing things type types use used useful uses using value values
    various way ways well work works limitation limitations exception exceptions measurement measurements say
    says tell people person best better compare compared comparison versus vs main major available handle
    handles
    """
)
"""Words that name a kind of question rather than its subject: they weigh little when relevance is measured."""


def normalise(text: str) -> str:
    """NFKC, with typographic apostrophes and dashes made plain. Offsets are not kept: for comparing only."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text).translate(_PLAIN)


_PLAIN = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "‒": "-", "–": "-", "—": "-", "−": "-"})


def tokenise(text: str) -> list[str]:
    """The words and numbers of `text`, lower case, in order; a hyphen or an underscore parts two words."""
    return _TOKEN.findall(normalise(text).casefold())


def terms(text: str) -> list[str]:
    """The stems of the content words of `text`, in order, with repeats."""
    return [stem(token) for token in tokenise(text) if token not in STOP_WORDS]


def index_terms(text: str) -> list[str]:
    """`terms`, and for identifiers such as `ClaimEnvelope` their parts as well, so that either way of writing finds."""
    found: list[str] = []
    for token in _TOKEN.findall(normalise(text)):
        found += _index_terms(token)
    return found


@lru_cache(maxsize=1 << 18)
def _index_terms(token: str) -> tuple[str, ...]:
    """What one token is indexed as: nothing for a stop word."""
    low = token.casefold()
    if low in STOP_WORDS:
        return ()
    if len(token) > 5 and token[1:] != low[1:]:
        parts = _CAMEL.findall(token)
        if len(parts) > 1 and all(len(part) > 2 for part in parts):
            return (stem(low), *(stem(part.casefold()) for part in parts))
    return (stem(low),)


_ENDINGS: tuple[tuple[str, str, int], ...] = (
    # (ending, what takes its place, letters that must remain); the first that fits is taken
    ("uctions", "uc", 2), ("uction", "uc", 2), ("uctive", "uc", 2),
    ("izations", "iz", 3), ("isations", "iz", 3), ("ization", "iz", 3), ("isation", "iz", 3),
    ("izing", "iz", 3), ("ising", "iz", 4), ("ized", "iz", 3), ("ised", "iz", 4), ("izes", "iz", 3), ("ises", "iz", 4),
    ("ize", "iz", 3), ("ise", "iz", 4), ("ours", "or", 3), ("our", "or", 3),
    ("ations", "", 4), ("ation", "", 4), ("ative", "", 4), ("ators", "", 4), ("ator", "", 4),
    ("ating", "", 4), ("ated", "", 4), ("ates", "", 4), ("ate", "", 4),
    ("itions", "it", 4), ("ition", "it", 4),
    ("encies", "ent", 3), ("ency", "ent", 3), ("ences", "ent", 4), ("ence", "ent", 4),
    ("ancies", "ant", 3), ("ancy", "ant", 3), ("ances", "ant", 4), ("ance", "ant", 4),
    ("fulness", "", 3), ("ousness", "ous", 3), ("nesses", "", 4), ("ness", "", 4),
    ("ically", "ic", 3), ("ably", "abl", 3), ("ibly", "ibl", 3), ("ily", "i", 3),
    ("ities", "", 4), ("ity", "", 4),
    ("ions", "", 4), ("ion", "", 4), ("ives", "", 4), ("ive", "", 4), ("ments", "", 4), ("ment", "", 4),
    ("ers", "", 4), ("ors", "", 7), ("er", "", 4), ("or", "", 7),
    ("ingly", "", 3), ("edly", "", 3), ("ings", "", 4), ("ing", "", 3), ("ied", "i", 2), ("ies", "i", 2), ("ed", "", 3),
    ("sses", "ss", 2), ("xes", "x", 2), ("ches", "ch", 2), ("shes", "sh", 2), ("zes", "z", 3),
    ("ly", "", 4), ("es", "", 4), ("als", "", 5), ("al", "", 5),
)  # fmt: skip
# "nam(ed)", "typ(ing)": three letters that were four.
_LOST_E = re.compile(r"[^aeiou][aeiouy][^aeiouwxy]")
_KEEP_S = ("ss", "us", "is")
_IRREGULAR = {
    "used": "use", "uses": "use", "using": "use", "user": "user", "viruses": "virus", "viral": "virus",
    "hypotheses": "hypothesis", "analyses": "analysis", "analyzed": "analysis", "analysed": "analysis",
    "children": "child", "women": "woman", "men": "man", "mice": "mouse", "criteria": "criterion",
    "bacteria": "bacterium", "bacterial": "bacterium", "indices": "index", "indexes": "index", "ran": "run",
    "found": "find", "made": "make", "gave": "give", "given": "give", "took": "take", "taken": "take", "led": "lead",
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "grew": "grow", "grown": "grow", "held": "hold",
    "kept": "keep", "built": "build", "sent": "send", "wrote": "write", "written": "write", "died": "die",
    "dies": "die", "dying": "die", "lower": "low", "lowers": "low", "lowered": "low", "higher": "high", "added": "add",
    "adding": "add", "adds": "add", "licence": "license", "licences": "license", "universities": "university",
}  # fmt: skip


# Words that look like derivations and are none.
_WHOLE = words("university news species series means physics process access address success general several")


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """A light stem of a lower-case word: inflections and the commonest derivations of one word share it.

    Words with a digit, of fewer than four letters, or outside ASCII keep their form (but for a plural s).
    """
    if word.endswith("'s"):
        word = word[:-2]
    if word in _WHOLE:
        return word
    base_form = _IRREGULAR.get(word, word)
    if base_form != word:
        return stem(base_form)
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word[:-1] if len(word) > 3 and word[:-1].isdigit() and word[-1] == "s" else word
    for ending, instead, remain in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= remain:
            base = word[: -len(ending)] + instead
            if ending in ("ed", "ing") and _LOST_E.fullmatch(base):
                base += "e"
            return _trim(base)
    if word.endswith("s") and not word.endswith(_KEEP_S):
        word = word[:-1]
    return _trim(word)


def _trim(base: str) -> str:
    """The form that `stopp`, `stope` and `stop`, or `happi` and `happy`, come down to."""
    if len(base) > 4 and base[-1] == "e":
        base = base[:-1]
    if len(base) > 3 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        base = base[:-1]
    if len(base) > 2 and base[-1] == "y" and base[-2] not in "aeiou":
        base = base[:-1] + "i"
    return base


def weigh(text: str) -> dict[str, float]:
    """The content stems of a query with their weight: 1 for a topic word, 0.25 for a generic one, 1.5 for a name,
    number or identifier (a capital inside the sentence, a digit, or an underscore)."""
    weights: dict[str, float] = {}
    plain = normalise(text)
    for match in _TOKEN.finditer(plain):
        token = match[0]
        low = token.casefold()
        if low in STOP_WORDS or (len(low) == 1 and low.isalpha()):
            continue
        weight = 1.0
        if low in GENERIC_WORDS:
            weight = 0.25
        elif any(c.isdigit() for c in token) or any(c.isupper() for c in token[1:]) or (
            match.start() > 0 and token[0].isupper()
        ):
            weight = 1.5
        key = stem(low)
        weights[key] = max(weights.get(key, 0.0), weight)
    return weights
