"""Which faults a new text has that the text before it had not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from veritas.citations.writing.diagnostic import Diagnostic
from veritas.citations.writing.sentence_diagnostics import SentencesOf
from veritas.text.likeness import ratio

SAME_SENTENCE = 60.0
"""Least likeness, of 100, of two sentences that are the same claim in other words. Below it a wrong citation in the old
sentence does not excuse one in the new sentence."""
_HOLDS_ITS_WORDS = frozenset({"quote-altered", "quote-not-found", "claim"})
"""Codes whose subject is the text at fault. Of the others it is a key or a path, which may stand under any claim."""


def brought(
    before: str, earlier: Sequence[Diagnostic], after: str, later: Sequence[Diagnostic], *, prose: bool
) -> list[Diagnostic]:
    """Return the faults of `later` that are not among `earlier`, in order.

    A fault was there before if it has the same code and subject, and in `prose` if it stands in the same sentence, or
    in one that was reworded. Each earlier fault stands for one later fault.
    """
    waiting: defaultdict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for each in earlier:
        waiting[each.code, each.subject].append(each)
    old, new = SentencesOf(before), SentencesOf(after)
    found: list[Diagnostic] = []
    asked: defaultdict[tuple[str, str], list[Diagnostic]] = defaultdict(list)
    for each in later:
        same = (each.code, each.subject)
        if not waiting.get(same):
            found.append(each)
        elif not prose or each.code in _HOLDS_ITS_WORDS:
            waiting[same].pop()
        else:
            asked[same].append(each)
    for same, faults in asked.items():
        found += _not_excused([(each, new.words(each.start)) for each in faults],
                              [old.words(each.start) for each in waiting[same]])  # fmt: skip
    return sorted(found)


def _not_excused(faults: Sequence[tuple[Diagnostic, str]], excuses: list[str]) -> list[Diagnostic]:
    rest = []
    for each, words in faults:
        if words in excuses:
            excuses.remove(words)
        else:
            rest.append((each, words))
    found = []
    for each, words in rest:
        alike = max(excuses, key=lambda other: ratio(words, other), default=None)
        if alike is not None and ratio(words, alike) >= SAME_SENTENCE and not _turned(alike, words):
            excuses.remove(alike)
        else:
            found.append(each)
    return found


def _turned(before: str, after: str) -> bool:
    """Return whether two sentences of like words say different things: an exact term differs, or one refutes the
    other."""
    from veritas.judging import Question, judge_all

    both = judge_all([Question(before, after), Question(after, before)])
    return any(each.difference is not None or each.label == "refutes" for each in both)
