"""How likely a word is the finite verb of its stretch of a sentence, by its form and what stands around it."""

from __future__ import annotations

from veritas.meaning._tokens import kinds_of_bases
from veritas.meaning._vocabulary import frequency, kinds
from veritas.meaning._word import Word, is_adverb, past_form
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
