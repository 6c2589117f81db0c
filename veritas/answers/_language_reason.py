"""The reason why members without a language model answer nothing in some languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veritas.documents.document import Document
from veritas.text.languages import READ, language_named, unread_language


def language_reason(question: str, documents: Sequence[Document]) -> str:
    """Return why the language of a question, or of all documents that were read, leaves it without an answer; "" if it
    does not: the rules read a few languages, and answer from documents in the question's own."""
    if unread := unread_language(question):
        return (
            f"the question is in {unread}, and without a language model only {_and(READ)} are read: ask in one of "
            "these, or seat a language model in the council"
        )
    asked = language_named(question)
    others = Counter(filter(None, (language_named(document.text) for document in documents)))
    if not asked or not others or others[asked]:
        return ""
    return (
        f"the question is in {asked}, and what was read is in {_and([name for name, _ in others.most_common()])}: "
        "without a language model a question is answered from documents in its own language"
    )


def _and(names: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))
