"""The command line's runs through a Prefect server: the flow for a request, with its parameters."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prefect import tags

from veritas.claims.graph import ClaimGraph
from veritas.engine.progress import Progress
from veritas.settings import home
from veritas.store import find_run
from veritas_flows.carry_out import NobodySpoke, own_ids, watching
from veritas_flows.replay import replay
from veritas_flows.research import research
from veritas_flows.resume import resume

if TYPE_CHECKING:
    from veritas.reading.corpus import Corpus
    from veritas.use_cases.runners import Asked


async def orchestrated(asked: Asked, progress: Progress, corpus: Corpus | None) -> ClaimGraph:
    """Carry out the command line's run through a Prefect server (plug-in `prefect` of `veritas.runner`)."""
    given = _parameters(asked.settings)
    named = asked.resume or asked.replay
    if named is not None:
        find_run(home(), named)  # a run that is not there is the caller's mistake, before it becomes a flow run
    made: ClaimGraph
    watching.append(progress)
    own_ids.append(asked.run_id)
    try:
        with tags("veritas"):  # as the deployments have it: by it the automations know what is ours
            if asked.resume is not None:
                made = await resume(asked.resume, preflight=asked.preflight)
            elif asked.replay is not None:
                made = await replay(asked.replay, asked.start_stage, preflight=asked.preflight, **given)
            else:
                made = await research(asked.question or "", preflight=asked.preflight, **given)
    except NobodySpoke as silent:  # the command says so itself, with the graph
        return silent.graph
    finally:
        watching.pop()
        own_ids.pop()
    return made


def _parameters(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the command line's settings as flow parameters: those given, with absolute paths as text."""
    given = {key: value for key, value in settings.items() if value is not None}
    if "policy" in given:
        given["policy"] = str(Path(given["policy"]).expanduser().resolve())
    if "council" in given:
        given["council"] = str(given["council"])  # a file, or the name of a ready council
    if "corpus" in given:
        given["corpus"] = [str(Path(p).expanduser().resolve()) for p in given["corpus"]]
    return given
