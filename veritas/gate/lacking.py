"""Words of a claim that its passages lack: the difference that a person who decides has to see first.

Exact terms and quantities are those of the exact layer: `sympy.polys` is not `sympy.logic`, and 640 m are 0.64 km. Any
other word counts as present if its stem is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veritas.judging.exact import differences, read
from veritas.text.stop_words import FUNCTION_WORDS
from veritas.text.tokens import Token, normalise, tokens

SHOWN = 4
"""Most words that are named."""


def lacking(claim: str, passages: Sequence[str]) -> str:
    """Return the names that `claim` has and none of `passages`, as a part of a sentence, with what the only passage has
    instead; if it lacks none, the words that are missing, unless they are few: most of these are said in others."""
    given = [normalise(each) for each in passages if each.strip()]
    claim, whole = normalise(claim), "\n".join(given)
    exact = [each for each in differences(claim, whole) if each.kind != "order"] if given else []
    words = list(_missing(claim, whole)) if given else []
    names = [*(each.second for each in exact), *(each.text for each in words if _named(each, claim))]
    if not names and 3 * len(words) < len(list(_missing(claim, ""))):
        return ""
    shown = list(dict.fromkeys(names or [each.text for each in words]))[:SHOWN]
    if not shown:
        return ""
    if len(given) > 1:
        return f"its {len(given)} passages lack {_listed(shown)}"
    instead = [*(each.first for each in exact), *(each.text for each in _missing(whole, claim) if _named(each, whole))]
    had = list(dict.fromkeys(filter(None, instead if names else [])))[:2]
    return f"its passage lacks {_listed(shown)}" + (f", and has {_listed(had)}" if had else "")


def _missing(text: str, other: str) -> Iterator[Token]:
    """Yield the words of content of a text whose stem the other lacks, without its exact terms and quantities."""
    there, exact = {each.stem for each in tokens(other)}, read(text)
    taken = [(term.start, term.end) for term in exact.terms] + [(one.start, one.end) for one in exact.quantities]
    for each in tokens(text):
        inside = any(start <= each.start < end for start, end in taken)
        if not inside and each.stem not in there and each.lower not in FUNCTION_WORDS and len(each.text) > 1:
            yield each


def _named(word: Token, text: str) -> bool:
    """Return whether a word has a capital and does not begin a sentence."""
    return word.is_name and text[: word.start].rstrip()[-1:] not in ("", ".", "!", "?", ":")


def _listed(words: Sequence[str]) -> str:
    marked = [f"“{each}”" for each in words]
    return marked[0] if len(marked) == 1 else f"{', '.join(marked[:-1])} and {marked[-1]}"
