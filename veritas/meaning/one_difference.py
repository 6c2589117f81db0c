"""Plain contradictions: two sentences that agree in everything but one number or one negation.

That two sentences are about the same thing is not compared here, it must show: word by word, and by a name. Anything
that leaves room for both to be true (a condition, a period, an example, a sentence about a document's own study) rules
a contradiction out. What merely looks like a contradiction is usually none.
"""

from __future__ import annotations

import re

from veritas.meaning._sentence_parts import (
    BE,
    CLAUSE_ENDS,
    CONDITIONS,
    NEGATORS,
    OF_NO_MEASURE,
    OF_THE_PRESENT,
    PAST,
    SUBORDINATE,
    VERBS,
    Apart,
    Word,
    proper_names,
    take_apart,
)
from veritas.text.quantity_relation import relation
from veritas.text.wordlist import words

_NEGATED_PREFIXES = ("un", "in", "im", "ir", "il", "non", "non-", "dis")
_OPPOSED = {("enabled", "disabled"), ("enable", "disable"), ("enables", "disables")}
ROOM = words(
    """
    may might could can some sometimes often usually many most several few rarely occasionally certain generally
    typically normally commonly mostly partly various varying any possible possibly perhaps probably likely also other
    others different depending depends either or
    """
)
"""Words that leave room for another number, or for a negation."""
LIMITING = words("only just merely simply necessarily fully entirely completely exactly even alone both all every")
_FINITE = BE | words(
    "has have had take takes took cost costs default defaults equal equals remain remains hold holds contain contains"
    " allow allows accept accepts run runs wait waits need needs require requires last lasts move moves weigh weighs"
    " retry retries keep keeps store stores send sends use uses read reads write writes return returns reach reaches"
)
_ONCE = re.compile(r"was (?:opened|founded|established|inaugurated|built|demolished) in")
_LIFE = re.compile(r"(?:was born|died) in")
"""Events that happen once to a subject, before their year."""
_RECURRING = words(
    """
    a an first last next congress conference festival exhibition season session parliament fair meeting games cup
    tournament league branch office store shop term edition window account ticket issue
    """
)
"""Words for what may happen again, or for one of several."""
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_KEPT_AT = re.compile(r"(?:must|shall|should) (?:always )?be (?:stored|kept|held|maintained|refrigerated) at")
"""Requirements of one state of the subject: the number after them is no case in which something else is said."""
REACH = 6
"""Words before a number that are searched for a condition that it belongs to."""


def excludes(a: str, b: str) -> str | None:
    """Return why two sentences cannot both be true, in a few words: they name the same, and agree in everything but one
    number or one negation. None where that does not show."""
    one, other = take_apart(a), take_apart(b)
    if one is None or other is None or not (proper_names(a) & proper_names(b)):
        return None
    return _difference(one, other)


def one_difference(a: str, b: str) -> str | None:
    """Return why two sentences of one text cannot both be true, as `excludes`; they need no name to be about the
    same."""
    one, other = take_apart(a), take_apart(b)
    return None if one is None or other is None else _difference(one, other)


def _difference(one: Apart, other: Apart) -> str | None:
    if len(one.words) == len(other.words):
        return _number(one, other) or _year(one, other) or _prefix(one, other)
    longer, shorter = (one, other) if len(one.words) > len(other.words) else (other, one)
    return _negation(longer, shorter)


def _number(one: Apart, other: Apart) -> str | None:
    """Return the one number of the same unit that differs, if nothing else does; else None."""
    pairs = list(zip(one.words, other.words, strict=True))
    differing = [i for i, (mine, theirs) in enumerate(pairs) if not _same(mine, theirs)]
    if len(differing) != 1 or one.plain & ROOM:
        return None
    at = differing[0]
    mine, theirs = pairs[at][0].quantity, pairs[at][1].quantity
    if mine is None or theirs is None or mine.unit in OF_NO_MEASURE:
        return None
    if mine.written == theirs.written:
        return None  # only the unit differs
    if relation(mine, theirs) != "different" or not (told(one, at) and asserted(one, at)) or conditional(one, at):
        return None
    return f"{pairs[at][0].text} against {pairs[at][1].text}"


def _year(one: Apart, other: Apart) -> str | None:
    """Return the years that differ for an event that happens once, if nothing else does; else None."""
    pairs = list(zip(one.words, other.words, strict=True))
    differing = [i for i, (mine, theirs) in enumerate(pairs) if not _same(mine, theirs)]
    if len(differing) != 1 or one.plain & (ROOM | LIMITING | _RECURRING):
        return None
    at = differing[0]
    mine, theirs = pairs[at]
    if not (_YEAR.fullmatch(mine.text) and _YEAR.fullmatch(theirs.text) and _one_thing(one, at)):
        return None
    return f"{mine.text} against {theirs.text}" if asserted(one, at) else None


