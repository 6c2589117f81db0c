"""The reading of a sentence: its words in order, each with what the words of grammar around it say of it.

Auxiliaries, negations and degrees are no words of a reading: they are features of the verb or the adjective that they
belong to. What is left in order are content words, names, quantities, prepositions, conjunctions and marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from veritas.meaning._tokens import Token, tokens_of
from veritas.meaning._unannounced_verbs import marked
from veritas.meaning._verb_groups import grouped
from veritas.meaning._verb_likelihood import OPENS
from veritas.meaning._word import Word, finite
from veritas.text.wordlist import words

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
    read_as = tuple(_scopes(_negations(_clauses(_unless(marked(made))))))
    return Reading(read_as, question, hard or ("denied reason" if _denied_reason(read_as) else ""))


def _unless(made: list[Word]) -> list[Word]:
    """Read "unless it rains" as "if it does not rain"."""
    found = list(made)
    for i, word in enumerate(made):
        if word.low == "unless":
            at = next((k for k in range(i + 1, len(made)) if finite(made[k])), None)
            verb = made[at].verb if at is not None else None
            if at is not None and verb is not None:
                found[i] = replace(word, low="if", bases=frozenset({"if"}))
                found[at] = replace(made[at], verb=replace(verb, not_=not verb.not_))
    return found


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


def _scopes(made: list[Word]) -> list[Word]:
    """Mark the places where a broader word says more."""
    found: list[Word] = []
    clause, inside, restrictor, partner = -1, False, False, False
    for word in made:
        if word.clause != clause:
            clause, inside, restrictor = word.clause, word.cls == "condition", False
        if word.cls == "than":
            partner = True
        if word.cls == "quantifier" and word.low in ("all", "every", "each", "any", "no", "whole", "entire"):
            restrictor = True
        if word.verb is not None:
            restrictor = False
        down = word.down or inside or restrictor or partner
        found.append(replace(word, down=down) if down != word.down else word)
        if word.verb is not None and word.verb.not_:
            inside = True
    return found
