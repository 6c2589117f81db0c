"""The parts of a statement that can be true or false apart: "A did x, and B did y"."""

from __future__ import annotations

import re

from veritas.meaning._reading import read
from veritas.meaning._word import finite

LEAST = 3
"""Words of the shortest part."""
_JOINT = re.compile(
    r"(?P<hard>;\s+)|(?P<soft>,?\s+(?:and|but|while|whereas|although|though|yet)\s+(?:also\s+)?|,\s+(?=[a-z]))"
)
_OPEN = re.compile(r"(?i)^(?:it|he|she|they|we|this|that|these|those|there|the|a|an|its|his|her|their|each|both|no)\b")


def parts_of(statement: str) -> list[str]:
    """Return the clauses of a statement, each with a verb of its own; the statement alone if it has one clause. A
    clause without a subject takes that of the clause before it."""
    body = statement.strip().rstrip(".")
    cuts: list[int] = [0]
    for joint in _JOINT.finditer(body):
        left, right = body[cuts[-1] : joint.start()], body[joint.end() :]
        joins = joint["hard"] or joint[0].strip(", ")
        if joins and _has_verb(left) and _has_verb(_head(right)):
            cuts += [joint.start(), joint.end()]
    cuts.append(len(body))
    found = [body[a:b].strip(" ,;") for a, b in zip(cuts[::2], cuts[1::2], strict=True)]
    if len(found) < 2 or any(len(part.split()) < LEAST for part in found):
        return [body]
    subject = _subject(found[0])
    return [found[0], *(_with_subject(part, subject) for part in found[1:])]


def _head(text: str) -> str:
    """Return a clause up to the next joint."""
    following = _JOINT.search(text)
    return text[: following.start()] if following else text


def _has_verb(text: str) -> bool:
    return len(text.split()) >= LEAST and any(finite(word) for word in read(text).words)


def _subject(clause: str) -> str:
    """Return the words before the first verb of a clause."""
    words = read(clause).words
    verb = next((k for k, word in enumerate(words) if finite(word)), 0)
    if not verb:
        return ""
    at = 0
    for word in words[:verb]:
        place = clause.find(word.text, at)
        at = place + len(word.text) if place >= 0 else at
    return clause[:at].strip()


def _with_subject(part: str, subject: str) -> str:
    words = read(part).words
    if _OPEN.match(part) or not words or not subject:
        return f"{part[:1].upper()}{part[1:]}"
    return f"{subject} {part}" if finite(words[0]) else f"{part[:1].upper()}{part[1:]}"
