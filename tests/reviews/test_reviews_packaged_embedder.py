"""The embedding model that comes inside its package: hybrid retrieval with no network and nothing downloaded."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.reviews.papers import library
from veritas import InputError
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.embedder import load_embedder
from veritas.reviews.embedders import PackagedEmbedder
from veritas.reviews.prepare_addition import Wanted, add_wanted

NAME = "wordllama:l2_supercat_256"


def test_another_model_than_the_packages_is_refused() -> None:
    with pytest.raises(InputError, match="l2_supercat_256"):
        PackagedEmbedder("gpt-9")


def test_claims_are_found_by_meaning_without_a_network(tmp_path: Path) -> None:
    pytest.importorskip("wordllama")
    asyncio.run(add_wanted(Wanted(name="drying", paths=(library(tmp_path / "papers"),), embedder=NAME)))
    corpus = Corpus.open("drying")
    assert corpus.embedding_model == NAME
    hits = asyncio.run(corpus.search("heat conduction by gases in lyophilizers", limit=5))
    assert any("dominated by gas conduction" in hit.claim.text for hit in hits[:2])
    assert all(hit.semantic is not None for hit in hits)
    assert load_embedder(NAME).model == NAME
    with pytest.raises(InputError, match="make another corpus"):
        Corpus.open("drying", embedder=load_embedder("litellm:openai/text-embedding-3-small"))
