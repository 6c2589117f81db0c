"""What keeps a denial or an opposite in a sentence from contradicting a statement, for it is of something else, and
what keeps a cause from being supported, for no sentence names it as one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from veritas.factcheck.denials import CLAUSES, CONDITION, denies, opposed, unclear
from veritas.factcheck.guards import Stop
from veritas.factcheck.likeness import Turned
from veritas.factcheck.tables import Row
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

_DENIES = re.compile(
    r"(?i)\b(?:not|no|never|none|nothing|nobody|neither|nor|cannot|nowhere|without|unable|absent|refuse[sd]?|denie[sd])\b"
    r"|\bzero(?=-)|n['’]t\b"
)
_HINDERED = re.compile(_DENIES.pattern + r"|\b(?:fail(?:s|ed|ing)?|lack(?:s|ed|ing)?|missing)\b")
_ENDED = re.compile(r"(?i)\b(?:no longer|any ?more|still)\b")
_MEANS = re.compile(
    r"(?i)\b(?:(?:does|do|did|would) not|n['’]t|need not|never) (?:\w+ )?(?:mean|imply|entail|guarantee)\b"
)
_ADJUNCT = re.compile(
    r"(?i)\b(?:for|on|in|with|within|during|under|inside|into|via|through|using|by|between|across|over|to|from|of)\s+"
    r"((?:(?!\b(?:or|and|nor)\b)[\w'’-]+\s*){1,5})"
)
"""What narrows a denial: "does not run **for dynamic upstreams**"."""
_THEN = re.compile(r"(?i)\bthan (?:it|they|he|she|that|those)? ?(?:was|were|is|are|had|has|did|in|before)\b")
_NOUNS = frozenset(
    "gains falls rises drops losses increases decreases declines cuts rise fall drop gain loss cut".split()
)
"""Words of direction that may be things: "capital gains"."""
_BEFORE_VERBS = frozenset(
    "it they he she which that who has have had will would to not did does also then price prices sales number numbers "
    "share shares rate rates level levels profit profits revenue costs cost".split()
)
_FEW = re.compile(r"(?i)(?:two|one)\b")
_CAUSE = re.compile(
    r"(?i)\b(?:(?:was|were|is|are|been) (?:mainly |mostly |largely |partly )?(?:caused|driven|brought about) by|"
    r"because of|due to|owing to|as a result of|thanks to)\b"
)
_REFERS = re.compile(
    r"(?i)\A\W*(?:as a (?:result|consequence)|because of (?:this|that|it)|(?:this|that|it) (?:caused|led|was due|"
    r"was because|is because|is due|drove)|therefore|consequently|hence|thus|the (?:cause|reason)s?)\b"
)
"""A sentence that names the one before it as a cause, or the cause of it."""
HALF = 0.5


def of_something_else(claim: Statement, sentence: Statement, turned: Turned | None) -> str:
    """Return why a denial in one of a claim and a sentence, or the opposite words of `turned`, contradict nothing: the
    denial is the claim's own and the sentence does not speak of it, or it is another clause's, or a word is of another
    thing; "" if nothing keeps them from it."""
    lasting = turned is not None and turned.flips and _ENDED.search(turned.said)
    if not lasting and (why := unclear(claim, sentence, _opposites(turned))):
        return why
    mine, theirs = bool(_DENIES.search(claim.text)), bool(_DENIES.search(sentence.text))
    if _MEANS.search(claim.text):
        return "the statement denies what something means"
    denied = turned is None or any(one.lower() == two.lower() for one, two in turned.flips[:1])
    apart = theirs and not mine and not _ENDED.search(sentence.text)
    if denied and apart and _denied_share(claim, sentence.text) < HALF:
        return "what the source denies stands in another clause than what the statement says"
    if denied and mine and len(_DENIES.findall(claim.text)) == len(_DENIES.findall(sentence.text)):
        return "statement and source both deny something, and nothing shows that it is not the same"
    if denied and apart and (narrower := _narrower(claim, sentence, turned)):
        return f"the source denies it only of “{narrower}”"
    if turned is not None and turned.flips:
        word, other = turned.flips[0]
        one, two = _behind(claim.text, word), _behind(sentence.text, other)
        if one and two and not _stem(one) & _stem(two) and word.lower() == other.lower():
            return f"“{word}” is of “{one}” in the statement, and of “{two}” in the source"
        if other.lower() in _NOUNS and _is_thing(sentence, other):
            return f"“{other}” is a thing in the source"
    return ""


def elsewhere_than(conflict: Stop, stated: Statement, sentence: Statement, row: Row | None) -> str:
    """Return why a conflict that was found is of something else; "" if it is not."""
    if of_another_row(stated, row):
        return "the row of the table is another one's than the statement names"
    if conflict.kind in ("number", "owner") and of_another_time(stated):
        return "the statement compares with another time"
    words = re.findall(r"“([^”]+)”", conflict.difference) if conflict.kind in ("opposite", "word") else []
    if any(is_alternative(word, sentence.text) for word in words):
        return "the source names both of them"
    if conflict.kind in ("opposite", "word"):
        return in_other_words(stated, sentence, conflict.difference)
    return of_something_else(stated, sentence, None) if conflict.kind == "negation" else ""


def in_other_words(claim: Statement, sentence: Statement, difference: str) -> str:
    """Return why a difference of a claim and a sentence, in words, contradicts nothing: it is a denial or an opposite,
    and others may undo it; "" if nothing keeps it from it."""
    words = re.findall(r"(?<!\w)[“']([^”']+)[”']", difference)
    if any("…" in word or word[0].isdecimal() for word in words):
        return ""
    said = frozenset(token.lower for token in claim.tokens)
    two = sorted(words, key=lambda word: word.lower() not in said)
    if len(two) != 2 or "negat" in difference:
        return unclear(claim, sentence, None)
    if " " not in f"{two[0]}{two[1]}" and not opposed(*two):
        return f"nothing shows that “{two[0]}” and “{two[1]}” exclude each other"
    return unclear(claim, sentence, (two[0], two[1]))


def lacking(stops: Sequence[Stop], claim: str) -> Stop | None:
    """Return the first thing of a claim that a source does not give, if any. A word for two or one may stand for a
    plural there, what differs in an opposite may be said in other words, and a strong word in a condition or a denial
    may be told by the sense."""
    for each in stops:
        if each.conflict or each.kind in ("opposite", "negation") or " 'without " in each.difference:
            continue
        if each.kind == "number" and _FEW.match(each.words):
            continue
        strong = re.findall(r"'([^']+)'", each.difference) if each.kind == "strength" else []
        inside = " ".join(part[0] for part in CONDITION.finditer(claim))
        if strong and (denies(claim) or re.search(rf"(?i)\b{re.escape(strong[-1])}\b", inside)):
            continue
        return each
    return None


def _opposites(turned: Turned | None) -> tuple[str, str] | None:
    """Return the words that are each other's opposites; None where a denial turns a word over."""
    if turned is None or not turned.flips or "is denied in one" in turned.said:
        return None
    return turned.flips[0]


