"""`veritas verify`: a verdict on a claim from a corpus, with verbatim evidence."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.claims.judgment import EVEN
from veritas.cli._corpus_option import Corpora
from veritas.cli._json_lines import Line, given_lines, json_of, words_only
from veritas.errors import InputError
from veritas.text.printable import printable

if TYPE_CHECKING:
    from veritas import OpenVerdict


def verify(
    claim: Annotated[
        str | None, typer.Argument(help="One assertion; - reads claims from standard input, one per line.")
    ] = None,
    corpus: Corpora = None,
    claims: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Claims, one per line, or JSON lines of {id, claim}; - for stdin."),
    ] = None,
    policy: Annotated[Path | None, typer.Option(help="Source policy (default: policies/source_tiers.yaml).")] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Do not report unread documents on stderr.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON on stdout (always the case for several claims).")
    ] = False,
) -> None:
    """Check one claim against a corpus: verdict with verbatim evidence.

    Example: veritas verify "A refined claim is verified again." --corpus docs/

    The verdict is supports, refutes or insufficient, with a confidence from 0 to 1. Each piece of evidence occurs word
    for word in its document. Sources that the policy rejects are not read. With - or --claims the output is one JSON
    line per claim, written as soon as it is known; the corpus is read once.
    """
    if (claim is None) == (claims is None):
        raise InputError("give one of: a claim, - for claims on standard input, or --claims FILE")
    if not corpus:
        raise InputError(
            "verify needs --corpus PATH: a folder or file of documents, or a .jsonl of {id, title, text}; "
            "it does not search the web"
        )
    single = claim if claim != "-" else None
    words_only(single, "a claim", "name a file of claims with --claims, documents with --corpus")
    if single is not None and not any(c.isalnum() for c in single):
        raise InputError("the claim has no words; give one assertion, such as \"Zinc shortens colds.\"")
    import asyncio

    from veritas.use_cases.claims import Verifier

    async def run(verifier: Verifier, lines: Iterable[Line]) -> None:
        if single is not None:
            verdict = await verifier.verify(single)
            print(json.dumps(verdict.model_dump(mode="json")) if as_json else _for_reading(verdict))
        for record in _claims(lines):
            verdict = await verifier.verify(record["claim"])
            # ASCII: no line separator of Unicode can cut a line in two for a careless reader.
            print(json.dumps({**record, **verdict.model_dump(mode="json")}), flush=True)

    # Opened before the corpus is read: a wrong name is reported at once.
    with given_lines(claims or "-") if single is None else nullcontext(()) as lines:
        said = None if quiet else lambda problem: print(f"veritas: {problem}", file=sys.stderr)
        asyncio.run(run(Verifier(corpus, policy=policy, on_problem=said), lines))


def _claims(lines: Iterable[Line]) -> Iterator[dict[str, Any]]:
    """Yield each claim with its `id` if it has one, as it comes."""
    for name, number, line in lines:
        place = f"{name} line {number}"
        try:
            text = line.decode("utf-8").strip()
        except UnicodeDecodeError as error:
            raise InputError(f"{place} is not UTF-8 text: {error.reason} at byte {error.start}") from error
        if text:
            yield _record(place, text) if text.startswith("{") else {"claim": text}


def _record(place: str, text: str) -> dict[str, Any]:
    try:
        record = json_of(text)
    except ValueError as error:
        raise InputError(f"{place} is not a JSON object of id and claim: {error}") from error
    if not isinstance(record.get("claim"), str):
        raise InputError(f"{place} has no string under 'claim'; each line needs id and claim")
    return {key: record[key] for key in ("id", "claim") if key in record}


def _for_reading(verdict: OpenVerdict) -> str:
    label = verdict.verdict.upper()
    if verdict.verdict != "insufficient" and verdict.confidence < EVEN:
        label = f"DOUBTFUL, LEANS TO {label}"
    lines = [f"{label} ({verdict.confidence:.0%})  {_plain(verdict.claim)}", f"  {verdict.reason}"]
    lines += [f"  {verdict.caveat}"] if verdict.caveat else []
    lines += [f"  note: {badge}" for badge in verdict.badges]
    for each in verdict.evidence:
        lines += [
            "",
            f"  {each.label} {each.score:.0%}  {_plain(each.title)}",
            f"  {_plain(each.url)} [{each.start}:{each.end}], tier {each.tier}",
            *(f"    “{_plain(span)}”" for span in (each.passage, *(s.passage for s in each.also))),
        ]
    for left_out in verdict.rejected:
        lines += ["", f"  not read: {_plain(left_out.url)} (tier {left_out.tier}: {left_out.reason})"]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Return the text on one line, safe to print to a terminal."""
    return printable(" ".join(text.split()))
