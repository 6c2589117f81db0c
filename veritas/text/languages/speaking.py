"""The language in force: the words of a text are cut and stemmed by the rules of the question that is asked of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from typing import ParamSpec, TypeVar

from veritas.context_value import within
from veritas.text.languages.detection import is_surely, language_named
from veritas.text.languages.language import ENGLISH, Language

P = ParamSpec("P")
T = TypeVar("T")

READ = ("English", "German", "French")
"""The names of the languages that are read without a language model."""
_SPOKEN: ContextVar[Language] = ContextVar("language", default=ENGLISH)


def spoken() -> Language:
    """Return the language in force; English unless `speaking` says otherwise."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: Language) -> Iterator[None]:
    """Put a language in force inside."""
    if language is _SPOKEN.get():
        yield
        return
    with within(_SPOKEN, language):
        yield


def by_language(maxsize: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator like `lru_cache`, for a function whose result depends on the language in force."""

    def decorator(function: Callable[P, T]) -> Callable[P, T]:
        def read(language: Language, *args: P.args, **kwargs: P.kwargs) -> T:
            return function(*args, **kwargs)

        kept: Callable[..., T] = lru_cache(maxsize=maxsize)(read)

        @wraps(function)
        def called(*args: P.args, **kwargs: P.kwargs) -> T:
            return kept(_SPOKEN.get(), *args, **kwargs)

        return called

    return decorator


def read_in(text: str, beside: Iterable[str] = ()) -> Language:
    """Return the language by whose rules a text is read: its own, or English if that is not read. Where no word of it
    tells, as in keywords, it is that of most of the texts `beside` it."""
    named = language_named(text)
    if not named:
        others = Counter(filter(None, map(language_named, beside)))
        named = max(others, key=others.__getitem__, default="")
    return _rules(named)


@cache
def _rules(name: str) -> Language:
    # Most runs are in English, and need no rules of another language.
    if name == "German":
        from veritas.text.languages.german import GERMAN

        return GERMAN
    if name == "French":
        from veritas.text.languages.french import FRENCH

        return FRENCH
    return ENGLISH


def unread_language(text: str) -> str:
    """Return the language of a text that no rules here read; "" if some do, and where it is not sure."""
    named = language_named(text)
    return named if named and named not in READ and is_surely(text, named) else ""
