"""The choice of a council, with reasons: the named one, else the first built-in one that can be used."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from veritas.council.seating import Absent, said, seat
from veritas.errors import InputError
from veritas.policy.council_policy import CouncilChoice, CouncilPolicy, read_council
from veritas.settings import policy_file, policy_files

SETTING = "VERITAS_COUNCIL"


@dataclass(frozen=True)
class PassedOver:
    """A built-in council that was not chosen, and the reason."""

    council: str
    why: str
    absent: tuple[Absent, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """The chosen council. `policy` has only the usable seats, settings filled in and families named; it contains no
    key."""

    policy: CouncilPolicy
    file: Path
    because: str
    absent: tuple[Absent, ...] = ()
    passed_over: tuple[PassedOver, ...] = ()

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.file.stem


def council_file(named: str | Path) -> Path:
    """Return the file of a council that is named by its path, or by a built-in name (`policies/councils/`). Raises
    `InputError` for a bare name of neither."""
    path = Path(named).expanduser()
    if not path.exists() and not path.suffix and path.name == str(named):
        ready = policy_file(f"councils/{path.name}.yaml")
        if ready.exists():
            return ready.resolve()
        there = [p.stem for p in policy_files("councils")]
        raise InputError(f"there is no council file {named}, and no ready council of that name: {', '.join(there)}")
    return path.resolve()


def choose_council(named: Path | None = None, environ: Mapping[str, str] = os.environ) -> Chosen:
    """Return the council for a run: `named`, else the one of `VERITAS_COUNCIL`, else by `policies/council.yaml`.

    Raises `PolicyError` for a mistake in a file, `InputError` if the named council cannot be used.
    """
    if named is not None:
        return _from(named, "it was named", environ)
    if environ.get(SETTING):
        return _from(council_file(environ[SETTING]), f"{SETTING} names it", environ)
    return _from(policy_file("council.yaml"), "it is the default", environ)


def _from(path: Path, because: str, environ: Mapping[str, str]) -> Chosen:
    policy, file = read_council(path)
    if isinstance(policy, CouncilPolicy):
        seating = seat(policy, file, environ)
        if seating.policy is None:
            raise InputError(f"{path}: this council cannot sit: {said(seating.absent) or seating.why}")
        return Chosen(seating.policy, path, because, seating.absent)
    passed: list[PassedOver] = []
    for name in policy.choose:
        beside = path.parent / "councils" / f"{name}.yaml"
        ready = beside if beside.exists() else policy_file(f"councils/{name}.yaml")
        council, its_file = read_council(ready)
        if isinstance(council, CouncilChoice):
            raise file.error(("choose", policy.choose.index(name)), f"{name} chooses in its turn: name a council")
        seating = seat(council, its_file, environ)
        if seating.policy is not None:
            why = "the first of the ready councils that can sit" if passed else "the first of the ready councils"
            return Chosen(seating.policy, ready, why, seating.absent, tuple(passed))
        passed.append(PassedOver(name, seating.why, seating.absent))
    reasons = "; ".join(f"{p.council}: {p.why}" for p in passed)
    raise InputError(f"{path}: none of its councils can sit: {reasons}")
