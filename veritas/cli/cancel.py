"""`veritas cancel`: ask a run that is under way to stop; it can be gone on with."""

from __future__ import annotations

from typing import Annotated

import typer

from veritas.errors import InputError, UnknownRun


def cancel(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The id of a run, an audit or a review, or its beginning.")],
) -> None:
    """Ask a run that is under way to stop, be it in another process or on another terminal.

    It stops before its next unit of work. What is under way then is waited for, since it is paid for; what is stored
    stays, and the run can be gone on with. Its own command ends in exit code 130.
    """
    from veritas.answers.pipeline import RESEARCH_RUNS
    from veritas.engine.kind import Kind
    from veritas.papers.audit_stages import AUDITS
    from veritas.reviews.review_store import REVIEWS
    from veritas.settings import home
    from veritas.store.journal import ask_to_cancel
    from veritas.store.paths import run_ids

    kinds: tuple[Kind, ...] = (RESEARCH_RUNS, AUDITS, REVIEWS)
    found = [(kind, name) for kind in kinds for name in run_ids(kind.home(home())) if run and name.startswith(run)]
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
