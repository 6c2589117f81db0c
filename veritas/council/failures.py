"""The failures of a call to a language model, by what to do next. None of them says anything about a claim.

Unavailable
├── CallFailed   this call gave no answer; `may_pass` says whether asking again can help
│   └── TooLong  the request does not fit the model's window: shorten it and ask again
├── LeftOut      the model gives no more answers in this run: its key is refused, or it asks to wait for hours
├── Superseded   another one answered first, and the call was given up
└── NotKnown     it was to be answered from the ledger or a recording alone, and is not there
"""

from __future__ import annotations

from veritas.errors import Unavailable


class CallFailed(Unavailable):
    """One call without an answer. `wait` is what the provider asked for, in seconds; `lasting` that the next call
    would fail in the same way (a refused key, an unknown model). `used` are the tokens that the provider says it took,
    in and out; `may_be_billed` is true where it may have worked without saying so, and `silent` where nothing came."""

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
    ):
        super().__init__(message)
        self.may_pass, self.wait, self.lasting = may_pass, wait, lasting
        self.used, self.may_be_billed, self.silent = used, may_be_billed, silent


class TooLong(CallFailed):
    """The request is longer than the model's window."""


class LeftOut(Unavailable):
    """The model takes no further part in this run; the message says since when and why."""

    may_pass = False


class Superseded(Unavailable):
    """A call that was given up because another one's answer was there."""

    may_pass = False


class NotKnown(Unavailable):
    """A call that may ask nobody, and whose answer is in no ledger or recording."""
