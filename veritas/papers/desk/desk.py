"""A paper on the reviewer's desk: design, checklists, openness and concerns in one document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import Field, model_validator

from veritas.documents.paper_parts import Identity, Place, Reference
from veritas.frozen import Frozen, text_hash
from veritas.papers.audit import PARTS_MISSING, PaperAudit
from veritas.papers.desk.answers import Answered, Reading, answer
from veritas.papers.desk.checklist import checklists_for, load_checklist
from veritas.papers.desk.concern import Concern, DeskDecision, Quoted, concern
from veritas.papers.desk.design import Design, detect_design
from veritas.papers.desk.openness import Statement, Subject, openness_of
from veritas.papers.desk.outcomes import RegisteredOutcome, compared
from veritas.papers.desk.passages import all_passages
from veritas.papers.desk.signs import load_signs
from veritas.papers.flaw import Flaw
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.referee.referee import referee_of

DESK_SCHEMA: Literal["1.0"] = "1.0"
GONE = frozenset({"retracted", "withdrawn"})
LONGEST_HEADING = 60
"""Characters of a heading in a place."""
_NAMED_GONE = re.compile(r"\b(?:RETRACTED|WITHDRAWN)(?: ARTICLE)?\s?[:\]]|\[Retracted\]|\bRetracted [Aa]rticle:")
"""The word of publishers before the title of a work that was taken back, as reference lists copy it."""
_SPEAKS_OF_IT = re.compile(r"\bretract(?:ed|ions?)\b", re.IGNORECASE)


class Desk(Frozen):
    """A paper on the desk. `decisions` are the persons' decisions at the time of loading, oldest first."""

    schema_version: Literal["1.0"] = DESK_SCHEMA
    desk_id: str
    """`p-` and 12 hex digits of the SHA-256 of the paper's text: a paper has one desk."""
    paper: Identity
    audit_id: str | None = None
    """The audit whose flaws and references are on the desk; None for a paper that was only read."""
    design: Design
    checklists: tuple[Answered, ...] = ()
    statements: tuple[Statement, ...] = ()
    """What the paper tells of registration, power, effect sizes, data and code."""
    outcomes: tuple[RegisteredOutcome, ...] = ()
    concerns: tuple[Concern, ...] = ()
    """What was found and is wrong."""
    not_found: tuple[Concern, ...] = ()
    """What was not found: items of the checklists and registered outcomes. None is a concern, and none gets into the
    letter unless a person accepts it by name. One with sentences in `near` is left to a reader, who accepts it after
    reading them."""
    headings: dict[str, str] = Field(default_factory=dict)
    """Heading by section id, for the places."""
    notes: tuple[str, ...] = ()
    """What was not read or not asked."""
    asked_web: bool = False
    made_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    decisions: tuple[DeskDecision, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _apart(cls, given: Any) -> Any:
        """Take what was not found out of the concerns of a desk that was stored when the two were one list."""
        if not isinstance(given, dict) or "not_found" in given or "concerns" not in given:
            return given
        stored = [each for each in given["concerns"] if isinstance(each, dict)]
        if len(stored) < len(given["concerns"]):
            return given
        wrong = [each for each in stored if each.get("specific")]
        return {**given, "concerns": wrong, "not_found": [each for each in stored if not each.get("specific")]}

    def decision(self, concern_id: str) -> DeskDecision | None:
        """Return the decision that holds on a concern; None if there is none, or the last one withdrew it."""
        last = next((each for each in reversed(self.decisions) if each.concern == concern_id), None)
        return None if last is None or last.verdict == "withdraw" else last

    def accepted(self) -> tuple[tuple[Concern, DeskDecision], ...]:
        """Return what a person accepted with the decision on it, in the desk's order: concerns, and of what was not
        found only that which somebody chose."""
        pairs = ((each, self.decision(each.id)) for each in (*self.concerns, *self.not_found))
        return tuple((each, said) for each, said in pairs if said is not None and said.verdict == "accept")

    def undecided(self) -> tuple[Concern, ...]:
        """Return the concerns that nobody has decided about."""
        return tuple(each for each in self.concerns if self.decision(each.id) is None)

    def row(self, subject: str) -> Concern | None:
        """Return what was not found on a subject: `consort-2025 17a`, or number and measure of an outcome."""
        return next((each for each in self.not_found if each.subject == subject), None)

    def told(self, subject: Subject) -> tuple[Statement, ...]:
        """Return the statements on a subject."""
        return tuple(each for each in self.statements if each.subject == subject)

    def where(self, place: Place) -> str:
        """Return a place in words: its page, or the heading it stands under."""
        heading = self.headings.get(place.section or "", "")
        short = heading if len(heading) <= LONGEST_HEADING else f"{heading[:LONGEST_HEADING].rstrip()}…"
        parts = [f"p. {place.page}" if place.page else "", f"“{short}”" if short else ""]
        return ", ".join(part for part in parts if part) or f"characters {place.start:,} to {place.end:,}"


def desk_id_of(paper: Identity) -> str:
    """Return the id of a paper's desk."""
    return f"p-{text_hash(paper.document_id)[:12]}"


def make_desk(
    paper: PaperText,
    *,
    checklists: Sequence[str] | None = None,
    audit: PaperAudit | None = None,
    outcomes: Sequence[RegisteredOutcome] = (),
) -> Desk:
    """Return the desk of a paper. `checklists` are chosen by the design that the paper tells if they are None; an empty
    sequence means none. With `audit`, its specific flaws and the standing of the references are concerns too.

    What was not found is no concern: it stands in `not_found`. Nothing is asked of a model or the web. Raises
    `InputError` for an unknown checklist, `PolicyError` for a wrong one.
    """
    signs, whole, text = load_signs(), all_passages(paper), paper.text
    passages = [each for each in whole if not each.aside]
    design = detect_design(paper.identity.title, passages, signs, text)
    if checklists is not None:
        names: Sequence[str] = tuple(dict.fromkeys(checklists))
        design = design.model_copy(update={"chosen": True})
    else:
        names = checklists_for(design.name, paper.identity.year) if design.name is not None else ()
    unread = _unread(paper)
    reading = Reading(unread=unread, metadata_apart="jats" in paper.document.media_type)
    answered = tuple(answer(load_checklist(name, signs), signs, whole, text, reading) for name in names)
    told = openness_of(passages, signs, text)
    sought = compared(outcomes, passages, text)
    references = audit.references if audit is not None else paper.references
    found = [
        *_arithmetic(paper),
        *(_of_flaws(audit) if audit is not None else ()),
        *_of_references(references, text),
        *_told_otherwise(sought),
    ]
    absent = [
        *(_not_named(sought) if not unread else ()),
        *(each for checklist in answered for each in _of_checklist(checklist)),
    ]
    return Desk(
        desk_id=desk_id_of(paper.identity), paper=paper.identity, audit_id=audit.audit_id if audit else None,
        design=design, checklists=answered, statements=told, outcomes=sought,
        concerns=_once(found), not_found=_once(absent),
        headings={section.id: section.heading for section in paper.sections if section.heading},
        notes=_notes(unread, audit, references),
    )  # fmt: skip


def _unread(paper: PaperText) -> str:
    """Return why nothing can be called lacking in a paper; '' if it was read whole, as far as is known."""
    for event in paper.events:
        if event.kind in (PARTS_MISSING, "abstract-only", "language"):
            return event.reason
    return ""


def _notes(unread: str, audit: PaperAudit | None, references: Sequence[Reference]) -> tuple[str, ...]:
    said = [unread] if unread else []
    asked = [each for each in references if each.standing is not None or each.verdict in GONE]
    if audit is None:
        said.append("no registry was asked about the references: whether one is retracted is not known")
    elif references and not asked:
        said.append("the audit asked no registry about the references: whether one is retracted is not known")
    elif len(asked) < len(references):
        said.append(f"{len(references) - len(asked)} of {len(references)} references have no answer on their standing")
    return tuple(said)


def _arithmetic(paper: PaperText) -> Iterator[Concern]:
    for each in referee_of(paper).findings:
        if each.severity == "note":
            continue
        yield concern(
            "arithmetic", each.check, f"The paper says {each.says}; recomputed: {each.recomputed}.", specific=True,
            quotes=[Quoted(text=each.quote, place=each.location)], calculation=each.calculation, allowed=each.allowed,
            right_if=each.right_if,
        )  # fmt: skip


def _of_flaws(audit: PaperAudit) -> Iterator[Concern]:
    """Yield the specific flaws of an audit. Those of references that are gone are told with the references."""
    nodes = {node.id: node for node in audit.nodes}
    gone = {f"reference:{each.key}" for each in audit.references if _gone(each)}
    for flaw in audit.flaws:
        if flaw.subject in gone:
            continue
        node = nodes.get(flaw.subject)
        quotes = [Quoted(text=node.text, place=node.place)] if node is not None else _of_reference(audit, flaw)
        yield concern("flaw", flaw.kind, f"{flaw.why[:1].upper()}{flaw.why[1:]}.", specific=True, quotes=quotes)


def _of_reference(audit: PaperAudit, flaw: Flaw) -> list[Quoted]:
    key = flaw.subject.removeprefix("reference:")
    return [Quoted(text=each.raw, place=each.place) for each in audit.references if each.key == key and each.raw]


def _gone(reference: Reference) -> bool:
    return reference.verdict in GONE or reference.standing in GONE


def _of_references(references: Sequence[Reference], text: str) -> Iterator[Concern]:
    first = min((each.place.start for each in references if each.place.start), default=len(text))
    told = _SPEAKS_OF_IT.search(text, 0, first) is not None
    for each in references:
        named = _NAMED_GONE.search(each.raw or each.title)
        if named is not None and not told and not _gone(each):
            said = (
                f"Reference {each.number} is listed as “{named[0].strip(' :[]')}”, and the text does not say that it "
                "cites a work that was taken back."
            )
            stands = text[each.place.start : each.place.end] if each.place.end > each.place.start else ""
            quotes = [Quoted(text=stands, place=each.place)] if stands else []
            yield concern("reference", f"retracted: {each.key}", said, specific=True, quotes=quotes)
        if _gone(each):
            state = each.verdict if each.verdict in GONE else each.standing
            said = f"Reference {each.number} is {state}: {each.reason or each.matched or 'a registry says so'}."
            stands = text[each.place.start : each.place.end] if each.place.end > each.place.start else ""
            quotes = [Quoted(text=stands, place=each.place)] if stands else []
            yield concern("reference", f"{state}: {each.key}", said, specific=True, quotes=quotes)


def _told_otherwise(outcomes: Sequence[RegisteredOutcome]) -> Iterator[Concern]:
    """Yield the registered outcomes that the paper names in the other rank."""
    for each in outcomes:
        if each.otherwise is not None:
            registered, told = ("primary", "secondary") if each.primary else ("secondary", "primary")
            said = (
                f"The registration {each.number} names “{each.measure}” as a {registered} outcome; the paper calls it "
                f"a {told} one."
            )
            yield concern(
                "outcome", f"{each.number}, rank: {each.measure}", said, specific=True, quotes=[each.otherwise]
            )


def _not_named(outcomes: Sequence[RegisteredOutcome]) -> Iterator[Concern]:
    for each in outcomes:
        if each.primary and each.named is None:
            said = (
                f"The registration {each.number} names the primary outcome “{each.measure}”. No sentence of the paper "
                "has its words: it may be told in others, or be missing."
            )
            yield concern(
                "outcome", each.subject, said, specific=False, looked_in=("the whole text but the reference list",)
            )


def _of_checklist(checklist: Answered) -> Iterator[Concern]:
    for item in checklist.items:
        if item.state not in ("not-found", "in-part") and not (item.near and item.state == "for-a-reader"):
            continue
        said = f"{checklist.title}, item {item.id} ({item.heading}): {item.asks} Not found: {'; '.join(item.missing)}."
        yield concern(
            "checklist", f"{checklist.name} {item.id}", said, specific=False,
            quotes=[Quoted(text=each.quote, place=each.place) for each in item.evidence], looked_in=item.looked_in,
            near=[Quoted(text=each.quote, place=each.place) for each in item.near],
        )  # fmt: skip


def _once(found: Iterable[Concern]) -> tuple[Concern, ...]:
    """Return concerns without those that have the id of an earlier one."""
    kept: dict[str, Concern] = {}
    for each in found:
        kept.setdefault(each.id, each)
    return tuple(kept.values())
