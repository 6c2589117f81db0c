"""Questions taken apart by rules into sub-queries that together cover them (stage 0, section III)."""

from __future__ import annotations

import re
from collections.abc import Mapping

from veritas.council.embedded._long_questions import clauses, is_long, speaks_for_itself
from veritas.council.embedded.subjects import ASKS, VERBS, subject_of
from veritas.council.turns import SubQueryDraft
from veritas.text.languages import ENGLISH, Language, read_in, speaking
from veritas.text.sentences import statements
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import terms

MAX_SUB_QUERIES = 6
"""Most sub-queries of a question; one is the least."""

AS_ASKED = "as asked"
"""The facet of a part of the question itself, beside the angles that are added to it."""

BEFORE = "background"
"""The facet of a clause that is told before what a long question asks."""
SIDE = "definition"
"""The facet of either side of a comparison, which does not tell how they differ."""

_REQUESTS = re.compile(
    r"(?i)^(?:please\s+)?(?:explain|describe|compare|contrast|list|name|discuss|summari[sz]e|outline|tell\s+me|"
    r"find\s+out|give\s+(?:me\s+)?|research|investigate|evaluate|assess|review|identify|determine|analy[sz]e)\b"
)
_JOINT = re.compile(
    r"(?i)(?:\s*[;?]\s*|\s*,?\s+(?:and|but|or)\s+(?:also\s+)?(?=(?:what|which|who|when|where|why|how|whether|does|do|"
    r"did|is|are|was|were|can|could|should|would|will|has|have(?!\s+(?:it|him|her|them)\b)|under\s+what|to\s+what|in\s+what|for\s+wh\w+|"
    r"by\s+wh\w+)\b\s+\S))"
)
_VERSUS = re.compile(
    r"(?i)(?:\b(?:difference|comparison|trade-?off|contrast)s?\s+(?:between|"
    r"of)\s+(?P<a1>[^,;?]+?)\s+and\s+(?P<b1>[^,;?]+?)|\b(?:compare|contrast)\s+(?P<a2>[^,;?]+?)\s+(?:and|with|to|"
    r"against)\s+(?P<b2>[^,;?]+?)|(?P<a3>[\w.+#-]+(?:\s[\w.+#-]+){0,3}?)\s+(?:(?-i:[Vv]s\.|vs)|"
    r"versus)\s+(?P<b3>[\w.+#-]+(?:\s[\w.+#-]+){0,3}?)|\bhow\s+(?:does|do|is|"
    r"are)\s+(?P<a4>[^,;?]+?)\s+(?:differ(?:ent)?|compare[ds]?)\s+(?:from|to|with)\s+(?P<b4>[^,;?]+?))\s*(?:\?|$|[,;]|"
    r"\s+(?:in\s+terms\s+of|for|when|in|on|with\s+respect)\b)"
)
_ITEM = r"[\w+#./'’-]+(?:\s[\w+#./'’-]+){0,3}"
_LIST = re.compile(rf"(?P<items>(?:{_ITEM},\s+)+(?:(?:and|or)\s+)?{_ITEM}(?:,?\s+(?:and|or)\s+{_ITEM})?)")
_PRONOUN = re.compile(r"(?i)\b(it|its|they|them|their|this|these|that|those)\b")
_THE_LAST = re.compile(r"(?i)^(?:what|which)\b.*\bthe\s+\w+(?:\s+\w+)?$")
_DISSENT = re.compile(
    r"(?i)\b(?:limitations?|drawbacks?|disadvantages?|counter-?evidence|dissent\w*|critiques?|criticisms?|caveats?|"
    r"exceptions?\s+to|downsides?|weakness\w*)\b"
)


def sub_queries(question: str) -> tuple[SubQueryDraft, ...]:
    """Return one to six sub-queries that together cover the question, in order, no two alike.

    A claim or keywords pass through as one. Several questions, or questions joined by "and", are parted, and a pronoun
    of a later one gets the subject of the first. A comparison asks for either side. A list of three or more is asked
    item by item. A question in another language is parted by the rules of that one, a long
    one into its clauses.
    """
    asked = _in_a_line(question)
    language = read_in(asked)
    parts = [full for _, full in _parts(asked, language)]
    wanted: list[str] = []
    told: list[str] = []
    if is_long(asked, language) and (parts or speaks_for_itself(asked)):
        wanted, told = clauses(asked, language)
    if not parts and not wanted:
        return (SubQueryDraft(text=asked or "?", facet=AS_ASKED),)
    drafts: dict[frozenset[str], SubQueryDraft] = {}

    def add(text: str, facet: str) -> None:
        text = " ".join(text.split())
        key = frozenset(terms(text))
        if key and len(drafts) < MAX_SUB_QUERIES:
            drafts.setdefault(key, SubQueryDraft(text=text, facet=facet))

    for part in wanted or parts:
        add(part, AS_ASKED)
    for part in told if wanted else ():
        add(part, BEFORE)
    for part in parts if language is ENGLISH and not wanted else ():
        for side in _sides(part):
            add(f"What is {side}?", SIDE)
        for item in _items(part):
            add(item, "item")
    return tuple(drafts.values()) or (SubQueryDraft(text=asked, facet=AS_ASKED),)


