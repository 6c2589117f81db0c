"""The one ranking: which passages come first, and how surely the first one answers."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
import veritas_judge
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.claims.brief import ANSWERS
from veritas.claims.sources import Passage, passage_id
from veritas.search import ranking
from veritas.search.ranking import READ, best, chances, closeness, measured, rank


def passage(text: str, document: str, title: str = "", heading: str = "") -> Passage:
    place = passage_id(document, 0, len(text))
    return Passage(
        passage_id=place, document_id=document, start=0, end=max(1, len(text)), text=text, title=title, heading=heading
    )


CACHE = passage("The cache keeps answers for ten minutes.", "cache", "Tarn handbook")
LOCKS = passage("One process at a time may write a file, because a lock is held on it.", "locks", "Tarn handbook")
GARDEN = [passage(f"Bed number {at} has roses, tulips and a pond.", f"garden-{at:02}", "Flowers") for at in range(50)]
POOL = [*GARDEN[:25], CACHE, LOCKS, *GARDEN[25:]]


@pytest.fixture(params=["words and meaning", "words alone"])
def mechanism(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "words alone":
        monkeypatch.setattr(ranking, "encoder", lambda: None)
    return str(request.param)


@pytest.mark.usefixtures("mechanism")
def test_what_answers_comes_first_wherever_it_stands() -> None:
    dice = random.Random(3)
    for _ in range(3):
        pool = dice.sample(POOL, len(POOL))
        assert best("How long does the cache keep answers?", pool, 3)[0] is CACHE
        assert len(rank("How long does the cache keep answers?", pool)) <= READ


def test_other_words_for_the_same_are_found_by_meaning_among_what_is_read() -> None:
    assert best("How long are replies stored?", [*GARDEN[:20], CACHE, LOCKS], 1) == [CACHE]


@pytest.mark.usefixtures("mechanism")
def test_a_heading_counts_as_part_of_what_stands_below_it() -> None:
    below = passage("The default is 30.", "t", "Handbook", "Timeout of the client")
    other = passage("The default is 10.", "p", "Handbook", "Size of the pool")
    assert best("What is the default timeout of the client?", [other, below], 1) == [below]


def test_german_and_french_go_by_their_own_stems_and_by_words_alone() -> None:
    german = passage("Die Verbindungen werden nach zehn Minuten geschlossen.", "de")
    other = passage("Der Zwischenspeicher ist leer und wird nicht gefüllt.", "de2")
    (first, *_) = rank("Wann wird eine Verbindung geschlossen?", [other, german])
    assert (first.at, first.meaning) == (1, None)


def test_a_passage_that_stands_out_answers_and_one_among_its_like_does_not() -> None:
    ranked = rank("How long does the cache keep answers?", POOL)
    assert chances(ranked)[0] >= ANSWERS
    assert chances(rank("Which roses grow in bed number seven of the park in York?", POOL))[0] < ANSWERS
    assert chances(rank("What is the capital of France?", POOL))[0] < ANSWERS


def test_the_weights_of_the_encoder_are_those_of_its_card() -> None:
    folder = Path(veritas_judge.__file__).parent
    card = json.loads((folder / "card.json").read_text(encoding="utf-8"))
    assert hashlib.sha256((folder / "encoder.onnx").read_bytes()).hexdigest() == card["encoder"]
    assert ranking.mechanism().startswith(card["encoder"])


@given(st.text(max_size=200), st.lists(st.text(max_size=300), max_size=4))
@settings(max_examples=30, deadline=None)
def test_any_text_is_ranked_and_measured(question: str, texts: list[str]) -> None:
    passages = [passage(text, f"d{at}") for at, text in enumerate(texts)]
    assert {one.at for one in rank(question, passages)} <= set(range(len(passages)))
    assert [one.at for one in measured(question, passages)] == list(range(len(passages)))
    assert len(closeness(question, texts)) == len(texts)
