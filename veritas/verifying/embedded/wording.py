"""Wording: whether a sentence keeps to the words of its passage, where no language model judges it.

The lenses say how far a passage covers a claim; what is put on to a covered sentence ("…, and zinc cures cancer") costs
little cover. Here every word that states something is accounted for, or the sentence is not.
"""

from __future__ import annotations

from veritas.verifying.embedded import lexicon
from veritas.verifying.embedded.evidence import Alignment, Passage, Statement

_TELLING = lexicon.CITING | frozenset({"author", "authors", "paper", "trial", "work", "article", "review", "it"})
"""Words that say who says it: a sentence may put them before what its passage says."""
_WIDE = lexicon.UNIVERSAL | lexicon.SUPERLATIVE
_NARROW = lexicon.HEDGE | lexicon.PARTIAL
SENTENCES = 2
"""Sentences of the passage that a sentence may be put together from."""


def unworded(claim: str, passage: str) -> str | None:
    """What the claim says in words that its passage does not have, or leaves away of those that bind it; None if it
    keeps to them. Numbers are held to elsewhere."""
    stated = Statement(claim)
    alignment = Alignment(stated, Passage(passage, stated))
    near = alignment.chain[:SENTENCES]
    if not near:
        return "the passage has no words"
    rows = [alignment.per_sentence[i] for i in near]
    for token, met in zip(alignment.words, zip(*rows, strict=True), strict=True):
        if not max(met) and not token.is_number and token.stem not in _TELLING:
            return f"the passage has no word for {token.text!r}"
    sentences = [alignment.passage.statements[i] for i in near]
    known = {word for s in sentences for t in s.tokens for word in (t.stem, t.lower)}
    for token in stated.tokens:
        wide = token.stem in _WIDE or token.lower in lexicon.NEGATION
        if wide and not {token.stem, token.lower} & known:
            return f"the passage does not say {token.text!r}"
    lost = _lost(stated, sentences[0])
    return f"the passage says {lost!r}, which it leaves away" if lost else None


def _lost(claim: Statement, sentence: Statement) -> str | None:
    """A word that narrows what follows it ("may", "some") and that a claim which says what follows does not have."""
    stems = set(claim.stems)
    for at, token in enumerate(sentence.tokens):
        if token.stem in _NARROW and token.stem not in stems:
            follows = next((t for t in sentence.tokens[at + 1 :] if t.stem not in lexicon.STOP), None)
            if follows is not None and follows.stem in stems:
                return token.text
    return None
