"""`veritas runs`: what is in the store."""

from __future__ import annotations

from typing import Annotated

import typer


def runs(
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many, newest first.", min=1)] = 20,
    json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List the stored runs, newest first; unfinished ones too."""
    from veritas.settings import home
    from veritas.store import list_runs

    found = list_runs(home())[:limit]
    if json:
        for summary in found:
            print(summary.model_dump_json())
        return
    if not found:
        print(f"no runs in {home()}: ask something with veritas research, or try veritas demo")
        return
    for summary in found:
        origin = f"  (replay of {summary.parent_run_id} from {summary.replayed_from})" if summary.parent_run_id else ""
        question = " ".join((summary.question or "").split())
        line = question if len(question) <= 70 else question[:69] + "…"
        print(f"{summary.run_id}  {summary.status:<9} {summary.tier or '':<9} {line}{origin}")
