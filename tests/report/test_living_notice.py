"""Notices of a living question: what changed first, each thing once, nothing that only tells two texts apart."""

from __future__ import annotations

from typing import Any

from veritas.report.living_notice import headline, notice

CHANGED = "corpus://pump/p7.md has another text"
WHY = (CHANGED, "was: read, tier 1, text 6cff6748e81c", "is: read, tier 1, text 21e3fc8a2d85")


def change(kind: str, what: str, before: str = "", after: str = "", why: tuple[str, ...] = WHY) -> dict[str, Any]:
    return {"kind": kind, "what": what, "before": before, "after": after, "why": why}


def gone(what: str, **more: Any) -> dict[str, Any]:
    return change("answer", what, "in the answer", "not in the answer", **more)


def new(what: str, **more: Any) -> dict[str, Any]:
    return change("answer", what, "not in the answer", "in the answer", **more)


def told(*changes: dict[str, Any]) -> list[str]:
    return notice({"changes": changes})


def test_a_figure_that_changed_is_told_before_its_cause_and_without_hashes() -> None:
    source = change("source", WHY[0], "read, text 6cff6748e81c", "read, text 21e3fc8a2d85", WHY[:1])
    (line,) = told(source, gone("It moves 40 litres per minute."), new("It moves 55 litres per minute."))
    assert line == "The answer says 55 litres per minute; it said 40. Its source p7.md was changed."


def test_sentences_that_differ_in_more_are_quoted_and_many_are_counted() -> None:
    (line,) = told(gone("It is blue."), new("The pump was painted over in a dark green last year."))
    assert line.startswith("The answer says “The pump was painted over in a dark green last year.” It said “It is bl")
    (line,) = told(*(new(f"The seal number {n} lasts as long as its {'x' * n} ring does.") for n in range(1, 6)))
    assert "and 2 more." in line
    assert line.count("Its source p7.md was changed.") == 1


def test_each_cause_has_its_changes_and_a_verdict_on_a_quoted_sentence_is_not_told_twice() -> None:
    lines = told(
        new("It is red."), change("verdict", "It is red.", "not there", "cited"),
        change("standing", "On pumps", "current", "retracted", ("the registries say so of doi:10.1/x",)),
    )  # fmt: skip
    assert lines == [
        "The answer says, as it did not before: “It is red.” Its source p7.md was changed.",
        "“On pumps” is retracted now; it was current. The registries say so of doi:10.1/x.",
    ]
    assert headline({"changes": [change("standing", "On pumps", "current", "retracted", ("so",))]}) == (
        "“On pumps” is retracted now; it was current."
    )


def test_a_status_that_changed_is_told_in_words() -> None:
    status = change("answer", "the answer's status", "answered", "insufficient_evidence", ("no search answered",))
    (line,) = told(status)
    assert line == "There is not enough evidence for an answer any more. No search answered."
