"""The corpus of two papers, read once a session and copied into the home of each test that reviews it."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from tests.reviews.papers import library
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted


@pytest.fixture(scope="session")
def drying(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of the corpus `drying`."""
    folder = tmp_path_factory.mktemp("drying")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(folder / "home"))
        asyncio.run(add_wanted(Wanted(name="drying", paths=(library(folder / "papers"),))))
    return folder / "home" / "corpora" / "drying.duckdb"


@pytest.fixture
def corpus(own_home: Path, drying: Path) -> Corpus:
    """A copy of it in the test's own home."""
    (own_home / "corpora").mkdir(parents=True)
    shutil.copy(drying, own_home / "corpora")
    return Corpus.open("drying")
