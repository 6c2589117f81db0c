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
    ("Who may open the vault?", "Anyone with a token can open the vault."),
    ("Who can read the journal?", "The journal is readable by the operators of the cluster."),
    ("Whose stamp is on the seal?", "The seal bears the stamp of Marta Holm."),
    ("Who is the author of tarnish?", "Its author, Marta Holm, lives by the sea."),
    ("Who is the author of tarnish?", "Tarnish was created by Google in 2014."),
    ("Who wrote the lives?", "Marta Holm wrote the chapters with her son."),
    ("Which company sells tarnish?", "Licences are sold by Holm Brothers."),
    ("By whom was the cache contributed?", "The cache was contributed by Marta Holm."),
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
    ("Who may open the vault?", "At level INFO the vault logs the names that it opens. Env Var: VAULT_SHOW"),
    ("Who can read the journal?", "Users see a counter. The journal is kept as plain JSON by default."),
    ("Whose stamp is on the seal?", "The seal is stamped with a public PGP/GPG key over HTTPS."),
    ("Who is the author of tarnish?", "Third-party developers create backup software with the API of tarnish."),
    ("Who is the author of tarnish?", "Tarnish is mature software inspired by rsync. It runs on Linux and FreeBSD."),
    ("Who maintains tarnish?", "This can point to the file maintained by OpenSSH, which tarnish reads."),
    ("Which company sells tarnish?", "Tarnish runs on Windows, Linux and FreeBSD."),
    ("By whom was the cache contributed?", "In TarnCache mode, the cache starts a TarnCache VPN proxy."),
]


@pytest.mark.parametrize(("question", "text"), TELLING)
def test_a_text_that_names_somebody_may_tell_who(question: str, text: str) -> None:
    assert may_tell_who(read_question(question), text)


@pytest.mark.parametrize(("question", "text"), SILENT)
def test_a_text_that_names_nobody_does_not(question: str, text: str) -> None:
    assert not may_tell_who(read_question(question), text)


def test_the_heading_of_a_list_of_authors_tells_what_its_names_are() -> None:
    asked = read_question("Who is the author of tarnish?")
    assert may_tell_who(asked, "- Marta Holm", "Authors")
    assert not may_tell_who(asked, "- Marta Holm", "Thanks")


def test_a_word_that_stands_in_small_letters_too_is_nobodys_name() -> None:
    asked = read_question("Who signs the releases?")
    text = "Tarnix signs each archive."
    assert not may_tell_who(asked, text, whole=f"{text} Run tarnix verify.")
    assert may_tell_who(asked, text, whole=f"{text} She lives by the sea.")


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
