"""The verdict on an entry: one of eight, with what differs, why, and what the linked page adds."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from veritas.citations.bibliography._registry_evidence import Evidence
from veritas.citations.bibliography.difference import Difference
from veritas.citations.bibliography.entry import Entry
from veritas.citations.bibliography.entry_forms import Form, names_people
from veritas.citations.bibliography.linked_page import LinkedPage
from veritas.citations.retractions import Status
from veritas.frozen import Frozen
from veritas.policy.reference_profile import ReferenceProfile
from veritas.works.records import BibRecord, Update, UpdateKind

_DISGUISES = frozenset({Form.WEB, Form.OTHER, Form.UNPUBLISHED})
"""Kinds of things that no registry need have, and that a paper which does not exist can be given as."""


class Ruling(Frozen):
    """A profile's word on a verdict. `criteria` are those of the profile's criteria of hallucination that are met.

    `because` tells what nothing confirms, if that alone is why the entry is refused; it is empty otherwise. Such an
    entry is accused of nothing.
    """

    profile: str
    refused: bool
    hallucinated: bool
    criteria: tuple[str, ...] = ()
    because: str = ""


def unconfirmed(judged: Judged) -> bool:
    """Return whether an entry claims to be a work of named people, and neither a registry nor its page confirms it.

    A page that could not be read leaves that open: the verdict is then `unavailable`.
    """
    if judged.verdict.value != "cannot_confirm" or not names_people(judged.entry):
        return False
    page = judged.evidence.page
    if page is not None:
        return page.state in ("silent", "mentions", "gone")
    return judged.form in _DISGUISES


def rule(judged: Judged, profile: ReferenceProfile) -> Ruling:
    """Return what a profile makes of a verdict."""
    verdict = judged.verdict.value
    open_ = unconfirmed(judged)
    because = _nothing_confirms(judged, open_, profile)
    met: dict[str, None] = {}
    for criterion in profile.hallucinated:
        field, _, code = criterion.partition(":")
        if criterion == verdict or (criterion == "unconfirmed" and open_ and profile.refuse_unconfirmed):
            met[criterion] = None
        for each in judged.differences:
            if each.field == field and code in ("", each.code) and (profile.slight or not each.minor):
                met[criterion] = None
    listed = verdict in profile.refuse and verdict != "cannot_confirm"
    certain = listed or judged.evidence.status.standing in profile.refuse_standing
    return Ruling(
        profile=profile.name, refused=certain or bool(because), hallucinated=bool(met), criteria=tuple(met),
        because="" if certain else because,
    )  # fmt: skip


def _nothing_confirms(judged: Judged, open_: bool, profile: ReferenceProfile) -> str:
    """Return what the profile wants confirmed and nothing confirms; empty if there is nothing.

    A profile that lists `cannot_confirm` wants every entry confirmed, by a record or by its own page, and every venue
    by a record.
    """
    page = judged.evidence.page
    if judged.verdict.value == "cannot_confirm":
        if page is not None and page.state == "says":
            return ""
        named = profile.refuse_unconfirmed and (open_ or (profile.every_type and names_people(judged.entry)))
        if "cannot_confirm" not in profile.refuse and not named:
            return ""
        read = "no page of it was read" if page is None else "its page does not say so"
        return f"not confirmed: no record has it, and {read}"
    if judged.unconfirmed_venue and "cannot_confirm" in profile.refuse:
        return f"not confirmed: no record of the work names “{judged.unconfirmed_venue}”, nor another place"
    return ""


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
            entry=self._evidence.entry, form=self.form, verdict=verdict, reason=reason,
            differences=tuple(differences), notes=tuple(notes), match=match, independent=independent,
            evidence=self._evidence,
        )  # fmt: skip


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
