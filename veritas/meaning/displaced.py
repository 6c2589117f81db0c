"""Words of a claim that a sentence has of something else: of what it excepts, of another kind that it names as a reason
or contrast, of another place, of a time that is over, of what somebody was kept from."""

from __future__ import annotations

import re
from collections.abc import Iterator

from veritas.meaning.relation import Difference
from veritas.text import wordnet
from veritas.text.stems import fold, stem
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, tokens

_EXCEPTED = re.compile(
    r"(?i)\b(?P<whole>all|every|each|any(?:thing|one|body)?|every(?:thing|one|body))\b"
    r"(?P<head>(?:\s+[\w-]+){0,5}?)\s+(?P<but>but|save(?: for)?|bar|barring|except(?: for)?|excepting|excluding|"
    r"other than|apart from|with the exception of)\s+(?P<rest>[^.;:()]{2,80})"
)
_ARTICLES = r"(?:(?:the|a|an|its|their|his|her|our|some)\s+)?"
_AND = re.compile(rf"(?i)(?:,\s*(?:and|or|nor)\s+|,\s*|\b(?:and|or|nor)\s+){_ARTICLES}(?=\w)")
_TURN = re.compile(
    r"(?i)(?:,\s+|\s+)(?:as|since|because|although|though|whereas|while)\s+|;\s+|,\s+(?:and|but|for)\s+"
)
"""Where a reason or a contrast begins."""
_SURE = re.compile(r"(?i)(?:as|since|because|although|though|whereas|while)\s+$")
_KIND = re.compile(
    r"(?i)(?:the\s+|an?\s+|any\s+|most\s+|all\s+)?(?:\w+ly\s+)?(?P<word>[\w-]+)(?P<noun>(?:\s+[\w-]+){0,2}?)\s+"
    r"(?P<aux>is|are|was|were|would|will|can|cannot|could|may|might|must|has|have|had|do|does|did|should|need|needs)\b"
    r"(?!\s*(?:not|too|so)?\s*[.,;]?\s*$)"
)
_ONES = re.compile(r"(?i)(?:the\s+|any\s+)?(?:\w+ly\s+)?(?P<word>[\w-]+)\s+(?:ones?|kinds?|sorts?|versions?)\b")
_PREPOSITION = "on|in|at|from|to|into|onto|for|with|by|under|over|through|via|against"
_LIMB = re.compile(
    rf"(?i)\b(?P<head>\w+)\s+(?:{_PREPOSITION})\s+(?P<object>(?:(?!\b(?:that|which|who|whose|where|and|or)\b)[\w-]+\s+)"
    r"{1,5})(?:that|which|who|whose|where)\s+(?P<rest>[^.;]{3,160})"
)
"""A word, what a preposition joins to it, and a clause about that."""
_LIES = re.compile(r"(?i)\b(?:lie|lies|lay|located|situated|stands?|stood|runs?|operates?|belongs?|sits?)\b")
_USED_TO = re.compile(
    r"(?i)(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )(?<!\bbe )(?<!\bbeen )(?<!\bget )(?<!\bgets )(?<!\bgot )"
    r"(?<!\bnot )(?<!\bbeing )(?<!n't )\bused to (?:\w+ly )?(?P<verb>[a-z]+)\b(?P<next>\s+\w+)?"
)
_PAST = re.compile(r"(?i)\b(?:used to|former\w*|once|no longer|previous\w*|earlier|was|were|had|did|until|before)\b")
_KEPT = re.compile(
    r"(?i)\b(?:(?:is|are|was|were|been|being|be|gets?|got)\s+(?:\w+ly\s+)?(?:"
    r"(?:refused|denied)\s+(?:\w+\s+){1,3}?to|"
    r"(?:forbidden|prohibited|banned|barred|disallowed|debarred|excluded|kept|stopped|blocked|prevented|discouraged|"
    r"restrained|excused|exempt(?:ed)?)\s+(?:to|from)|"
    r"not\s+(?:allowed|permitted|licensed|licenced|authori[sz]ed|entitled|supposed|able|required|obliged|told|asked)\s+to"
    r"|(?:told|asked|ordered|advised|warned|instructed|urged|forced)\s+not\s+to)|"
    r"(?:lack(?:s|ed)?|(?:has|have|had)\s+no|without)\s+(?:the\s+|a\s+|an\s+|any\s+|its\s+)?"
    r"(?:permission|leave|licen[cs]e|right|rights|authority|power|ability|means|permit|consent)\s+to)\s+"
    r"(?:\w+ly\s+)?(?P<verb>[a-z]{3,})\b"
)
_BY_DEFAULT = re.compile(r"(?i)\bby default\b|\bdefaults? (?:to|is|are|of|for|value)\b|\bthe default\b")
_TELLS_DEFAULT = re.compile(
    r"(?i)(?<![:=])(?<![:=]\s)\bdefault(?:s|ed|ing)?\b|\bout of the box\b|\b(?:pre-?set|initially|normally|usually|"
    r"ordinarily|generally|typically|standard|implicit(?:ly)?|automatic(?:ally)?|always|already)\b|"
    r"\bunless\b|\b(?:if|when|where|as long as)\b.{0,60}\b(?:not|no|none|nothing|omitted|absent|missing|empty|unset|"
    r"n't|without)\b"
)
"""Words by which a sentence tells what is so if nobody says otherwise; `namespace: default` is a name."""
_NO = re.compile(
    r"(?i)\b(?:not|never|no|none|cannot|without|refus\w+|den(?:y|ies|ied)|forbid\w*|bann?\w*|barr?ed|prohibit\w*|"
    r"prevent\w*|lacks?|excluded|blocked|stopped|kept|exempt\w*|unable|may|can|could|must|should)\b|n['’]t\b"
)


