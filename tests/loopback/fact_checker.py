"""A fact-checking model in MiniCheck's form: Yes where the document has all words of the claim, else No."""

from __future__ import annotations

import re
from math import log
from typing import Any

from tests.loopback.server import Asked, Reply, Script

_FORM = re.compile(r"\ADocument: (?P<document>.*)\nClaim: (?P<claim>.*)\Z", re.DOTALL)


def read(asked: Asked) -> tuple[str, str]:
    """Document and claim of a request."""
    found = _FORM.match(asked.messages[-1]["content"])
    assert found is not None, asked.messages
    return found["document"], found["claim"]


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


def logprobs(*alternatives: tuple[str, float]) -> dict[str, Any]:
    """The probabilities of an answer's only word, the first of `alternatives`, as the protocol has them."""
    told = [{"token": word, "logprob": log(p), "bytes": None} for word, p in alternatives]
    return {"content": [told[0] | {"top_logprobs": told}]}


def checks(probability: float | None = 0.9) -> Script:
    """A model that is so sure of each answer; one whose server tells no probabilities for None."""

    def script(asked: Asked) -> Reply:
        document, claim = read(asked)
        said, other = ("Yes", "No") if words(claim) <= words(document) else ("No", "Yes")
        told = None if probability is None else logprobs((said, probability), (other, 1 - probability))
        return Reply(said, logprobs=told)

    return script
