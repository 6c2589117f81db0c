"""Whether a denial or an opposite that a statement and a sentence differ in is a plain one, so that both cannot hold.

Denials have many forms: "not", "without", "unless", "disabled", "skipped". Where both sides have one, or one side has
two, nobody can tell by the words alone whether they say the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from veritas.factcheck.everyday import alike
from veritas.factcheck.everyday import opposites as everyday
from veritas.factcheck.paraphrases import alike as loosely
from veritas.factcheck.paraphrases import forms, opposites
from veritas.meaning.embedded.claim_evidence import Statement
from veritas.text import lexicon, wordnet
from veritas.text.polarity import opposed as apart
from veritas.text.stems import stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import tokens

CLAUSES = re.compile(
    r"[;:()]|,\s(?!(?:and |but )?(?:not|nor|never)\b)|\s[-–—]\s"
    r"|\b(?:and|but|because|which|who|while|whereas|although|though|since|so|that|if|when|unless)\b"
)
"""Where a clause of a sentence ends."""
CONDITION = re.compile(r"(?i)\b(?:if|unless|when|whenever|in case|as long as)\b(?:(?!\bthen\b)[^,;:.()])*")
_NOTHING = re.compile(
    r"(?i)\bnot (?:only|just|least)\b|\bno (?:more|less|fewer|later|sooner|earlier|matter|doubt)\b(?: than)?"
    r"|\bwhether or not\b|\bonly (?:if|when|after)\b(?=.*\bonly (?:if|when|after)\b)"
)
_NOT = re.compile(
    r"(?i)(?<![\w-])(?:not|no|never|none|nothing|nobody|neither|nor|cannot|nowhere|zero(?=-))(?![\w])|\w+n['’]t\b|\bnon-?(?=\w)"
)
_SOFT = re.compile(
    r"(?i)(?<![\w-])(?:without|unless|until|only|either|except\w*|otherwise|instead|rather|unlike|hardly|barely|rarely|seldom|"
    r"off|false|alone|mere(?:ly)?|"
    r"(?:skip|ignor|exclud|omit|avoid|prevent|refus|reject|den(?=y|ied|ies)|disabl|deactivat|lack|miss(?=ing)|fail|absen|"
    r"remov|discourag|discard|disallow|dismiss|disregard|disconnect|drop|stop|forbid|prohibit|"
    r"block|los(?=e|ing|t)|invalid|insecur|impossib|inactiv|incompat|incomplet|incorrect|unavail|insuffic|insignif|inabil|"
    r"eliminat|cease|abolish|withdr|cancel|abandon|deprecat|bypass)\w*)(?!\w)"
)
_UN = re.compile(r"(?i)(?<![\w-])un(\w{4,})")
_ANSWER = re.compile(r"(?i)\A\W*(?:no|not yet|yes)[.,!]\s+")
_IMPERATIVE = frozenset(
    "search use set show enable disable ignore run make allow write read load skip log send limit print redirect "
    "require force keep list return add remove create delete open close call check turn do start stop build test save "
    "sort follow suppress specify define choose select report display change include exclude".split()
)
_FINITE = re.compile(
    r"(?i)\b(?:is|are|was|were|has|have|had|does|did|can|could|will|would|may|might|must|shall|should|cannot)\b|n['’]t\b"
)
_PRESUMES = re.compile(r"(?i)\W*(?:why|how come)\b")
"""A question that takes for granted what it asks about."""
_ADJOINED = re.compile(r"without|unless|until|except\w*|otherwis\w*|either|instead|rather|unlik\w*")
"""Stems of words that deny what goes with something, and not the thing."""
_EXCEPT = re.compile(r"(?i)\b(?:exceptions?|except(?:ing)?|unless|other than|apart from|excluding|almost all|most)\b")
_LASTING = frozenset(("longer", "any", "more", "anymore", "still", "does", "do", "did"))
_QUANTIFIERS = frozenset("all every none no only most least never always many few first last both".split())
_MEANT = 0.5
"""Least share of the words of a condition that the other side must have for it to be under the same condition."""


def unclear(claim: Statement, sentence: Statement, pair: tuple[str, str] | None) -> str:
    """Return why it is unclear that a sentence and a claim cannot both hold, "" if it is plain.

    `pair` is a word of the claim and the opposite one in the sentence; None where they differ in a denial.
    """
    if sentence.text.rstrip().endswith("?") and not _PRESUMES.match(sentence.text):
        return "the source only asks it"
    beside = _alongside(claim, sentence.text) if pair is None else _clause_with(pair[1], sentence.text)
    mine, theirs = _without_same(_marks(claim.text), _marks(beside))
    if pair is not None and (_is_bound(claim.text, pair[0]) or _is_bound(sentence.text, pair[1])):
        return "it bounds a number"
    if pair is None and _marks(claim.text) and theirs and not _has(claim, theirs[0][1]):
        return "what the source denies there is not what the statement speaks of"
    words = frozenset(stem(word.lower()) for word in pair or ())
    if mine and theirs and not ({one for one, _ in mine} | {one for one, _ in theirs}) <= words:
        return "statement and source both deny something, and nothing shows that it is not the same"
    if len(mine) > 1 or len(theirs) > 1:
        return "one of them denies something twice"
    left = [one for one, _ in (*mine, *theirs)]
    if pair is None and not left:
        return "nothing shows which of the two denies it"
    if pair is not None and any(one not in words for one in left):
        return "they differ in an opposite and in a denial"
    if any(_ADJOINED.fullmatch(one) for one in left):
        return "the denial is of a condition"
    if pair is None and mine and _commands(sentence.text):
        return "the source only names it"
    if pair is None and mine and not _speaks_of(claim, sentence.text):
        return "the statement denies something that the source does not speak of in these words"
    if pair is None and mine and _only_mentioned(mine[0][1], sentence):
        return "the source only mentions it"
    quantities = pair is not None and {pair[0].lower(), pair[1].lower()} & _QUANTIFIERS
    if pair is not None and quantities and _apart(claim.text, sentence.text, pair):
        return f"“{pair[0]}” and “{pair[1]}” are of different things"
    return _conditions(claim, sentence, pair, bool(mine))


def opposed(one: str, other: str) -> bool:
    """Return whether two words are known as opposites."""
    mine, theirs = forms(one), forms(other)
    known = any((everyday(form) | opposites(form) | lexicon.ANTONYMS.get(form, frozenset())) & theirs for form in mine)
    return known or wordnet.antonyms(one, other) or apart(one, other) is not None


def _conditions(claim: Statement, sentence: Statement, pair: tuple[str, str] | None, mine: bool) -> str:
    """Return that the denial, `mine` the claim's, or the opposite stands in a condition, or that the source says it
    under one only."""
    texts = (claim.text, sentence.text)
    for text, word in zip(texts, pair, strict=True) if pair else ((texts[0] if mine else texts[1], ""),):
        for found in CONDITION.finditer(text):
            inside = re.search(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", found[0]) if word else _NOT.search(found[0])
            outside = text[: found.start()] + text[found.end() :]
            if inside and not (_NOT.search(outside) if not word else re.search(rf"(?i)\b{re.escape(word)}\b", outside)):
                return "it stands in a condition"
    said = {token.stem for token in claim.tokens}
    for part in re.split(r";\s|\.\s|,\s(?:but|and)\s", sentence.text):
        if not (_NOT.search(part) if pair is None else re.search(rf"(?i)\b{re.escape(pair[1])}\b", part)):
            continue
        for found in CONDITION.finditer(part):
            words, rest = _stems(found[0]), _stems(part[: found.start()] + part[found.end() :])
            if words and len(words & said) < _MEANT * len(words) and rest & said:
                return f"the source says it “{' '.join(found[0].split())}”"
    return ""


def _is_bound(text: str, word: str) -> bool:
    """Return whether a word bounds a number: "as early as 2.0", "2.0 and later"."""
    each = re.escape(word)
    return re.search(rf"(?i)\bas\s+{each}\s+as\b|\d\S*\s+(?:and|or)\s+{each}\b|\bor\s+{each}\Z", text) is not None


def _has(claim: Statement, stemmed: str) -> bool:
    mine = {token.stem for token in claim.tokens}
    return not stemmed or stemmed in mine or not mine.isdisjoint(alike(stemmed) | loosely(stemmed))


def _only_mentioned(denied: str, sentence: Statement) -> bool:
    """Return whether a sentence has what a claim denies only as something spoken of: "an opt-in to installing"."""
    found = [i for i, token in enumerate(sentence.tokens) if denied and token.stem == denied]
    return bool(found) and all(_spoken_of(sentence, i) for i in found)


def _spoken_of(sentence: Statement, at: int) -> bool:
    before = [token.lower for token in sentence.tokens[max(0, at - 2) : at]]
    return sentence.tokens[at].lower.endswith("ing") and not {"is", "are", "was", "were", "be", "been"} & set(before)


def _speaks_of(claim: Statement, sentence: str) -> bool:
    """Return whether a sentence has all words of a claim but its denial, most of them outside of a condition,
    and makes no exception."""
    there, inside = _stems(sentence), " ".join(part[0] for part in CONDITION.finditer(claim.text))
    main = _stems(CONDITION.sub(" ", sentence)) | _stems(inside)
    own = [t for t in claim.content if t.lower not in _LASTING]
    own = [t for t in own if not _NOT.fullmatch(t.text) and not _SOFT.fullmatch(t.text)]
    if not own or _EXCEPT.search(sentence) or not all(t.stem in there or alike(t.stem) & there for t in own):
        return False
    return 2 * sum(t.stem in main or bool(alike(t.stem) & main) for t in own) > len(own)


def _alongside(claim: Statement, text: str) -> str:
    """Return the clauses of a sentence that have words of a claim: two, or a third of them."""
    wanted = {token.stem for token in claim.content}
    parts = _clauses(_ANSWER.sub("", text))
    shared = [len(wanted & _stems(part)) for part in parts]
    least = min(2, max(1, round(len(wanted) / 3)))
    return " ; ".join(part for part, each in zip(parts, shared, strict=True) if each >= least) or text


def _clause_with(word: str, text: str) -> str:
    """Return the clause of a sentence that has a word."""
    pattern = re.compile(rf"(?i)(?<!\w){re.escape(word)}(?!\w)")
    return next((part for part in _clauses(text) if pattern.search(part)), text)


def _clauses(text: str) -> list[str]:
    cuts = [0, *(found.start() for found in CLAUSES.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(cuts) if b > a]


def denies(text: str) -> bool:
    """Return whether a text denies something by "not", "no", "never" or the like."""
    return any(one == "not" for one, _ in _marks(text))


@lru_cache(maxsize=4096)
def _marks(text: str) -> tuple[tuple[str, str], ...]:
    """Return the words of a text that deny, by their stem ("not" for all plain ones), with the stem of the word of
    content behind them."""
    text = _NOTHING.sub(lambda found: " " * len(found[0]), text)
    found: list[tuple[int, str, str]] = []
    for each in _NOT.finditer(text):
        if each[0] != "None" or not text[: each.start()].strip():
            found.append((each.start(), "not", _behind(text, each.end())))
    found += [(each.start(), stem(each[0].lower()), "") for each in _SOFT.finditer(text)]
    for each in _UN.finditer(text):
        if wordnet.parts_of_speech(each[1]) & {"a", "v"} and not _SOFT.match(text, each.start()):
            found.append((each.start(), stem(each[0].lower()), ""))
    return tuple((one, behind) for _, one, behind in sorted(found))


def _without_same(
    mine: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]]
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return the denials of each side that the other has not."""
    both = Counter(mine) & Counter(theirs)
    return list((Counter(mine) - both).elements()), list((Counter(theirs) - both).elements())


def _behind(text: str, at: int) -> str:
    """Return the stem of the first word of content behind a place."""
    return next((t.stem for t in tokens(text[at : at + 80]) if t.lower not in FUNCTION_WORDS), "")


def _apart(claim: str, sentence: str, pair: tuple[str, str]) -> bool:
    """Return whether two words of quantity stand before different words of content."""
    words = []
    for text, word in zip((claim, sentence), pair, strict=True):
        at = re.search(rf"(?i)(?<!\w){re.escape(word)}(?!\w)", text)
        words.append(_behind(text, at.end()) if at else "")
    return bool(words[0] and words[1]) and words[0] != words[1]


def _commands(text: str) -> bool:
    """Return whether a sentence is a heading, or tells an option's purpose: "Search hidden files"."""
    bare = text.lstrip("-*•> \t")
    first = next((token.lower for token in tokens(bare)), "")
    return bare.startswith("#") or (first in _IMPERATIVE and not _FINITE.search(bare)) or len(tokens(bare)) <= 2


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text) if token.lower not in FUNCTION_WORDS)
