"""Two records under comparison, and the conflicts and notes found so far."""

from __future__ import annotations

from functools import cached_property

from veritas.citations._works import Link, LinkKind, differ_in_manifestation, link
from veritas.citations.verdict import Conflict, Value
from veritas.policy.triangulation_policy import TriangulationPolicy
from veritas.works.records import BibRecord


class Pair:
    """Two records (`one` is the primary), the tie that identifiers make between them, and the settings."""

    def __init__(self, one: BibRecord, other: BibRecord, policy: TriangulationPolicy) -> None:
        self.one = one
        self.other = other
        self.policy = policy

    @cached_property
    def tie(self) -> Link:
        """Tie that identifiers and stated relations make."""
        return link(self.one, self.other)

    @property
    def cited(self) -> bool:
        """True if one of them is a citation, to which the rules are stricter than to a source."""
        return self.one.is_citation or self.other.is_citation

    @property
    def records_of_one(self) -> bool:
        """True if two sources, neither of them a citation, have an identifier in common."""
        return not self.cited and self.tie.kind is LinkKind.IDENTIFIER

    @cached_property
    def manifestations(self) -> str | None:
        """Description of how they are of different manifestations of a work; None if they are not."""
        return differ_in_manifestation(self.one, self.other, self.policy)


class Said:
    """The conflicts and notes found so far."""

    def __init__(self) -> None:
        self.conflicts: list[Conflict] = []
        self.notes: list[str] = []

    def conflict(self, field: str, one: Value, other: Value) -> None:
        self.conflicts.append(Conflict(field=field, primary=one, secondary=other))

    def note(self, code: str, sentence: str) -> None:
        self.notes.append(f"{code}: {sentence}")
