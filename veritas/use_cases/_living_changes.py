"""What a person wants to be told of two runs of one question: answer, verdicts and sources that the answer rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from veritas.claims.answer import Answer, Sentence
from veritas.claims.graph import ClaimGraph
from veritas.claims.run_diff import Cause, Effect, RunDiff
from veritas.frozen import Frozen

NAMED = 3
"""Most sources that a change names as its cause."""

_HASH = re.compile(r", text [0-9a-f]{12}\b")

UNKNOWN = "the records of the two runs do not tell the cause"
"""The cause of a change for which none was found: a notice never goes out without a word on it."""

ChangeKind = Literal["answer", "verdict", "source", "standing"]


class Change(Frozen):
    """A change of an answer. `what` is the sentence, claim, source or work; `why` are the causes, in words, at least
    one."""

    kind: ChangeKind
    what: str
    before: str
    after: str
    why: tuple[str, ...] = ()


def changes_between(before: ClaimGraph, after: ClaimGraph, diff: RunDiff) -> list[Change]:
    """Return the changes from one run's answer to the other's, each with its cause.

    What neither answer rests on is left out: drafts that were not cited, and sources that were only found.
    """
    found = []
    if before.answer.status != after.answer.status:
        why = tuple(dict.fromkeys(cause.said for cause in diff.causes))[:3]
        status = {"before": before.answer.status, "after": after.answer.status}
        found.append(Change(kind="answer", what="the answer's status", **status, why=why))
    both = (before.answer, after.answer)
    told = {s.sentence_id for answer in both for s in told_by(answer) if s.kind != "frame"}
    cited = {c for answer in both for s in told_by(answer) for c in s.claim_ids}
    resting = {r.url: r.source_id for answer in both for r in answer.bibliography}
    titles = {source.url: source.title for graph in (before, after) for source in graph.sources}
    for cause in diff.causes:
        if cause.kind == "source" and cause.id in resting.values():
            found.append(
                Change(kind="source", what=cause.said, **_apart(cause), why=(cause.said,))
            )
        found += [
            _change(effect, _reasons(cause, titles))
            for effect in cause.effects
            if (effect.kind == "sentence" and effect.id in told)
            or (effect.kind == "claim" and effect.id in cited and effect.before != effect.after)
        ]
    sentences = {each.what for each in found if each.kind == "answer"}
    told_once = {
        (each.kind, each.what, each.after): each
        for each in found
        if each.kind != "verdict" or each.what not in sentences  # the sentence tells it
    }.values()
    return [each if each.why else each.model_copy(update={"why": (UNKNOWN,)}) for each in told_once]


def told_by(answer: Answer) -> list[Sentence]:
    """Return the sentences that an answer tells as its own, without those of passages that are only the closest."""
    far = {p.sentence_id for p in answer.brief.passages if p.far} if answer.brief is not None else frozenset()
    return [sentence for sentence in answer.sentences if sentence.sentence_id not in far]


def _reasons(cause: Cause, titles: Mapping[str, str]) -> tuple[str, ...]:
    """Return a cause in words. Where it is that other sources were found, it names them: they are what is new."""
    sources = [effect for effect in cause.effects if effect.kind == "source"]
    new = [effect.text for effect in sources if effect.before == "not found"]
    gone = [effect.text for effect in sources if effect.after == "not found"]
    named = [
        f"{what}: {'; '.join(f'{titles[url]} ({url})' if titles.get(url) else url for url in urls[:NAMED])}"
        + (f"; and {len(urls) - NAMED} more" if len(urls) > NAMED else "")
        for what, urls in (("a source that was not found before", new), ("a source is no longer found", gone))
        if urls
    ]
    if cause.kind == "search" and named:
        return tuple(named)
    apart = _apart(cause) if cause.kind == "source" else {"before": cause.before, "after": cause.after}
    told = []
    if apart["before"] != apart["after"]:
        told = [f"{word}: {said}" for word, said in (("was", apart["before"]), ("is", apart["after"])) if said]
    return (cause.said, *told, *named)


def _apart(cause: Cause) -> dict[str, str]:
    """Return how a source was found before and after, without the hashes of its texts: they tell a reader nothing."""
    return {"before": _HASH.sub("", cause.before), "after": _HASH.sub("", cause.after)}


def _change(effect: Effect, reasons: tuple[str, ...]) -> Change:
    if effect.kind == "sentence" and effect.before == effect.after:
        before, after = "in the answer", "in the answer, with other claims or marks"
    else:
        before, after = effect.before, effect.after
    kind: ChangeKind = "answer" if effect.kind == "sentence" else "verdict"
    return Change(kind=kind, what=effect.text, before=before, after=after, why=reasons)
