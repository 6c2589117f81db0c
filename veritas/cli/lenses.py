"""`veritas lenses`: the agreement of the lenses, from every judgment in the store."""

from __future__ import annotations

import json as json_text
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from veritas.gate.lens_agreement import Agreement

_JUDGMENTS = """
    SELECT run_id, subject_id, purpose, passage_ids, lens, family, label FROM judgments ORDER BY run_id, position
"""


def lenses(
    run: Annotated[list[str] | None, typer.Argument(help="Runs (ids, or `latest`); without any, all.")] = None,
    json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Measure how much the lenses agree beyond chance, how often each dissents alone, and whether two are practically
    the same.

    Compares findings that several lenses judged. Quick and standard runs ask one lens per claim; deep runs, audits of
    papers and reviews ask two.
    """
    from veritas.cli.stored_judgments import of_audits, of_reviews
    from veritas.gate.lens_agreement import measure
    from veritas.settings import home
    from veritas.store import RunStore, find_run
    from veritas.store.catalogue import query
    from veritas.text.visible import one_line

    if run:
        rows: list[dict[str, Any]] = []
        for name in dict.fromkeys(find_run(home(), given) for given in run):
            with RunStore.open(home(), name, read_only=True) as store:
                rows += store.query(_JUDGMENTS)
    else:
        rows = [*query(home(), _JUDGMENTS), *of_audits(home()), *of_reviews(home())]
    answers: dict[str, dict[Any, str]] = {}
    families: dict[str, str] = {}
    missing: dict[str, int] = {}
    for row in rows:
        # The same item in a replay is the same item: the last word on it counts, once.
        item = (row["subject_id"], row["purpose"], tuple(row["passage_ids"] or ()))
        families[row["lens"]] = row["family"]
        answers.setdefault(row["lens"], {})[item] = row["label"]
        missing[row["lens"]] = missing.get(row["lens"], 0) + (row["label"] == "unavailable")
    found = measure(answers)
    runs = len({row["run_id"] for row in rows})
    if json:
        value = found.model_dump(mode="json")
        for lens in value["lenses"]:
            lens |= {"family": families[lens["lens"]], "unavailable": missing[lens["lens"]]}
        print(json_text.dumps({"runs": runs, **value, "warnings": list(found.warnings)}, ensure_ascii=True))
        return
    print("\n".join(one_line(line) if line.startswith("WARNING") else line for line in _lines(found, families, runs)))


def _lines(found: Agreement, families: dict[str, str], runs: int) -> Sequence[str]:
    from veritas.gate.lens_agreement import ENOUGH
    from veritas.text.visible import one_line

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
        kappa = "undefined, one label is all they say" if pair.kappa is None else (
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