def _narrower(claim: Statement, sentence: Statement, turned: Turned | None) -> str:
    """Return the words of a sentence that make what it denies less than what a claim says, if it has any: the place,
    means or part that it denies it of, or the kind of thing."""
    mine = {token.stem for token in claim.tokens}
    for clause in CLAUSES.split(sentence.text):
        denier = _DENIES.search(clause) if clause else None
        if denier is None:
            continue
        behind = clause[denier.end() :]
        for adjunct in _ADJUNCT.finditer(behind):
            words = _stem(adjunct[1])
            if words and not words & mine:
                return " ".join(adjunct[0].split())
        for word, _ in turned.flips[:1] if turned is not None else ():
            kind = re.search(rf"(?i)\b([\w-]+)\s+{re.escape(word)}", behind)
            if kind and (words := _stem(kind[1])) and not words & mine and not kind[1].endswith(("ly", "ing")):
                return " ".join(kind[0].split())
    return ""


def unjoined(claim: Statement, sentences: Sequence[Statement]) -> str:
    """Return why sentences do not give the cause that a claim gives: none of them has words of both sides; "" if one
    has, or the claim names no cause."""
    found = _CAUSE.search(claim.text)
    if found is None:
        return ""
    sides = [_stem(claim.text[: found.start()]), _stem(claim.text[found.end() :])]
    if not all(sides):
        return ""
    for sentence in sentences:
        there = _stem(sentence.text)
        if all(side & there for side in sides) or _REFERS.match(sentence.text):
            return ""
    return f"no sentence there names both sides of “{found[0].lower()}”"


