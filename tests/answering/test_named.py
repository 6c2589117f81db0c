"""What stands under the name that a question asks about."""

from __future__ import annotations

from pathlib import Path

import pytest

from veritas.answering.named import is_name, wanted
from veritas.answering.ranking import answering
from veritas.claims.brief import SURE
from veritas.claims.sources import Passage
from veritas.documents.passages import cut_passages
from veritas.use_cases.runs import read_documents


def read(folder: Path, **texts: str) -> list[Passage]:
    """Return the passages of files by their names, `page_md` for `page.md`."""
    for name, text in texts.items():
        (folder / name.replace("_", ".")).write_text(text, encoding="utf-8")
    return [each for document in read_documents([folder]).documents for each in cut_passages(document)]


OTHER = (
    "# Notes\n\n## Patience\n\nThe default store waits for other programs, and a wait may be of any length.\n\n"
    "## Limits of fetching\n\nWhat is fetched has a size, and pages say more on it.\n"
)
TOLD = [
    ("What is the default value of --lock-wait?", "page_md", "The default is 40s.", "Other programs are asked first.",
     "# Options\n\n### `--lock-wait` Duration\n\nHow long a lock is waited for. {}\n\n### --quiet\n\nTells nothing.\n"),
    ("What's the default of fetchSize?", "page_html", "It is 512 by default.", "It is read once.",
     "<html><body><h1>Settings</h1><h3>fetchSize (number)</h3><p>How many rows are read at once.</p><p>{}</p>"
     "<h3>pool</h3><p>Where connections are kept.</p></body></html>"),
    ("What is the limit for batch_rows?", "page_rst", "The maximum is 9000.", "Rows are sent in order.",
     "Settings\n========\n\nbatch_rows\n----------\n\nRows that are sent together. {}\n\npool\n----\n\nKept ones.\n"),
    ("What does --keep-going do?", "page_md", "Goes on with the next file when one cannot be read.", "See below.",
     "# Options\n\n### -k, --keep-going\n\n{}\n\n### --quiet\n\nTells nothing of what is done.\n"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "page", "told", "silent", "text"), TOLD)
def test_what_an_option_is_set_to_or_does_is_told_surely_under_its_name_and_only_if_it_is_told(
    question: str, page: str, told: str, silent: str, text: str, tmp_path: Path
) -> None:
    first = answering(question, read(tmp_path, other_md=OTHER, **{page: text.format(told)}), 3)[0]
    assert told in first.text
    assert first.chance >= SURE
    found = answering(question, read(tmp_path, other_md=OTHER, **{page: text.format(silent)}), 3)
    assert all(one.chance < SURE for one in found)


def test_the_default_of_another_option_is_not_that_of_the_one_in_the_question(tmp_path: Path) -> None:
    lock = "# Options\n\n### --lock\n\nTakes a lock. Unlike --lock-wait, whose default is 40s, it waits for none.\n"
    found = answering("What is the default of --lock?", read(tmp_path, other_md=OTHER, lock_md=lock), 3)
    assert all(one.chance < SURE for one in found)


@pytest.mark.parametrize(
    ("name", "heading", "same"),
    [
        ("--dry-run", "-n, --dry-run", True),
        ("--dry-run", "Dry run oddities", False),
        ("--dry-run", "--dry-run oddities", False),
        ("--wait", "--wait-long Duration", False),
        ("max_size", "`max_size` : int", True),
        ("close()", "close(force=False)", True),
        ("connection timeout", "Connection timeouts", True),
        ("timeout", "Connection timeout", False),
    ],
)
def test_a_heading_is_a_name_or_speaks_of_it(name: str, heading: str, same: bool) -> None:
    assert is_name(name, heading) is same


@pytest.mark.parametrize("question", ["How do I set --wait?", "What is a lock?", "Why does it wait by default?"])
def test_other_questions_ask_for_nothing_under_a_name(question: str) -> None:
    assert wanted(question) is None
