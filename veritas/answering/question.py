"""Questions as a librarian reads them: what kind of answer is wanted, and which words have to be met."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veritas.text import wordnet
from veritas.text.asking import asks_which
from veritas.text.languages import ENGLISH, Kind, Language, read_in
from veritas.text.stems import stem
from veritas.text.stop_words import GENERIC_WORDS, STOP_WORDS
from veritas.text.thesaurus import related
from veritas.text.tokens import normalise

GENERIC, NAMED = 0.25, 1.5
"""Weights of a word that names a kind of question, and of a name; 1 is that of any other word."""

MEASURES = ("long", "often", "large", "big", "fast", "old", "far", "high", "tall", "deep", "wide", "hot", "heavy")
"""Words that ask for a value behind "how", and say nothing of what it is a value of."""
_OPENING = r"(?i)^(?:(?:and|but|so|also|then|please|in|on|at|for|to|by|with|from|under|of)\s+)*"
_RULES: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("difference", re.compile(
        r"(?i)\bdifferences?\b|\bdiffer\b|\bcompar(?:e|es|ed|ison)\b|\bversus\b|\bvs\b|\bdistinguish\w*\b")),
    ("why", re.compile(
        _OPENING + r"(?:why|how come|what(?:'s| is| are| was| were)? the (?:reasons?|causes?|purpose|point)|"
        r"what (?:causes|caused|makes|made|prevents)|for what (?:reason|purpose))\b")),
    ("value", re.compile(
        _OPENING + rf"(?:how (?:many|much|{'|'.join(MEASURES)})\b|"
        r"(?:what|which)(?:'s| is| are| was| were)? (?:the )?(?:\S+ ){0,3}?(?:default|limit|maximum|minimum|size|"
        r"number|amount|value|percentage|percent|rate|price|cost|port|duration|length|height|depth|population|"
        r"temperature|speed|age|score|total|average|ratio)\b)")),
    ("when", re.compile(
        _OPENING + r"(?:when\b|(?:what|which) (?:year|date|day|month|century|decade|time)\b|"
        r"(?:since|until) (?:when|what|which)\b|(?:in|since|from|as of) (?:what|which) version\b)")),
    ("who", re.compile(
        _OPENING + r"(?:who|whom|whose|(?:what|which) (?:person|author|actor|actress|singer|player|company|team|band|"
        r"director|president|king|queen))\b")),
    ("where", re.compile(
        _OPENING + r"(?:where|(?:what|which) (?:city|country|place|location|state|town|directory|folder|file))\b")),
)  # fmt: skip
_YES_NO = re.compile(
    _OPENING + r"(?:does|do|did|is|are|was|were|can|could|should|would|will|has|have|may|might|must)\b"
)
_DEFINES = re.compile(
    r"(?i)^(?:what (?:is|are|was|were)|what's|define|explain|what does) (?:an? |the )?"
    r"(?P<topic>[^\s?]+(?: [^\s?]+){0,2}?)(?: mean| stand for| do)?\s*\??$"
)
_HOW_TO = re.compile(
    _OPENING + r"(?:how (?:can|could|do|does|should|would|must) (?:i|we|you|one|someone|people|an?|the user)\b|"
    r"how to\b|(?:is there|what(?:'s| is)) (?:an? |the )?(?:\w+ )?ways? (?:to|of)\b|"
    r"what (?:do|can|should|must) (?:i|we|you|one)\b|"
    r"(?:what|which) (?:\w+ )?(?:command|function|method|option|flag|setting|parameter|argument|decorator|class)\b)"
)
_TO_COMPARE = re.compile(
    _OPENING + r"(?:how (?:can|could|do|should|would|must) (?:i|we|you|one)|how to|"
    r"(?:is there|what(?:'s| is)) (?:an? |the )?(?:\w+ )?ways? to) (?:compare|distinguish|differentiate)\b"
)
"""Asks for the way to compare, and not for what a comparison comes to, as "How do a list and a tuple compare?" does."""
_TOKEN = re.compile(r"[^\W_]+(?:[._'’-][^\W_]+)*|[^\W_]+")
_IDENTIFIER = re.compile(r"--?\w[\w-]+|\b\w+(?:[._]\w+)+\b|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z]+[A-Z]\w*|\b\w+(?=\(\))")
_PART = re.compile(r"[^\W_]+")
_VAGUE = frozenset(
    """
    anything something everything nothing anyone someone everyone anybody somebody everybody nobody anywhere somewhere
    everywhere nowhere wherever whenever whichever unless otherwise altogether
    """.split()
)
"""Words that stand for what is not named. WordNet has few of them, and they name nothing."""
_REFLEXIVE = re.compile(r"(?:my|your|him|her|it|our|your|them|one)sel(?:f|ves)")
_ASKING = frozenset(map(stem, ("name", "list", "explain", "describe", "define", "please", "happen", "many", "much")))


@dataclass(frozen=True, slots=True)
class Term:
    """A content word of a question: as spelled, its stem, its weight before rarity, whether it names something, and
    the stems of what manuals call it."""

    word: str
    stem: str
    weight: float
    name: bool
    kin: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it was read. `focus` is the stem of the thing asked for ("which *format*"), or ""; `pairs` are
    neighbouring terms, as indices."""

    text: str
    kind: Kind
    terms: tuple[Term, ...]
    pairs: tuple[tuple[int, int], ...]
    focus: str
    topic: frozenset[str]
    """Stems of the X of "What is X?"; empty for any other question."""
    identifiers: tuple[str, ...]
    """Names of a program as they are spelled: with an underscore, a dot or a capital inside, or called."""
    language: Language = ENGLISH
    """The language by whose rules it was read, and by which passages are to be read."""

    @property
    def names(self) -> tuple[Term, ...]:
        """The terms that name something: an answer has to speak of them."""
        return tuple(term for term in self.terms if term.name)


