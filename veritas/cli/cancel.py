"""`veritas cancel`: ask a run in progress to stop; it can be resumed."""

from __future__ import annotations

from typing import Annotated

import typer


def cancel(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="The id of a run, an audit or a review, or its beginning; or `latest`.")
    ],
) -> None:
    """Ask a run in progress to stop, even in another process or on another terminal.

    It makes no further call. Paid calls in progress are waited for; stored stages stay, and the run can be resumed. Its
    own command ends in exit code 130. `latest` is the newest run in progress.
    """
    from veritas.use_cases.run_archive import cancel as ask_to_stop

    asked = ask_to_stop(run)
    print(f"{asked.kind} {asked.run_id} was asked to stop; resume it with: {asked.resume}")
