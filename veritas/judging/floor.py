"""The floor behind every judge: what the exact layer or the learned judge finds against a `supports`, whoever said it.

A refusal holds a claim back behind any judge. A doubt is no objection where judges of several families support it: the
policy says from which probability on (`gate.yaml`, `floor`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from veritas.judging.evidence import stands_whole
from veritas.judging.exact import Difference
from veritas.judging.verdict import Question, Verdict, judge_all, shown
from veritas.meaning.relation import NOWHERE, Setting
from veritas.text.lists import without_item_numbers
from veritas.text.sentences import split_sentences

Step = Literal["pass", "defer", "refuse"]


@dataclass(frozen=True, slots=True)
class FloorRuling:
    """What the floor says of a judge's `supports`, and why where it does not pass. `supports` is the probability, 0 to
    1, that the passages say the claim; `entailed`: they have it in the same words, or in others that the comparison is
    sure of."""

    step: Step
    reason: str = ""
    difference: Difference | None = None
    supports: float = 1.0
    entailed: bool = False


class Standing(NamedTuple):
    """A passage in the whole sentences that it stands in, and their setting."""

    text: str
    setting: Setting = NOWHERE


@dataclass(frozen=True, slots=True)
class FloorPolicy:
    """`refuse`: least probability of `refutes` that refuses; `doubt`: probability of `supports` below which a claim is
    in doubt."""

    refuse: float = 0.5
    doubt: float = 0.5


def held_to(claim: str, standing: Sequence[Standing], policy: FloorPolicy | None = None) -> FloorRuling:
    """Rule on a claim that a judge called supported by passages: each of its sentences is held to each passage, and the
    passage that says most of it counts. Without a passage it is deferred."""
    policy = policy or FloorPolicy()
    if not standing:
        return FloorRuling("defer", "it rests on no passage", supports=0.0)
    if any(stands_whole(claim, text) for text, _ in standing):
        return FloorRuling("pass", entailed=True)
    whole = without_item_numbers(claim)
    parts = [whole[start:end] for start, end in split_sentences(whole)] or [whole]
    asked = [Question(part, text, setting) for part in parts for text, setting in standing]
    verdicts = judge_all(asked)
    count = len(standing)
    ruled = [_ruled(verdicts[at : at + count], policy) for at in range(0, len(verdicts), count)]
    worst = min(ruled, key=lambda one: (-_ORDER.index(one.step), one.supports))
    if worst.step == "pass":
        return FloorRuling("pass", supports=worst.supports, entailed=all(one.entailed for one in ruled))
    return worst


_ORDER: tuple[Step, ...] = ("pass", "defer", "refuse")


def _ruled(verdicts: Sequence[Verdict], policy: FloorPolicy) -> FloorRuling:
    """Rule on one sentence by its verdicts over the passages: the one that supports it most decides."""
    best = max(verdicts, key=lambda v: (v.label == "supports", v.label == "unavailable", v.chances.supports))
    if best.label == "unavailable":
        return FloorRuling("pass", supports=0.5)  # a language that is not judged here: the judges' word stands
    supports = best.chances.supports
    if best.label == "supports" and supports >= policy.doubt:
        return FloorRuling("pass", supports=supports, entailed=best.entailed)
    if best.difference is not None:
        return FloorRuling("refuse", f"{best.difference}: {shown(best.sentence)}", best.difference, supports)
    if best.chances.refutes >= policy.refuse:
        return FloorRuling("refuse", best.reason, None, supports)
    if supports >= policy.doubt and not best.cut:
        return FloorRuling("pass", supports=supports)
    return FloorRuling("defer", best.reason, None, supports)
