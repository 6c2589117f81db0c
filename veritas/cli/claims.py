"""Claims, passages and sources: `veritas judge`, `tier` and `verify`."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from veritas.claims.judgment import EVEN
from veritas.cli._inputs import Corpora, Line, SourcePolicy, given_lines, json_of, record_of, words_only
from veritas.errors import InputError, Unavailable
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas import OpenVerdict, TierVerdict
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


def tier(
    urls: Annotated[
        list[str], typer.Argument(metavar="URL...", help="The URLs; a single - reads them from stdin, one per line.")
    ],
    policy: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A policy file; by default policies/source_tiers.yaml.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line per URL.")] = False,
) -> None:
    """Classify URLs by the source policy, with the reason.

    Tiers 1 to 3 may be cited; tier 4 is rejected; "wikipedia" is read for its references and never cited. Archives,
    redirects and proxies are resolved to the page behind them. Nothing is fetched. With --json each line is {url, tier,
    paywalled, admitted, justification, rule}, in the order of the URLs.
    """
    from veritas.use_cases.claims import source_policy

    if "-" in urls and len(urls) > 1:
        raise InputError("- reads the URLs from standard input: give either - or URLs, not both")
    rules = source_policy(policy)
    any_url = False
    for url in _given(urls):
        any_url = True
        verdict = rules.classify(url)
        print(_json_line(verdict) if as_json else _for_reading(verdict))
    if not any_url:
        raise InputError("there is no URL on standard input; give one a line")


def _given(urls: list[str]) -> Iterator[str]:
    if urls != ["-"]:
        yield from urls
        return
    for line in sys.stdin.buffer:
        url = line.decode("utf-8", "replace").strip("\r\n")
        if url.strip():
            yield url


def _json_line(verdict: TierVerdict) -> str:
    # ASCII: no line separator of Unicode can cut a line in two for a careless reader.
    named = ("url", "tier", "paywalled", "admitted", "justification", "rule")
    return json.dumps({name: getattr(verdict, name) for name in named})


def _for_reading(verdict: TierVerdict) -> str:
    marks = [f"tier {verdict.tier}"] if verdict.tier != "wikipedia" else ["wikipedia"]
    marks += ["paywalled"] if verdict.paywalled else []
    marks += [] if verdict.admitted else ["orientation only" if verdict.tier == "wikipedia" else "rejected"]
    url = printable(verdict.url)
    return f"{', '.join(marks):<28}{url}\n{'':<28}{verdict.justification}\n{'':<28}rule: {verdict.rule}"


def verify(
    claim: Annotated[
        str | None, typer.Argument(help="One assertion; - reads claims from standard input, one per line.")
    ] = None,
    corpus: Corpora = None,
    claims: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Claims, one per line, or JSON lines of {id, claim}; - for stdin."),
    ] = None,
    policy: SourcePolicy = None,
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
            print(json.dumps(verdict.model_dump(mode="json")) if as_json else _verdict_text(verdict))
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
            yield _claim_record(place, text) if text.startswith("{") else {"claim": text}


def _claim_record(place: str, text: str) -> dict[str, Any]:
    try:
        record = json_of(text)
    except ValueError as error:
        raise InputError(f"{place} is not a JSON object of id and claim: {error}") from error
    if not isinstance(record.get("claim"), str):
        raise InputError(f"{place} has no string under 'claim'; each line needs id and claim")
    return {key: record[key] for key in ("id", "claim") if key in record}


def _verdict_text(verdict: OpenVerdict) -> str:
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
