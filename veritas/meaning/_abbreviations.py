"""Names and words written short: the letters of a name, and words that a full stop cuts off."""

from __future__ import annotations

from veritas.meaning._rearrangement import Words
from veritas.meaning._vocabulary import kinds
from veritas.meaning._word import Word

_SKIPPED = frozenset({"of", "and", "for", "the", "in", "on", "to", "de", "du"})


def abbreviated(words: Words, other: Words) -> Words:
    """Write a name as the letters that the other sentence has for it, and a word that is cut off in full."""
    return _by_letters(_in_full(words, other), other)


def _by_letters(words: Words, other: Words) -> Words:
    for word in other:
        if word.kind != "name" or not word.text.isupper() or not 1 < len(word.text) < 9 or not word.text.isalpha():
            continue
        for start in range(len(words)):
            letters, end = "", start
            while end < len(words) and len(letters) < len(word.text) and (
                (words[end].kind in ("name", "content") and words[end].verb is None)
                or (letters and words[end].low in _SKIPPED)
            ):  # fmt: skip
                letters += words[end].text[0] if words[end].low not in _SKIPPED else ""
                end += 1
            if letters.casefold() == word.low and end - start >= len(word.text):
                return (*words[:start], word, *words[end:])
    return words


def _in_full(words: Words, other: Words) -> Words:
    """Write a word that a full stop cuts off, or that no lexicon has, as the word of the other that it is short for."""
    made: list[Word] = []
    own = {w.low for w in words}
    for at, word in enumerate(words):
        stopped = at + 1 < len(words) and words[at + 1].low == "."
        if word.low == "." and at and made and made[-1].low != words[at - 1].low:
            continue
        full = None
        if word.kind in ("content", "name") and (stopped or not kinds(word.low)):
            fitting = (w for w in other if w.kind == word.kind or word.kind == "name" or stopped)
            full = next((w for w in fitting if w.low not in own and _short_for(word.low, w.low, stopped) and not (
                w.text[len(word.low) : len(word.low) + 1].isupper())), None)  # "SQS" and "SQSBeta" are two
        made.append(word if full is None else full)
    return tuple(made)


def _short_for(short: str, full: str, stopped: bool) -> bool:
    """Return whether a word is the beginning of another, or its first, its last and some of its letters."""
    if len(full) < len(short) + 2 or full[0] != short[0] or not (short.isalpha() and full.isalpha()):
        return False
    if full.startswith(short):
        return stopped or len(short) > 2
    letters = iter(full)
    return len(short) > 1 and full[-1] == short[-1] and all(letter in letters for letter in short)
