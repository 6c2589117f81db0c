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
    """A profile's word on a verdict. `criteria` are those of the profile's criteria of hallucination that are met."""

    profile: str
    refused: bool
    hallucinated: bool
    criteria: tuple[str, ...] = ()


def unconfirmed(judged: Judged) -> bool:
    """Return whether an entry claims to be a work of named people, and neither a registry nor its page confirms it.

    A page that could not be read leaves that open: the verdict is then `unavailable`.
    """
    if judged.verdict.value != "cannot_confirm" or not names_people(judged.entry):
        return False
    page = judged.evidence.page
    if page is not None:
        return page.state in ("silent", "gone")
    return judged.form in _DISGUISES


def rule(judged: Judged, profile: ReferenceProfile) -> Ruling:
    """Return what a profile makes of a verdict."""
    verdict = judged.verdict.value
    open_ = unconfirmed(judged)
    met: dict[str, None] = {}
    for criterion in profile.hallucinated:
        field, _, code = criterion.partition(":")
        if criterion == verdict or (criterion == "unconfirmed" and open_ and profile.refuse_unconfirmed):
            met[criterion] = None
        for each in judged.differences:
            if each.field == field and code in ("", each.code) and (profile.slight or not each.minor):
                met[criterion] = None
    return Ruling(
        profile=profile.name,
        refused=verdict in profile.refuse
        or judged.evidence.status.standing in profile.refuse_standing
        or (profile.refuse_unconfirmed and open_),
        hallucinated=bool(met),
        criteria=tuple(met),
    )
