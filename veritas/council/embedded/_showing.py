"""From passages that are close to a question to drafts: the sentence that answers is the claim, the passage its
quote."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.claims.sources import Passage
from veritas.council.embedded._preferences import Preference
from veritas.council.embedded.claim_types import claim_type
from veritas.council.turns import Draft, Quote
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.search.ranking import chances, closeness, measured
from veritas.text.instructions import is_instruction
from veritas.text.sentences import Sentence, sentences

LONGEST = 600
"""Most characters of a claim; of a longer sentence, such as a program, the passage alone is shown."""
LEAST = 12
"""Characters; a shorter sentence says too little to be the claim, unless there is no other. A question asserts
nothing."""
_ENDS = re.compile(r"[.!?:;…。！？][\"'”’)\]]*$")
_POINTS = re.compile(r"(?:It|Its|They|Their|He|She|His|Her|This|These|Those|Such)\b")


def drafts(question: str, passages: Sequence[Passage], limit: int, preference: Preference) -> Iterator[Draft]:
    """Yield at most `limit` drafts, of the passages in their order, which is best first: that of the whole pool, and a
    few passages alone cannot tell which words are rare. The confidence is the
    calibrated chance that the passage answers, 0 to 1; it is no probability of being true."""
    known: set[str] = set()
    for passage, chance in zip(passages, chances(measured(question, passages)), strict=True):
        claim = _claim(question, passage, preference)
        if claim is None or claim[0] in known:
            continue
        known.add(claim[0])
        yield Draft(
            claim=claim[0],
            claim_type=claim_type(claim[0]),
            confidence=round(chance, 4),
            quotes=(Quote(passage_id=passage.passage_id, quote=claim[1]),),
        )
        if len(known) == limit:
            return


def _told(text: str, run: Sequence[Sentence], place: int) -> str:
    """Return a sentence of a run, with the one before it if it points back to that one."""
    first = sentence = run[place]
    if place and run[place - 1].block == sentence.block and _POINTS.match(text, sentence.start):
        first = run[place - 1]
    return fold_whitespace(text[first.start : sentence.end])


def _cut(before: str) -> bool:
    """Return whether a passage begins within a sentence, by what stands before it."""
    bare = before.rstrip(" \t")
    return bool(bare) and not bare.endswith("\n") and not _ENDS.search(bare)


def _claim(question: str, passage: Passage, preference: Preference) -> tuple[str, str] | None:
    """Return the claim and the quote of a passage; None for one that holds nothing but orders to a language model.

    The claim is the sentence closest to the question, with the one before it if it points back to that one; the quote
    is the passage, as far as it gives no orders.
    """
    text = passage.text
    split = sentences(text, passage.blocks)
    if _cut(passage.before):
        split = split[1:]
    runs: list[list[Sentence]] = [[]]
    for each in split:
        if is_instruction(text[each.start : each.end]):
            runs.append([])
        else:
            runs[-1].append(each)
    told = [(run, place) for run in runs for place, each in enumerate(run) if each.kind != "heading"]
    said = [_told(text, run, place) for run, place in told]
    fit = [at for at, words in enumerate(said) if LEAST <= len(words) <= LONGEST and not words.endswith("?")]
    fit = fit or [at for at, words in enumerate(said) if len(words) >= MIN_QUOTE]
    if not fit:
        return None
    close = closeness(question, [said[at] for at in fit])
    chosen = max(range(len(fit)), key=lambda i: (close[i] + preference(said[fit[i]], fit[i]), -i))
    run, claim = told[fit[chosen]][0], said[fit[chosen]]
    whole = len(runs) == 1
    quote = text if whole else text[run[0].start : run[-1].end]
    return claim[:LONGEST].rsplit(" ", 1)[0] if len(claim) > LONGEST else claim, quote
