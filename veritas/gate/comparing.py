"""The floor under the lenses: what they call supported is compared with its passages, in whole sentences.

A lens may be wrong in ways that code can see: another number, role, polarity. `veritas.meaning.floor` rules; what it
refuses or doubts is recorded as a judgment named `comparison`. It sees claim, passages and the sources' titles.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple, Protocol, runtime_checkable

from veritas.claims.judgment import COMPARISON, Judgment
from veritas.council.families import EMBEDDED
from veritas.gate.finding import Finding
from veritas.gate.oracle import Oracle, parts_of
from veritas.gate.ruling import PASSES, told
from veritas.meaning.compare import compare_passage, stands_whole
from veritas.meaning.embedded.wording import unworded
from veritas.meaning.floor import FloorRuling, Step, of_all
from veritas.meaning.relation import Comparison, Setting
from veritas.meaning.structured import may_stand_apart
from veritas.text.lists import without_item_numbers
from veritas.text.sentences import split_sentences

_ORDER: tuple[Step, ...] = ("pass", "defer", "refuse")


class Standing(NamedTuple):
    """A passage in the whole sentences that it stands in, and their setting."""

    text: str
    setting: Setting


@runtime_checkable
class Library(Protocol):
    """An oracle that has the texts of the sources at hand."""

    def standing(self, finding: Finding) -> Sequence[Standing]:
        """Return each passage of a finding as it stands in its source."""
        ...


def held(finding: Finding, oracle: Oracle) -> FloorRuling:
    """Return the floor's ruling on a finding that the lenses support, each of its sentences held to all its passages.
    What may stand in rows of a table or in code is left to the lenses. `entailed`: the comparison alone shows that the
    passages say all of it, so that no lens need be asked."""
    found = list(_ruled(finding, oracle))
    return replace(max(found, key=lambda one: _ORDER.index(one.step)), entailed=all(one.entailed for one in found))


def _ruled(finding: Finding, oracle: Oracle) -> Iterator[FloorRuling]:
    """Yield the ruling on each sentence of a finding, by its comparisons with the passages until one entails it. A
    finding that stands in a passage whole, as a list with its numbers, is not cut into sentences."""
    passages = standing(finding, oracle)
    if any(stands_whole(text, finding.claim) for text, _ in passages):
        yield of_all([Comparison("same")])
        return
    claim = without_item_numbers(finding.claim)
    for start, end in split_sentences(claim) or [(0, len(claim))]:
        found: list[Comparison] = []
        for text, setting in passages:
            found.append(_compare(claim[start:end], text, setting))
            if found[-1].entailed:
                break
        ruling = of_all(found or [Comparison("cannot tell")])
        quoted = (*(text for text, _ in passages), *finding.passages)
        apart = ruling.step != "pass" and may_stand_apart(quoted, claim[start:end], ruling.difference)
        yield PASSES if apart else ruling


def _compare(sentence: str, passage: str, setting: Setting) -> Comparison:
    if unworded(sentence, passage) is None:
        return Comparison("entails")
    return compare_passage(passage, sentence, setting=setting)


def standing(finding: Finding, oracle: Oracle) -> tuple[Standing, ...]:
    """Return the passages as they stand in their sources, each once, and after them those of one source together: a
    finding may rest on two of them."""
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
    """Return a ruling that does not let pass as a judgment for the record."""
    return Judgment(label="silent", score=1.0, rationale=told(ruling), lens=COMPARISON, family=EMBEDDED)
