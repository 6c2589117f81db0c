"""What stands under an identifier as its heading: found by that name, first, and surely."""

from __future__ import annotations

import asyncio
from datetime import date

import pytest

from veritas.answering.ranking import answering
from veritas.claims.brief import SURE
from veritas.documents.document import Document, document_id
from veritas.documents.passages import best_passages, cut_passages
from veritas.search.local import LocalIndex
from veritas.text.headed_names import headed_names, names_asked
from veritas.text.structure import TextBlock

TASTE = "Writing is a matter of taste, and every writer has a pen. "
FILLER = "The trial of the mode of writing is a matter of taste, and every writer has a mode. "


def page(title: str, sections: list[tuple[str, str]]) -> Document:
    """Return a page of headings with a text each."""
    text, blocks = "", []
    for heading, said in sections:
        blocks += [TextBlock("heading", len(text), len(text) + len(heading), 2)]
        text += f"{heading}\n\n"
        blocks += [TextBlock("prose", len(text), len(text) + len(said))]
        text += f"{said}\n\n"
    text = text.rstrip()
    url = f"corpus://manual/{title}"
    day = date(2026, 1, 1)
    return Document(
        document_id=document_id(text), url=url, title=title, text=text, fetched_at=day, blocks=tuple(blocks)
    )


MANUAL = page(
    "Manual",
    [("About", TASTE * 60), ("-t, --trial-mode", "Do everything but write."), ("--trial", TASTE * 40)],
)
ASIDE = page("Aside", [("Trial mode oddity", "The --trial-mode messages are an artifact of the --trial-mode flag.")])
PAGES = [MANUAL, ASIDE, *(page(f"Page {n}", [("Trial mode", f"The trial mode {n}. {FILLER}")]) for n in range(6))]
QUESTION = "What does --trial-mode do?"


@pytest.mark.parametrize(
    ("heading", "names"),
    [
        ("-t, --trial-mode", ["trial-mode"]),
        ("--wait=SECONDS", ["wait"]),
        ("--limit BwTimetable", ["limit"]),
        ("`fetchSize`", ["fetchsize"]),
        ("wait(timeout=3)", ["wait"]),
        ("Trial mode oddity", []),
        ("The --trial-mode messages in short", []),
        ("Introduction", []),
    ],
)
def test_a_heading_is_a_name_if_it_says_no_more(heading: str, names: list[str]) -> None:
    assert list(headed_names(heading)) == [f"heading={name}" for name in names]


def test_a_question_asks_for_the_identifiers_in_it() -> None:
    assert names_asked("Do fetchSize and wait() need --trial-mode or a trial?") == [
        "heading=fetchsize", "heading=wait", "heading=trial-mode",
    ]  # fmt: skip


def test_the_page_with_the_heading_is_found_first() -> None:
    hits = asyncio.run(LocalIndex(PAGES).passages.search(QUESTION, limit=3))
    assert hits[0].url == MANUAL.url
    plain = asyncio.run(LocalIndex(PAGES).passages.search("What does the trial mode do?", limit=3))
    assert plain[0].url != MANUAL.url


def test_the_passage_under_the_heading_is_among_the_best_of_its_page() -> None:
    assert "Do everything but write." in best_passages(MANUAL, QUESTION, 1)[0].text


def test_what_stands_under_the_heading_comes_before_an_aside_in_the_questions_words() -> None:
    passages = [passage for each in (MANUAL, ASIDE) for passage in cut_passages(each)]
    first = answering(QUESTION, passages, 3)[0]
    assert first.core == "Do everything but write."
    assert first.chance > SURE
