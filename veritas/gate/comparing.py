"""The floor behind the lenses: a supported finding is compared with its passages, in whole sentences.

A lens may be wrong in ways that the judge can see (`veritas.judging.floor`); a refusal or doubt is recorded as a
judgment named `comparison`. The floor sees claim, passages and the sources' titles.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from veritas.claims.judgment import COMPARISON, Judgment
from veritas.council.families import EMBEDDED
from veritas.gate.finding import Finding
from veritas.gate.oracle import Oracle, parts_of
from veritas.gate.ruling import told
from veritas.judging import Setting
from veritas.judging.floor import FloorPolicy, FloorRuling, Standing, held_to


@runtime_checkable
class Library(Protocol):
    """An oracle that has the texts of the sources."""

    def standing(self, finding: Finding) -> Sequence[Standing]:
        """Return each passage of a finding in its whole sentences."""
        ...


@runtime_checkable
class Located(Protocol):
    """An oracle that knows where a finding's passages stand."""

    def context(self, finding: Finding) -> str:
        """Return title, headings, and the sentences around the passages: what a lens may read beside them."""
        ...


def context(finding: Finding, oracle: Oracle) -> str:
    """Return the context of a finding's passages; "" if no oracle knows it."""
    located = next((one for one in parts_of(oracle) if isinstance(one, Located)), None)
    return located.context(finding) if located is not None else ""


def held(finding: Finding, oracle: Oracle, policy: FloorPolicy | None = None) -> FloorRuling:
    """Return the floor's ruling on a supported finding, from all its passages."""
    return held_to(finding.claim, standing(finding, oracle), policy)


def standing(finding: Finding, oracle: Oracle) -> tuple[Standing, ...]:
    """Return the passages in their whole sentences, each once, followed by those of one source joined: a finding may
    rest on two of them."""
    library = next((one for one in parts_of(oracle) if isinstance(one, Library)), None)
    found = tuple(library.standing(finding)) if library is not None else ()
    if not found:
        one = finding.sources[0] if len(finding.sources) == 1 else None
        setting = Setting(document=str(one), subject=one.title or "") if one is not None else Setting()
        found = tuple(Standing(passage, setting) for passage in finding.passages)
    found = tuple(dict.fromkeys(found))
    together = [
        Standing(" ".join(s.text for s in found if s.setting == setting), setting)
        for setting in dict.fromkeys(s.setting for s in found)
    ]
    return tuple(dict.fromkeys((*found, *together)))


def recorded(ruling: FloorRuling) -> Judgment:
    """Return a refusal or doubt of the floor as a judgment for the record."""
    return Judgment(label="silent", score=1.0, rationale=told(ruling), lens=COMPARISON, family=EMBEDDED)
