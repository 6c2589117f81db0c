"""Evidence that a text is of the kind that a question asks for: a number, a date, a person, a reason, a way."""

from __future__ import annotations

import re

from veritas.answering.question import Asked
from veritas.text import wordnet
from veritas.text.languages import ENGLISH
from veritas.text.quantities import quantities
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import index_terms

_DATE = re.compile(
    r"(?i)\b(?:1[0-9]{3}|20[0-9]{2})s?\b|\b(?:since|until|in|from|as of) (?:version |v)?\d+\.\d|\b(?:january|february|"
    r"march|april|june|july|august|september|october|november|december)\b|\b\d{1,2}(?:st|nd|rd|th) century\b"
)
_WHENEVER = re.compile(r"(?i)\b(?:when|whenever|after|before|once|until|during|every time|as soon as|each time)\b")
_REASON = re.compile(
    r"(?i)\b(?:because|since|due to|owing to|in order to|so that|so as to|thus|therefore|hence|as a result|reasons?|"
    r"caus(?:e|es|ed|ing)|led to|leads to|for this|this (?:is|means|allows|ensures|prevents|avoids|lets|makes)|"
    r"to (?:avoid|"
    r"prevent|ensure|allow|keep|protect|reduce|make sure)|otherwise|useful (?:for|when|if)|purpose|allow(?:s|ing))\b"
)
_WAY = re.compile(
    r"(?i)\b(?:use|using|by \w+ing|you (?:can|may|should|must|need to|have to|will|could|want)|can be (?:\w+ly )?\w+ed|"
    r"with the|via|through|simply|pass(?:ing)?|call(?:ing)?|set(?:ting)?|add(?:ing)?|run(?:ning)?|install|configure|"
    r"override|subclass|enable|disable|provide[sd]?|available)\b|\bto \w+ [^,]{3,60}, "
)
_FIRST = re.compile(r"(?:^|[,:;]\s+(?:then\s+)?|\bplease\s+)(?:[-*•]\s+|\d+[.)]\s+)?([A-Za-z]+)\s+(\S+)")
_OBJECT = re.compile(
    r"(?i)(?:the|an?|your|its?|all|each|any|this|that|these|those|one|two|another|every|up|down|off|on|in|into|to|from|at|"
    r"with|as|out|back|via|[`\"'“*-].+|\S*[/_.]\S+|[A-Z]\S*)$"
)
_DIFFERENCE = re.compile(
    r"(?i)\b(?:whereas|while|unlike|instead of|differs?|differences?|different|compared (?:to|with)|rather than|but|"
    r"on the other hand|in contrast|however|than|both|only|not)\b"
)
_MECHANISM = re.compile(
    r"(?i)\b(?:by|through|via|using|uses?|works?|because|when|then|first|after|which|handles?|calls?|invokes?|creates?|"
    r"stores?|sends?|returns?)\b"
)
_RULES = re.compile(
    r"(?i)\b(?:can(?:not|'t)?|does(?: not|n't)|do(?: not|n't)|is(?: not|n't)|are(?: not|n't)|supports?|supported|"
    r"allow(?:s|ed)|possible|must|required|requires?|by default|only|never|always|no longer|not|may|will|should|has|"
    r"have)\b"
)
_PLACE = re.compile(
    r"\b(?:in|at|near|on|from|to|into|inside|under|outside|within|of) (?:the )?(?:[A-Z][\w-]+|[\w./~-]*[/.]\w)"
)
_NAME = re.compile(r"\b[A-Z][a-z’'-]+(?: (?:[A-Z]\.|de|van|von|of|the|[A-Z][a-z’'-]+))*\b|\b[A-Z]{2,}\b")
_LISTED = re.compile(r"(?:[^,;]{2,40}[,;]\s+){2,}(?:and|or)?\b|\b(?:and|or)\b")
_DEFINES = re.compile(
    r"(?i)\b(?:is|are|was|were) (?:an?|the|any|one of|used|simply|basically|just)\b|\b(?:means|refers? to|stands? for|"
    r"denotes|provides?|represents?|describes?|known as|called)\b"
)


def evidence(asked: Asked, text: str, *, listed: bool, code: bool) -> float:
    """Return how much a text is of the kind that the question asks for, 0 to 1. `listed`: it is a list or shown with
    one; `code`: it is program text or shown with some. 0.5 where the question asks for nothing of a known form."""
    kind = asked.kind
    if asked.language is not ENGLISH:
        return _in_other_words(asked, text, listed=listed, code=code)
    if kind == "value":
        found = quantities(text)
        return 1.0 if any(q.unit not in ("year", "day") for q in found) else 0.5 * bool(re.search(r"\d", text))
    if kind == "when":
        return 1.0 if _DATE.search(text) else 0.4 * bool(_WHENEVER.search(text))
    if kind == "who":
        return float(_others(asked, text))
    if kind == "where":
        return 1.0 if _PLACE.search(text) else 0.3 * _others(asked, text)
    if kind == "why":
        return float(bool(_REASON.search(text)))
    if kind == "difference":
        return float(bool(_DIFFERENCE.search(text)))
    if kind == "how-to":
        return 0.6 * bool(_WAY.search(text) or _bids(text)) + 0.4 * code
    if kind == "how":
        return 0.8 * bool(_MECHANISM.search(text)) + 0.2 * code
    if kind == "list":
        return 1.0 if listed else 0.5 * bool(_LISTED.search(text))
    if kind == "definition":
        return _defines(asked, text)
    if kind == "yes/no":
        return float(bool(_RULES.search(text)))
    return 0.5


def _bids(text: str) -> bool:
    """Return whether a text tells what to do: a verb in its plain form opens it, or stands behind a comma or a colon,
    and what follows is its object or its place ("Format your entries as …", "To rename it, move the folder")."""
    return any(
        wordnet.parts_of_speech(verb) >= {"v"}
        and verb.lower() in wordnet.lemmas(verb, "v")
        and verb.lower() not in FUNCTION_WORDS
        and _OBJECT.match(behind) is not None
        for verb, behind in (found.groups() for found in _FIRST.finditer(text))
    )


def _in_other_words(asked: Asked, text: str, *, listed: bool, code: bool) -> float:
    """Return `evidence` for a question in another language than English, by that language's patterns."""
    kind, rule = asked.kind, asked.language.evidence.get(asked.kind)
    if rule is None:
        return 0.5
    found = rule.search(text)
    if kind in ("how-to", "how"):
        share = 0.4 if kind == "how-to" else 0.2
        return (1 - share) * bool(found) + share * code
    if kind == "list":
        return 1.0 if listed else 0.5 * bool(found)
    if kind == "definition":
        opening = frozenset(index_terms(text[: found.start()])) if found else frozenset()
        return 0.0 if not found else 1.0 if asked.topic & opening else 0.2
    return float(bool(found))


def _others(asked: Asked, text: str) -> bool:
    """Return whether a text names somebody or something that the question does not."""
    own = {term.stem for term in asked.terms}
    for match in _NAME.finditer(text):
        if (match.start() > 0 or " " in match[0]) and not own.issuperset(index_terms(match[0])):
            return True
    return False


def _defines(asked: Asked, text: str) -> float:
    """Return how much a sentence says what the topic is: the topic opens it, and a defining verb follows."""
    found = _DEFINES.search(text)
    if found is None:
        return 0.0
    opening = frozenset(index_terms(text[: found.start()]))
    if not asked.topic or not asked.topic & opening:
        return 0.2
    return 1.0 if len(text[: found.start()].split()) <= len(asked.topic) + 4 else 0.5
