"""The council at work: seats, verifiers and writer, and the choice of who judges a claim (I4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from veritas import plugins
from veritas.claims.graph import MemberInfo
from veritas.council.families import independent, may_judge
from veritas.council.member import Member
from veritas.policy.council_policy import CouncilPolicy
from veritas.verifying.lens import Lens


@dataclass(frozen=True)
class Seat:
    """A member under the name the graph knows it by, and the lens it judges its peers with."""

    name: str
    member: Member
    judge: Lens


@dataclass(frozen=True)
class Council:
    """`verifiers` are in order of preference. All lenses have different names."""

    seats: tuple[Seat, ...]
    verifiers: tuple[Lens, ...]
    writer: str

    def seat(self, name: str) -> Seat:
        """The seat of that name; `KeyError` if there is none."""
        return next(s for s in self.seats if s.name == name)

    @property
    def lenses(self) -> Mapping[str, Lens]:
        """Every lens of the council by name."""
        return {lens.name: lens for lens in (*self.verifiers, *(s.judge for s in self.seats))}

    def verifier_for(self, author_family: str) -> Lens | None:
        """The dedicated verifier of a claim: the first of another family, or None when there is none (then: halt)."""
        return next((v for v in self.verifiers if may_judge(v.family, author_family)), None)

    def peers_for(self, author: str, author_family: str) -> tuple[Lens, Lens] | None:
        """Two judges of the quorum: peers' lenses, neither the author's own nor of its family, independent of each
        other; None when the council has no such two (then: halt). The choice depends on the council alone."""
        able = [s.judge for s in self.seats if s.name != author and may_judge(s.judge.family, author_family)]
        able += [v for v in self.verifiers if may_judge(v.family, author_family)]
        for i, first in enumerate(able):
            for second in able[i + 1 :]:
                if independent(first.family, second.family, author=author_family):
                    return first, second
        return None

    def describe(self) -> tuple[MemberInfo, ...]:
        """The seats as the claim graph shows them."""
        return tuple(
            MemberInfo(
                name=s.name,
                family=s.member.family,
                model=getattr(s.member, "model", None),
                description=(type(s.member).__doc__ or "").strip().split("\n")[0],
            )
            for s in self.seats
        )


def build_council(policy: CouncilPolicy) -> Council:
    """The council a policy names. Raises `InputError` when a plug-in is not installed."""
    lenses: dict[str, Lens] = {}

    def lens(name: str) -> Lens:
        if name not in lenses:
            lenses[name] = plugins.load("lens", name)()
        return lenses[name]

    return Council(
        seats=tuple(Seat(m.name, plugins.load("member", m.member)(), lens(m.judge)) for m in policy.members),
        verifiers=tuple(lens(name) for name in policy.verifiers),
        writer=policy.writer,
    )
