"""An audit's findings: how a paper, or what registries say of it, has drifted from its artifact."""

from __future__ import annotations

from enum import StrEnum

from veritas.frozen import Frozen


class Drift(StrEnum):
    """A kind of finding of an audit."""

    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    CONCERN = "expression_of_concern"
    CORRECTED = "corrected"
    OTHER_PAPER = "other_paper"
    MOVED = "moved"
    GONE = "gone"
    DEAD_LINK = "dead_link"
    AUTHORS = "authors"
    TITLE = "title"
    YEAR = "year"
    UNREADABLE = "unreadable"


SAID = {
    Drift.RETRACTED: "The paper was retracted.",
    Drift.WITHDRAWN: "The paper was withdrawn.",
    Drift.CONCERN: "An expression of concern was published.",
    Drift.CORRECTED: "A correction was published.",
    Drift.OTHER_PAPER: "The identifier now leads to another paper.",
    Drift.MOVED: "The identifier was replaced by another.",
    Drift.GONE: "No registry knows the identifier any more.",
    Drift.DEAD_LINK: "The DOI is registered nowhere.",
    Drift.AUTHORS: "The registries name other authors.",
    Drift.TITLE: "The registries give another title.",
    Drift.YEAR: "The registries give another year.",
    Drift.UNREADABLE: "The artifact cannot be read.",
}


class DriftFinding(Frozen):
    """A finding on one artifact."""

    drift: Drift
    message: str
    was: str | None = None
    now: str | None = None


class Audited(Frozen):
    """The audit of one artifact.

    `problems` names sources that did not answer: then the audit is not `complete`, and what was not asked is not known.
    `proposal` is a unified diff that brings the artifact up to date, where one can be made.
    """

    path: str
    title: str = ""
    findings: tuple[DriftFinding, ...] = ()
    problems: tuple[str, ...] = ()
    complete: bool = True
    proposal: str | None = None
    audited_at: str = ""


class AuditReport(Frozen):
    """The audit of a project."""

    root: str
    begun_at: str
    artifacts: tuple[Audited, ...]

    @property
    def failed(self) -> bool:
        """True if anything was found."""
        return any(each.findings for each in self.artifacts)

    @property
    def complete(self) -> bool:
        """True if every source that was needed answered."""
        return all(each.complete for each in self.artifacts)
