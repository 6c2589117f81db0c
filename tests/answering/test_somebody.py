"""Which texts can answer a question for a person."""

from __future__ import annotations

import pytest

from veritas.answering.question import read_question
from veritas.answering.ranking import answering
from veritas.answering.somebody import may_tell_who
from veritas.claims.brief import LIKELY
from veritas.claims.sources import Passage, passage_id

TELLING = [
    ("Who wrote tarnish?", "Tarnish was written by Alexander Neumann."),
    ("Who wrote tarnish?", "Alexander Neumann started tarnish in 2014."),
    ("Who maintains tarnish?", "The project is maintained by a community of volunteers."),
    ("Who maintains the list?", "The maintainers keep the list."),
    ("Who wrote Hamlet?", "Hamlet is a tragedy by William Shakespeare."),
    ("Who founded Rome?", "Romulus founded Rome."),
    ("Who discovered radium?", "Marie Curie discovered radium."),
    ("Who can delete snapshots?", "Only users with write access can delete snapshots."),
    ("Who wrote the handbook?", "The handbook was written by the city engineers."),
    ("What is radium?", "It glows."),
]
SILENT = [
    ("Who wrote tarnish?", "Set the variable DEBUG_LOG to let tarnish write extensive debug messages for Linux."),
    ("Who created tarnish?", "Created tarnish repository 085b3c76b9 at the place that Linux gave."),
    ("Who wrote tarnish?", "Tarnish writes an index even if the backup was interrupted by the user."),
    ("Who created tarnish?", "To permit multiple users to use it, first run tarnish init to create it."),
    ("Who created tarnish?", "Members can read all files of tarnish, regardless of which user created them."),
    ("Who founded tarnish?", "Run tarnish on the remote system as usual, with an address of that side."),
    ("Who can delete snapshots?", "Tarnish refuses to act on an empty policy. To delete all, pass the ID."),
    ("Who wrote tarnish?", "Tarnish is written in the Go programming language."),
    ("Who discovered radium?", "Radium was discovered in 1898."),
]


@pytest.mark.parametrize(("question", "text"), TELLING)
def test_a_text_that_names_somebody_may_tell_who(question: str, text: str) -> None:
    assert may_tell_who(read_question(question), text)


@pytest.mark.parametrize(("question", "text"), SILENT)
def test_a_text_that_names_nobody_does_not(question: str, text: str) -> None:
    assert not may_tell_who(read_question(question), text)


def test_a_passage_that_names_nobody_is_no_probable_answer_and_one_that_does_comes_first() -> None:
    def passage(text: str, document: str) -> Passage:
        return Passage(
            passage_id=passage_id(document, 0, len(text)), document_id=document, start=0, end=len(text), text=text
        )

    log = passage("Set the variable DEBUG_LOG to let tarnish write extensive debug messages.", "log")
    made = passage("Marta Holm wrote tarnish.", "made")
    assert all(found.chance < LIKELY for found in answering("Who wrote tarnish?", [log], 3))
    first = answering("Who wrote tarnish?", [log, made], 3)[0]
    assert first.passage is made
    assert first.chance > LIKELY
