"""The subject of a question, in its own words."""

from __future__ import annotations

import re

from veritas.text.stop_words import STOP_WORDS
from veritas.text.wordlist import words

ASKS = re.compile(
    r"(?i)^(?:(?:and|but|so|also|then|or|in|on|at|for|to|by|with|from|under|of)\s+)?(?:what|which|who|whom|whose|when|"
    r"where|why|how|does|do|did|is|are|was|were|can|could|should|would|will|has|have|may|might|must)\b"
)
_WHAT_IS = re.compile(
    r"(?i)^(?:what\s+(?:is|are|was|were)|define|explain)\s+(?:the\s+|an?\s+)?(?P<topic>[^,;?]+?)\s*\??$"
)
_NAMED_OF = re.compile(r"(?i)^(?:definition|meaning|concept|idea|purpose|point)\s+of\s+(?:the\s+|an?\s+)?")
_MORE = re.compile(
    r"(?i)\b(?:of|in|on|for|between|with|to|by|from|best|worst|known|that|which|how|why|when|where|whether|effects?|"
    r"role|difference|limitations?|drawbacks?|advantages?|benefits?|risks?|causes?|symptoms?|rules?|types?|kinds?)\b"
)
_COMPARATIVES = words("different better worse used faster slower safer cheaper")
AUXILIARY = words("does do did is are was were can could should would will has have may might must")
VERBS = words(
    """
    accept achieve act activate add affect allow appear apply assume attach avoid become behave bind block break
    bring build bundle cache call cause change check choose claim cleave collect combine compare compile compose
    compute confer configure connect consist consume contain control convert cope copy correct correlate count
    cover create deal decrease defer define deliver demonstrate deny depend derive describe detect determine
    differ display divide do drive drop emit enable encode encounter enforce enhance ensure evolve exceed
    execute exhibit exist expect explain expose express extend extract facilitate fail find fit fix follow form
    function generate get grow guarantee handle happen have help hold host identify ignore implement imply
    import improve include increase indicate induce influence inherit inhibit insert install interact introduce
    invoke involve iterate join keep kill know lack last lead lie limit live load lock look lower make manage
    mark match mean measure mediate migrate modify modulate move need occur offer open operate outperform
    override own parse participate pass perform persist persuade play point possess precede predict prefer
    preserve prevent print proceed process produce promote propose protect provide query raise range reach read
    receive recognize recommend record recover reduce refer reflect regulate reject relate release rely remain
    remove render repair repeat replace report represent request require reside resolve respond restore restrict
    result retry return reveal rewrite rise run save scale search seem send separate serve set share shift ship
    show simplify skip slow solve sort specify split spread start stay stem stimulate stop store stream submit
    succeed suggest supply support suppress survive switch take target tend test throw track transform translate
    transmit treat trigger try turn underlie update upgrade use validate vary verify wait work wrap write yield
    """
)
"""Verbs of papers and documentation, in their base form."""


def topic_of(question: str) -> str:
    """Return the X of "What is X?", or "". "What is the effect of X on Y?" has none: it asks for more than X."""
    match = _WHAT_IS.match(question)
    if match is None or len(match["topic"].split()) > 4:
        return ""
    topic = _NAMED_OF.sub("", match["topic"])
    return "" if _MORE.search(topic) else topic


def subject_of(question: str) -> str:
    """Return the subject of a question, in its own words: "What is X", "How does X work", "Does X do Y" give X."""
    if topic := topic_of(question):
        return topic
    tokens = question.rstrip("?. ").split()
    at = next((i for i, token in enumerate(tokens) if token.lower() in AUXILIARY), None)
    if at is None:
        return ""
    if [token.lower() for token in tokens[at + 1 : at + 2]] == ["there"]:
        # "Which formats are there for tables?"
        return " ".join(tokens[1:at]) if at <= 4 else ""
    subject: list[str] = []
    for token in tokens[at + 1 :]:
        low = token.lower().strip(",")
        if low in VERBS or low in _COMPARATIVES or (subject and low in STOP_WORDS and low != "of"):
            return " ".join(subject) if len(subject) <= 5 else ""
        if low not in ("the", "a", "an", "there"):
            subject.append(token.strip(","))
    # "Is X safe?": the last word is said of X.
    return " ".join(subject[:-1] or subject) if len(subject) <= 2 else ""
