"""The floor behind every judge: a decisive difference refuses a `supports`, a doubtful one defers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from veritas.meaning.beside import of_nearest
from veritas.meaning.compare import compare_passage, stands_whole
from veritas.meaning.displaced import displaced
from veritas.meaning.embedded.wording import unworded
from veritas.meaning.overdrawn import overdrawn
from veritas.meaning.pretence import pretended
from veritas.meaning.relation import NOWHERE, Comparison, Difference, Setting
from veritas.meaning.structured import may_stand_apart
from veritas.text.lists import without_item_numbers
from veritas.text.sentences import split_sentences

Step = Literal["pass", "defer", "refuse"]


@dataclass(frozen=True, slots=True)
class FloorRuling:
    """What the floor says of a judge's `supports`. `difference` is named where it does not pass. `entailed`: it passes
    because a passage entails the claim, not because the comparison cannot tell."""

    step: Step
    difference: Difference | None = None
    entailed: bool = False


_ORDER: tuple[Step, ...] = ("pass", "defer", "refuse")


class Standing(NamedTuple):
    """A passage in the whole sentences that it stands in, and their setting."""

    text: str
    setting: Setting = NOWHERE


def floor(claim: str, passages: Sequence[str], *, setting: Setting = NOWHERE) -> FloorRuling:
    """Rule on a claim that a judge called supported by `passages`, which all stand in `setting`. Without a passage it
    is deferred."""
    if not passages:
        return FloorRuling("defer", Difference("unexplained", "", claim, False))
    return held_to(claim, [Standing(passage, setting) for passage in passages], passages)


def held_to(claim: str, standing: Sequence[Standing], quoted: Sequence[str]) -> FloorRuling:
    """Rule on a claim, each of its sentences held to all passages that it rests on, as they stand in their sources and
    as they are `quoted`; one that stands in a passage whole, as a list with its numbers, is not cut into sentences.
    What may stand in rows of a table or in code is left to the judge. `entailed`: the comparison alone shows that the
    passages say all of it, so that no judge need be asked."""
    if standing and None not in (framed := [pretended(text, claim) for text, _ in standing]):
        return FloorRuling("defer", framed[0])
    if any(stands_whole(text, claim) for text, _ in standing):  # nothing can be drawn out of it that is not there
        return FloorRuling("pass", entailed=True)
    found = list(_ruled(claim, standing, quoted))
    worst = max(found, key=lambda one: _ORDER.index(one.step))
    if worst.step != "refuse":  # the comparison's own difference is the surer one
        more = [of_nearest(text, claim, _beyond) for text, _ in standing]
        if more and None not in more:
            return FloorRuling("defer", more[0])
    entailed = all(one.entailed for one in found)
    if worst.step == "pass" and not entailed and standing:
        beside = [of_nearest(text, claim) for text, _ in standing]
        if None not in beside:
            return FloorRuling("defer", beside[0])
    return replace(worst, entailed=entailed)


def _beyond(sentence: str, claim: str) -> Difference | None:
    return displaced(claim, sentence) or overdrawn(claim, sentence)


def _ruled(claim: str, standing: Sequence[Standing], quoted: Sequence[str]) -> Iterator[FloorRuling]:
    """Yield the ruling on each sentence of a claim, by its comparisons with the passages until one entails it."""
    claim = without_item_numbers(claim)
    for start, end in split_sentences(claim) or [(0, len(claim))]:
        found: list[Comparison] = []
        for text, setting in standing:
            found.append(_compare(claim[start:end], text, setting))
            if found[-1].entailed:
                break
        told = of_all(found or [Comparison("cannot tell")])
        texts = (*(text for text, _ in standing), *quoted)
        apart = told.step != "pass" and may_stand_apart(texts, claim[start:end], told.difference)
        yield FloorRuling("pass") if apart else told


def _compare(sentence: str, passage: str, setting: Setting) -> Comparison:
    if unworded(sentence, passage) is None:
        return Comparison("entails")
    return compare_passage(passage, sentence, setting=setting)


def of_all(found: Sequence[Comparison]) -> FloorRuling:
    """Rule on a claim by its comparisons with several passages, at least one. One that entails it lets it pass. Else
    the one that comes nearest decides: a passage that speaks of other things takes nothing from it. If another one
    cannot be read, a decisive difference is a doubt."""
    if any(each.entailed for each in found):
        return FloorRuling("pass", entailed=True)
    read = [each for each in found if each.differences]
    if not read:
        return FloorRuling("pass")
    nearest = ruling(max(read, key=lambda each: (len(each.aligned), -len(each.differences))))
    if nearest.step == "refuse" and len(read) < len(found):
        return FloorRuling("defer", nearest.difference)
    return nearest


def ruling(found: Comparison) -> FloorRuling:
    """Return the floor's ruling on one comparison."""
    if found.entailed:
        return FloorRuling("pass", entailed=True)
    if found.decisive is not None:
        return FloorRuling("refuse", found.decisive)
    if found.doubt is not None:
        return FloorRuling("defer", found.doubt)
    return FloorRuling("pass")
