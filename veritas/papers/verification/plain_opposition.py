"""Decide whether a passage says the contrary of a statement on plain grounds, independent of a lens."""

from __future__ import annotations

import re

from veritas.meaning.one_difference import one_difference
from veritas.text.sentences import statements

NOT_PLAIN = "a lens reads it as saying otherwise, but it differs in more than one number or one negation"

_LEAD = re.compile(
    r"^(?:(?:in (?:summary|conclusion)|therefore|thus|hence|overall|moreover|furthermore|however),?\s+)?"
    r"(?:(?:we|the authors|i)\s+(?:\w+ly\s+)?(?:hypothesi[sz]ed?|conclude[sd]?|find|found|show(?:ed)?|report(?:ed)?"
    r"|observed?|propose[sd]?|argued?|suggest(?:ed)?|claim(?:ed)?|demonstrate[sd]?|predict(?:ed)?|expect(?:ed)?)\s+that\s+"
    r"|it (?:is|was|has been) (?:\w+ )?(?:shown|found|known|concluded|hypothesi[sz]ed|expected) that\s+)",
    re.IGNORECASE,
)


def opposes(statement: str, passage: str) -> str | None:
    """Return why a sentence of the passage cannot be true beside the statement (`one_difference`), or None. Words that
    name the speaker ("we conclude that") are ignored."""
    said = _bare(statement)
    for start, end in statements(passage):
        if why := one_difference(said, _bare(passage[start:end])):
            return why
    return None


def _bare(text: str) -> str:
    return _LEAD.sub("", " ".join(text.split()))
