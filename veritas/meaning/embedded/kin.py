"""Kin: what stands in the sentence in place of a word of the claim: its synonym, a kind of it, its opposite, a sibling.

"A poodle sleeps" says "a dog sleeps", and not the other way round; nor does it say "a spaniel sleeps". A sentence that
names its subject by a pronoun or by a part of its name is taken to speak of the claim's.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from veritas.meaning.embedded.claim_evidence import Alignment, Statement
from veritas.text import lexicon, wordnet

Kin = Literal["same", "kind", "wider", "opposite", "other", "none"]
"""What a word of the sentence is to one of the claim: the same in another word; a kind of it; something wider; its
opposite; another kind of the same thing; nothing."""
ORDER: tuple[Kin, ...] = ("same", "kind", "opposite", "wider", "other", "none")
"""The one that counts, where several words of the sentence are kin: the first of these."""
MET = 0.7
"""Least degree to which a word must be met by letters for its kin not to be looked for."""
_PRONOUNS = frozenset("it its he his him she her hers they their them this these".split())


def kin(alignment: Alignment) -> dict[str, float]:
    """Return the features of kin by name: shares of the claim's weight, 0 to 1, in the best sentence."""
    best = alignment.best
    assert best is not None
    row = alignment.per_sentence[alignment.order[0]]
    found = standing_for(alignment, row, best)
    shares = dict.fromkeys(ORDER, 0.0)
    for at, each in found.items():
        shares[each] += alignment.weights[at] / alignment.total
    covered = alignment.coverage[alignment.order[0]]
    named = subject(alignment, row, best)
    unmet = [alignment.weights[i] for i, each in found.items() if each not in ("same", "kind")]
    left = [alignment.weights[i] for i, each in found.items() if each not in ("same", "kind") and i not in named]
    outside = sum(w for i, w in enumerate(alignment.weights) if i not in named) or 1.0
    return {
        **{f"kin_{name}": share for name, share in shares.items()},
        "kin_cover": min(1.0, covered + shares["same"] + shares["kind"]),
        "kin_absent": max(unmet, default=0.0) / 7.5,
        "kin_words_absent": min(len(unmet), 5) / 5,
        "kin_has_opposite": float(shares["opposite"] > 0),
        "kin_has_other": float(shares["other"] > 0),
        "kin_has_wider": float(shares["wider"] > 0),
        "kin_all": float(not unmet),
        "told_absent": max(left, default=0.0) / 7.5,
        "told_words_absent": min(len(left), 5) / 5,
        "told_cover": 1 - sum(left) / outside,
        "told_all": float(not left),
    }


def standing_for(alignment: Alignment, row: Sequence[float], best: Statement) -> dict[int, Kin]:
    """Return the kin of each word of the claim, by its place, that the sentence does not have."""
    wanted = {t.stem for t in alignment.words}
    free = [t.text for t in best.content if t.stem not in wanted and t.text.isalpha()]
    found: dict[int, Kin] = {}
    for i, (token, met) in enumerate(zip(alignment.words, row, strict=True)):
        if met < MET and token.stem not in lexicon.STOP:
            alike = {relation(token.text, other) for other in free} if token.text.isalpha() else set()
            found[i] = next((each for each in ORDER if each in alike), "none")
    return found


def subject(alignment: Alignment, row: Sequence[float], best: Statement) -> range:
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
def relation(mine: str, theirs: str) -> Kin:
    """Return what a word of a sentence is to a word of the claim."""
    if wordnet.synonyms(mine, theirs) or wordnet.derived(mine, theirs):
        return "same"
    if wordnet.antonyms(mine, theirs):
        return "opposite"
    if wordnet.broader(theirs, mine):
        return "kind"
    if wordnet.broader(mine, theirs):
        return "wider"
    return "other" if wordnet.siblings(mine, theirs) else "none"
