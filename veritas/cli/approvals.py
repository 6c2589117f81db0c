"""`veritas approvals`: the cases that wait for a person, and a case on one screen."""

from __future__ import annotations

import json as json_text
import shutil
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.approvals import Approval


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
    from veritas.approvals.render_case import screen
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
    for one in shown:
        print(as_json(one) if json else "\n".join(_lines(one)))
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


def _lines(approval: Approval) -> list[str]:
    from veritas.approvals.render_case import drafted, said, shortened
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
    if state == "pending":
        lines.append(f"    {shortened(a.sentence, 400)}")
    if state == "pending" and a.draft is not None:
        lines.append(f"    {drafted(a.draft)}")
    return [*lines, *(f"    {said(d)}" for d in a.decisions)]
