"""Instructions to a judge in a passage. They say nothing about the claim, and are left out."""

from __future__ import annotations

import re

from veritas.text.sentences import statements

_HINT = re.compile(
    r"\b(?:ignore|disregard|forget|override|verdict|labels?|answer|supports?|supported|refutes?|refuted|verified|true)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:mark|label|judge|classify|rate|treat|return|output|answer|respond|reply|consider|declare|set|give|print|write|"
    r"say)"
)
_LABEL = r"(?:supports?|supported|refutes?|refuted|silent|true|false|verified|valid)"
_ASKED = r"(?:^|[.:;>!\])]\s*|\bplease |\byou (?:must|should|will|shall|are to) |\bnow )"
_INSTRUCTION = re.compile(
    rf"{_ASKED}(?:ignore|disregard|forget|override)\b.{{0,40}}\b(?:instructions?|prompts?|rules?|guidelines|system|above)\b"
    r"|\b(?:as|you are|dear) an? (?:ai|assistant|language model|verifier|judge|reviewer|lens)\b"
    rf"|{_ASKED}{_VERB}\b.{{0,300}}?(?:\bas |\bwith |\blabel\w*\W+|\bverdict\W+|\bis |[\"'“‘{{:]\s*|{_VERB} )"
    rf"[\"'“‘]?{_LABEL}\b",
    re.IGNORECASE | re.DOTALL,
)


def without_instructions(passage: str) -> str:
    """Return the passage without the sentences that tell a judge what to answer; itself if there are none."""
    if not _HINT.search(passage):
        return passage
    kept, last, dropped = [], 0, False
    for start, end in statements(passage):
        if _INSTRUCTION.search(passage[start:end]):
            kept.append(passage[last:start])
            last, dropped = end, True
    return "".join([*kept, passage[last:]]) if dropped else passage