def displaced(claim: str, sentence: str) -> Difference | None:
    """Return how a sentence with a claim's words says them of something else, as a doubt; None if it shows nothing.

    Known are an exception ("all but Drive"), a reason or contrast that names another kind ("obscured, as encrypted ones
    would need a key"), a place of a clause about something else ("files on the destination that are missing on the
    source"), what used to be, what somebody was refused, forbidden or not told to do, and what a sentence does not tell
    to be so by default.
    """
    return next(_found(claim, sentence), None)


def excepted(claim: str, sentence: str) -> Difference | None:
    """Return the exception of a sentence that names what the claim says it of, as a doubt; None if there is none."""
    if _EXCEPTED.search(claim) or _NO.search(claim):
        return None
    own = _words(claim)
    if not own or [token.stem for token in tokens(sentence)].count(own[0].stem) > 1:
        return None
    for found in _EXCEPTED.finditer(sentence):
        conjunction = found["but"].lower() == "but" and sentence[: found.start("but")].rstrip().endswith(",")
        if conjunction or any(_is_predicate(token, found["whole"]) for token in tokens(found["head"])):
            continue
        starts = [0, *(each.end() for each in _AND.finditer(found["rest"]))]
        for at in starts:
            named = _words(found["rest"][at:])
            if named and named[0].stem == own[0].stem:
                told = f"{found['whole']}{found['head']} {found['but']} {named[0].text}"
                return Difference("exception", told, "", False)
    return None


def of_another_option(claim: str, sentence: str, around: str = "") -> Difference | None:
    """Return the difference that a claim names an option of a command (`--name`) which neither the sentence nor the
    text `around` it names, or that the sentence names only others, as a doubt; None if neither is so."""
    wanted, there = set(_OPTION.findall(claim)), set(_OPTION.findall(sentence))
    if not wanted or wanted & there:
        return None
    if there or (around and not wanted & set(_OPTION.findall(around))):
        return Difference("role", min(there, default=""), min(wanted), False)
    return None


def of_no_default(claim: str, sentence: str) -> Difference | None:
    """Return the default that a claim tells of and a sentence does not, as a doubt; None if it does, or the claim tells
    of none."""
    told = _BY_DEFAULT.search(claim)
    return Difference("addition", "", told[0], False) if told and not _TELLS_DEFAULT.search(sentence) else None


def _found(claim: str, sentence: str) -> Iterator[Difference]:
    if told := of_another_option(claim, sentence) or excepted(claim, sentence):
        yield told
    if told := of_no_default(claim, sentence):
        yield told
    yield from _of_another_kind(claim, sentence)
    yield from _of_another_place(claim, sentence)
    yield from _over(claim, sentence)
    yield from _kept_from(claim, sentence)


