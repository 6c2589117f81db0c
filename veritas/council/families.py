"""Families, and who may judge whom (I4).

A family is a string. Members and lenses without a language model count by mechanism, `embedded:<strategy>`; beside a
language model they are all one family, `embedded`, for they share one author and one idea of what a sentence says.
"""

from __future__ import annotations

EMBEDDED = "embedded"


def is_embedded(family: str) -> bool:
    """Whether the family works without a language model."""
    return family == EMBEDDED or family.startswith(EMBEDDED + ":")


def may_judge(judge: str, author: str) -> bool:
    """I4: a judge's family is never the author's. An unnamed family judges nobody and is judged by nobody."""
    return bool(judge) and bool(author) and judge != author


def independent(first: str, second: str, *, author: str) -> bool:
    """Whether two judges count as two voices over `author`'s claim."""
    if not is_embedded(author) and is_embedded(first) and is_embedded(second):
        return False
    return first != second
