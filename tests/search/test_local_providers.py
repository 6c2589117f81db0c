"""The local providers: what they find, in which order, and what they leave alone."""

from __future__ import annotations

import asyncio
import math
import random
from datetime import date
from pathlib import Path

import pytest
import veritas_judge
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.documents.document import Document, document_id
from veritas.search import ranking
from veritas.search.encoder import Encoder
from veritas.search.local import LocalIndex
from veritas.search.local.segment import GivenDocuments, segment_of
from veritas.search.postings import Lexical
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


WORDS_ALONE = ["words and meaning", "words alone"]


@pytest.fixture(params=WORDS_ALONE)
def alone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether no encoder is installed."""
    if request.param == "words alone":
        monkeypatch.setattr(ranking, "encoder", lambda: None)
    return bool(request.param == "words alone")


@pytest.fixture
def index(alone: bool) -> LocalIndex:
    return LocalIndex(CORPUS)


async def test_meaning_finds_what_words_do_not() -> None:
    assert (await urls(LocalIndex(CORPUS), "flowers"))[0] in ("garden", "deep")


async def test_what_the_encoder_read_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "passages.vectors"

    async def ask(read: list[str]) -> list[str]:
        reader = Encoder(Path(veritas_judge.__file__).parent)
        vector = reader._vector
        monkeypatch.setattr(reader, "_vector", lambda text: read.append(text) or vector(text))
        monkeypatch.setattr(ranking, "encoder", lambda: reader)
        return await urls(LocalIndex(segments=[segment_of(GivenDocuments(CORPUS))], vectors=kept), "term frequency")

    first, second = list[str](), list[str]()
    assert await ask(first) == await ask(second)
    assert len(first) > len(second) == 1  # the question
    other = Encoder(Path(veritas_judge.__file__).parent)
    other.fingerprint = "other weights"
    read = list[str]()
    monkeypatch.setattr(other, "_vector", lambda text: read.append(text) or Encoder._vector(other, text))
    other.vectors(["a text"], kept)
    other.vectors(first[:1], kept)
    assert len(read) == 2, "what other weights said is not taken"
    kept.write_bytes(kept.read_bytes()[:-5])  # torn by a full disk
    third = list[str]()
    assert await ask(third) == await ask([])
    assert third == ["term frequency"], "the whole rows are read all the same"


async def test_since_leaves_out_the_older_and_the_undated(index: LocalIndex) -> None:
    found = await urls(index, "BM25 ranks documents cache answers", since=date(2021, 1, 1))
    assert found == ["cache"]


async def test_the_order_of_the_corpus_changes_nothing_and_ties_go_by_url(alone: bool) -> None:
    twins = [document(key, "Twin", f"The cache is warm. {'x' * i}") for i, key in enumerate("dbca", 1)]
    twins = [twin.model_copy(update={"text": "The cache is warm."}) for twin in twins]
    documents = [*CORPUS, *twins]
    expected = await urls(LocalIndex(documents), "warm cache twin")
    assert expected[:4] == ["a", "b", "c", "d"]
    for seed in range(3):
        random.Random(seed).shuffle(documents)
        assert await urls(LocalIndex(documents), "warm cache twin") == expected


async def test_a_url_occurs_once_even_if_many_documents_share_it(alone: bool) -> None:
    shared = [document("same", "Cache", f"The cache number {i} is warm.") for i in range(100)]
    provider = LocalIndex([*shared, *CORPUS])
    found = await urls(provider, "cache")
    assert found.count("same") == 1
    assert "cache" in found


@pytest.mark.parametrize("documents", [[], [document("empty", "", "")]])
async def test_empty_corpora_have_no_hits(alone: bool, documents: list[Document]) -> None:
    provider = LocalIndex(documents)
    assert await provider.search("anything", limit=5) == []


async def test_an_index_is_built_once_however_many_ask_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import veritas.search.local.index as module

    built = []
    original = module.segment_of
    monkeypatch.setattr(module, "segment_of", lambda documents: built.append(1) or original(documents))
    index = LocalIndex(CORPUS)
    await asyncio.gather(*(index.search("cache", limit=3) for _ in range(3)))
    assert built == [1]


async def test_hostile_text_is_indexed_as_text() -> None:
    odd = [document("odd", "\ud800 \u202e", "cache \ud83d \x00 " + "\u0301" * 500 + "日本語のキャッシュ" * 20),
           document("long", "W", "w" * 100_000 + " cache")]  # fmt: skip
    assert await LocalIndex(odd).search("日本語", limit=3) is not None


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
    assert asyncio.run(several.search(query, limit=10)) == asyncio.run(one.search(query, limit=10))


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
