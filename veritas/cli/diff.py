"""`veritas diff`: what changed between two runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.claims.graph_diff import GraphDiff


def diff(
    first: Annotated[str, typer.Argument(help="A run's id or a beginning of it.")],
    second: Annotated[str, typer.Argument(help="The run to compare it with.")],
    json: Annotated[bool, typer.Option("--json", help="The comparison as one JSON document.")] = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if the findings differ.")] = False,
) -> None:
    """Say what changed between two runs in sources, claims, verdicts and answer."""
    from veritas.claims.graph_diff import diff_graphs
    from veritas.use_cases.stored_graphs import stored_graph

    found = diff_graphs(stored_graph(first), stored_graph(second))
    if json:
        print(found.model_dump_json())
    else:
        print("\n".join(_lines(found)))
    if exit_code and not found.same:
        raise typer.Exit(1)


def _lines(found: GraphDiff) -> list[str]:
    lines = [f"{found.first} → {found.second}"]
    lines += [f"  setting {name}: {before} → {after}" for name, (before, after) in found.settings.items()]
    if found.same:
        return [*lines, "  the findings are the same"]
    for name in ("sources", "claims", "verdicts", "answer"):
        part = getattr(found, name)
        lines.append(f"{name}: {len(part.added)} added, {len(part.removed)} removed, {len(part.changed)} changed")
        lines += [f"  + {text}" for text in part.added]
        lines += [f"  - {text}" for text in part.removed]
        for change in part.changed:
            what = "; ".join(f"{field}: {before} → {after}" for field, (before, after) in change.fields.items())
            lines.append(f"  ~ {change.about}: {what}")
    if found.status[0] != found.status[1]:
        lines.append(f"status: {found.status[0]} → {found.status[1]}")
    return lines
