"""The verdict on an entry: one of eight, with what differs, why, and what the linked page adds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from veritas.citations.bibliography._registry_evidence import Evidence
from veritas.citations.bibliography.difference import Difference
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form
from veritas.citations.bibliography.linked_page import LinkedPage
from veritas.citations.bibliography.ruling import Ruling
from veritas.citations.retractions import Status
from veritas.frozen import Frozen
from veritas.works.records import BibRecord, Update, UpdateKind


class Verdict(StrEnum):
    """A verdict on an entry."""

    VERIFIED = "verified"
    MINOR = "minor"
    MISATTRIBUTED = "misattributed"
    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"
    FABRICATED = "fabricated"
    CANNOT_CONFIRM = "cannot_confirm"
    UNAVAILABLE = "unavailable"


FINDINGS = frozenset({Verdict.MISATTRIBUTED, Verdict.RETRACTED, Verdict.WITHDRAWN, Verdict.FABRICATED})
"""Verdicts that should stop a pipeline."""


class Judged(Frozen):
    """The verdict on one entry.

    `match` is the record that the entry was compared with; `independent` counts the independent sources that confirm
    it.
    """

    entry: Entry
    form: Form
    verdict: Verdict
    reason: str
    differences: tuple[Difference, ...] = ()
    notes: tuple[str, ...] = ()
    match: BibRecord | None = None
    independent: int = 0
    evidence: Evidence
    unconfirmed_venue: str = ""
    """The venue, if the work exists and no record of it names any place where it was published."""
    ruling: Ruling | None = None
    """What the profile makes of the verdict."""

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong that nobody should publish with: misattributed, retracted, withdrawn, made up."""
        return self.verdict in FINDINGS

    @property
    def refused(self) -> bool:
        """Whether the profile refuses the entry; without a ruling, whether it is a finding."""
        return self.is_finding if self.ruling is None else self.ruling.refused


class Saying:
    """A factory of verdicts on one entry."""

    def __init__(self, evidence: Evidence, form: Form) -> None:
        self._evidence, self.form = evidence, form

    def __call__(
        self,
        verdict: Verdict,
        reason: str,
        *,
        differences: Sequence[Difference] = (),
        notes: Sequence[str] = (),
        match: BibRecord | None = None,
        independent: int = 0,
    ) -> Judged:
        return Judged(
            entry=self._evidence.entry,
            form=self.form,
            verdict=verdict,
            reason=reason,
            differences=tuple(differences),
            notes=tuple(notes),
            match=match,
            independent=independent,
            evidence=self._evidence,
        )


def with_page(judged: Judged, page: LinkedPage) -> Judged:
    """Return the verdict with what was found on the page that the entry links. An outage there is an outage (I5)."""
    said = {"says": "and", "mentions": "but", "silent": "but", "gone": "and", "unread": "and"}[page.state]
    what = {
        "says": f"its page {page.url} confirms it: {page.detail}",
        "mentions": f"its page {page.url} is no confirmation: {page.detail}",
        "silent": f"its page {page.url} does not say so: {page.detail}",
        "gone": f"its page is not there: {page.detail}",
        "unread": f"its page could not be read: {page.detail}",
    }[page.state]
    update: dict[str, object] = {
        "reason": f"{judged.reason}; {said} {what}",
        "evidence": judged.evidence.model_copy(update={"page": page, "status": _standing(judged, page)}),
    }
    if page.state == "unread":
        update["verdict"] = Verdict.UNAVAILABLE
    return judged.model_copy(update=update)


def _standing(judged: Judged, page: LinkedPage) -> Status:
    """Return the standing of the cited work, with what its own page says of it."""
    status = judged.evidence.status
    if page.standing is None or not status.stands:
        return status
    kind = UpdateKind.RETRACTION if page.standing == "retracted" else UpdateKind.WITHDRAWAL
    told = Update(kind=kind, of_this=True, asserted_by=f"its page {page.url}")
    return Status(standing=page.standing, updates=(*status.updates, told))
