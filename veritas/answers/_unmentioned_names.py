"""Names in a question that no document contains, each with a similar word of the documents."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches

from veritas.documents.document import Document
from veritas.text.sentences import statements
from veritas.text.stop_words import STOP_WORDS
from veritas.text.tokens import tokens

_WORD = re.compile(r"[^\W\d_]{4,}")
LONG = 5
"""Letters from which on a name may be part of a longer word."""
_ALIKE = 0.8
"""Least share of letters in common, in order, of a word and its misspelling."""


def names_in(question: str) -> tuple[str, ...]:
    """Return the words of a question that look like names: with a capital, a digit or a sign, except words that begin a
    sentence or carry no meaning. A question in capitals has none."""
    begins = {start for start, _ in statements(question)}
    if question.isupper():
        return ()
    return tuple(
        dict.fromkeys(
            token.text for token in tokens(question)
            if token.is_name and len(token.text) > 1 and token.start not in begins and token.lower not in STOP_WORDS
        )
    )  # fmt: skip


def nowhere(names: Sequence[str], documents: Sequence[Document]) -> tuple[str, ...]:
    """Return those of the names that stand in no document, wherever its passages were cut."""
    texts = [d.text.casefold() for d in documents] if names else []
    return tuple(name for name in names if not any(_stands(name.casefold(), text) for text in texts))


def told(names: Sequence[str], documents: Sequence[Document]) -> str:
    """Return the names that no document contains, in quotation marks, each with the most similar word of the documents
    that begins with the same letter, if it is similar enough: `“uplod” (is “upload” meant?)`. A name of fewer than four
    letters gets no suggestion."""
    lost = nowhere(names, documents)
    said = {word for d in documents for word in _WORD.findall(d.text.casefold())} if lost else set()
    return ", ".join(_told(name, said) for name in lost)


def _stands(name: str, text: str) -> bool:
    """Return whether a name occurs in a text; one of five letters or more may be part of a longer word."""
    return name in text and (len(name) >= LONG or bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text)))


def _told(name: str, said: set[str]) -> str:
    word = name.casefold()
    if not _WORD.fullmatch(word):
        return f"“{name}”"
    near = get_close_matches(word, sorted(w for w in said if w[0] == word[0]), n=1, cutoff=_ALIKE)
    return f"“{name}” (is “{near[0]}” meant?)" if near else f"“{name}”"
