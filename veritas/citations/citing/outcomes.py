"""What comes of asking for a citation: a `Citation` that rests on an artifact on disk, or a refusal that says why.

Default-deny, by type: no refusal has a citation in it, and a `Citation` is made of a file that passed the check, by
`citation_of` alone (section 7.1).
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

    `text` is the plain citation, `bibtex` its entry; both are read out of the artifact's file.
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
        """What a reviewer should be more sceptical for: `abstract_only`, `single_source`, `human_overridden`, and a
        standing other than current."""
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


def citation_of(path: Path) -> Citation:
    """The citation that an artifact supports. Raises `InputError` for an artifact that does not pass the check."""
    checked = check_artifact(path, now=datetime.now(UTC))
    wrong = [message for rule, message in checked.problems if rule not in WARNINGS]
    if wrong:
        raise InputError(f"{path} supports no citation: {'; '.join(wrong)}")
    return Citation(_ONLY_HERE, path, read_artifact(path))


def just_written(path: Path) -> Citation:
    """The citation of an artifact that was written a moment ago: it must pass."""
    try:
        return citation_of(path)
    except InputError as error:
        path.unlink(missing_ok=True)
        raise InvariantBroken("default-deny", str(error)) from error


class CandidateSeen(Frozen):
    """A paper that was looked at, and why it is not cited: for a person to choose another or to override."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifier: str | None = None
    source: str
    why: str = ""


class Refusal(Frozen):
    """Base of all refusals. `reason` is a sentence for a person; `query` is what was searched for."""

    reason: str
    query: str = ""
    candidates: tuple[CandidateSeen, ...] = ()
    approval: str | None = None
    """Id of the approval that waits for a person, where one may let it in."""
    contrast: str = ""
    """The sentence for that person: what was expected, what happened instead, how to override it."""

    @property
    def name(self) -> str:
        """The refusal's name, as section 9 has it."""
        return type(self).__name__

    def as_json(self) -> dict[str, Any]:
        """The refusal as `veritas cite --json` prints it."""
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
    """The paper is what it says it is, and nothing in its text says the claim."""

    rejected: tuple[str, ...] = ()
    """Quotes that were proposed and are not in the text."""


class StandsNoMore(Refusal):
    """The paper was retracted or withdrawn."""

    standing: str


class NotAdmitted(Refusal):
    """The paper is what it says it is and excerpts were found, and the gate does not let the citation through."""

    verdict: str
    needs_person: bool = False


Refused = NoCandidates | TriangulationConflict | RetriesExhausted | NoSupportingExcerpts | StandsNoMore | NotAdmitted
Outcome = Citation | Refused


