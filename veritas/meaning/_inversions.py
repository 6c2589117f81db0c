"""Sentences whose subject stands behind the verb: "on the wall hangs a map", "the capital of the island is Ruta"."""

from __future__ import annotations

from dataclasses import replace

from veritas.meaning._rearrangement import Words, phrase_end
from veritas.meaning._vocabulary import kinds, names_doer
from veritas.meaning._word import Word, finite, past_form

_DETERMINERS = frozenset({"article", "possessive", "quantifier"})
_INVERTING = frozenset({"only", "rarely", "seldom", "never", "nowhere", "hardly", "scarcely", "little"})
_FRONTS = frozenset({"preposition", "time", "condition", "cause", "change", "discourse", "quantifier"})
"""Classes of words behind "only" with which a sentence begins that has its subject behind the auxiliary."""
_PARTS = frozenset({"condition", "relative", "that", "but", "than", "time", "cause"})
_AUXILIARIES = frozenset("do does did has have had is was are were can could may might will would should must".split())
_STANDS = frozenset("be stand lie hang sit live come rise grow run flow begin remain rest appear follow".split())


def subject_first(words: Words) -> Words:
    """Write "on the wall hangs a map" as "a map hangs on the wall"."""
    verb = next((k for k, w in enumerate(words) if finite(w)), None)
    if verb is None or verb < 2 or words[0].cls != "preposition" or not words[verb].bases & _STANDS:
        return words
    front, features = words[:verb], words[verb].verb
    if features is None or features.passive or features.progressive or features.modal or any(
        w.kind == "mark" or w.cls == "pronoun" for w in front
    ):  # fmt: skip
        return words
    if sum(w.cls in _DETERMINERS or w.kind == "number" for w in front) > 1 + sum(w.low == "of" for w in front):
        return words
    end = phrase_end(words, verb + 1)
    subject = words[verb + 1 : end]
    if not subject or not (subject[0].cls in _DETERMINERS or subject[0].kind in ("name", "number")) or (
        front[1].cls not in _DETERMINERS and words[verb].low != "be"
    ):  # fmt: skip
        return words
    return (*subject, words[verb], *front, *words[end:])


def turned(words: Words) -> Words:
    """Write "the capital of the island is Ruta" as "Ruta is the capital of the island"; other sentences stay."""
    verb = next((k for k, w in enumerate(words) if finite(w)), None)
    if not verb or words[verb].low != "be":
        return words
    subject, rest = words[:verb], words[verb + 1 :]
    if _doers(subject) and _described(rest):
        return (*rest, words[verb], *subject)
    if any(finite(w) for w in rest) or any(w.cls in _PARTS or w.low == ";" for w in words):
        return words
    if not rest or (not (_definite(subject) and _noun(rest)) and not (_definite(rest) and _noun(subject))):
        return words
    return (*rest, words[verb], *subject)


def _doers(words: Words) -> bool:
    """Return whether a phrase names who did something: "the founders of the guild"."""
    return len(words) > 3 and words[0].low == "the" and words[2].low == "of" and (
        names_doer(words[1].low) or names_doer(words[1].low.removesuffix("s"))
    )  # fmt: skip


def _described(words: Words) -> bool:
    """Return whether what stands behind "were" is a noun with a relative clause: "weavers who had fled"."""
    relative = next((k for k, w in enumerate(words) if w.cls == "relative"), None)
    noun = words[:relative]
    return relative is not None and 0 < len(noun) < 4 and noun[-1].kind == "content" and (
        sum(finite(w) for w in words) == 1 and not any(w.kind == "mark" for w in words)
    )  # fmt: skip


def _definite(words: Words) -> bool:
    return words[0].low == "the" or words[0].kind == "name" or any(w.low == "'s" for w in words[:3])


def _noun(words: Words) -> bool:
    return words[0].cls in ("article", "possessive") or words[0].kind == "name" or (
        words[0].kind == "content" and any(w.cls == "and" for w in words)
    )  # fmt: skip


def straight(made: list[Word]) -> list[Word]:
    """Put the auxiliary behind its subject: "only in May does it rain", "had he known" (as "if he had known")."""
    if len(made) < 4 or made[-1].low == "?":
        return made
    first = made[0].low
    if first in ("had", "were", "should") and (end := _verb_at(made, 1, first)) is not None:
        given = Word("if", "if", "grammar", frozenset({"if"}), "condition")
        return [given, *made[1:end], made[0], *made[end:]]
    if first == "only" and made[1].cls not in _FRONTS and kinds(made[1].low) != {"r"}:
        return made  # "only members may vote"
    if first in _INVERTING or first in ("do", "does", "did"):  # "not only does it …"
        at = next((k for k in range(len(made)) if made[k].low in _AUXILIARIES), None)
        end = _verb_at(made, at + 1, made[at].low) if at is not None else None
        if at is None or end is None or any(w.kind == "mark" for w in made[:at]):
            return made
        front, subject, verb = made[:at], made[at + 1 : end], made[end]
        if at == 1 and first == "never":
            return [*subject, made[at], made[0], *made[end:]]
        if made[at].low == "does":
            return [*subject, replace(verb, low=f"{verb.low}s"), *made[end + 1 :], *front]
        return [*subject, *([] if made[at].low == "do" else [made[at]]), *made[end:], *front]
    return made


def _verb_at(made: list[Word], at: int, auxiliary: str) -> int | None:
    """Return where the verb of an auxiliary stands behind its subject, which begins at `at`; None without one."""
    k = at
    while k < len(made) and (made[k].cls in _DETERMINERS or made[k].cls == "demonstrative"):
        k += 1
    k += 1
    while k < len(made) and (made[k].content or made[k].low in ("of", "to")):
        low = made[k].low
        fits = low == "to" if auxiliary == "were" else (
            past_form(low) or low == "been" if auxiliary in ("had", "has", "have", "is", "was", "are")
            else "v" in kinds(low) and not past_form(low)
        )  # fmt: skip
        if fits and made[k - 1].cls not in ("article", "possessive"):
            return k
        k += 1
    return None