def _of_another_kind(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield a word of the claim that only a reason or a contrast has, as the kind of another thing."""
    own = _words(claim)
    if len(own) < 2:
        return
    for turn in _TURN.finditer(sentence):
        main, rest = sentence[: turn.start()], sentence[turn.end() :]
        found = _ONES.match(rest) or _KIND.match(rest)
        if found is None or not (_SURE.search(turn[0]) or found.re is _ONES or turn[0].startswith((";", ","))):
            continue
        word, there = stem(fold(found["word"])), _stems(main)
        others = {token.stem for token in own} - {word}
        said = any(token.stem == word for token in own) and word not in there
        same = found.re is _ONES or not _stems(found["noun"] if "noun" in found.re.groupindex else "") - there - others
        if said and same and others <= there and there - others and found["word"].lower() not in FUNCTION_WORDS:
            yield Difference("role", " ".join(rest[: found.end()].split()), found["word"], False)


def _of_another_place(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield a place of the claim that the sentence names in a clause about another place."""
    for limb in _LIMB.finditer(sentence):
        there = _words(limb["object"])
        if not there or _LIES.search(limb["rest"]):
            continue
        pattern = rf"(?i)\b(?P<head>\w+)\s+(?:{_PREPOSITION})\s+{_ARTICLES}(?P<place>[\w-]+)"
        for found in re.finditer(pattern, claim):
            place = stem(fold(found["place"]))
            same = stem(fold(found["head"])) == stem(fold(limb["head"]))
            if not same or {token.stem for token in there} & _stems(claim) or place not in _stems(limb["rest"]):
                continue
            outside = sentence[: limb.start()] + " " + sentence[limb.end() :]
            at_place = rf"(?i)\b(?:{_PREPOSITION}|and|or)\s+{_ARTICLES}{re.escape(found['place'])}\b"
            if not re.search(at_place, outside):
                yield Difference("role", " ".join(limb["object"].split()), found["place"], False)


def _over(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield what used to be so, where the claim says that it is so."""
    if _PAST.search(claim):
        return
    own = tokens(claim)
    for found in _USED_TO.finditer(sentence):
        verb = found["verb"].lower()
        if verb == "be":
            follows = (found["next"] or "").strip()
            told = any(token.lower in ("is", "are") for token in own) and stem(fold(follows)) in _stems(claim)
            told = told or (follows.lower() in FUNCTION_WORDS and any(token.lower in ("is", "are") for token in own))
        else:
            present = {verb, f"{verb}s", f"{verb}es", f"{verb[:-1]}ies"}
            told = any(token.lower in present for token in own)
        if told and stem(fold(verb)) not in _stems(sentence[: found.start()] + " " + sentence[found.end() :]):
            yield Difference("tense", " ".join(found[0].split()), "", False)


def _kept_from(claim: str, sentence: str) -> Iterator[Difference]:
    """Yield what the sentence says somebody was kept from, or not told to do, where the claim says that it is done."""
    if _NO.search(claim):
        return
    own = frozenset(form for token in tokens(claim) for form in _forms(token.text))
    for found in _KEPT.finditer(sentence):
        rest = sentence[: found.start()] + " " + sentence[found.end() :]
        elsewhere = frozenset(form for token in tokens(rest) for form in _forms(token.text))
        forms = _forms(found["verb"])
        if forms & own and not forms & elsewhere:
            yield Difference("polarity", " ".join(found[0].split()), "", False)


def _is_predicate(token: Token, whole: str) -> bool:
    """Return whether a word between "every" and "but" makes a sentence of what stands before "but"."""
    if token.lower in _FINITE or (token.lower.endswith("ed") and wordnet.lemmas(token.text, "v")):
        return True
    singular = whole.lower() in ("every", "each") or len(whole) > len("every")
    return singular and token.lower.endswith("s") and bool(wordnet.lemmas(token.text, "v"))


_OPTION = re.compile(r"(?<![\w-])--[A-Za-z][\w-]*")
_FINITE = frozenset("is are was were be has have had does do did can will would may might could should must".split())


def _forms(word: str) -> frozenset[str]:
    return frozenset((stem(fold(word)),)) | wordnet.lemmas(word, "v")


def _words(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.lower not in FUNCTION_WORDS]


def _stems(text: str) -> frozenset[str]:
    return frozenset(token.stem for token in tokens(text))
