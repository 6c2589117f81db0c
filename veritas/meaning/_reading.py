"""The reading of a sentence: its words in order, each with what the words of grammar around it say of it.

Auxiliaries, negations and degrees are no words of a reading: they are features of the verb or the adjective that they
belong to. What is left in order are content words, names, quantities, prepositions, conjunctions and marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile

from veritas.meaning._tokens import Token, kinds_of_bases, tokens_of
from veritas.meaning._verb_groups import grouped
from veritas.meaning._vocabulary import frequency, kinds
from veritas.meaning._word import SAME_PAST, Tense, Verb, Word, finite, is_adverb, past_form
from veritas.text.wordlist import words

_SUBJECTS = words("i you he she it we they who which that there")
_NOUN_BEFORE = frozenset({"article", "possessive", "demonstrative", "quantifier"})
OPENS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that"})
"""Classes of words that begin a clause."""
_CENTURIES = words("15 16 17 18 19 20")


def likely(made: list[Word], start: int, i: int, end: int) -> int:
    """Return how likely a word is the finite verb of its stretch, from 0."""
    word, before = (
        made[i],
        next(
            (w for w in reversed(made[start:i]) if not is_adverb(w) and w.cls not in ("only", "change", "hedge")), None
        ),
    )
    after = made[i + 1] if i + 1 < end else None
    if word.kind != "content" or word.verb is not None:
        return 0
    of = kinds(word.low) | kinds_of_bases(word.low)
    if (of and "v" not in of) or ("n" in of and i == start + 1 and made[start].low == "as"):
        return 0  # "as spaces"
    if before is not None and before.quantity is not None and not _year(before) and "n" in of:
        return 0  # "800 seats"
    past, third = past_form(word.low), word.low.endswith("s") and not word.low.endswith(("ss", "us"))
    determined = before is not None and before.cls in _NOUN_BEFORE and kinds(before.low) != {"r"}
    if (
        word.low.endswith("ing")
        or determined
        or (before is not None and (before.cls in ("preposition", "than") or before.low == "without"))
    ):
        return 0
    if (
        past
        and before is not None
        and before.low in (",", "(")
        and i == start + 1
        and not (end < len(made) and end == i + 1 and made[end].cls == "that")
        and (
            i + 1 >= end
            or made[i + 1].cls == "preposition"
            or (made[i + 1].kind in ("number", "name") and before.low == "(")
        )
    ):  # ", elected in 2010,", "(born 3 May 1950)": a participle
        return 0
    opener = before is None or before.cls in ("and", "or", "but", "relative", "that") or before.kind == "mark"
    if before is None and not past and start == 0:
        return 1 if of == {"v"} and not third else 0
    if before is not None and before.low in _SUBJECTS:
        return 9 if i < 2 or made[i - 2].low != "let" else 0
    if past:
        return 4 if before is None else 8 if "a" not in kinds(word.low) else 6
    if third:
        behind = made[i + 1] if i + 1 < len(made) else None
        if not i and "n" in of and behind is not None and behind.cls in ("relative", "that", "preposition"):
            return behind.cls == "preposition"  # "requests that lack a token"
        alone = behind is None or (behind.kind in ("mark", "grammar") and not object_ahead(made, i))
        rare = "n" in of and alone and frequency(word.low, "n") > frequency(word.low, "v")
        if i > start and after is not None and after.kind == "content" and kinds(after.low) == {"v"} and "n" in of:
            rare = True  # "red foxes exist"
        # "lets a process read"
        sure = before is not None and before.content and i + 1 < end and made[i + 1].cls == "article"
        return 8 if sure else 7 if "n" not in of else 3 if opener or rare else 5
    if opener and start > 0:
        return 3 if "n" not in of else 2 if object_ahead(made, i) else 0
    plural = before is not None and before.low.endswith("s")
    if plural and after is not None and after.degree == "more":
        return 6  # "pumps last longer"
    if before is not None and before.content and i + 1 < end and made[i + 1].cls in ("article", "possessive"):
        return 3  # "cooks in the region flavour the stew"
    return 2 if of == {"v"} else 0


def object_ahead(made: list[Word], at: int) -> bool:
    after = made[at + 1] if at + 1 < len(made) else None
    return after is not None and (
        after.cls in ("article", "possessive", "demonstrative", "quantifier", "pronoun", "that", "only")
        or after.kind == "number"
    )


def _year(word: Word) -> bool:
    quantity = word.quantity
    return quantity is not None and (quantity.kind == "year" or (len(word.text) == 4 and word.text[:2] in _CENTURIES))


def marked(made: list[Word]) -> list[Word]:
    """Mark the verbs that no auxiliary announces."""
    if not made:
        return made
    start = 0
    for i in [*(k for k, w in enumerate(made) if _boundary(made, k)), len(made)]:
        _mark_one(made, start, i)
        start = i
    # a perfect needs a participle: "has three legs" is a present
    return [
        replace(w, verb=replace(w.verb, tense="present"))
        if w.verb and w.verb.tense == "perfect" and w.low == "have"
        else w
        for w in made
    ]


def _boundary(made: list[Word], at: int) -> bool:
    word = made[at]
    if word.cls == "than":  # "than stretching did"
        rest = takewhile(lambda w: w.kind != "mark" and w.cls not in ("and", "or", *OPENS), made[at + 1 :])
        return any(finite(w) and w.low in ("be", "do", "have") for w in rest)
    return at > 0 and (word.low in (";", ":", ",", "(", ")", "-", "--") or word.cls in ("and", "or", *OPENS))


def _mark_one(made: list[Word], start: int, end: int) -> None:
    """Mark the verb of a stretch without auxiliary: a certain one first, else the likeliest."""
    if (
        made[start].cls in ("relative", "that")
        and start + 1 < end
        and made[start + 1].verb is None
        and (likely(made, start, start + 1, end) >= 6)
    ):  # "that feeds the boiler": a verb stands right behind
        made[start + 1] = _as_verb(made[start + 1])
    if any(finite(w) for w in made[start:end]):
        return
    best, weight = -1, 0
    behind = start + 1
    while behind < end and (is_adverb(made[behind]) or made[behind].cls in ("change", "quantifier", "only")):
        behind += 1
    paired = made[start].low in ("-", "--", "(") and end < len(made) and made[end].low in ("-", "--", ")")
    for i in range(start, end):
        word = made[i]
        if word.kind != "content" or word.verb is not None or word.degree:
            continue
        told = likely(made, start, i, end)
        if told > weight and (told > 5 or not paired):
            best, weight = i, told
    if best >= 0:
        made[best] = _as_verb(made[best])


def _as_verb(word: Word) -> Word:
    tense: Tense = "" if word.low in SAME_PAST else "past" if past_form(word.low) else "present"
    return replace(word, verb=Verb(tense=tense, form=word.low))


_NO = words("no nobody nothing none neither nowhere")


@dataclass(frozen=True, slots=True)
class Reading:
    """The words of a sentence, with `question` for one that asks and `hard` for what is not read."""

    words: tuple[Word, ...]
    question: bool = False
    hard: str = ""


LONGEST = 120
"""Most tokens of a sentence that is read. The comparison takes the square of it; longer ones are lists and tables that
lost their lines."""


@lru_cache(maxsize=4096)
def read(sentence: str) -> Reading:
    """Return the reading of a sentence."""
    tokens = tokens_of(sentence)
    question = bool(tokens) and tokens[-1].low == "?"
    hard = "row" if any(t.low in ("|", "\t") for t in tokens) or "\t" in sentence else ""
    if len(tokens) > LONGEST:
        return Reading((), question, "long")
    made = grouped([_word(t) for t in tokens])
    read_as = tuple(_negations(_clauses(marked(made))))
    return Reading(read_as, question, hard or ("denied reason" if _denied_reason(read_as) else ""))


def _denied_reason(made: Sequence[Word]) -> bool:
    """Return whether it is told why something is not so, but for another reason: "not because …, but because …"."""
    return any(
        made[i].cls == "but" and made[i + 1].cls == "cause" and any(w.verb and w.verb.not_ for w in made[:i])
        for i in range(len(made) - 1)
    )


def _word(token: Token) -> Word:
    return Word(token.text, token.low, token.kind, token.bases, token.cls, token.quantity)


def _clauses(made: list[Word]) -> list[Word]:
    """Number the clauses."""
    found: list[Word] = []
    number = 0
    for i, word in enumerate(made):
        if i and (word.cls in OPENS or word.low in (";", ":", "--") or word.cls in ("and", "or") or word.low == ","):
            number += 1
        found.append(replace(word, clause=number) if number != word.clause else word)
    return found


def _negations(made: list[Word]) -> list[Word]:
    """Fold "no", "not" and "never" that stand apart from a verb into the verb of their clause; behind a preposition
    they deny its noun alone and stay."""
    found: list[Word] = []
    for i, word in enumerate(made):
        if word.low in _NO or word.low in ("not", "never"):
            before = made[i - 1] if i else None
            if before is not None and before.cls == "preposition" and word.low == "no":
                found.append(word)
                continue
            verb = _verb_of(made, i, word.low in ("not", "never"))
            if verb is not None and made[verb].verb is not None:
                features = made[verb].verb
                assert features is not None
                made[verb] = replace(
                    made[verb], verb=replace(features, not_=not features.not_, never=word.low == "never")
                )
                if verb < i:
                    at = next(
                        k for k in range(len(found) - 1, -1, -1) if found[k].low == made[verb].low and found[k].verb
                    )
                    found[at] = made[verb]
                continue
        found.append(word)
    return found


def _verb_of(made: list[Word], at: int, forward: bool) -> int | None:
    clause = made[at].clause
    ahead = [k for k in range(at + 1, len(made)) if made[k].clause == clause and made[k].verb is not None]
    behind = [k for k in range(at - 1, -1, -1) if made[k].clause == clause and made[k].verb is not None]
    return behind[0] if behind else ahead[0] if ahead else None
