"""A floor under the comparison of two sentences, on pairs whose relation their author gave."""

import random
from functools import lru_cache
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.meaning_pairs.pairs import ALTERED, OPEN, PARAPHRASE, Pair, read
from veritas.meaning.compare import compare, compare_passage
from veritas.meaning.relation import Comparison, Relation, Setting

SAMPLE = 400
ENTAILED = 0.15
"""Least share of the paraphrases that the comparison is sure of."""


@lru_cache
def compared() -> list[tuple[Pair, Comparison]]:
    pairs = read(OPEN)
    random.Random(5).shuffle(pairs)
    return [(p, compare_passage(p.source, p.claim, setting=Setting("a", p.subject))) for p in pairs[:SAMPLE]]


def found(labels: tuple[str, ...]) -> list[Comparison]:
    return [comparison for pair, comparison in compared() if pair.label in labels]


def test_an_altered_claim_is_hardly_ever_entailed() -> None:
    altered = found(ALTERED)
    assert sum(f.entailed for f in altered) <= 0.01 * len(altered)


def test_paraphrases_are_entailed_as_often_as_when_measured() -> None:
    paraphrases = found(PARAPHRASE)
    assert sum(f.entailed for f in paraphrases) >= ENTAILED * len(paraphrases)


def test_a_paraphrase_hardly_ever_has_a_decisive_difference() -> None:
    paraphrases = found(PARAPHRASE)
    assert sum(f.decisive is not None for f in paraphrases) <= 0.03 * len(paraphrases)


def test_what_can_both_be_true_does_not_exclude_each_other() -> None:
    for pair, comparison in compared():
        if pair.label in PARAPHRASE or (pair.label == "compatible" and not pair.two_documents):
            assert comparison.relation != "excludes", (pair.source, pair.claim)


def test_a_comparison_is_the_same_each_time() -> None:
    for pair, comparison in compared()[:40]:
        assert compare_passage(pair.source, pair.claim, setting=Setting("a", pair.subject)) == comparison


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_compared(first: str, second: str) -> None:
    assert compare(first, second).relation in get_args(Relation)
    assert compare_passage(first, second).relation in get_args(Relation)


@settings(max_examples=30, deadline=None)
@given(st.data())
def test_any_words_of_sentences_are_compared(data: st.DataObject) -> None:
    words = sorted({word for pair, _ in compared() for word in (*pair.source.split(), *pair.claim.split())})
    texts = st.lists(st.sampled_from(words), max_size=12).map(" ".join)
    assert compare_passage(data.draw(texts), data.draw(texts)).relation in get_args(Relation)
