"""The local providers: what they find, in which order, and what they leave alone."""

from __future__ import annotations

import asyncio
import math
import random
from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.documents.document import Document, document_id
from veritas.search.local import LocalIndex, local_providers
from veritas.search.local.bm25 import STRIDE, WINDOW, Lexical, windows
from veritas.search.local.segment import segment_of
from veritas.search.provider import SearchProvider


def document(key: str, title: str, text: str, published: date | None = None, note: str | None = None) -> Document:
    return Document(document_id=document_id(text), url=f"corpus://t/{key}", title=title, text=text,
                    fetched_at=date(2026, 1, 1), published_at=published, note=note)  # fmt: skip


FILLER = "The garden has roses and tulips, and every spring the gardener counts the blossoms on each stem. " * 30
CORPUS = [
    document("bm25", "Ranking with BM25", "BM25 ranks documents by term frequency and length. It needs no training.",
             date(2020, 5, 1)),
    document("cache", "Caching answers", "The cache keeps answers for ten minutes. PostgreSQL stores them.",
             date(2022, 5, 1)),
    document("deep", "A long page", FILLER + "BM25 saturates the term frequency of a repeated word. " + FILLER),
    document("title", "Term frequency saturation", "Nothing here repeats what the heading promised to explain."),
    document("garden", "Gardens", FILLER),
]  # fmt: skip


async def urls(provider: SearchProvider, query: str, **options: object) -> list[str]:
    return [hit.url.rsplit("/", 1)[1] for hit in await provider.search(query, limit=10, **options)]  # type: ignore[arg-type]


PROVIDERS = ["passages", "titles", "ngrams"]


@pytest.fixture(scope="module")
def index() -> LocalIndex:
    return LocalIndex(CORPUS)


@pytest.mark.parametrize("name", PROVIDERS)
async def test_each_provider_finds_what_is_there_and_nothing_for_what_is_not(index: LocalIndex, name: str) -> None:
    provider = getattr(index, name)
    assert isinstance(provider, SearchProvider)
    assert (await urls(provider, "How does the cache keep answers?"))[0] == "cache"
    assert await urls(provider, "zyxomma quxfrob") == []


async def test_the_three_rank_differently(index: LocalIndex) -> None:
    orders = {tuple(await urls(provider, "term frequency saturation BM25")) for provider in index.providers}
    assert len(orders) == 3


async def test_a_passage_deep_in_a_long_page_is_found_by_passages_and_not_by_titles(index: LocalIndex) -> None:
    assert (await urls(index.passages, "saturates repeated word"))[0] == "deep"
    assert "deep" not in await urls(index.titles, "saturates repeated word")
    hit = (await index.passages.search("saturates repeated word", limit=1))[0]
    assert "saturates" in hit.snippet


@pytest.mark.parametrize("query", ["postgres", "Postgre SQL", "postgresq1", "chaching of anwsers"])
async def test_ngrams_forgive_spelling(index: LocalIndex, query: str) -> None:
    assert (await urls(index.ngrams, query))[0] == "cache"


@pytest.mark.parametrize("name", PROVIDERS)
async def test_since_leaves_out_the_older_and_the_undated(index: LocalIndex, name: str) -> None:
    found = await urls(getattr(index, name), "BM25 ranks documents cache answers", since=date(2021, 1, 1))
    assert found == ["cache"]


@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_order_of_the_corpus_changes_nothing_and_ties_go_by_url(name: str) -> None:
    twins = [document(key, "Twin", f"The cache is warm. {'x' * i}") for i, key in enumerate("dbca", 1)]
    twins = [twin.model_copy(update={"text": "The cache is warm."}) for twin in twins]
    documents = [*CORPUS, *twins]
    expected = await urls(getattr(LocalIndex(documents), name), "warm cache twin")
    assert expected[:4] == ["a", "b", "c", "d"]
    for seed in range(3):
        random.Random(seed).shuffle(documents)
        assert await urls(getattr(LocalIndex(documents), name), "warm cache twin") == expected


@pytest.mark.parametrize("name", PROVIDERS)
async def test_a_url_occurs_once_even_if_many_documents_share_it(name: str) -> None:
    shared = [document("same", "Cache", f"The cache number {i} is warm.") for i in range(100)]
    provider = getattr(LocalIndex([*shared, *CORPUS]), name)
    found = await urls(provider, "cache")
    assert found.count("same") == 1
    assert "cache" in found


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("documents", [[], [document("empty", "", "")], [document("stop", "The", "of the and")]])
async def test_empty_corpora_have_no_hits(name: str, documents: list[Document]) -> None:
    provider = getattr(LocalIndex(documents), name)
    assert await provider.search("anything", limit=5) == []


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("query", ["", "   ", "the of and", "?!", "\x00", "\ud800"])
async def test_a_query_without_words_has_no_hits(index: LocalIndex, name: str, query: str) -> None:
    assert await getattr(index, name).search(query, limit=5) == []


