"""A plan is not what is so, and the default of one thing is not the default of another."""

from __future__ import annotations

import pytest

from veritas.meaning.beside import first_difference
from veritas.meaning.embedded import EmbeddedLens

ROOM = (
    "For example, if the backend uses 5 connections (the default for most backends), with a target pack size of "
    "64 MiB, you'll need a minimum of 384 MiB of space."
)
SAID = [
    ("The default pack size is 16 MiB.", "Tarn currently defaults to a 16 MiB pack size."),
    ("The default port is 8080.", "With the default port of 8080, open the page."),
    ("The default port is 8080.", "The port is 8080 by default."),
    ("The default port is 8080.", "The default host is localhost and the default port is 8080."),
    ("The default number of workers is 4.", "With the default number of 4 workers, a timeout of 30 s needs 2 GB."),
    ("Tarn supports Windows.", "Tarn supports Windows and plans to support BSD."),
    ("Tarn plans to support Windows.", "Tarn plans to support Windows."),
]
UNSAID = [
    ("The default pack size is 64 MiB.", ROOM),
    ("By default tarn uses a pack size of 64 MiB.", ROOM),
    ("By default the timeout is 30 seconds.", "With the default number of 4 workers, a timeout of 30 seconds is long."),
    ("The default port is 8080.", "For example, with the default host and a port of 8080, open the page."),
    ("Tarn supports Windows.", "Tarn plans to support Windows."),
    ("Tarn supports Windows.", "Tarn is expected to support Windows."),
]


@pytest.mark.parametrize(("claim", "passage"), SAID)
async def test_what_is_said_of_the_thing_itself_is_supported(claim: str, passage: str) -> None:
    assert (await EmbeddedLens().judge(claim, passage)).label == "supports"


@pytest.mark.parametrize(("claim", "passage"), UNSAID)
async def test_a_plan_and_the_default_of_another_thing_support_nothing(claim: str, passage: str) -> None:
    assert (await EmbeddedLens().judge(claim, passage)).label != "supports"


@pytest.mark.parametrize(("claim", "passage"), [*UNSAID[1:4], UNSAID[4]])
def test_every_check_of_a_sentence_is_told_so(claim: str, passage: str) -> None:
    assert first_difference(passage, claim) is not None


@pytest.mark.parametrize(("claim", "passage"), SAID)
def test_and_of_what_is_said_it_is_told_nothing(claim: str, passage: str) -> None:
    assert first_difference(passage, claim) is None
