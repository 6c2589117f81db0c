"""Gaps of an answer, worded by code: parts of the question that no admitted claim answers (section VIII, I8).

No judge checks a gap, so it contains no word of a language model: neither the writer's, nor a sub-question's, which may
presuppose something that was not found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from veritas.claims.brief import ANSWERS, BriefPart
from veritas.claims.graph import SubQuery
from veritas.council.embedded.questions import AS_ASKED, own_words

LONGEST = 300
"""Limit in characters of a quoted question in a gap."""
_WORD = re.compile(r"\w+")


def gaps(question: str, sub_queries: Sequence[SubQuery], answered: Collection[str]) -> tuple[str, ...]:
    """Return `[Citation needed: …]` for each part of the question without an `answered` sub-query.

    A part in the person's own words is quoted. One in a model's words is named by its number in the report's list.
    Sub-queries that a member without a language model adds to the question are no parts of it.
    """
    asked = [q for q in sub_queries if q.facet == AS_ASKED] or list(sub_queries)
    own = own_words(question)
    made: dict[str, None] = {}
    for number, query in enumerate(sub_queries, 1):
        if query not in asked or query.sub_query_id in answered:
            continue
        if query.facet == AS_ASKED or _within(query.text, question):
            made[gap(f"no admitted claim answers “{_quoted(own.get(query.text, query.text))}”")] = None
        else:
            which = f"sub-question {number} of {len(sub_queries)} to “{_quoted(question)}”"
            made[gap(f"no admitted claim answers {which}")] = None
    return tuple(made)


def unsure(parts: Sequence[BriefPart]) -> tuple[str, ...]:
    """Return `[Citation needed: …]` for each part of a question whose passages all answer with a chance below one half.
    """
    return tuple(gap(f"no passage surely answers “{_quoted(p.question)}”") for p in parts if 0 < p.chance < ANSWERS)


def gap(what: str) -> str:
    """Return the text that marks a gap."""
    bare = " ".join(what.replace("[", "(").replace("]", ")").split())
    return f"[Citation needed: {bare}]"


def _quoted(text: str) -> str:
    whole = " ".join(text.split())
    bare = whole.rstrip("?. ")
    end = "?" if whole.endswith("?") else ""
    return f"{bare[: LONGEST - 1]}…" if len(bare) > LONGEST else f"{bare}{end}" if bare else "the question"


def _within(text: str, question: str) -> bool:
    """Return whether the words of a text occur in the question, consecutively."""
    words, asked = _words(text), _words(question)
    return bool(words) and any(asked[at : at + len(words)] == words for at in range(len(asked) - len(words) + 1))


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]
