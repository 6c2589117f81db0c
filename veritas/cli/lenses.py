"""`veritas lenses`: the agreement of the lenses, or their accuracy on labelled claims."""

from __future__ import annotations

import json as json_text
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import given_lines, record_of
from veritas.errors import InputError, Unavailable
from veritas.text.visible import printable

if TYPE_CHECKING:
    from veritas.use_cases.lens_benchmark import Agreement, LensAccuracy, LensMeasured, Pair


def lenses(
    run: Annotated[list[str] | None, typer.Argument(help="Runs (ids, or `latest`); default: all.")] = None,
    on: Annotated[
        str | None,
        typer.Option("--on", help="Labelled claims, JSON lines of {claim, passage, label, source_dataset?}; - for "
                     "standard input."),
    ] = None,
    lens: Annotated[
        list[str] | None, typer.Option("--lens", help="With --on: a lens by name, of the council or installed; repeat.")
    ] = None,
    council: Annotated[
        str | None, typer.Option("--council", help="With --on: a council file, or a ready one's name, for its judges.")
    ] = None,
    calibrate: Annotated[
        str | None, typer.Option("--calibrate", help="With --on and one --lens: fit its calibration, write this file.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure how much the lenses agree beyond chance, how often each dissents alone, and whether two are practically
    the same; with --on, how often each is right on labelled claims, beside the embedded lens.

    Agreement compares findings that several lenses judged. Quick and standard runs ask one lens per claim; deep runs,
    audits of papers and reviews ask two. With --on, a lens that could not judge a claim is named, that claim counts for
    it nowhere, and the command ends with exit code 3.
    """
    if on is not None:
        if run:
            raise InputError("--on measures on a file, and not on runs: leave out the runs, or --on")
        return _measure(on, lens or (), council, calibrate, json)
    if lens or council or calibrate:
        raise InputError("--lens, --council and --calibrate go with --on FILE")
    from veritas.text.visible import one_line
    from veritas.use_cases.lens_benchmark import lens_agreement

    made = lens_agreement(run or ())
    found, families, runs = made.agreement, made.families, made.runs
    if json:
        value = found.model_dump(mode="json")
        for each in value["lenses"]:
            each |= {"family": families[each["lens"]], "unavailable": made.unavailable[each["lens"]]}
        print(json_text.dumps({"runs": runs, **value, "warnings": list(found.warnings)}, ensure_ascii=True))
        return
    print("\n".join(one_line(line) if line.startswith("WARNING") else line for line in _lines(found, families, runs)))


def _lines(found: Agreement, families: Mapping[str, str], runs: int) -> Sequence[str]:
    from veritas.text.visible import one_line
    from veritas.use_cases.lens_benchmark import ENOUGH

    if not found.lenses:
        return ["no judgments are in the store: ask something with veritas research --tier deep"]
    names = {s.lens: one_line(s.lens) for s in found.lenses}
    width = max(len(name) for name in names.values())
    lines = [f"{runs} run(s), {found.items} item(s) judged by two lenses or more"]
    for share in found.lenses:
        alone = (
            f"alone against all others {share.lone_dissents} of {share.among} ({share.share:.0%})"
            if share.share is not None
            else "never beside two others"
        )
        family = one_line(families[share.lens])
        lines.append(f"  {names[share.lens]:<{width}}  judged {share.judged:>6}  {alone}  [{family}]")
    if found.pairs:
        lines.append("\nCohen's kappa of two (95 % interval)")
    for pair in found.pairs:
        kappa = "undefined: both gave one label only" if pair.kappa is None else (
            f"{pair.kappa:+.2f} ({pair.low:+.2f} to {pair.high:+.2f})"
        )
        few = "" if pair.items >= ENOUGH else ", too few to say anything"
        both = f"{names[pair.first]} · {names[pair.second]}"
        lines.append(f"  {both}: {kappa}, agree on {pair.agreement:.0%}, n = {pair.items}{few}")
    if found.fleiss is not None:
        lines.append(f"\nFleiss' kappa of all: {found.fleiss:+.2f}, n = {found.items}")
    if not found.pairs:
        lines.append("no item was judged by two lenses, so nothing can be said of their agreement")
    return [*lines, *(f"WARNING: {warning}" for warning in found.warnings)]


def _measure(on: str, named: Sequence[str], council: str | None, calibrate: str | None, json: bool) -> None:
    import asyncio

    from veritas.text.visible import one_line
    from veritas.use_cases.lens_benchmark import calibrate_lens, measure_lenses

    if calibrate is not None and (len(named) != 1 or council is None):
        raise InputError("--calibrate fits one lens of a council: name it with --lens, and the file with --council")
    pairs = labelled_claims(on)
    if calibrate is not None:
        made = asyncio.run(calibrate_lens(pairs, named[0], calibrate, council=council or "", fitted_on=on))
        if json:
            print(made.model_dump_json())
            return
        print(
            f"temperature {made.temperature:g}, fitted on {made.items} pair(s): calibration error "
            f"{made.error_before:.3f} before and {made.error_after:.3f} after, on the same pairs"
        )
        print(f"written to {one_line(calibrate)}; name it in the lines of {one_line(named[0])}, as calibration:")
        return
    shows = sys.stderr.isatty()

    def said(lens: str, count: int) -> None:
        if shows:
            end = "\n" if count == len(pairs) else ""
            print(f"\r{one_line(lens)}: {count:,} of {len(pairs):,} pairs", end=end, file=sys.stderr, flush=True)

    found = asyncio.run(measure_lenses(pairs, named, council=council, on_judged=said))
    if json:
        value = {"pairs": len(pairs), "lenses": [one.model_dump(mode="json") for one in found]}
        print(json_text.dumps(value, ensure_ascii=True))
    else:
        print("\n".join(_table(found)))
    if any(one.unavailable for one in found):
        raise typer.Exit(Unavailable.exit_code)


_COLUMNS = ("accuracy", "macro-F1", "false supports", "refuted called supported", "supports kept", "calibration error")


def _table(found: Sequence[LensMeasured]) -> Sequence[str]:
    """Return the figures as a Markdown table, a row for each lens and set."""
    from veritas.text.visible import one_line

    lines = [
        f"| lens | set | pairs | {' | '.join(_COLUMNS)} | seconds a pair | tokens a pair | dollars a pair |",
        f"| {'--- | ' * (len(_COLUMNS) + 6)}".rstrip(),
    ]
    for one in found:
        name = one_line(one.lens).replace("|", "\\|")
        cost = f"{_or_none(one.seconds, '.3f')} | {_or_none(one.tokens, '.0f')} | {_or_none(one.dollars, '.6f')}"
        lines.append(f"| {name} | all | {_cells(one.all)} | {cost} |")
        for of, figures in one.sets.items():
            lines.append(f"| {name} | {one_line(of).replace('|', chr(92) + '|')} | {_cells(figures)} | | | |")
    for one in found:
        if one.two_labels:
            lines.append(f"\n{one_line(one.lens)} never refutes: to it, a refuted claim is silent.")
        if one.unavailable:
            why = one_line(one.why or "")
            lines.append(f"\n{one_line(one.lens)} did not judge {one.unavailable} pair(s), which count nowhere: {why}")
    return lines


def _cells(of: LensAccuracy) -> str:
    shares = (of.accuracy, of.macro_f1, of.false_supports, of.refuted_supported, of.supports_kept)
    return " | ".join([str(of.items), *(_or_none(share, ".1%") for share in shares), _or_none(of.calibration, ".3f")])


def _or_none(value: float | None, form: str) -> str:
    return "–" if value is None else format(value, form)


def labelled_claims(file: str) -> list[Pair]:
    """Return the pairs of a file, or of standard input for `-`. Other keys are ignored, blank lines skipped. Raises
    `InputError` for the first line that is none, and for a file without any."""
    with given_lines(file) as lines:
        pairs = [_pair(f"{name} line {number}", line) for name, number, line in lines]
    if not pairs:
        raise InputError(f"{file} has no labelled claims: lines of {{claim, passage, label}}")
    return pairs


def _pair(place: str, line: bytes) -> Pair:
    from veritas.use_cases.lens_benchmark import LABELS, Pair

    keys = ("claim", "passage", "label")
    record = record_of(place, line, "a JSON object of claim, passage and label", keys)
    for key in keys:
        if not isinstance(record[key], str):
            raise InputError(f"{place}: {key!r} must be a string")
    if record["label"] not in LABELS:
        said = printable(record["label"][:40])
        raise InputError(f"{place}: the label is {said!r}, and there are {', '.join(LABELS)}")
    dataset = record.get("source_dataset") or ""
    if not isinstance(dataset, str):
        raise InputError(f"{place}: 'source_dataset' must be a string")
    return Pair(claim=record["claim"], passage=record["passage"], label=record["label"], source_dataset=dataset)
