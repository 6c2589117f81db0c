"""What a reviewer may raise about a paper: a concern or a lack, with its words and places, and the decisions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from pydantic import Field, field_validator

from veritas.documents.paper_parts import Place
from veritas.frozen import Frozen, content_id

ConcernKind = Literal["arithmetic", "flaw", "reference", "link", "outcome", "checklist"]
KINDS: tuple[ConcernKind, ...] = ("arithmetic", "flaw", "reference", "link", "outcome", "checklist")
Verdict = Literal["accept", "dismiss", "withdraw"]
MAX_NAME, MAX_REASON = 200, 4_000
"""Limits of name and reason, in characters."""


class Quoted(Frozen):
    """Words of the paper: `text` stands verbatim at `place`."""

    text: str
    place: Place


class Concern(Frozen):
    """A concern. `says` states it in whole sentences; `calculation` shows how a number was recomputed, `right_if` what
    would have to be true for the paper to be right; `looked_in` are the parts that were searched for what is missing.

    A `specific` one says that something is wrong, and is a concern of the desk. One that is not says that something was
    not found: it is no point against the paper, and only a person can make one of it (`Desk.not_found`). The id depends
    on kind, subject and quotes alone, so that a decision holds when the desk is made again.
    """

    id: str
    kind: ConcernKind
    specific: bool
    subject: str
    says: str
    quotes: tuple[Quoted, ...] = ()
    calculation: str = ""
    allowed: str = ""
    right_if: str = ""
    looked_in: tuple[str, ...] = ()
    near: tuple[Quoted, ...] = ()
    """Sentences with words on what was not found. Who raises it says that none of them tells it."""


def concern(
    kind: ConcernKind, subject: str, says: str, *, specific: bool, quotes: Iterable[Quoted] = (), calculation: str = "",
    allowed: str = "", right_if: str = "", looked_in: tuple[str, ...] = (),
    near: Iterable[Quoted] = (),
) -> Concern:  # fmt: skip
    """Return a concern with the id that its content gives it."""
    words = tuple(quotes)
    return Concern(
        id=content_id("k", kind, subject, [(each.text, each.place.start) for each in words]), kind=kind,
        specific=specific, subject=subject, says=says, quotes=words, calculation=calculation, allowed=allowed,
        right_if=right_if, looked_in=looked_in, near=tuple(near),
    )  # fmt: skip


class DeskDecision(Frozen):
    """A person's decision on a concern: it is raised with the authors (`accept`), or not (`dismiss`); `withdraw` takes
    back the one before. It is not signed: it lets nothing into any answer."""

    concern: str
    number: int = Field(ge=1)
    verdict: Verdict
    name: str = Field(min_length=1, max_length=MAX_NAME)
    reason: str = Field(min_length=1, max_length=MAX_REASON)
    at: datetime = Field(default_factory=lambda: datetime.now(UTC))

    @field_validator("name", "reason")
    @classmethod
    def _said(cls, given: str) -> str:
        if not given.strip():
            raise ValueError("it is empty")
        return given.strip()
