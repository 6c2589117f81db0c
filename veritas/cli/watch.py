"""`veritas watch`: living questions, saved, asked again, and what changed about their answers."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from veritas.cli._inputs import Corpora, Council, SourcePolicy, words_only
from veritas.text.visible import one_line

if TYPE_CHECKING:
    from veritas import ClaimGraph
    from veritas.use_cases.living import Again, Entry

watch = typer.Typer(
    name="watch", add_completion=False, rich_markup_mode=None, no_args_is_help=True,
    help="Living questions: saved with their corpus, tier and policy, and asked again, at the price of what is new. "
    "When an answer, a verdict, a source or a retraction changes, an entry says what and why.",
)  # fmt: skip

Json = Annotated[bool, typer.Option("--json", help="Print JSON lines and nothing else.")]


@watch.command("add")
def add(
    question: Annotated[str, typer.Argument(help="The question.")],
    name: Annotated[str, typer.Option(help="Its name; by default made of its words.")] = "",
    corpus: Corpora = None,
    web: Annotated[bool, typer.Option("--web", help="Also search the web (always done without --corpus).")] = False,
    tier: Annotated[str, typer.Option("--tier", "-t", help="quick, standard or deep.")] = "standard",
    council: Council = None,
    policy: SourcePolicy = None,
    budget: Annotated[float | None, typer.Option(help="Maximum cost of one asking, in US dollars.", min=0)] = None,
    since: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="Only sources dated on or after this day.")
    ] = None,
) -> None:
    """Save a question. Nobody is asked until `veritas watch run`, or the deployment living-questions runs."""
    from veritas.use_cases import living

    words_only(question, "a question", "name documents with --corpus")
    made = living.add(
        question, name=name, corpus=corpus or (), web=web, tier=tier, council=council, policy=policy, budget=budget,
        since=since.date() if since else None,
    )  # fmt: skip
    print(made.name)


@watch.command("list")
def listed(as_json: Json = False) -> None:
    """List the living questions."""
    from veritas.use_cases import living

    for each in living.questions():
        if as_json:
            print(each.model_dump_json())
        else:
            known = living.memory(each.name)
            day = f", last looked at {known.asked_at:%Y-%m-%d %H:%M}" if known.asked_at else ""
            said = f"answered by run {known.run}{day}" if known.run else "not asked yet"
            print(f"{each.name}  {one_line(each.question)}  ({said})")


@watch.command("remove")
def remove(name: Annotated[str, typer.Argument(help="Its name, or the beginning of it.")]) -> None:
    """Ask a question no more. Its runs and its entries stay."""
    from veritas.use_cases import living

    print(f"{living.remove(name).name} is asked no more")


@watch.command("log")
def log(
    name: Annotated[str | None, typer.Argument(help="A question's name; by default all are shown.")] = None,
    as_json: Json = False,
) -> None:
    """Show what changed, the newest first."""
    from veritas.use_cases import living

    for each in living.entries(name):
        if as_json:
            print(each.model_dump_json())
        else:
            print(f"{each.at:%Y-%m-%d %H:%M}  {each.name}: {one_line(each.question)}")
            print("\n".join(f"  {line}" for line in (*living.told(each), _compared(each))))


@watch.command("run")
def run(
    name: Annotated[str | None, typer.Argument(help="A question's name; by default all are asked.")] = None,
    as_json: Json = False,
    exit_code: Annotated[bool, typer.Option("--exit-code", help="End with 1 if anything changed.")] = False,
) -> None:
    """Ask again what may have changed, and show what did.

    Exit code 3 if a question could not be asked: that says nothing about its answer.
    """
    import asyncio

    from veritas.use_cases import living
    from veritas.use_cases.runners import Asked, runner
    from veritas.use_cases.runs import Silent

    carried_out_by = runner()

    async def carry(asked: Asked) -> ClaimGraph:
        return await carried_out_by(asked, Silent(), None)

    found: list[Again] = []

    def done(again: Again) -> None:
        found.append(again)
        _show(again, as_json)

    if name is None:
        asyncio.run(living.ask_all(carry=carry, done=done))
    else:
        done(asyncio.run(living.ask_again(name, carry=carry)))
    states = {again.state for again in found}
    if exit_code and "changed" in states:
        raise typer.Exit(1)
    if "unavailable" in states:
        raise typer.Exit(3)


def _show(again: Again, as_json: bool) -> None:
    from veritas.use_cases.living import told

    if as_json:
        print(again.model_dump_json(), flush=True)
        return
    said = {
        "first": f"answered for the first time by run {again.run}", "changed": f"changed (run {again.run})",
        "same": f"asked again, nothing changed (run {again.run})", "not asked": "its sources are what they were",
        "unavailable": f"could not be asked: {one_line(again.problem)}",
    }[again.state]  # fmt: skip
    price = "" if not again.cost_usd else f", {again.cost_usd:.4f} USD"
    print(f"{again.name}: {said}{price}", flush=True)
    if again.entry is not None:
        print("\n".join(f"  {line}" for line in (*told(again.entry), _compared(again.entry))), flush=True)


def _compared(entry: Entry) -> str:
    return f"veritas diff {entry.run_before} {entry.run}" if entry.run_before else f"run {entry.run}"
