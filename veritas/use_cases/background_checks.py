"""Checks of work that is to begin in the background: what cannot be done is told before it waits."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from veritas.use_cases.given import refuse_unread
from veritas.use_cases.runs import make_request


def check_replay(changes: Mapping[str, Any]) -> None:
    """Raise `InputError` for changed settings of a replay that no run could have."""
    make_request(question="What is asked?", **{name: each for name, each in changes.items() if name != "question"})


def check_work(work: str, settings: Mapping[str, Any], home: Path) -> None:
    """Raise `InputError` for work that cannot be done whatever its documents say: a council, a corpus of claims, a
    structure, a mode, a run or a package that there is none of, a file
    of a kind that is not read."""
    from veritas.council.select_council import council_file
    from veritas.reading.packages import check_installed

    given = {**settings, **(settings.get("changes") or {})}
    if given.get("council") is not None:
        council_file(given["council"])
    for name in (*given.get("corpus", ()), *given.get("paths", ())) if work != "review" else ():
        check_installed(name)
    for name in given.get("corpus", ()) if work != "review" else ():
        refuse_unread(name)
    if work == "paper" and given.get("asked") is not None:
        refuse_unread(given["asked"])
    if work == "review":
        _check_review(given, home)
    elif work == "paper" and given.get("mode") is not None:
        from veritas.papers.extraction.modes import load_mode

        load_mode(given["mode"])
    elif work == "corpus" and given.get("run") is not None:
        from veritas.store import find_run

        find_run(home, given["run"])


def _check_review(given: Mapping[str, Any], home: Path) -> None:
    from veritas.reviews.claim_corpus import Corpus
    from veritas.reviews.review_request import ReviewRequest, checked
    from veritas.reviews.writing.retrieve_claims import read_structure

    if given.get("structure") is not None:
        read_structure(given["structure"])
    if given.get("corpus") is not None:
        Corpus.open(str(given["corpus"]), home_folder=home)
        checked(ReviewRequest(topic=given["topic"], corpus=given["corpus"]))
