"""Every error VERITAS raises on purpose, in one tree, with the exit code a command ends in.

VeritasError
├── InputError            2  wrong usage or input: the person can mend it
│   ├── PolicyError       2  a policy file is wrong: names file, line and key
│   ├── CorpusError       2  a document or corpus cannot be used
│   ├── UnknownRun        2  no such run in the store
│   └── StoreTooNew       2  the store was written by a newer version
├── Unavailable           3  something needed did not answer: never read as "fine", nor as "fabricated" (I5)
│   ├── UnreadableAnswer  3  a member or lens answered, but not in the schema it was given
│   └── StoreUnavailable  3  the disk is full, the folder is read-only, the file stays locked
└── InvariantBroken       3  the code caught itself breaking one of the design's invariants; nothing was written
"""

from __future__ import annotations

from veritas.keys import withheld_from_message


class VeritasError(Exception):
    """Base of all. `str(error)` is a sentence for a person: what, where, and what to do. No key is in it: what a server
    or a library says is repeated in it, and is stored and shown with it."""

    exit_code = 3

    def __init__(self, *said: object) -> None:
        super().__init__(*(withheld_from_message(part) if isinstance(part, str) else part for part in said))


class InputError(VeritasError):
    """The input or usage is wrong and the person who gave it can mend it."""

    exit_code = 2


class PolicyError(InputError):
    """A policy file does not say what it should; the message names file, line and key."""


class CorpusError(InputError):
    """A corpus path is missing or unreadable, or none of its documents can be used."""


class UnknownRun(InputError):
    """No run of that id (or prefix) is in the store."""


class StoreTooNew(InputError):
    """The store file was written by a newer VERITAS and is left untouched."""


class Unavailable(VeritasError):
    """Something that was needed did not answer. Says nothing about what it would have answered (I5)."""


class UnreadableAnswer(Unavailable):
    """An answer came, but not in the schema that was asked for."""


class StoreUnavailable(Unavailable):
    """The store cannot be written or read now: full disk, read-only folder, lasting lock."""


class InvariantBroken(VeritasError):
    """An invariant of the design would have been broken; the step was stopped before it had an effect."""

    def __init__(self, invariant: str, message: str) -> None:
        super().__init__(f"{invariant}: {message}")
        self.invariant, self._message = invariant, withheld_from_message(message)

    def __reduce__(self) -> tuple[type[InvariantBroken], tuple[str, str]]:
        return InvariantBroken, (self.invariant, self._message)
