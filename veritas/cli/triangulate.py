"""`veritas triangulate`: verdicts on pairs of bibliographic records, one JSON line each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli._json_lines import given_lines, record_of
from veritas.errors import InputError

if TYPE_CHECKING:
    from veritas import Triangulation
    from veritas.use_cases.citations import Rule, TriangulationPolicy

_WANTED = "an object of id, primary, secondary and, if there is one, cited"


def triangulate(
    file: Annotated[
        str, typer.Argument(help="JSON lines of {id, cited?, primary, secondary}; - (or nothing) for standard input.")
    ] = "-",
    rule: Annotated[
        str | None, typer.Option("--rule", help="work-aware or strict; default: the policy's rule.")
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="A policy file in place of policies/triangulation.yaml.")
    ] = None,
    fail_on_conflict: Annotated[
        bool, typer.Option("--fail-on-conflict", help="Exit with 1 if any pair is not verified.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON lines and nothing else.")] = False,
) -> None:
    """Decide whether two bibliographic records describe the same work.

    Each input line {id, cited?, primary: {source, record}, secondary: {source, record}} gives one verdict {id,
    verified, same_work, conflicts, notes, rule}, in input order, written as soon as it is known. A record is what the
    API returned: semantic_scholar, openalex, crossref, arxiv, datacite, dblp; or bibtex, an object of fields. Without a
    second source, secondary is null. A record that cannot be read is not verified; a line that cannot be read ends the
    command with exit code 2; earlier output stays.
    """
    from veritas.use_cases.citations import triangulation_policy

    settings = triangulation_policy(policy)
    chosen = _rule(rule)
    failed = False
    with given_lines(file) as lines:
        for name, number, line in lines:
            place = f"{name}:{number}"
            pair = _pair(place, line)
            verdict = _judge(place, pair, settings, chosen)
            failed = failed or not verdict.verified
            print(_json(pair["id"], verdict) if as_json else _text(pair["id"], verdict), flush=True)
    if failed and fail_on_conflict:
        raise typer.Exit(1)


def _rule(name: str | None) -> Rule | None:
    if name is None or name == "strict" or name == "work-aware":
        return name  # type: ignore[return-value]
    raise InputError(f"--rule {name}: there is no such rule; use work-aware or strict")


def _pair(place: str, line: bytes) -> dict[str, Any]:
    pair = record_of(place, line, _WANTED, ("id", "primary", "secondary"))
    for key in ("primary", "secondary"):
        side = pair[key]
        if key == "secondary" and side is None:
            continue
        if not isinstance(side, dict) or not isinstance(side.get("source"), str) or "record" not in side:
            raise InputError(f"{place}: {key!r} must be an object of source and record")
    return pair


def _judge(place: str, pair: dict[str, Any], policy: TriangulationPolicy, rule: Rule | None) -> Triangulation:
    from veritas.use_cases.citations import triangulate

    try:
        return triangulate(pair["primary"], pair["secondary"], pair.get("cited"), policy=policy, rule=rule)
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


def _json(given: Any, verdict: Triangulation) -> str:
    """Return one line, in ASCII: no line separator of Unicode can cut it in two for a careless reader."""
    return json.dumps(
        {
            "id": given,
            "verified": verdict.verified,
            "same_work": verdict.same_work,
            "conflicts": [
                {"field": conflict.field, "primary": conflict.primary, "secondary": conflict.secondary}
                for conflict in verdict.conflicts
            ],
            "notes": list(verdict.notes),
            "rule": verdict.rule,
        }
    )


def _text(given: Any, verdict: Triangulation) -> str:
    said = "verified" if verdict.verified else "not verified, the same work" if verdict.same_work else "not verified"
    name = given if isinstance(given, str) and given.isprintable() else json.dumps(given)
    lines = [f"{name}: {said}"]
    lines += [
        f"  conflict  {conflict.field}: {json.dumps(conflict.primary, ensure_ascii=False)} against "
        f"{json.dumps(conflict.secondary, ensure_ascii=False)}"
        for conflict in verdict.conflicts
    ]
    lines += [f"  note      {note}" for note in verdict.notes]
    return "\n".join(lines).encode("utf-8", "backslashreplace").decode("utf-8")
