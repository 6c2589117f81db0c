"""`veritas cancel`: ask a run that is under way to stop; it can be gone on with."""

from __future__ import annotations

from typing import Annotated

import typer


def cancel(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run, an audit or a review, its beginning, or latest.")
    ],
) -> None:
    """Ask a run that is under way to stop, be it in another process or on another terminal.

    It stops before its next unit of work. What is under way then is waited for, since it is paid for; what is stored
    stays, and the run can be gone on with. Its own command ends in exit code 130. `latest` is the newest of those that
    are under way.
    """
    from veritas.use_cases.run_archive import cancel as ask_to_stop

    asked = ask_to_stop(run)
    print(f"{asked.kind} {asked.run_id} is asked to stop; go on with it later: {asked.resume}")