@lru_cache(maxsize=512)
def read_question(text: str, language: Language | None = None) -> Asked:
    """Read a question, a request or keywords by the rules of a language, by default its own. Never fails: of keywords
    the kind is "what"."""
    plain = " ".join(normalise(text).split())
    language = language or read_in(plain)
    terms = _terms(language.whole(plain), language)
    english = language is ENGLISH
    return Asked(
        text=plain,
        kind=kind_of(plain, language),
        terms=terms,
        pairs=tuple((i, i + 1) for i in range(len(terms) - 1)),
        focus=_focus(plain) if english else language.focus_of(plain),
        topic=_topic(plain) if english else language.topic_of(plain),
        identifiers=tuple(dict.fromkeys(match[0] for match in _IDENTIFIER.finditer(plain))),
        language=language,
    )


def _topic(plain: str) -> frozenset[str]:
    defines = _DEFINES.match(plain)
    topic = frozenset(stem(part.casefold()) for part in _PART.findall(defines["topic"])) if defines else frozenset()
    return topic - frozenset(map(stem, STOP_WORDS))


def kind_of(question: str, language: Language = ENGLISH) -> Kind:
    """Return the kind of a question of a language; its first fitting rule decides."""
    if language is not ENGLISH:
        return language.kind_of(question)
    if _TO_COMPARE.match(question):
        return "how-to"
    for kind, rule in _RULES:
        if rule.search(question):
            return kind
    if _HOW_TO.match(question):
        return "how-to"
    if re.match(_OPENING + r"how\b", question):
        return "how"
    if _DEFINES.match(question) and not asks_which(question):
        return "definition"
    if asks_which(question):
        return "list"
    if re.match(_OPENING + r"which\b", question):
        return "which"
    return "yes/no" if _YES_NO.match(question) else "what"


def _terms(plain: str, language: Language) -> tuple[Term, ...]:
    """Return the content words, each stem once. An identifier counts whole and by its parts."""
    spelled = list(_TOKEN.finditer(plain))
    letters = [m[0] for m in spelled if m[0][0].isalpha()]
    shouted = sum(w[0].isupper() for w in letters) > 0.6 * len(letters) and len(letters) > 2
    found: dict[str, Term] = {}
    kin = related(plain) if language is ENGLISH else {}
    for at, match in enumerate(spelled):
        if at and match[0].casefold() in MEASURES and spelled[at - 1][0].casefold() == "how":
            continue
        if match[0].casefold() in language.stop_words:
            continue  # "don't"
        for part in _PART.findall(match[0]):
            low = part.casefold()
            if low in language.stop_words or _REFLEXIVE.fullmatch(low) or low in ("s", "t", "i"):
                continue
            if len(low) == 1 and low.isalpha() and part.islower():
                continue
            key = language.stem(low)
            if key in _ASKING and at < 2:
                continue
            vague = language is ENGLISH and low in _VAGUE
            inner = any(c.isupper() for c in part[1:]) or (any(c.isdigit() for c in part) and not part.isdigit())
            name = inner or (not shouted and at > 0 and part[0].isupper() and not language.capital_nouns) or (
                language is ENGLISH and not vague and low.isalpha() and len(low) > 3
                and not wordnet.parts_of_speech(low)
            )
            weight = NAMED if name else GENERIC if low in language.generic or vague else 1.0
            known = found.get(key)
            if known is None or known.weight < weight:
                found[key] = Term(part, key, weight, name, kin.get(key, frozenset()))
    return tuple(found.values())


def _focus(plain: str) -> str:
    """Return the stem of the noun behind "which" or "what", or of "how many"; "" if there is none."""
    match = re.search(r"(?i)\b(?:which|what|how many)\s+((?:[\w-]+\s+){1,3}?)(?=(?:does|do|did|is|are|was|were|can|"
                      r"could|"
                      r"should|would|will|has|have|had|may|must)\b)", plain)
    if match is None:
        return ""
    last = match[1].split()[-1].casefold()
    return "" if last in STOP_WORDS or last in GENERIC_WORDS else stem(last)
