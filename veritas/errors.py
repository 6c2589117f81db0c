"""Every error VERITAS raises on purpose, in one tree, with the exit code a command ends in. Those that stand with a
module name are defined where they are raised; they leave it only for who calls that module.

VeritasError
├── InputError                      2  wrong usage or input: the person can correct it
│   ├── PolicyError                 2  a policy file is wrong: names file, line and key
│   ├── CorpusError                 2  a document or corpus cannot be used
│   │   └── GivenUp                 2  reading.converter_pool: a file could not be read, which may pass
│   ├── NotInstalled                2  the small install leaves out a package that this needs
│   ├── PluginError                 2  an installed plug-in is broken: names it and the package it comes from
│   ├── Absent                      2  nothing of that name is there: no such corpus, case, upload, living question
│   │   └── UnknownRun              2  no such run in the store
│   ├── NotFinished                 2  a run has no result: it waits, goes on, was stopped or failed
│   ├── Undecided                   2  words may mean several papers, or none for sure
│   ├── StoreTooNew                 2  the store was written by a newer version
│   ├── NotFrontmatter              2  citations.frontmatter: an artifact's head cannot be read
│   ├── NotAGraph                   2  scoring.graph: the JSON holds no argument graph
│   ├── AskedBefore                 2  use_cases.background: an idempotency key stands for another request
│   ├── Ambiguous                   2  use_cases.why: several things of a run may be meant
│   └── Waiting                     2  engine.staged_run: a person has to decide first
├── Unavailable                     3  something needed did not answer: never read as "fine", nor as "fabricated" (I5)
│   ├── UnreadableAnswer            3  a member or lens answered, but not in the schema it was given
│   ├── StoreUnavailable            3  the disk is full, the folder is read-only, the file stays locked
│   │   ├── StoreLocked             3  store.open_file: another process holds the file
│   │   └── StoreDamaged            3  store.open_file: the file is no database, or a broken one
│   ├── CallFailed                  3  council.failures: one call of a model gave no answer
│   │   └── TooLong                 3  council.failures: the request does not fit the model's window
│   ├── LeftOut                     3  council.failures: the model gives no more answers in this run
│   ├── NobodyAnswered              3  council.succession: none of several who could have answered did
│   ├── NotKnown                    3  council.failures: it is in no ledger or recording, and nobody was to be asked
│   ├── UnitFailed                  3  engine.units: a unit of a stage could not be done
│   ├── OverBudget                  3  council.spending: the run's budget has no room for a call, or it ended one
│   ├── DamagedFile                 3  search.local._array_file: a kept index is cut off or not what it was
│   ├── NotReadWhole                3  editor.passages: part of a proposed edit is not understood, so it is not checked
│   ├── Changed                     3  reading.reader: what was read no longer stands at its address
│   ├── Closed                      3  reading.web.readable: a paywall, a login, a bot check
│   ├── Gone                        3  reading.web.readable: the server says that there is no such page
│   ├── _GitFailed                  3  reading.git_repository: git ended with an error
│   ├── _Shut                       3  reading.web.web_reader: a closed page, with what is known of the work behind it
│   ├── Refused                     3  reading.web.destination: the address may not be connected to
│   ├── Refused                     3  registries.http_registry: a registry's error that will not pass
│   ├── _NotKept                    3  registries.http_registry: the answer is not kept, and nobody was to be asked
│   ├── _Again                      3  registries.http_registry: a registry's failure that may pass
│   └── NobodySpoke                 3  veritas_flows.carry_out: a run ended unavailable; it is stored
├── Ungrounded                      3  gate.quote_grounding: the quotes of a draft ground nothing; a row of the log
├── Unfit                           3  council.structured_answer: an answer does not fit its schema; asked again
├── Unreadable                      3  council.json_in_text: what an answer says cannot be told for certain
├── _Blocked                        3  gate.plugin_thread: the thread of a plug-in is blocked; nobody was asked
├── _Vanished                       3  store.backup: a file that was to be copied is no longer there
├── Cancelled                     130  somebody asked the run to stop; what it has stored is gone on from
├── CitationsDrifted                1  veritas_flows.audit: the scheduled audit found something
├── ContractBroken                  1  veritas_flows.registry_contract: a registry answers in another form than before
└── InvariantBroken                70  the code caught itself breaking a design invariant; nothing was written

Whatever else a command ends with is a crash, a defect of VERITAS: exit code 70, with where it happened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veritas.keys import withheld_from_message

CRASHED = 70
"""The exit code of a crash (EX_SOFTWARE of sysexits): never 1, which stands for a finding."""


class VeritasError(Exception):
    """Base of all. `str(error)` is a sentence for a person: what, where, and what to do. No key is in it: what a server
    or a library says is repeated in it, and is stored and shown with it."""

    exit_code = 3

    def __init__(self, *said: object) -> None:
        super().__init__(*(withheld_from_message(part) if isinstance(part, str) else part for part in said))


class InputError(VeritasError):
    """The input or usage is wrong and the person who gave it can correct it."""

    exit_code = 2


class PolicyError(InputError):
    """A policy file does not say what it should; the message names file, line and key."""


class CorpusError(InputError):
    """A corpus path is missing or unreadable, or none of its documents can be used."""


class NotInstalled(InputError):
    """The small install, veritas-cite alone, leaves out a package that this needs."""


class PluginError(InputError):
    """An installed plug-in cannot be loaded or made, or does not do what its seam asks; the message names it."""


class Absent(InputError):
    """Nothing of the name that was given is there."""


class UnknownRun(Absent):
    """No run of that id (or prefix) is in the store."""


class NotFinished(InputError):
    """A run has no result yet, or failed: `state` says how it stands, `stage` how far it came, None before the first,
    and `reason` why it failed."""

    def __init__(
        self, message: str, *, run_id: str, state: str, stage: str | None = None, reason: str | None = None
    ) -> None:
        super().__init__(message)
        self.run_id, self.state, self.stage = run_id, state, stage
        self.reason = withheld_from_message(reason) if reason is not None else None


class Undecided(InputError):
    """Raised if several papers may be meant, or none surely; `candidates` are those that were found, best first."""

    def __init__(self, message: str, candidates: Sequence[Any]) -> None:
        super().__init__(message)
        self.candidates = tuple(candidates)


class StoreTooNew(InputError):
    """The store file was written by a newer VERITAS and is left untouched."""


class Unavailable(VeritasError):
    """Something that was needed did not answer. Says nothing about what it would have answered (I5)."""


class UnreadableAnswer(Unavailable):
    """An answer came, but not in the schema that was asked for."""


class StoreUnavailable(Unavailable):
    """The store cannot be written or read now: full disk, read-only folder, lasting lock."""


class Cancelled(VeritasError):
    """Somebody asked the run to stop, with `veritas cancel` or through a door. It is whole as far as it went."""

    exit_code = 130


class InvariantBroken(VeritasError):
    """An invariant of the design would have been broken; the step was stopped before it had an effect."""

    exit_code = CRASHED

    def __init__(self, invariant: str, message: str) -> None:
        super().__init__(f"{invariant}: {message}")
        self.invariant, self._message = invariant, withheld_from_message(message)

    def __reduce__(self) -> tuple[type[InvariantBroken], tuple[str, str]]:
        return InvariantBroken, (self.invariant, self._message)
