"""What a profile makes of a verdict: whether it stops a pipeline, and whether a venue calls it hallucinated."""

from __future__ import annotations

from typing import TYPE_CHECKING

from veritas.citations.bibliography.entry_forms import Form, names_people
from veritas.frozen import Frozen
from veritas.policy.reference_profile import ReferenceProfile

if TYPE_CHECKING:
    from veritas.citations.bibliography.entry_verdict import Judged

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
        profile=profile.name,
        refused=certain or bool(because),
        hallucinated=bool(met),
        criteria=tuple(met),
        because="" if certain else because,
    )


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
