"""`veritas approve`: a person settles what the gate could not decide."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.claims.override import Verdict


def approve(
    approval: Annotated[str, typer.Argument(help="The approval's id (veritas approvals), or a beginning of it.")],
    name: Annotated[str, typer.Option("--name", help="Who answers for it.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why, for whoever reads the answer.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="Leave it out for good.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take back what was decided.")] = False,
    replay: Annotated[bool, typer.Option("--replay", help="Then replay the finished run, which takes it in.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The approval (--replay: the claim graph) as JSON.")] = False,
) -> None:
    """Settle a finding that the gate left out: let it in, reject it, or withdraw what was decided.

    The name and the reason are kept with the finding and shown wherever it is shown.
    Example: veritas approve a-3f2b --name "Ada Lovelace" --reason "The data sheet says so on page 3"
    """
    from veritas.approvals import settle
    from veritas.approvals.next_step import next_step
    from veritas.approvals.showing import said
    from veritas.cli.approvals import as_json
    from veritas.errors import InputError
    from veritas.settings import home

    if reject and withdraw:
        raise InputError("give --reject or --withdraw, not both: a rejection can be withdrawn as well")
    verdict: Verdict = "withdraw" if withdraw else "reject" if reject else "approve"
    settled = settle(approval, verdict, name, reason)
    step = next_step(settled, home())
    if settled.last is not None:
        print(f"{settled.approval_id} {said(settled.last)}", file=sys.stderr if json else sys.stdout)
    if replay and step.command.startswith("veritas replay") and settled.run_id:
        from veritas.cli.carrying_out import Asked, carry_out

        carry_out([Asked(replay=settled.run_id, start_stage="synthesize")], out=None, json=json, quiet=False)
        return
    if json:
        print(as_json(settled))
        return
    print(f"{step.why[0].upper()}{step.why[1:]}." + (f" Next: {step.command}" if step.command else ""))
