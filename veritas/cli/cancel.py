"""`veritas cancel`: ask a run in progress to stop; it can be resumed."""

from __future__ import annotations

from typing import Annotated

import typer

from veritas.errors import InputError, UnknownRun


def cancel(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run, an audit or a review, its beginning, or latest.")
    ],
) -> None:
    """Ask a run in progress to stop, even in another process or on another terminal.

    It stops before its next unit of work. Units in progress are waited for, since they are paid for; stored stages
    stay, and the run can be resumed. Its own command ends in exit code 130. `latest` is the newest run in progress.
    """
    from veritas.answers.pipeline import RESEARCH_RUNS
    from veritas.engine.kind import Kind
    from veritas.papers.audit_stages import AUDITS
    from veritas.reviews.review_store import REVIEWS
    from veritas.settings import home
    from veritas.store.journal import ask_to_cancel, is_live
    from veritas.store.paths import LATEST, run_ids

    kinds: tuple[Kind, ...] = (RESEARCH_RUNS, AUDITS, REVIEWS)
    every = [(kind, name) for kind in kinds for name in run_ids(kind.home(home()))]
    if run == LATEST:
        live = [(kind, name) for kind, name in every if is_live(kind.home(home()), name)]
        if not live:
            raise UnknownRun("no run, audit or review is under way: there is nothing to cancel")
        found = [max(live, key=lambda each: each[1])]
    else:
        found = [each for each in every if run and each[1].startswith(run)]
        found = [each for each in found if each[1] == run] or found
    if len(found) > 1:
        raise UnknownRun(f"{len(found)} begin with {run!r}: {', '.join(name for _, name in found[:5])}")
    if not found:
        raise UnknownRun(f"no run, audit or review {run!r}: veritas runs, paper --list and review --list list them")
    ((kind, run_id),) = found
    try:
        ask_to_cancel(kind.home(home()), run_id)
    except InputError as error:
        raise InputError(f"{kind.name} {run_id} is not going on: there is nothing to cancel") from error
    print(f"{kind.name} {run_id} is asked to stop; go on with it later: {kind.resume.format(run=run_id)}")
