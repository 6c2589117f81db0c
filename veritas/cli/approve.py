"""`veritas approve`: a person settles a case that the gate could not decide."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.approvals import Approval
    from veritas.claims.override import Verdict


def approve(
    approval: Annotated[str, typer.Argument(help="The approval's id (see veritas approvals) or its beginning.")],
    name: Annotated[str, typer.Option("--name", help="Your name; with a roster, the key determines it.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="The reason, for readers of the answer.")] = "",
    reject: Annotated[bool, typer.Option("--reject", help="Leave the finding out for good.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Withdraw the earlier decision.")] = False,
    draft: Annotated[bool, typer.Option("--draft", help="Show a form's draft, ask, and sign it.")] = False,
    key: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Your private key (default: ~/.ssh/id_ed25519, ssh-agent).")
    ] = None,
    seen: Annotated[
        str | None, typer.Option(metavar="FINGERPRINT", help="Fingerprint of the case you read; sign only that one.")
    ] = None,
    replay: Annotated[bool, typer.Option("--replay", help="Then replay the finished run with the decision.")] = False,
    json: Annotated[bool, typer.Option("--json", help="The approval (--replay: the claim graph) as JSON.")] = False,
) -> None:
    """Decide about a finding that the gate left out: approve it, reject it, or withdraw an earlier decision.

    The name and the reason are kept with the finding and shown wherever it is shown. With a roster of approvers
    (policies/approvers.yaml) the decision is signed with your key; without one it is unsigned and marked so. Example:
    veritas approve a-3f2b --name "Ada Lovelace" --reason "The data sheet says so on page 3"
    """
    from veritas.approvals import find, settle, signed_here
    from veritas.approvals.next_step import next_step
    from veritas.approvals.render_case import said
    from veritas.cli.approvals import as_json
    from veritas.errors import InputError
    from veritas.settings import home

    if reject and withdraw:
        raise InputError("give --reject or --withdraw, not both: a rejection can be withdrawn as well")
    if draft and (reject or withdraw or reason):
        raise InputError("--draft signs what the form says; to say something else, give it without --draft")
    verdict: Verdict = "withdraw" if withdraw else "reject" if reject else "approve"
    if signed_here():
        case = find(approval)
        approval = case.approval_id
        if draft:
            if case.draft is None:
                raise InputError(f"no form has drafted a decision on {approval}")
            verdict, reason = case.draft.verdict, case.draft.reason
        if draft or (seen is None and not case.recorded):
            _confirmed(case, verdict, reason)
        seen = seen or case.fingerprint
    elif draft or key is not None:
        raise InputError("there is no roster of approvers (policies/approvers.yaml), so nothing is signed here")
    settled = settle(approval, verdict, name, reason, key=key, seen=seen)
    step = next_step(settled, home())
    done = next((d for d in reversed(settled.decisions) if d.key or not signed_here()), None)
    if done is not None:
        print(f"{settled.approval_id} {said(done)}", file=sys.stderr if json else sys.stdout)
    if replay and step.command.startswith("veritas replay") and settled.run_id:
        from veritas.cli.run_commands import carry_out
        from veritas.use_cases.runners import Asked

        carry_out([Asked(replay=settled.run_id, start_stage="synthesize")], out=None, json=json, quiet=False)
        return
    if json:
        print(as_json(settled))
        return
    print(f"{step.why[0].upper()}{step.why[1:]}." + (f" Next: {step.command}" if step.command else ""))


def _confirmed(case: Approval, verdict: Verdict, reason: str) -> None:
    """Show what would be signed, and go on only if the person says yes. Raises `InputError` otherwise."""
    from veritas.approvals.render_case import screen
    from veritas.errors import InputError
    from veritas.text.visible import one_line

    print(screen(case), file=sys.stderr)
    print(f"To be signed: {verdict}: {one_line(reason)}. Sign it? [y/N] ", file=sys.stderr, end="", flush=True)
    answer = sys.stdin.readline() if sys.stdin is not None else ""
    if answer.strip().lower() not in ("y", "yes"):
        raise InputError(
            f"nothing was signed: answer y, or name the case that you read with --seen {case.fingerprint[:32]} and say "
            "yourself what you decide"
        )
