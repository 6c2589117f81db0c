"""What to search for again: the parts of a question that what was found leaves open, in the words of its headings."""

from __future__ import annotations

from collections.abc import Sequence

from veritas.answering.pool import Pool, heads, stems_of
from veritas.answering.question import GENERIC
from veritas.answering.ranking import ranked, read_beside
from veritas.claims.sources import Passage
from veritas.text.languages import speaking, spoken
from veritas.text.tokens import tokenise

BEST = 3
"""Number of the best parts found that teach something."""
WORDS = 4
"""Most words of headings in a query."""


def further_query(question: str, passages: Sequence[Passage], *, again: bool = False) -> str:
    """Return a query for a further search after these passages were found; "" if there is nothing to search for.

    It has the question's words that none of the best parts meets, nor what stands above them, and other words of the
    headings of those parts. `again`: where nothing is missing, the question's own words take that place.
    """
    asked = read_beside(question, passages)
    found = ranked(question, passages)[:BEST]
    if not asked.terms or not found:
        return ""
    pool = Pool(asked, passages)
    with speaking(asked.language):
        said = stems_of("\n".join(f"{heads(one.passage)}\n{one.unit.heading}\n{one.text}" for one in found))
        met = pool.met(said)
        wanted = [term.word for at, term in enumerate(asked.terms) if at not in met and term.weight > GENERIC]
        if not wanted and again:
            wanted = [term.word for term in asked.terms]
        if not wanted:
            return ""
        known = {term.stem for term in asked.terms}
        others: dict[str, str] = {}
        for one in found:
            for word in tokenise(f"{one.unit.heading or one.passage.heading}\n{one.passage.title}"):
                key = spoken().stem(word)
                if word.isalpha() and len(word) > 2 and word not in spoken().stop_words and key not in known:
                    others.setdefault(key, word)
    return " ".join([*wanted, *list(others.values())[:WORDS]])