def is_alternative(word: str, sentence: str) -> bool:
    """Return whether a sentence has a word as one of two that it leaves open: "failed or succeeded"."""
    return bool(re.search(rf"(?i)(?<!\w)(?:{re.escape(word)}\s+or\s+\w|\w+\s+or\s+{re.escape(word)})", sentence))


def in_condition(claim: str, sentence: str) -> bool:
    """Return whether a claim and a sentence both deny something in a condition, and neither denies anything outside of
    it: "if the user does not give one, it makes one" """
    return all(_HINDERED.search(each) and not _HINDERED.search(CONDITION.sub(" ", each)) for each in (claim, sentence))


def of_another_time(claim: Statement) -> bool:
    """Return whether a claim compares with an earlier time: "smaller than it was in 1967"."""
    return _THEN.search(claim.text) is not None


def of_another_row(claim: Statement, row: Row | None) -> bool:
    """Return whether a claim names another row of a table and not this one."""
    if row is None:
        return False
    said = frozenset(token.lower for token in claim.tokens)
    return not _all_in(row.cells[0], said) and any(_all_in(other, said) for other in row.others)


def _all_in(cell: str, said: frozenset[str]) -> bool:
    told = frozenset(token.lower for token in tokens(cell))
    return bool(told) and told <= said


def _denied_share(claim: Statement, sentence: str) -> float:
    """Return the share of the words of a claim that a sentence has which stand in its clauses with a denial."""
    wanted = {token.stem for token in claim.content}
    clauses = [part for part in CLAUSES.split(sentence) if part and part.strip()]
    denied = wanted & _stem(" ".join(part for part in clauses if _DENIES.search(part)))
    plain = wanted & _stem(" ".join(part for part in clauses if not _DENIES.search(part)))
    met = denied | plain
    return len(denied) / len(met) if met else 1.0


@lru_cache(maxsize=2048)
def _stem(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text) if token.lower not in FUNCTION_WORDS)


def _behind(text: str, word: str) -> str:
    """Return the word of content that a word stands directly before, "" if there is none."""
    found = re.search(rf"(?i)(?<!\w){re.escape(word)}[ \t]+([^\W\d_][\w-]+)", text)
    return found[1] if found and found[1].lower() not in FUNCTION_WORDS else ""


def _is_thing(sentence: Statement, word: str) -> bool:
    """Return whether a word that may be a verb stands as a noun: behind another noun's modifier or an article, or in
    front of a verb or a bracket."""
    every: Sequence[Token] = sentence.tokens
    at = next((i for i, token in enumerate(every) if token.text == word), None)
    if at is None:
        return False
    behind = sentence.text[every[at].end :].lstrip()
    before = every[at - 1].lower if at else ""
    modified = before in ("the", "a", "an", "its", "their", "no", "any", "of") or before.endswith(("al", "ed"))
    return behind.startswith("(") or (modified and before not in _BEFORE_VERBS)
