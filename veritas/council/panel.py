"""Panels: a finding is judged by lenses of other families than its author's, as different as possible (I4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from veritas.council.families import may_judge, one_family, voice, voices
from veritas.council.succession import standing
from veritas.judging.lens import Lens
from veritas.policy.gate_policy import CombinationRule, FindingKind, GatePolicy


def panel(
    bench: Sequence[Lens],
    rule: CombinationRule,
    family: str,
    *,
    answered: Collection[str] = (),
    without: Collection[str] = (),
) -> tuple[Lens, ...] | None:
    """Return as many lenses of the bench as the rule asks for, in the bench's order; None if there are too few (then:
    halt).

    Lenses that have `answered` come first, then available before excluded ones, and families not yet used before used
    ones. Two lenses of one name count as one. The lenses named in `without` are not taken.
    """
    able = sorted(
        (lens for lens in _able(bench, family) if lens.name not in without),
        key=lambda lens: (lens.name not in answered, not takes_part(lens)),
    )
    chosen: dict[str, Lens] = {}
    heard: set[str] = set()
    for lens in able:
        if len(chosen) < rule.lenses and voice(lens.family, author=family) not in heard:
            heard.add(voice(lens.family, author=family))
            chosen[lens.name] = lens
    for lens in able:
        if len(chosen) < rule.lenses:
            chosen.setdefault(lens.name, lens)
    if len(chosen) < rule.lenses or voices(heard, author=family) < rule.families:
        return None
    return tuple(lens for lens in able if lens.name in chosen)


def _able(bench: Sequence[Lens], family: str) -> list[Lens]:
    named: dict[str, Lens] = {}
    for lens in bench:
        if may_judge(lens.family, family):
            named.setdefault(lens.name, lens)
    return list(named.values())


def successors(bench: Sequence[Lens], chosen: Sequence[Lens], family: str) -> list[tuple[Lens, ...]]:
    """Return for each lens of a panel its stand-ins when it fails, in order: families other than its own first. The
    panel's families stay as different as they are, and no lens stands in for two."""
    seated = {lens.name for lens in chosen}
    spoken_for = [voice(lens.family, author=family) for lens in chosen]
    found: list[list[Lens]] = [[] for _ in chosen]
    for lens in _able(bench, family):
        its = voice(lens.family, author=family)
        free = [i for i, _ in enumerate(chosen) if its not in (*spoken_for[:i], *spoken_for[i + 1 :])]
        if lens.name not in seated and free:
            found[min(free, key=lambda i: len(found[i]))].append(lens)
    return [
        (
            *(lens for lens in stand_in if voice(lens.family, author=family) != mine),
            *(lens for lens in stand_in if voice(lens.family, author=family) == mine),
        )
        for stand_in, mine in zip(found, spoken_for, strict=True)
    ]


def rule_for(
    policy: GatePolicy, kind: FindingKind, family: str, bench: Callable[[CombinationRule], Sequence[Lens]]
) -> str:
    """Return the name of the rule that decides about a finding of `family`.

    It is the kind's own rule, unless that has no panel because the council has no other family of language models; then
    it is the policy's rule for that case.
    """
    name, instead = policy.rule_for(kind), policy.one_family.get(kind)
    lenses = bench(policy.rule(name))
    if instead is None or panel(lenses, policy.rule(name), family) is not None:
        return name
    return instead if one_family(family, [lens.family for lens in lenses]) else name


def takes_part(lens: Lens) -> bool:
    """Return False for a model that is excluded from the rest of the run."""
    return standing(lens) < 2
