"""The subject of a question has to stand in a passage or above it."""

from __future__ import annotations

import pytest

from veritas.answering.question import read_question
from veritas.answering.ranking import answering
from veritas.answering.subject import names_both, sides_of, subject_of
from veritas.claims.brief import CLOSE
from veritas.claims.sources import Passage, passage_id


@pytest.mark.parametrize(
    ("question", "subject"),
    [
        ("Does crypt keep hashes?", "crypt"),
        ("Has the cache ever failed?", "cache"),
        ("Why was the migration made by hand?", "migration"),
        ("How do I keep hashes?", None),
        ("Does the program keep hashes?", None),
        ("Does Tarn keep hashes?", None),
        ("Who was responsible for the cache?", None),
        ("What is the newest version of the cache?", None),
    ],
)
def test_the_subject_of_a_question_is_its_plain_noun(question: str, subject: str | None) -> None:
    found = subject_of(read_question(question))
    assert (found.word if found is not None else None) == subject


def passage(text: str, title: str, heading: str = "") -> Passage:
    """Return a passage that is a document of its own."""
    return Passage(
        passage_id=passage_id(title, 0, len(text)), document_id=title, start=0, end=len(text), text=text, title=title,
        heading=heading,
    )  # fmt: skip


OTHERS = [passage(f"The part {n} of the manual is about paint.", f"Part {n}") for n in range(3)]
HASHES = "Hashes are kept by each backend, and they are kept for each file."


def test_a_passage_without_the_subject_is_no_probable_answer_and_one_below_its_title_is() -> None:
    aside = passage(HASHES, "Backends")
    told = passage(HASHES, "Crypt")
    question = "Does crypt keep hashes for each file?"
    assert all(one.chance < CLOSE for one in answering(question, [aside, *OTHERS], 3))
    first = answering(question, [told, *OTHERS], 3)[0]
    assert first.passage is told
    assert first.chance > CLOSE


def test_what_most_passages_speak_of_need_not_stand_in_each() -> None:
    about = [passage(f"The crypt of part {n} is about paint.", f"Part {n}") for n in range(3)]
    found = answering("Does crypt keep hashes for each file?", [passage(HASHES, "Backends"), *about], 3)
    assert found[0].chance > CLOSE


@pytest.mark.parametrize(
    ("question", "text", "both"),
    [
        ("What is the difference between a valve and a tap?", "A tap is a valve that a hand turns.", True),
        ("What is the difference between a valve and a tap?", "Valves are made of brass.", False),
        ("How do valves differ from taps?", "Unlike taps, valves close by themselves.", True),
        ("`valve_open` vs `valve_close`", "Call valve_open first.", False),
        ("`valve_open` vs `valve_close`", "Call valve_open first, then valve_close.", True),
    ],
)
def test_what_tells_two_things_apart_names_both(question: str, text: str, both: bool) -> None:
    sides = sides_of(read_question(question))
    assert sides is not None
    assert names_both(sides, text) is both


@pytest.mark.parametrize("question", ["What is a valve?", "What is the difference?", "Which valves and taps leak?"])
def test_other_questions_have_no_sides(question: str) -> None:
    assert sides_of(read_question(question)) is None
