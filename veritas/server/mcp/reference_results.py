"""Results on references and citations: verdicts with the registries' own records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from veritas.server.mcp.quoting import Part, Result

if TYPE_CHECKING:
    from veritas import EntryVerdict
    from veritas.use_cases.citations import Outcome

MOST_ENTRIES = 100
"""Entries of a bibliography that are told, those with something wrong first."""
_OF_ONE = re.compile(r"(?s)(?P<who>[\w.-]+)(?P<how>(?: failed)?: .+)")
"""What one registry did, behind its name."""
_WORST = ("fabricated", "retracted", "withdrawn", "misattributed", "minor", "unavailable", "cannot_confirm", "verified")


class Difference(Part):
    """A field that is cited otherwise than registries have it."""

    field: str
    cited: str
    found: str


class Reference(Part):
    """The verdict on a reference."""

    key: str
    title: str = ""
    verdict: Literal[
        "verified", "minor", "misattributed", "retracted", "withdrawn", "fabricated", "cannot_confirm", "unavailable"
    ] = Field(description="unavailable: a registry did not answer, so nothing is known. cannot_confirm: no verdict.")
    reason: str
    differences: tuple[Difference, ...] = ()
    standing: str = Field(default="", description="Of the paper, if not current.")
    record: dict[str, Any] = Field(default={}, description="The registry's record it was compared with.")
    registries: tuple[str, ...] = Field(default=(), description="That have the work.")
    refused: bool = Field(default=False, description="By the profile.")
    hallucinated: tuple[str, ...] = Field(default=(), description="Criteria of the profile that it meets.")
    corrected: str = Field(default="", description="The entry as it should be, in BibTeX.")


class ReferenceVerdicts(Result):
    """The verdicts on references."""

    counts: dict[str, int]
    references: tuple[Reference, ...]


def reference_verdicts(judged: Sequence[EntryVerdict]) -> ReferenceVerdicts:
    """Return the result of an audit of references, those first that nobody should publish with."""
    from veritas.report.bibliography_verdicts import entry_json

    told = sorted((entry_json(each) for each in judged), key=lambda each: _WORST.index(each["verdict"]))
    left = len(told) - MOST_ENTRIES
    unknown = [
        f"{each['key'] or each['title'] or 'an entry without a key'}: {problem}"
        for each in told
        if each["verdict"] == "unavailable"
        for problem in _together(each["problems"]) or [each["reason"]]
    ]
    return ReferenceVerdicts(
        counts=dict(Counter(each["verdict"] for each in told)),
        references=[_reference(each) for each in told[:MOST_ENTRIES]],
        could_not_tell=[*unknown[:MOST_ENTRIES], *([f"{left} further entries are not listed"] if left > 0 else [])],
    )


def _together(problems: Sequence[str]) -> list[str]:
    """Return what went wrong, of several registries with which the same did in one line."""
    names: dict[str, list[str]] = {}
    for problem in dict.fromkeys(problems):
        said = _OF_ONE.fullmatch(problem)
        names.setdefault(said["how"] if said else problem, []).extend([said["who"]] if said else [])
    return [f"{', '.join(who)}{how}" for how, who in names.items()]


def _reference(told: dict[str, Any]) -> Reference:
    fine = told["verdict"] == "verified"
    record = {name: value for name, value in (told["match"] or {}).items() if value}
    return Reference(
        key=told["key"], title=told["title"] or "", verdict=told["verdict"],
        reason="; ".join(filter(None, (told["reason"], (told["ruling"] or {}).get("because", "")))),
        differences=[
            Difference(field=each["field"], cited=str(each["cited"]), found=str(each["found"]))
            for each in told["differences"]
        ],
        standing=told["standing"] if told["standing"] != "current" else "",
        record=record,
        registries=list(dict.fromkeys(each["source"] for each in told["evidence"] if each["same_work"])),
        refused=bool(told["ruling"] and told["ruling"]["refused"]),
        hallucinated=told["ruling"]["criteria"] if told["ruling"] else (),
        corrected="" if fine else told["corrected"] or "",
    )  # fmt: skip


class Candidate(Part):
    """A paper that was considered and is not cited."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None
    identifier: str = ""
    why: str = ""


class CitationResult(Result):
    """A citation with its artifact, or why there is none."""

    outcome: Literal["cited", "refused", "unavailable"] = Field(
        description="refused: no citation, see refusal and reason. unavailable: a source did not answer; ask again."
    )
    reason: str = ""
    citation: str = ""
    bibtex: str = ""
    artifact: str = Field(default="", description="The file that was written, below the root.")
    excerpts: tuple[str, ...] = Field(default=(), description="Verbatim passages of the paper that carry the claim.")
    flags: tuple[str, ...] = ()
    refusal: str = ""
    candidates: tuple[Candidate, ...] = ()
    awaits_person: str = Field(default="", description="Approval that a person may give. You cannot.")


def citation_result(outcome: Outcome, root: Path) -> CitationResult:
    """Return the result of asking for a citation."""
    from veritas import Citation

    if isinstance(outcome, Citation):
        place = outcome.path.resolve()
        return CitationResult(
            outcome="cited", citation=outcome.text, bibtex=outcome.bibtex,
            artifact=str(place.relative_to(root)) if place.is_relative_to(root) else place.name,
            excerpts=[each.text for each in outcome.artifact.excerpts],
            flags=[*outcome.flags, *outcome.artifact.review],
        )  # fmt: skip
    silent = outcome.name == "RetriesExhausted"
    return CitationResult(
        outcome="unavailable" if silent else "refused", reason=outcome.reason,
        refusal=outcome.name,
        candidates=[
            Candidate(title=each.title, authors=list(each.authors[:5]), year=each.year,
                      identifier=each.identifier or "", why=each.why)
            for each in outcome.candidates
        ],
        awaits_person=outcome.approval or "",
        could_not_tell=[outcome.reason] if silent else [],
    )  # fmt: skip
