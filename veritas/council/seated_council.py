"""The council of a run: seats, verifiers and writer, and the choice of a claim's judges (I4)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from veritas import plugins
from veritas.claims.graph import MemberInfo
from veritas.council.connections import Connected, Switchboard
from veritas.council.families import may_judge
from veritas.council.lenses.setup import bare_lens, configured_lens
from veritas.council.member import Member
from veritas.council.model_lens import ModelLens
from veritas.council.model_member import MOST, ModelMember
from veritas.council.panel import panel
from veritas.council.succession import connection
from veritas.errors import InputError
from veritas.judging.lens import Lens
from veritas.policy.council_policy import CouncilPolicy, JudgePolicy, ModelPolicy
from veritas.policy.gate_policy import CombinationRule


@dataclass(frozen=True)
class Seat:
    """A member with its name in the claim graph, and the lens that judges its peers' claims."""

    name: str
    member: Member
    judge: Lens

    @property
    def connected(self) -> Connected | None:
        """The language model behind the member, for `in_succession`; None without one."""
        return connection(self.member)

    @property
    def model(self) -> str | None:
        """The name of the member's language model; None without one."""
        return getattr(self.member, "model", None)


@dataclass(frozen=True)
class Council:
    """The seats, the lenses and the writer of a run. `verifiers` are in order of preference. All lenses have different
    names."""

    seats: tuple[Seat, ...]
    verifiers: tuple[Lens, ...]
    writer: str
    writers: tuple[str, ...] = ()
    """All writers of the council file, in its order."""

    def seat(self, name: str) -> Seat:
        """Return the seat of that name. Raises `KeyError` if there is none."""
        return {s.name: s for s in self.seats}[name]

    def speakers(self, name: str, *, writes: bool = False) -> tuple[Seat, ...]:
        """Return the seat of that name, followed by the seats that replace it.

        These are the other language models of the council, other families first. If it `writes`, the other writers of
        the council file come before them. Members without a model never replace a model, nor the reverse, unless the
        file lists them as writers.
        """
        first = self.seat(name)
        listed = [self.seat(w) for w in self.writers if w != name] if writes else []
        models = [s for s in self.seats if s.model is not None and s is not first and s not in listed]
        foreign = sorted(models, key=lambda s: not may_judge(s.member.family, first.member.family))
        return (first, *listed, *(foreign if first.model is not None else ()))

    @property
    def lenses(self) -> Mapping[str, Lens]:
        """All lenses of the council by name."""
        return {lens.name: lens for lens in (*self.verifiers, *(s.judge for s in self.seats))}

    def bench(self, author: str, rule: CombinationRule) -> tuple[Lens, ...]:
        """Return the lenses that could judge claims of seat `author`, in the order the rule prefers, whatever their
        families."""
        peers = tuple(s.judge for s in self.seats if s.name != author)
        if rule.judges == "verifiers":
            return self.verifiers
        return (*peers, *self.verifiers) if rule.judges == "peers" else (*self.verifiers, *peers)

    def panel(self, author: str, family: str, rule: CombinationRule) -> tuple[Lens, ...] | None:
        """Return the judges of claims of seat `author`, of `family`; None if the council has no such panel (then:
        halt)."""
        return panel(self.bench(author, rule), rule, family)

    def describe(self) -> tuple[MemberInfo, ...]:
        """Return the seats as the claim graph shows them."""
        return tuple(
            MemberInfo(
                name=s.name,
                family=s.member.family,
                model=s.model,
                description=getattr(s.member, "description", ""),
            )
            for s in self.seats
        )


def build_council(policy: CouncilPolicy, switchboard: Switchboard | None = None, most: int = MOST) -> Council:
    """Return the council a policy names, its models connected through `switchboard`; they are asked for `most` claims a
    turn. Every family of a model must be named in the policy; `veritas.council.seating.seat` does that. Raises
    `InputError` when a plug-in is not installed or cannot be set up."""
    board = switchboard if switchboard is not None else Switchboard(policy.providers)
    lenses: dict[str, Lens] = {}

    def model_lens(name: str, model: ModelPolicy) -> Lens:
        return ModelLens(name, model.family or "", board.connect(model))

    def judging(one: JudgePolicy) -> Lens:
        model = one.as_model()
        if one.lens is None and model is not None:
            return model_lens(one.name, model)
        return configured_lens(one, board.connect(model) if model is not None else None)

    def lens(name: str) -> Lens:
        if name not in lenses:
            lenses[name] = bare_lens(name)
        return lenses[name]

    lenses.update({one.name: judging(one) for one in policy.judges})
    own: dict[str, Lens] = {}
    seats: list[Seat] = []
    for member in policy.members:
        model = member.as_model()
        if model is None:
            judge = own[member.name] = lens(member.judge or "")
            seats.append(Seat(member.name, plugins.make("member", member.member or "", Member), judge))
            continue
        judge = own[member.name] = lens(member.judge) if member.judge else model_lens(f"{member.name}-judge", model)
        asserting = ModelMember(member.name, model.family or "", board.connect(model), most)
        seats.append(Seat(member.name, asserting, judge))
    verifiers = tuple(own[name] if name in own and name not in lenses else lens(name) for name in policy.verifiers)
    _told_apart([*verifiers, *(seat.judge for seat in seats)])
    return Council(seats=tuple(seats), verifiers=tuple(dict.fromkeys(verifiers)), writer=policy.writers[0],
                   writers=policy.writers)


def _told_apart(lenses: Iterable[Lens]) -> None:
    """Raise `InputError` if two different lenses have one name: a judgment counts for the lens it names."""
    named: dict[str, Lens] = {}
    for lens in lenses:
        other = named.setdefault(lens.name, lens)
        if type(other) is not type(lens) or getattr(other, "connected", None) is not getattr(lens, "connected", None):
            raise InputError(f"two lenses of the council call themselves {lens.name!r}")
