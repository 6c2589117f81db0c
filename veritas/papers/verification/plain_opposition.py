"""Whether a passage says the contrary of a statement, by the judge: a lens may take another subject for the same."""

from __future__ import annotations

import re

from veritas.judging.evidence import NEAREST, find
from veritas.judging.sameness import exclusion
from veritas.meaning.relation import NOWHERE, Setting

NOT_PLAIN = (
    "a lens reads it as saying otherwise, and nothing shows that both speak of the same thing and cannot both be true"
)

_SPEAKER = re.compile(
    r"^(?:(?:in (?:summary|conclusion)|therefore|thus|hence|overall|moreover|furthermore|however),?\s+)?"
    r"(?:(?:we|the authors|i)\s+(?:\w+ly\s+)?(?:conclude[sd]?|find|found|show(?:ed)?|report(?:ed)?|observed?"
    r"|demonstrate[sd]?|hypothesi[sz]ed?|propose[sd]?|argued?|suggest(?:ed)?|claim(?:ed)?|predict(?:ed)?|expect(?:ed)?)"
    r"\s+that\s+"
    r"|it (?:is|was|has been) (?:\w+ )?(?:shown|found|known|concluded|hypothesi[sz]ed|expected) that\s+)",
    re.IGNORECASE,
)


def content(statement: str) -> str:
    """Return a statement without the words that name its speaker ("we conclude that")."""
    said = _SPEAKER.sub("", " ".join(statement.split()))
    return said[:1].upper() + said[1:]


def opposes(
    statement: str, passage: str, *, of_statement: Setting = NOWHERE, of_passage: Setting = NOWHERE
) -> str | None:
    """Return why one of the nearest sentences of a passage cannot be true beside the statement, or None.

    A paper's own body speaks of the same thing as its statements; another document may have studied something else.
    """
    said = content(statement)
    near = find(said, passage)
    for at in near.order[:NEAREST]:
        sentence = near.sentence(at)
        found = exclusion(sentence, said, of_first=of_passage, of_second=of_statement)
        # A paper gives one quantity of many cases: two figures need the same words, wherever they stand.
        if found is not None and (found.difference is None or exclusion(sentence, said) is not None):
            return found.reason
    return None
