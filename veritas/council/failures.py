"""The failures of a call to a language model, by what to do next. None of them says anything about a claim.

Unavailable
├── CallFailed   this call gave no answer; `may_pass` says whether asking again can help
│   └── TooLong  the request does not fit the model's window: shorten it and ask again
├── LeftOut      the model gives no more answers in this run: its key is refused, or it asks to wait for hours
└── NotKnown     it was to be answered from the ledger or a recording alone, and is not there
"""

from __future__ import annotations

from veritas.errors import Unavailable


class CallFailed(Unavailable):
    """A call without an answer. `wait` is the pause in seconds that the provider asked for; `lasting` is true if the
    next call would fail in the same way (a refused key, an unknown model). `used` are the tokens in and out that the
    provider reports; `may_be_billed` is true if the call may have worked without reporting it, and `silent` if nothing
    came back. `said` are the server's own words, which the ledger alone repeats."""

    def __init__(
        self,
        message: str,
        *,
        may_pass: bool = False,
        wait: float | None = None,
        lasting: bool = False,
        used: tuple[int, int] | None = None,
        may_be_billed: bool = False,
        silent: bool = False,
        said: str = "",
    ):
        super().__init__(message)
        self.may_pass, self.wait, self.lasting = may_pass, wait, lasting
        self.used, self.may_be_billed, self.silent = used, may_be_billed, silent
        self.said = said


class TooLong(CallFailed):
    """The request is longer than the model's window."""


class LeftOut(Unavailable):
    """The model is excluded from the rest of the run; the message says since when and why. `said`: see `CallFailed`."""

    may_pass = False

    def __init__(self, message: str, said: str = "") -> None:
        super().__init__(message)
        self.said = said


def in_full(problem: Unavailable) -> str:
    """Return a failure with the server's own words, for the ledger."""
    said = getattr(problem, "said", "")
    return f"{problem}: {said}" if said else str(problem)


class NotKnown(Unavailable):
    """A call that may only use the ledger or a recording, and whose answer is in neither."""
