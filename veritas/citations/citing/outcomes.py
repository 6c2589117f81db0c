"""Outcomes of asking for a citation: a `Citation` that rests on an artifact on disk, or a reasoned refusal.

Default-deny, by type: no refusal has a citation in it, and only `citation_of` makes a `Citation`, from a file that
passed the check (section 7.1).
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, final

from veritas.citations.artifacts import Artifact, read_artifact
from veritas.citations.checking.artifact import check_artifact
from veritas.citations.checking.findings import WARNINGS
from veritas.citations.record_exports import of_artifact
from veritas.citations.verdict import Conflict
from veritas.errors import InputError, InvariantBroken
from veritas.frozen import Frozen

_ONLY_HERE = object()


@final
class Citation:
    """A citation and the artifact it rests on. Only `citation_of` makes one.

    `text` is the plain citation, `bibtex` its entry; both are read from the artifact's file.
    """

    __slots__ = ("artifact", "path")

    def __init__(self, token: object, path: Path, artifact: Artifact) -> None:
        if token is not _ONLY_HERE:
            raise TypeError("a Citation is made of an artifact on disk, by citation_of(path)")
        self.path, self.artifact = path, artifact

    @property
    def text(self) -> str:
        return self.artifact.snippet

    @property
    def bibtex(self) -> str:
        return self.artifact.bibtex

    @property
    def flags(self) -> tuple[str, ...]:
        """Reasons for caution: `abstract_only`, `single_source`, `human_overridden`, a standing other than current."""
        flags = {
            "abstract_only": self.artifact.text_excerpts_unavailable,
            "single_source": self.artifact.single_source_verified,
            "human_overridden": self.artifact.human_overridden,
            self.artifact.standing: self.artifact.standing != "current",
        }
        return tuple(name for name, raised in flags.items() if raised)

    def printed(self, form: str) -> str:
        """Return the citation in a form that other programs read: bibtex, csl-json, ris, cff; or as `text`."""
        return of_artifact(self.artifact, form)

    def __repr__(self) -> str:
        return f"Citation({self.path})"

    def as_json(self) -> dict[str, Any]:
        """Return the citation as every door tells it."""
        return {
            "cited": True, "citation": self.text, "artifact": self.path.as_posix(), "bibtex": self.bibtex,
            "flags": list(self.flags), "excerpts": [each.model_dump(mode="json") for each in self.artifact.excerpts],
            "override": self.artifact.override_reason, "review": list(self.artifact.review),
        }  # fmt: skip


def citation_of(path: Path) -> Citation:
    """Return the citation that an artifact supports. Raises `InputError` if it does not pass the check."""
    checked = check_artifact(path, now=datetime.now(UTC))
    wrong = [message for rule, message in checked.problems if rule not in WARNINGS]
    if wrong:
        raise InputError(f"{path} supports no citation: {'; '.join(wrong)}")
    return Citation(_ONLY_HERE, path, read_artifact(path))


def just_written(path: Path) -> Citation:
    """Return the citation of a newly written artifact. Deletes it and raises `InvariantBroken` if its check fails."""
    try:
        return citation_of(path)
    except InputError as error:
        path.unlink(missing_ok=True)
        raise InvariantBroken("default-deny", str(error)) from error


class CandidateSeen(Frozen):
    """A paper that was considered, and why it is not cited: for a person to choose another or to override."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifier: str | None = None
    source: str
    why: str = ""


class Refusal(Frozen):
    """Base of all refusals. `reason` is a sentence for a person; `query` is the query of the search."""

    reason: str
    query: str = ""
    candidates: tuple[CandidateSeen, ...] = ()
    approval: str | None = None
    """Id of the approval that waits for a person, if one may let it in."""
    contrast: str = ""
    """Sentence for that person: what was expected, what happened instead, how to override it."""

    @property
    def name(self) -> str:
        """Name of the refusal in section 9."""
        return type(self).__name__

    def as_json(self) -> dict[str, Any]:
        """Return the refusal as every door tells it."""
        return {"cited": False, "refusal": self.name, **self.model_dump(mode="json")}


class NoCandidates(Refusal):
    """No paper was found that may support the claim."""


class TriangulationConflict(Refusal):
    """The sources, or the hint, disagree on a decisive field."""

    fields: tuple[Conflict, ...] = ()


class RetriesExhausted(Refusal):
    """A source that was needed did not answer: nothing is known, for or against."""

    problems: tuple[str, ...] = ()


class NoSupportingExcerpts(Refusal):
    """A refusal of a paper whose identity is right, but whose text does not say the claim."""

    rejected: tuple[str, ...] = ()
    """Quotes that were proposed and are not in the text."""


class StandsNoMore(Refusal):
    """The paper was retracted or withdrawn, or an expression of concern warns of it."""

    standing: str


class NotAdmitted(Refusal):
    """A refusal by the gate of a paper whose identity is right and that has excerpts."""

    verdict: str
    needs_person: bool = False


Refused = NoCandidates | TriangulationConflict | RetriesExhausted | NoSupportingExcerpts | StandsNoMore | NotAdmitted
Outcome = Citation | Refused


