"""Figures and other exact terms of a sentence that stand nowhere in what is kept of the works it cites, while the
sentence there that says most of it has another in their place."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from veritas.citations.writing.diagnostic import Diagnostic, SeeAlso
from veritas.citations.writing.exchanged import OWN, SECOND_HAND
from veritas.citations.writing.shares import Sentence

LONGEST = 400_000
"""Most characters of each text that is kept of a work that are read."""
MOST = 0.5
"""Least share, 0 to 1, of a sentence's weighted words that a sentence of the work has, to speak of the same."""


def of_differing_terms(sentences: Sequence[Sentence], wrong: Sequence[Diagnostic] = ()) -> Iterator[Diagnostic]:
    """Yield the sentences with such a term. It is unknown: the rest of the work may have it. Nothing is said of the
    years in which the works were published, nor of a sentence that tells of its writer's own work. What `wrong` has,
    quotations and claims, is not told twice."""
    for one in sentences:
        if any(each.start < one.end and one.start < each.end for each in wrong):
            continue
        if OWN.search(one.words) or SECOND_HAND.search(one.words):
            continue
        published = frozenset(str(each.fields.get("year")) for each in (*one.cites, *one.beside))
        found = _otherwise(one.words, tuple(part for each in one.cites for part in each.kept), published)
        if found is None:
            continue
        theirs, mine, sentence = found
        here = one.cites[0]
        message = (
            f"nothing that is kept of “{here.title}” has “{mine}”, and there it is “{theirs}”. "
            "Whether the rest of the work carries this cannot be told"
        )
        related = (SeeAlso(here.path, 1, f"“{sentence}”"),)
        yield Diagnostic(one.start, one.end, "unknown", "unknown", message, f"{one.words} | {here.path}",
                         related=related)  # fmt: skip


@lru_cache(maxsize=4096)
def _otherwise(words: str, kept: tuple[str, ...], published: frozenset[str]) -> tuple[str, str, str] | None:
    """Return the term of a work, the one of the words in its place, and the work's sentence; None if none differs."""
    from veritas.judging.evidence import share
    from veritas.judging.exact import differences, read

    asked = read(words)
    if not (asked.terms or asked.quantities):
        return None
    nearest = max(_sentences(kept), key=lambda each: share(words, each), default="")
    if share(words, nearest) < MOST:
        return None
    lacking = {each.second for each in differences(words, "\n\n".join(kept))} - published
    told = differences(words, "\n\n".join(kept), nearest=nearest)
    return next(((each.first, each.second, nearest) for each in told if each.first and each.second in lacking), None)


@lru_cache(maxsize=256)
def _sentences(kept: tuple[str, ...]) -> tuple[str, ...]:
    from veritas.text.sentences import statements

    return tuple(dict.fromkeys(part[a:b] for part in kept for a, b in statements(part[:LONGEST])))
