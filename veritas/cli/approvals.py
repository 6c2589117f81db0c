"""`veritas approvals` and `approve`: cases that wait for a person, listed, shown and decided."""

from __future__ import annotations

import json as json_text
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.approvals import Approval
    from veritas.claims.override import Verdict


def approvals(
    approval: Annotated[
        str | None, typer.Argument(help="An approval's id or its beginning: show this case.", show_default=False)
    ] = None,
    all: Annotated[bool, typer.Option("--all", "-a", help="Include settled and expired cases.")] = False,
    run: Annotated[str | None, typer.Option("--run", help="Only those of one run: its id, or `latest`.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> None:
    """List the cases that wait for a person, oldest first, or show one case with all that the decision needs.

    Example: veritas approvals a-3f2b
    """
    from veritas.approvals import find, signed_here, survey
    from veritas.approvals.render_case import cause, decided_on, grouped, screen, shortened
    from veritas.errors import StoreUnavailable
    from veritas.settings import home
    from veritas.use_cases.run_archive import find_run

    if approval is not None:
        one = find(approval)
        width = min(shutil.get_terminal_size((100, 24)).columns, 100)
        print(as_json(one)) if json else print(screen(one, width), end="")
        return
    found, damaged = survey(run_ids=[find_run(run)] if run else None)
    shown = found if all else [a for a in found if a.state() == "pending"]
    for group in [shown] if json else grouped(shown):
        together = len(group) > 1 and not json
        if together:
            print(f"These {len(group)} wait for one reason: {shortened(cause(group[0]), 400)}")
        if together and len({decided_on(one) for one in group}) == 1:
            print(f"One command settles them: veritas approve {' '.join(one.approval_id for one in group)}")
        for one in group:
            print(as_json(one) if json else "\n".join(_lines(one, why=not together)))
    if not shown and not json:
        settled = f"; {len(found)} settled or expired: veritas approvals --all" if found and not all else ""
        read = " that can be read" if damaged else ""
        print(f"no case{read} waits for a decision in {home()}{settled}")
    elif not json:
        print("\nveritas approvals ID shows a case, veritas approve ID --name … --reason … settles it")
    if shown and not json and not signed_here():
        print("Decisions here are unsigned: no approver is on a roster (policies/approvers.yaml, docs/approvals.md)")
    for each in damaged:
        print(f"veritas: {each.problem}", file=sys.stderr)
    if damaged:
        raise SystemExit(StoreUnavailable.exit_code)


def as_json(approval: Approval) -> str:
    """Return the approval with its current state, on one line."""
    value: dict[str, Any] = {**approval.model_dump(mode="json"), "state": approval.state()}
    return json_text.dumps(value, ensure_ascii=True)


def _lines(approval: Approval, *, why: bool) -> list[str]:
    from veritas.approvals.render_case import cause, drafted, said, shortened
    from veritas.text.visible import one_line

    a = approval
    state = a.state()
    limit = f" until {a.expires_at:%Y-%m-%d %H:%M} UTC" if state == "pending" and a.expires_at else ""
    lines = [
        f"{a.approval_id}  {state + limit:<9} {a.kind}{'  ' + one_line(a.run_id) if a.run_id else ''}",
        f"    “{shortened(a.case.claim, 160)}”",
    ]
    if a.case.asserted_by:
        lines.append(f"    Asserted by {one_line(', '.join(a.case.asserted_by))}")
    if not a.recorded:
        lines.append("    Not checked: there is no record here that this was asked; the file alone admits nothing")
    if state == "pending" and why:
        told = shortened(cause(a), 400)
        lines.append(f"    {told[:1].upper()}{told[1:]}")
    if state == "pending" and a.draft is not None:
        lines.append(f"    {drafted(a.draft)}")
    return [*lines, *(f"    {said(d)}" for d in a.decisions)]


def approve(
    approval: Annotated[list[str], typer.Argument(help="Ids of cases (see veritas approvals) or their beginnings.")],
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
    from veritas.approvals import find
    from veritas.errors import InputError

    if reject and withdraw:
        raise InputError("give --reject or --withdraw, not both: a rejection can be withdrawn as well")
    if draft and (reject or withdraw or reason):
        raise InputError("--draft signs what the form says; to say something else, give it without --draft")
    if len(approval) > 1 and seen is not None:
        raise InputError("--seen names one case: give one id with it")
    if len(approval) > 1:
        approval = list(dict.fromkeys(find(one).approval_id for one in approval))
    verdict: Verdict = "withdraw" if withdraw else "reject" if reject else "approve"
    for one in approval:
        _settled(one, verdict, name, reason, draft, key, seen, replay and one == approval[-1], json)


def _settled(
    approval: str, verdict: Verdict, name: str, reason: str, draft: bool, key: Path | None, seen: str | None,
    replay: bool, json: bool,
) -> None:  # fmt: skip
    from veritas.approvals import find, settle, signed_here
    from veritas.approvals.next_step import next_step
    from veritas.approvals.render_case import said
    from veritas.errors import InputError
    from veritas.settings import home

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
    """Show what would be signed, and continue only if the person agrees. Raises `InputError` otherwise."""
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
