"""What a sentence tells of the claim's subject: the claim's words without its subject's name, and words of grammar.

A sentence often names its subject by "it" or by a surname, so that a claim's rarest word is missing though everything
is said. And it may say "a poodle sleeps" where the claim is that a dog does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.text import lexicon, wordnet

MET = 0.7
"""Least degree to which a word must be met by letters for no other word to be looked for in its stead."""
_RAREST = 7.5
_PRONOUNS = frozenset("it its he his him she her hers they their them this these".split())
_IDLE = frozenset("a an the be have do this that it they he she we".split())
"""Stems of function words whose absence says nothing."""


def told(alignment: Alignment) -> dict[str, float]:
    """Return the features by name, 0 to 1, of the sentence that covers most of the claim."""
    best = alignment.best
    assert best is not None
    row = alignment.per_sentence[alignment.order[0]]
    return {**_without_subject(alignment, row, best), **_end(alignment, row), **_grammar(alignment.claim, best)}


def _without_subject(alignment: Alignment, row: Sequence[float], best: Statement) -> dict[str, float]:
    """Return what is missing of the claim, its subject aside where the sentence names it too, and words aside for which
    the sentence has a synonym or something narrower."""
    named, weights = _subject(alignment, row, best), alignment.weights
    wanted = {t.stem for t in alignment.words}
    free = [t.text for t in best.content if t.stem not in wanted and t.text.isalpha()]
    absent = [
        weights[i] for i, (token, met) in enumerate(zip(alignment.words, row, strict=True))
        if i not in named and met < MET and token.stem not in lexicon.STOP
        and not (token.text.isalpha() and any(_says(other, token.text) for other in free))
    ]
    total = sum(w for i, w in enumerate(weights) if i not in named) or 1.0
    return {
        "told_absent": max(absent, default=0.0) / _RAREST,
        "told_words_absent": min(len(absent), 5) / 5,
        "told_cover": 1 - sum(absent) / total,
        "told_all": float(not absent),
    }


def _subject(alignment: Alignment, row: Sequence[float], best: Statement) -> range:
    """Return the places of the claim's words that name its subject, if the sentence names it too: by one of its words,
    or by a pronoun and none of them. The name is what the claim begins with."""
    end = 0
    for token in alignment.claim.tokens:
        if not (token.is_name or token.stem in ("the", "of")):
            break
        end = token.end
    opening = range(sum(t.end <= end for t in alignment.words))
    met = any(row[i] for i in opening)
    return opening if met or any(t.lower in _PRONOUNS for t in best.tokens) else range(0)


@lru_cache(maxsize=1 << 16)
def _says(theirs: str, mine: str) -> bool:
    """Return whether a word of the sentence says a word of the claim: the same in another form, or a kind of it."""
    return wordnet.synonyms(mine, theirs) or wordnet.derived(mine, theirs) or wordnet.broader(theirs, mine)


def _end(alignment: Alignment, row: Sequence[float]) -> dict[str, float]:
    """Return how much is met behind the name that the claim begins with, and of its second half."""
    words, weights = alignment.words, alignment.weights
    first = next((i for i, t in enumerate(words) if not t.is_name), 0)
    rest, half = range(first, len(words)), range(len(words) // 2, len(words))
    absent = [weights[i] for i in rest if not row[i]]
    return {
        "cover_rest": _share(row, weights, rest),
        "cover_half": _share(row, weights, half),
        "rest_absent": max(absent, default=0.0) / _RAREST,
        "rest_words_absent": min(len(absent), 5) / 5,
        "last_absent": float(not row[-1]),
        "opening_absent": float(not row[0]),
    }


def _share(row: Sequence[float], weights: Sequence[float], part: range) -> float:
    return sum(row[i] * weights[i] for i in part) / (sum(weights[i] for i in part) or 1.0)


def _grammar(claim: Statement, best: Statement) -> dict[str, float]:
    """Return how many function words the claim has that the sentence has not, and the sentence, among the words that
    both have, that the claim has not."""
    closed = lexicon.STOP - _IDLE
    mine, theirs = [s for s in claim.stems if s in closed], set(best.stems)
    content = {t.stem for t in claim.content}
    met = [i for i, s in enumerate(best.stems) if s in content]
    between = [s for s in best.stems[met[0] : met[-1] + 1] if s in closed] if met else []
    missing = sum(s not in theirs for s in mine)
    return {
        "closed_absent": missing / max(1, len(mine)),
        "closed_absent_count": min(missing, 4) / 4,
        "closed_between": min(sum(s not in set(claim.stems) for s in between), 6) / 6,
    }