@pytest.mark.parametrize("name", PROVIDERS)
async def test_no_more_than_limit_and_none_for_zero(index: LocalIndex, name: str) -> None:
    provider = getattr(index, name)
    assert len(await provider.search("garden roses BM25 cache", limit=2)) == 2
    assert await provider.search("garden", limit=0) == []


@pytest.mark.parametrize("name", PROVIDERS)
async def test_the_owners_note_is_not_searched(name: str) -> None:
    provider = getattr(LocalIndex([document("n", "A", "Plain words.", note="quixotic planted"), *CORPUS]), name)
    assert "n" not in await urls(provider, "quixotic")


async def test_an_index_is_built_once_however_many_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import veritas.search.local._corpus_index as module

    built = []
    original = module.segment_of
    monkeypatch.setattr(module, "segment_of", lambda documents: built.append(1) or original(documents))
    index = LocalIndex(CORPUS)
    await asyncio.gather(*(provider.search("cache", limit=3) for provider in index.providers for _ in range(3)))
    assert built == [1]


async def test_hostile_text_is_indexed_as_text() -> None:
    odd = [document("odd", "\ud800 \u202e", "cache \ud83d \x00 " + "\u0301" * 500 + "日本語のキャッシュ" * 20),
           document("long", "W", "w" * 100_000 + " cache")]  # fmt: skip
    for provider in local_providers(odd):
        assert await provider.search("日本語", limit=3) is not None
    assert "odd" in await urls(LocalIndex(odd).ngrams, "日本語のキャッシュ")


@given(st.text(alphabet="ab \n", max_size=4 * WINDOW) | st.integers(0, 5).map(lambda n: "word " * n * 400))
@settings(max_examples=60, deadline=None)
def test_windows_cover_the_text_and_overlap(text: str) -> None:
    found = windows(text)
    assert found[0][0] == 0
    assert found[-1][1] == len(text)
    for (a, b), (c, d) in pairwise(found):
        assert a < c <= b < d
        assert b - a <= WINDOW
        assert c - a <= STRIDE + 100


async def test_a_snippet_is_the_documents_own_words(index: LocalIndex) -> None:
    for provider in index.providers:
        for hit in await provider.search("BM25 term frequency", limit=5):
            text = next(d.text for d in CORPUS if d.url == hit.url)
            assert hit.snippet in " ".join(text.split())
            assert len(hit.snippet) <= 280


WORDS = "cache warm valve pump garden rose turbine answer keeps frequency the of".split()


@given(st.data())
@settings(max_examples=25, deadline=None)
def test_the_hits_of_several_segments_are_those_of_one(data: st.DataObject) -> None:
    """Documents that do not count are in no statistic either."""
    import numpy as np

    texts = data.draw(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=30), min_size=2, max_size=12))
    held = [document(str(i), words[0], " ".join(words)) for i, words in enumerate(texts)]
    live = data.draw(st.lists(st.booleans(), min_size=len(held), max_size=len(held)))
    cut = data.draw(st.integers(1, len(held) - 1))
    parts = [
        segment_of(held[a:b]).of_live(np.array(live[a:b], dtype=bool)) for a, b in ((0, cut), (cut, len(held)))
    ]
    several = LocalIndex(segments=parts)
    one = LocalIndex(each for each, counts in zip(held, live, strict=True) if counts)
    query = " ".join(data.draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)))
    for a, b in zip(several.providers, one.providers, strict=True):
        assert asyncio.run(a.search(query, limit=10)) == asyncio.run(b.search(query, limit=10))


def test_the_scores_are_those_of_bm25() -> None:
    units = [["a", "b", "a"], ["b"], [], ["c", "a", "c", "c", "c"]]
    average = sum(map(len, units)) / 4

    def score(unit: list[str]) -> float:
        total = 0.0
        for term in ("a", "c"):
            held = sum(term in other for other in units)
            times = unit.count(term)
            norm = 1.2 * (1 - 0.75 + 0.75 * len(unit) / average)
            total += math.log(1 + (4 - held + 0.5) / (held + 0.5)) * times / (times + norm)
        return total

    assert Lexical(units).scores(["a", "c", "a", "z"]).tolist() == pytest.approx([score(unit) for unit in units])
    assert Lexical([]).scores(["a"]).tolist() == []
