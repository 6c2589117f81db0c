"""Families, and who may judge whom (I4).

A family is a string. Members and lenses without a language model count by mechanism, `embedded:<strategy>`; beside a
language model they are all one family, `embedded`, for they share one author and one idea of what a sentence says.
A language model's family is the house that trained it: two models of one house share data, taste and mistakes.
"""

from __future__ import annotations

from collections.abc import Iterable

from veritas.council.llm_providers import lab_of, provider_of

EMBEDDED = "embedded"
PERSON = "person"
"""Family of what a person wrote: everybody's is another one."""


def is_embedded(family: str) -> bool:
    """Whether the family works without a language model."""
    return family == EMBEDDED or family.startswith(EMBEDDED + ":")


def may_judge(judge: str, author: str) -> bool:
    """I4: a judge's family is never the author's. An unnamed family judges nobody and is judged by nobody."""
    return bool(judge) and bool(author) and judge != author


def voice(judge: str, *, author: str) -> str:
    """The family a judge speaks for over `author`'s claim: towards a language model all embedded ones are one."""
    return EMBEDDED if is_embedded(judge) and not (is_embedded(author) or author == PERSON) else judge


def independent(first: str, second: str, *, author: str) -> bool:
    """Whether two judges count as two voices over `author`'s claim."""
    return voice(first, author=author) != voice(second, author=author)


def one_family(author: str, judges: Iterable[str]) -> bool:
    """Whether an author is a language model and no other family of language models is among the judges."""
    ours = not (is_embedded(author) or author == PERSON)
    return ours and all(is_embedded(judge) or judge == author for judge in judges)


def known_family(model: str, base_url: str | None = None) -> str | None:
    """The family of a model that is asked at its own house; None where it must be named.

    Behind another base URL, or at a provider that serves other people's models, a name proves nothing. A house may
    serve a guest: the guest's family is then the one its name speaks of.
    """
    provider = provider_of(model)
    if base_url or provider is None or provider.family is None:
        return None
    return lab_of(model) or provider.family
