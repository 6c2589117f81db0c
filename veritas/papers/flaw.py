"""What an audit holds against a paper, and what it leaves open: two kinds, never mixed and never counted together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import Field

from veritas.frozen import Frozen

FlawKind = Literal["contradicted", "citation", "circular", "uncited", "dangling"]
OpenKind = Literal["unsupported", "citation", "missing-part", "weak-link", "not-assessable"]


class Flaw(Frozen):
    """A specific flaw: it says what is wrong with which words of the paper, so it can be shown to be false.

    `subject` is a node's id, `reference:key` or `paper`. `contradicted`: another passage cannot be true beside it, or
    the paper was retracted. `citation`: a registry says that the cited work is retracted, another one or none.
    `circular`: of audits of before alone. `dangling`: citations that fit no entry of the reference list.
    `uncited`, in audits of before: it reports what others found and cites nobody.
    """

    subject: str
    kind: FlawKind
    severity: float = Field(ge=0, le=1)
    why: str


class OpenPoint(Frozen):
    """A point that the audit could not settle. It says nothing against the paper, and has no severity.

    `subject` is a node's id, `parent->child`, `reference:key`, `paper` or `paper:part`. `unsupported`: nothing that was
    asked bears it out. `citation`: a registry's word on a reference of a list that may not be read whole.
    `missing-part`: nothing was read as that part. `weak-link`: the reading is unsure of a link. `not-assessable`:
    nothing was at hand to judge by.
    """

    subject: str
    kind: OpenKind
    why: str


CITES_NOBODY = "it reports what others found and cites nobody"
CIRCULAR = "circular: "
_OPEN = frozenset({"unsupported", "missing-part", "weak-link", "not-assessable"})


def parted(audit: Mapping[str, Any]) -> dict[str, Any]:
    """Return an audit's document (JSON values) in today's form: before, one list held flaws and open points."""
    made = dict(audit)
    before = made.get("flaws", ())
    if "open_points" in made or not all(isinstance(f, dict) and {"subject", "kind", "why"} <= f.keys() for f in before):
        return made  # of today, or no audit at all
    flaws, points = [], []
    for flaw in before:
        kind, why = flaw["kind"], str(flaw["why"])
        if kind == "unsupported" and why.startswith(CIRCULAR):
            flaws.append({**flaw, "kind": "circular"})
        elif kind == "unsupported" and CITES_NOBODY in why:
            flaws.append({**flaw, "kind": "uncited"})
        elif kind in _OPEN:
            points.append({"subject": flaw["subject"], "kind": kind, "why": why})
        else:
            flaws.append(flaw)
    return made | {"flaws": flaws, "open_points": points}