def _one_thing(sentence: Apart, at: int) -> bool:
    """Return whether the subject before the year is one person ("Ada Lovelace") or one thing ("the Marlow bridge"), to
    whom it happens once."""
    life = _ends(_LIFE, sentence, at)
    if not life and not _ends(_ONCE, sentence, at):
        return False
    subject = sentence.words[: at - (2 if sentence.words[at - 2].form == "dy" else 3)]
    if any(w.quantity or w.form == "not" or w.form in CLAUSE_ENDS or w.text.endswith("'s") for w in subject):
        return False
    if all(w.text[0].isupper() or w.form == "of" for w in subject):
        return len(subject) > 1
    return not life and "the" in sentence.plain and not any(w.form in CONDITIONS | {"of"} for w in subject)


def _ends(pattern: re.Pattern[str], sentence: Apart, at: int) -> bool:
    """Return whether the words right before one match a pattern."""
    before = " ".join(word.text.casefold() for word in sentence.words[max(0, at - REACH) : at])
    return bool(re.search(rf"(?:^| )(?:{pattern.pattern})$", before))


def _same(mine: Word, theirs: Word) -> bool:
    a, b = mine.quantity, theirs.quantity
    if a is None or b is None:
        return a is b and (mine.form, mine.past) == (theirs.form, theirs.past)
    return relation(a, b) == "same"


def _negation(longer: Apart, shorter: Apart) -> str | None:
    """Return the one negation that only the longer sentence has, if nothing else differs; else None."""
    if len(longer.words) != len(shorter.words) + 1 or longer.plain & (ROOM - {"can"}) or longer.plain & LIMITING:
        return None
    for at, word in enumerate(longer.words):
        if word.form in NEGATORS:
            rest = (*longer.words[:at], *longer.words[at + 1 :])
            if all(_same(m, t) for m, t in zip(rest, shorter.words, strict=True)):
                if not asserted(longer, at) or (at and longer.words[at - 1].form in CONDITIONS):
                    return None  # "with no prior notice" and "with prior notice" are two cases
                after = next((w.text for w in longer.words[at + 1 :]), "")
                return f"“{word.text} {after}” in one alone"
    return None


def _prefix(one: Apart, other: Apart) -> str | None:
    """Return "enabled" against "disabled", or "supported" against "unsupported", behind a form of "be"; else None."""
    pairs = list(zip(one.words, other.words, strict=True))
    differing = [i for i, (mine, theirs) in enumerate(pairs) if not _same(mine, theirs)]
    if len(differing) != 1 or one.plain & (ROOM | LIMITING):
        return None
    at = differing[0]
    mine, theirs = (word.text.casefold() for word in pairs[at])
    longer, shorter = (mine, theirs) if len(mine) > len(theirs) else (theirs, mine)
    opposed = any(longer == prefix + shorter for prefix in _NEGATED_PREFIXES) or bool(
        {(mine, theirs), (theirs, mine)} & _OPPOSED
    )
    if not opposed or at == 0 or one.words[at - 1].form not in BE or not asserted(one, at):
        return None
    return f"“{pairs[at][0].text}” against “{pairs[at][1].text}”"


def told(sentence: Apart, at: int) -> bool:
    """Return whether a verb stands before a number: a number of the subject ("error 404 means") tells which, not how
    much."""
    before = sentence.words[:at]
    return any(
        w.form in _FINITE or w.form == "by" or w.past or w.text.casefold() in VERBS | PAST for w in before
    ) or bool(len(before) > 1 and OF_THE_PRESENT.fullmatch(before[1].text))


def asserted(sentence: Apart, at: int) -> bool:
    """Return whether the word stands in a clause that asserts, not one that says when or of what."""
    while at > 0 and sentence.words[at - 1].form not in CLAUSE_ENDS:
        at -= 1
        if sentence.words[at].form in SUBORDINATE:
            return False
    return True


def conditional(sentence: Apart, at: int) -> bool:
    """Return whether a number is part of a condition ("with 2 workers") and no measure of the subject."""
    if _ends(_KEPT_AT, sentence, at):
        return False
    for word in reversed(sentence.words[max(0, at - REACH) : at]):
        if word.form in _FINITE or word.form in CLAUSE_ENDS or word.form == "by":
            return False  # "shortens it by 30 %" measures, whatever stands before
        if word.form in CONDITIONS:
            return True
    return False
