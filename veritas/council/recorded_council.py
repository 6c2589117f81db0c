"""The council of a recording: a replay uses it, with any keys or none."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from veritas.council.recording import Recording
from veritas.council.select_council import Chosen, choose_council
from veritas.errors import InputError
from veritas.files import write_whole
from veritas.policy.council_policy import CouncilPolicy

_FILE = "council.json"


def council_of_run(named: Path | None, recording: Recording) -> Chosen:
    """Return the council of a run: on replay the recorded one, else that of `choose_council`, which is stored while
    recording.

    It contains no key. Raises what `choose_council` raises, and `InputError` for a recorded council that cannot be
    read.
    """
    if recording.replay is not None and (recording.replay / _FILE).exists():
        return _recorded(recording.replay / _FILE)
    chosen = choose_council(named)
    if recording.record is not None:
        policy = chosen.policy.model_dump(mode="json", exclude_unset=True)
        kept = {"council": chosen.file.name, "because": chosen.because, "policy": policy}
        write_whole(recording.record / _FILE, json.dumps(kept, ensure_ascii=False, indent=1) + "\n")
    return chosen


def _recorded(file: Path) -> Chosen:
    try:
        kept = json.loads(file.read_text(encoding="utf-8"))
        policy = CouncilPolicy.model_validate(kept["policy"])
        return Chosen(policy, file.parent / Path(str(kept["council"])).name, str(kept["because"]))
    except (OSError, ValueError, KeyError, TypeError, ValidationError) as error:
        raise InputError(f"the recorded council {file} cannot be read: {error}") from error
