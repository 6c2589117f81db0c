"""The embedded members: extraction with three preferences, without a language model, network or randomness.

A draft is a passage close to the question: the sentence that answers is the claim, the passage its quote. Claim types
are decided by rules: factual, numerical, interpretive or predictive (section V). A preference decides among sentences
of one passage that answer about equally well. All members see the same passages in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from veritas.claims.envelope import ClaimType
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.embedded._contest_rules import objections, response
from veritas.council.embedded.compose import arranged, restored
from veritas.council.embedded.questions import sub_queries
from veritas.council.turns import (
    AdmittedClaim,
    ContestedClaim,
    Draft,
    DraftSentence,
    Objection,
    PeerClaim,
    Quote,
    Response,
    SubQueryDraft,
)
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.search.ranking import chances, closeness, measured
from veritas.text.instructions import is_instruction
from veritas.text.languages import unread_language
from veritas.text.quantities import quantities
from veritas.text.sentences import Sentence, sentences

Preference = Callable[[str, int], float]
"""A function that gives a sentence, by its text and its place in the passage, its bonus; a closeness of 1 is all that
there is."""

BONUS = 0.02


def lead(sentence: str, place: int) -> float:
    """Prefer the first sentence."""
    return BONUS * (place == 0)


def salience(sentence: str, place: int) -> float:
    """Prefer nothing: closeness alone decides."""
    return 0.0


def numeric(sentence: str, place: int) -> float:
    """Prefer quantities."""
    return BONUS * any(q.unit not in ("year", "day", "n") for q in quantities(sentence))


_PREDICTIVE = re.compile(
    r"(?i)\bwill\b[^.;]*\bby (?:the (?:year|end of) )?20\d\d\b|\bwill\b[^.;]*\b(?:over|in|within) the (?:next|coming) |"
    r"\b(?:is|are) (?:\w+ly )?(?:projected|forecast|forecasted) to\b|\bforecasts?\b.*\b20[2-9]\d\b|"
    # "The argument is expected to be a string" speaks of no future.
    r"\b(?:is|are) (?:\w+ly )?(?:expected|anticipated|predicted) to (?:(?:\w+ly )?(?:rise|grow|fall|increase|decrease|"
    r"decline|double|triple|halve|reach|exceed|continue|remain|become|happen|begin|end|arrive|launch|shrink|expand)\b|"
    r".*\b(?:by|in|over|until|within|next|future|20[2-9]\d)\b)"
)
_INTERPRETIVE = re.compile(
    r"(?i)\b(?:suggest(?:s|ed|ing)? that|may (?:\w+ly )?(?:indicate|reflect)|arguably|in our (?:view|opinion)|"
    r"(?:it )?could be argued|it (?:may|might|can) be argued|impl(?:y|ies|ied) that|"
    r"we (?:\w+ly )?(?:believe|think|argue|speculate|hypothesi[sz]e))\b"
)


def claim_type(claim: str) -> ClaimType:
    """Return the type of a claim, for the reader: claims of every type are verified.

    Predictive if it speaks of the future; numerical if it holds a quantity other than a date; interpretive if its
    author explicitly calls it a reading of the source; else factual.
    """
    if _PREDICTIVE.search(claim):
        return "predictive"
    # A whole number without a unit is as likely a name ("phosphatase 4") as a count.
    if any(q.unit not in ("year", "day", "") or (not q.unit and q.low % 1) for q in quantities(claim)):
        return "numerical"
    return "interpretive" if _INTERPRETIVE.search(claim) else "factual"


LONGEST = 600
"""Most characters of a claim; of a longer sentence, such as a program, the passage alone is shown."""
LEAST = 12
"""Characters; a shorter sentence says too little to be the claim, unless there is no other. A question asserts
nothing."""
_ENDS = re.compile(r"[.!?:;…。！？][\"'”’)\]]*$")
_POINTS = re.compile(r"(?:It|Its|They|Their|He|She|His|Her|This|These|Those|Such)\b")


def drafts(question: str, passages: Sequence[Passage], limit: int, preference: Preference) -> Iterator[Draft]:
    """Yield at most `limit` drafts, in the given order of passages, which is that of the whole pool, best first.

    The confidence is the calibrated chance, 0 to 1, that the passage answers, not the probability that it is true.
    """
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
    """Return a sentence, with the previous one if it refers to that one."""
    first = sentence = run[place]
    if place and run[place - 1].block == sentence.block and _POINTS.match(text, sentence.start):
        first = run[place - 1]
    return fold_whitespace(text[first.start : sentence.end])


def _cut(before: str) -> bool:
    """Return whether a passage begins within a sentence, judged by the text before it."""
    bare = before.rstrip(" \t")
    return bool(bare) and not bare.endswith("\n") and not _ENDS.search(bare)


def _claim(question: str, passage: Passage, preference: Preference) -> tuple[str, str] | None:
    """Return the claim and the quote of a passage; None for a passage that only gives orders to a language model.

    The claim is the sentence closest to the question, with the previous one if it refers to that one; the quote is the
    passage without orders.
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


CLAIMS = 8
"""Most claims a member makes for a sub-query."""


class EmbeddedMember:
    """A member that asserts verbatim sentences of what it read, those closest to the question.

    The same passages always give the same claims. Nothing is in its own wording, and its `description` says so.
    """

    def __init__(self, name: str, preference: Preference, description: str) -> None:
        self.name = name
        self.family = f"embedded:{preference.__name__}"
        self.description = f"{description} Works by extraction alone, without a language model."
        self._preference = preference

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        """See `Member`; by the rules of `questions`."""
        return sub_queries(question)

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        """Return a claim for each of the first `CLAIMS` passages, best first.

        The closest passages are used even if none surely answers, with their chance as the confidence. There are no
        claims for a question in an unsupported language.
        """
        if unread_language(sub_query.text):
            return []
        return list(drafts(sub_query.text, passages, CLAIMS, self._preference))

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        """See `Member`; by sentences that exclude a claim."""
        return objections(peer_claims, passages)

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        """See `Member`; by the rules of `_contest_rules.response`."""
        return response(contested, passages)

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        """See `Member`; the claims' own words, arranged."""
        return arranged(claims)

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        """Return the sentence in the words of the claim it cites."""
        return restored(sentence, claims)


class LeadMember(EmbeddedMember):
    """Prefers first sentences among equally good ones."""

    def __init__(self) -> None:
        super().__init__("e1 (lead)", lead, "Prefers the first sentence of a paragraph.")


class SalienceMember(EmbeddedMember):
    """Takes what answers best."""

    def __init__(self) -> None:
        super().__init__("e2 (salience)", salience, "Prefers what answers best, in any form.")


class NumericMember(EmbeddedMember):
    """Prefers quantities and comparisons among equally good sentences."""

    def __init__(self) -> None:
        super().__init__("e3 (numeric)", numeric, "Prefers quantities and comparisons.")
