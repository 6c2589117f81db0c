"""How likely a word is the finite verb of its stretch of a sentence, by its form and what stands around it."""

from __future__ import annotations

from veritas.meaning._function_words import FOUND, SAID
from veritas.meaning._tokens import kinds_of_bases
from veritas.meaning._vocabulary import frequency, kinds
from veritas.meaning._word import SAME_PAST, Word, finite, is_adverb, past_form
from veritas.text.wordlist import words

_SUBJECTS = words("i you he she it we they who which that there")
_NOUN_BEFORE = frozenset({"article", "possessive", "demonstrative", "quantifier"})
OPENS = frozenset({"condition", "time", "cause", "concession", "relative", "but", "that"})
"""Classes of words that begin a clause."""
_PARTICLES = words("out up off down away aside forward")
_CENTURIES = words("15 16 17 18 19 20")
_SAYS = SAID | FOUND | {"mean", "imply", "ensure", "require", "indicate", "add"}
_HELPERS = frozenset({"let", "make", "help", "see", "hear", "watch"})
"""Verbs whose object does what a verb in its base form says: "lets a process read the file"."""


def likely(made: list[Word], start: int, i: int, end: int) -> int:
    """Return how likely a word is the finite verb of its stretch, from 0."""
    word, before = made[i], next(
        (w for w in reversed(made[start:i]) if not is_adverb(w) and w.cls not in ("only", "change", "hedge")), None
    )
    after = made[i + 1] if i + 1 < end else None
    if word.kind != "content" or word.verb is not None:
        return 0
    of = kinds(word.low) | kinds_of_bases(word.low)
    if (of and "v" not in of) or ("n" in of and i == start + 1 and made[start].low == "as"):
        return 0  # "as spaces"
    if not of and not word.low.endswith(("s", "ed")):
        return 0
    if not of and not word.low.endswith("ed"):
        return 2 if before is not None and before.kind == "name" else 0
    if before is not None and before.quantity is not None and not _year(before) and "n" in of:
        return 0  # "800 seats"
    past, third = past_form(word.low), word.low.endswith("s") and not word.low.endswith(("ss", "us"))
    if past and before is not None and before.cls in ("and", "or") and i == start + 1 and _in_list(made, i, end):
        return 0  # "leeks, carrots and smoked pork"
    determined = before is not None and before.cls in _NOUN_BEFORE and kinds(before.low) != {"r"}
    if word.low.endswith("ing") or determined or (
        before is not None and (before.cls in ("preposition", "than") or before.low == "without")
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
    if (
        third
        and "n" in of
        and start > 0
        and made[start].cls not in OPENS
        and (not lacks_verb(made, start) or (made[start].low == "," and not relative_before(made, start)))
        and not object_ahead(made, i)
        and (frequency(word.low, "n") >= frequency(word.low, "v"))
    ):  # "reads CSV and XML files"
        return 0
    if not (past or third) and "a" in kinds(word.low) and after is not None and (
        after.kind == "content" and after.low.endswith("s")
    ):  # fmt: skip
        return 0  # "that dry pumps last"
    opener = before is None or before.cls in ("and", "or", "but", "relative", "that") or before.kind == "mark"
    if before is None and not past and start == 0:
        return 1 if of == {"v"} and not third else 0
    if before is not None and before.low in _SUBJECTS:
        return 9 if i < 2 or made[i - 2].low != "let" else 0
    if word.low in SAME_PAST and before is not None and before.kind in ("content", "name") and not before.degree and (
        object_ahead(made, i) or (i + 1 < end and (made[i + 1].kind == "name" or made[i + 1].low in _PARTICLES))
    ):  # fmt: skip
        lets = any(w.bases & _HELPERS for w in made[start : i - 1])
        return 0 if lets else 8
    if word.low in SAME_PAST and before is not None and before.cls == "and" and i == start + 1 and i + 1 < end and (
        made[i + 1].low in _PARTICLES or object_ahead(made, i)
    ) and any(finite(w) and past_form(w.low) for w in made[:start]):  # fmt: skip
        return 8  # "damaged 40 houses and cut off the town"
    if past and i - 2 >= start and made[i - 2].kind in ("name", "mark") and before is not None and (
        before.low.endswith("s") and "v" in kinds_of_bases(before.low)
    ) and after is not None and after.kind == "content" and "n" in kinds(after.low):  # fmt: skip
        return 0  # "Flowlet retries failed tasks"
    if past and after is not None and after.cls == "preposition" and any(
        past_form(made[k].low) and told_of(made[k]) and made[k - 1].cls not in _NOUN_BEFORE for k in range(i + 2, end)
    ):
        return 2  # "tasters invited by a magazine found"
    if past:
        return 4 if before is None else 8 if "a" not in kinds(word.low) else 6
    if third:
        behind = made[i + 1] if i + 1 < len(made) else None
        if not i and "n" in of and behind is not None and behind.cls in ("relative", "that", "preposition"):
            return behind.cls == "preposition"  # "requests that lack a token"
        alone = behind is None or (behind.kind in ("mark", "grammar") and not object_ahead(made, i))
        rare = "n" in of and alone and frequency(word.low, "n") > frequency(word.low, "v")
        if i > start and after is not None and after.kind == "content" and kinds(after.low) == {"v"} and "n" in of:
            rare = rare or not _rather_verb(word, after)  # "red foxes exist"
        if behind is not None and behind.cls == "that" and before is not None and before.content and not (
            i > start + 1 and told_of(before) and (  # "deletes files that", "charges ships that"
                "n" not in kinds(before.low) or not (word.bases & _SAYS or kinds(word.low) == {"v"})
            )
        ):
            return 8  # "the rule states that"
        # "lets a process read"
        sure = before is not None and before.content and i + 1 < end and made[i + 1].cls == "article"
        return 8 if sure else 7 if "n" not in of else 3 if opener or rare else 5
    if opener and start > 0:
        return 3 if "n" not in of else 2 if object_ahead(made, i) else 0
    plural = before is not None and before.low.endswith("s") and not (
        i - 2 >= start and made[i - 2].content and told_of(before) and _rather_verb(before, word)
    )
    if plural and after is not None and after.degree == "more":
        return 6  # "pumps last longer"
    if _of_one(made, start, i):
        return 0
    if before is not None and (
        before.low.endswith("s") or before.kind == "name" or before.low in ("people", "men", "women", "children")
    ):
        return 5 if "n" not in of and "a" not in of else 4 if "a" not in of else 2
    if before is not None and before.content and i + 1 < end and made[i + 1].cls in ("article", "possessive"):
        return 3  # "cooks in the region flavour the stew"
    return 2 if of == {"v"} else 0


def _in_list(made: list[Word], at: int, end: int) -> bool:
    """Return whether a participle and a noun end a list of things."""
    noun = made[at + 1] if at + 1 < end else None
    if noun is None or noun.kind != "content" or "n" not in kinds(noun.low) or not (
        at + 2 >= len(made) or made[at + 2].kind == "mark" or made[at + 2].cls == "preposition"
    ):  # fmt: skip
        return False
    listed = [k for k in range(at - 1) if made[k].low == ","]
    return bool(listed) and any(finite(w) for w in made[: listed[0]]) and not any(
        finite(w) for w in made[listed[0] : at]
    ) and all(made[k].content for k in range(listed[0] + 1, at - 1) if k not in listed)  # fmt: skip


def _of_one(made: list[Word], start: int, at: int) -> bool:
    """Return whether the noun phrase before a word begins with "a": what one thing does ends in "s"."""
    for word in reversed(made[start:at]):
        if word.low in ("a", "an", "each", "every"):
            return True
        if word.kind == "grammar":
            return False
    return False


def _rather_verb(one: Word, other: Word) -> bool:
    """Return whether the first of two neighbouring words is the verb and the second its object, by how often each is
    seen as either: "copper conducts heat better", not "dry pumps last longer"."""
    first, second = one.low, other.low
    return frequency(first, "v") * (frequency(second, "n") + 1) > (frequency(first, "n") + 1) * frequency(second, "v")


def told_of(word: Word) -> bool:
    """Return whether a word's form is that of a verb with a single subject, or of a past."""
    third = word.low.endswith("s") and not word.low.endswith(("ss", "us"))
    return word.kind == "content" and word.verb is None and (past_form(word.low) or (
        third and "v" in kinds_of_bases(word.low)))  # fmt: skip


def lacks_verb(made: list[Word], at: int) -> bool:
    """Return whether the words before a place have no finite verb but those of relative clauses."""
    relative = False
    for word in made[:at]:
        if word.cls == "relative":
            relative = True
        elif word.kind == "mark":
            relative = False
        elif finite(word) and not relative:
            return False
    return True


def relative_before(made: list[Word], at: int) -> bool:
    return any(w.cls == "relative" for w in made[:at])


def object_ahead(made: list[Word], at: int) -> bool:
    after = made[at + 1] if at + 1 < len(made) else None
    return after is not None and (
        after.cls in ("article", "possessive", "demonstrative", "quantifier", "pronoun", "that", "only")
        or after.kind == "number"
    )


def _year(word: Word) -> bool:
    quantity = word.quantity
    return quantity is not None and (quantity.kind == "year" or (len(word.text) == 4 and word.text[:2] in _CENTURIES))