def own_words(question: str) -> Mapping[str, str]:
    """Return the parts of a question as `sub_queries` words them -> as they stand in the question, with a capital and a
    question mark."""
    asked = _in_a_line(question)
    return {full: own for own, full in _parts(asked, read_in(asked))}


def _in_a_line(question: str) -> str:
    return " ".join(question.encode("utf-8", "replace").decode().split())


def _parts(asked: str, language: Language) -> list[tuple[str, str]]:
    """Return the questions and requests in what was asked, each as it stands there and as it is asked by itself; empty
    when there are none (a claim, or keywords)."""
    found: list[tuple[str, str]] = []
    for start, end in statements(asked):
        sentence = asked[start:end]
        if not (ASKS.match(sentence) or _REQUESTS.match(sentence) or sentence.endswith("?")):
            continue
        for piece in (_JOINT if language is ENGLISH else language.joint).split(sentence):
            piece = re.sub(r"(?i)^(?:and|but|or|also|so|then)\s+", "", piece.strip(" ,;?."))
            if not piece:
                continue
            own, first = piece, found[0][1] if found else ""
            if found and _DISSENT.search(piece) and len(terms(piece)) <= 3:
                continue  # "… and what is the strongest dissent?": the debate looks for it anyway
            if found and (len(piece.split()) < 3 or (language is not ENGLISH and _says_little(piece, language))):
                piece = _behind(piece, _nouns(first, language))  # "… and how long?"
            elif language is not ENGLISH:
                pass
            elif found and _PRONOUN.search(piece) and not _of_its_own(piece):
                piece = _resolved(piece, first)
            elif found and _elliptic(piece, first):
                piece = f"{piece} of {subject_of(first)}"
            request = bool(_REQUESTS.match(piece)) and not ASKS.match(piece)
            mark = "" if request else "?"
            found.append((f"{own[0].upper()}{own[1:]}{mark}", f"{piece[0].upper()}{piece[1:]}{mark}"))
    return found[:MAX_SUB_QUERIES]


def _nouns(question: str, language: Language) -> str:
    """Return the nouns of a question where a capital tells them, else the question."""
    nouns = [word.strip("?.,") for word in question.split()[1:] if language.capital_nouns and word[0].isupper()]
    return " ".join(nouns) or question


def _says_little(piece: str, language: Language) -> bool:
    """Return whether a part of a question has fewer than two words with a topic, by the rules of its language."""
    with speaking(language):
        return len(set(terms(piece))) < 2


def _elliptic(piece: str, first: str) -> bool:
    """Return whether a later question leaves its subject to the first: "… and what are the side effects?"."""
    mine = set(terms(piece))
    return (
        bool(_THE_LAST.search(piece)) and len(mine) <= 2 and not mine & set(terms(first)) and bool(subject_of(first))
    )


def _of_its_own(piece: str) -> bool:
    """Return whether the pronoun of a part is "its" or "their" behind a subject of the part: "where does X keep its
    index?"."""
    pronoun = _PRONOUN.search(piece)
    subject = subject_of(piece)
    if pronoun is None or pronoun[1].lower() not in ("its", "their") or not subject or _PRONOUN.search(subject):
        return False
    return subject in piece[: pronoun.start()]


def _behind(piece: str, first: str) -> str:
    """Return the piece with the first question behind it, in brackets."""
    return f"{piece} ({first[0].lower() if first[1:2].islower() else first[0]}{first[1:].rstrip('?.')})"


def _resolved(piece: str, first: str) -> str:
    """Return the piece with its first pronoun replaced by the subject of the first question, or with the first question
    behind it where the subject is unknown."""
    subject = subject_of(first)
    if not subject or subject.split()[0].lower() in ("i", "you", "we", "one"):
        return _behind(piece, first)

    def named(match: re.Match[str]) -> str:
        return f"{subject}'s" if match[1].lower() in ("its", "their") else subject

    return _PRONOUN.sub(named, piece, count=1)


def _sides(question: str) -> tuple[str, ...]:
    """Return both sides of a comparison, or nothing."""
    match = _VERSUS.search(question)
    if match is None:
        return ()
    sides = [next(match[f"{side}{i}"] for i in range(1, 5) if match[f"{side}{i}"]) for side in "ab"]
    bare = [re.sub(r"(?i)^(?:(?:what|which|is|are|how|does|do|should|i|we|use|using)\s+)+", "", side) for side in sides]
    return tuple(side.strip() for side in bare if terms(side))


def _items(question: str) -> list[str]:
    """Return the question once for each item of a list of three or more; empty when there is none."""
    match = _LIST.search(question)
    if match is None:
        return []
    items = [item.strip() for item in re.split(r",\s+(?:(?:and|or)\s+)?|\s+(?:and|or)\s+", match["items"])]
    lead, tail = items[0].split(), items[-1].split()
    head = next((i + 1 for i in range(len(lead) - 1, -1, -1) if lead[i].lower() in STOP_WORDS), 0)
    stop = next((i for i, token in enumerate(tail) if token.lower() in STOP_WORDS | VERBS), len(tail))
    if len(items) < 3 or head >= len(lead) or not stop:
        return []
    before = question[: match.start()] + " ".join(lead[:head])
    after = " ".join(tail[stop:]) + question[match.end() :]
    names = [" ".join(lead[head:]), *items[1:-1], " ".join(tail[:stop])]
    return [re.sub(r"\s+([?.])", r"\1", f"{before} {name} {after}") for name in names]
