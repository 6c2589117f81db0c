"""`veritas lenses`: the agreement of the lenses, from every judgment in the store."""

from __future__ import annotations

import json as json_text
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from veritas.use_cases.lens_agreement import Agreement


def lenses(
    run: Annotated[list[str] | None, typer.Argument(help="Runs (ids, or `latest`); default: all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure how much the lenses agree beyond chance, how often each dissents alone, and whether two are practically
    the same.

    Compares findings that several lenses judged. Quick and standard runs ask one lens per claim; deep runs, audits of
    papers and reviews ask two.
    """
    from veritas.text.visible import one_line
    from veritas.use_cases.lens_agreement import lens_agreement

    made = lens_agreement(run or ())
    found, families, runs = made.agreement, made.families, made.runs
    if json:
        value = found.model_dump(mode="json")
        for lens in value["lenses"]:
            lens |= {"family": families[lens["lens"]], "unavailable": made.unavailable[lens["lens"]]}
        print(json_text.dumps({"runs": runs, **value, "warnings": list(found.warnings)}, ensure_ascii=True))
        return
    print("\n".join(one_line(line) if line.startswith("WARNING") else line for line in _lines(found, families, runs)))


def _lines(found: Agreement, families: Mapping[str, str], runs: int) -> Sequence[str]:
    from veritas.text.visible import one_line
    from veritas.use_cases.lens_agreement import ENOUGH

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
