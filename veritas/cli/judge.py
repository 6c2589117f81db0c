"""`veritas judge`: claims and passages in, judgments out, one JSON line at a time."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.cli._json_lines import given_lines, record_of
from veritas.errors import InputError, Unavailable
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas.claims.judgment import Judgment


def judge(
    file: Annotated[
        str, typer.Argument(help="JSON lines of {id, claim, passage}; - (or nothing) for standard input.")
    ] = "-",
    lens: Annotated[
        list[str] | None, typer.Option("--lens", help="A lens by name; repeat it for several, judged in this order.")
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Say supports only where little doubt is left.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON lines (always the case for this command).")
    ] = False,
) -> None:
    """Judge claims against passages: supports, refutes or silent.

    Each input line {id, claim, passage} gives one line {id, label, score, rationale, lens} per lens, in input order,
    written as soon as it is known. Other keys of the input are ignored, blank lines skipped. A line that cannot be read
    ends the command with exit code 2; earlier output stays. A lens that could not answer gives the label unavailable,
    and the command ends with exit code 3.

    With --strict, supports also needs a comparison of claim and passage that finds no difference that decides and has
    no doubt about a number, role, modality or the like; else the label is silent, and the rationale names the
    difference.
    """
    import asyncio

    from veritas.use_cases.claims import judge_with, lens_named

    lenses = [lens_named(name, strict=strict) for name in lens] if lens else [lens_named(strict=strict)]

    async def run() -> None:
        with given_lines(file) as lines:
            for name, number, line in lines:
                record = _record(f"{name} line {number}", line)
                for each in lenses:
                    judgment = await judge_with(each, record["claim"], record["passage"])
                    unheard.extend([judgment.rationale] if judgment.label == "unavailable" else [])
                    # ASCII: no line separator of Unicode can cut a line in two for a careless reader.
                    print(json.dumps(_row(record["id"], judgment)), flush=True)

    unheard: list[str] = []
    asyncio.run(run())
    if unheard:
        print(f"veritas: {len(unheard)} judgment(s) could not be obtained: {printable(unheard[0])}", file=sys.stderr)
        raise typer.Exit(Unavailable.exit_code)


def _record(place: str, line: bytes) -> dict[str, Any]:
    record = record_of(place, line, "a JSON object of id, claim and passage", ("id", "claim", "passage"))
    for key in ("claim", "passage"):
        if not isinstance(record[key], str):
            raise InputError(f"{place}: {key!r} must be a string, not {json.dumps(record[key])[:40]}")
    return record


def _row(given: Any, judgment: Judgment) -> dict[str, Any]:
    return {
        "id": given,
        "label": judgment.label,
        "score": round(judgment.score, 4),
        "rationale": judgment.rationale,
        "lens": judgment.lens,
    }
