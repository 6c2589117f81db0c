"""Words without which a sentence would say more: a prefix in front of a hyphen, a bound, a verb that ends a thing."""

from __future__ import annotations

import re

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.scope import Objection
from veritas.text.stems import fold, stem

PREFIXES = (
    "semi", "quasi", "pseudo", "sub", "pre", "post", "un", "non", "anti", "near", "half", "de", "dis", "ex", "counter",
    "proto", "partly", "partially", "so-called", "would-be", "in", "im", "mis", "over", "under",
)  # fmt: skip
"""Parts of words that make another word of the one behind the hyphen."""
_PREFIXED = re.compile(rf"(?i)(?<![\w-])({'|'.join(PREFIXES)})[-‐‑]([a-z]{{3,}}\w*)")
_BOUND = re.compile(
    r"(?i)\b(at most|at least|up to|no more than|no fewer than|not more than|less than|more than|fewer than|at the "
    r"latest|at the earliest)\s+(once|twice|one|two|three|four|five|six|seven|eight|nine|ten|thrice)\b"
)
_ENDED = re.compile(
    r"(?i)\b(?:drop(?:s|ped|ping)?|remov(?:e|es|ed|ing)|discontinu(?:e|es|ed|ing)|ceas(?:e|es|ed|ing)|"
    r"abandon(?:s|ed|ing)?|withdr(?:aw|aws|ew|awn|awing)|"
    r"end(?:s|ed)?|lack(?:s|ed|ing)?|los(?:t|es|ing)|"
    r"revok(?:e|es|ed)|suspend(?:s|ed)?|"
    r"halt(?:s|ed)?|end of|loss of|lack of|removal of|withdrawal of)"
    r"\s+(?:(?:the|its|their|all|any|official|former)\s+)*"
    r"([a-z]{4,})"
)


def narrowed(claim: Statement, statement: Statement) -> Objection | None:
    """Return the objection that a sentence has a word of the claim only with a part that narrows or undoes it."""
    mine = claim.text
    own = {t.stem for t in claim.tokens}
    for found in _PREFIXED.finditer(statement.text):
        bare = stem(fold(found[2]))
        rest = _without(statement.text, found)
        whole = rf"(?i)(?<!\w){re.escape(found[1])}[-‐‑ ]?{re.escape(found[2])}"
        if bare in own and not re.search(whole, mine) and not _has(rest, bare):
            return Objection("silent", f"the source says “{found[0]}”, the claim says “{found[2]}”")
    for found in _BOUND.finditer(statement.text):
        said = re.search(rf"(?i)\b{found[2]}\b", mine)
        if said and not _BOUND.search(mine):
            return Objection("silent", f"the source says “{found[0]}”, the claim says “{said[0]}”")
    for found in _ENDED.finditer(statement.text):
        rest = _without(statement.text, found)
        if stem(fold(found[1])) in own and not _ENDED.search(mine) and not _has(rest, found[1]):
            return Objection("silent", f"the source says “{found[0]}”, the claim says “{found[1]}”")
    return None


def _without(text: str, found: re.Match[str]) -> str:
    return text[: found.start()] + " " + text[found.end() :]


def _has(text: str, word: str) -> bool:
    wanted = stem(fold(word))
    return any(stem(fold(each)) == wanted for each in re.findall(r"[^\W_]+", text))
