"""Contesting and answering: the rules of R2 and R3 for members without a language model (section VII)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from veritas.claims.sources import Passage
from veritas.council.embedded.alignment import repeats, stems_of
from veritas.council.turns import Concession, ContestedClaim, Defence, Objection, PeerClaim, Quote, Response
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.judging.sameness import exclusion
from veritas.meaning.relation import Setting
from veritas.text.instructions import is_instruction
from veritas.text.sentences import sentences

QUOTES = 2
"""Most quotes in a defence."""
SHARED = 2
"""Stems that a sentence shares with a claim, at least, before it is judged against it."""
NEAREST = 12
"""Sentences that are judged against a claim, those that share most with it."""
LONGEST = 420
"""Most characters of a sentence that can contradict a claim; a longer one says too many things at once."""


class Stated(NamedTuple):
    """A sentence of a passage, its whitespace folded."""

    passage: Passage
    text: str
    quote: str


def stated(passages: Sequence[Passage]) -> Iterator[Stated]:
    """Yield the sentences of passages, but no headings, program text and orders to a language model."""
    for passage in passages:
        for each in sentences(passage.text, passage.blocks):
            quote = passage.text[each.start : each.end]
            text = fold_whitespace(quote)
            if each.kind in ("prose", "item") and MIN_QUOTE <= len(text) <= LONGEST and not is_instruction(text):
                yield Stated(passage, text, quote)


def objections(peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> list[Objection]:
    """Return at most one objection for each claim, by a sentence of the member's passages that excludes it: the one
    that shares most words with the claim."""
    own = list(stated(passages))
    by_stem: dict[str, list[int]] = {}
    for at, each in enumerate(own):
        for key in stems_of(each.text):
            by_stem.setdefault(key, []).append(at)
    made = []
    for peer in peer_claims:
        claim = fold_whitespace(peer.claim)
        wanted = stems_of(claim)
        shared = Counter(at for key in wanted for at in by_stem.get(key, ()))
        # A document that says the very same is no counter-source, whatever else it says; another one may be.
        same = {own[at].passage.document_id for at in shared if own[at].text == claim}
        near = [
            at for at, count in sorted(shared.items(), key=lambda one: (-one[1], one[0]))
            if count >= min(SHARED, len(wanted)) and own[at].passage.document_id not in same
        ]  # fmt: skip
        for at in near[:NEAREST]:
            each = own[at]
            told = exclusion(each.text, claim, of_first=Setting(document=each.passage.document_id))
            if told is not None:
                made.append(
                    Objection(
                        claim_id=peer.claim_id,
                        objection=f"A source I read says otherwise: {told.reason}.",
                        counter_claim=each.text,
                        quotes=(Quote(passage_id=each.passage.passage_id, quote=each.quote),),
                    )
                )
                break
    return made


def response(contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
    """Return the answer to an objection, by the first rule that applies.

    1. Other documents that the member read repeat the claim: defend it with them.
    2. The counter-source has a better tier, or most documents that the member read agree with it (at least two repeat
       the counter-claim, and more of them than state the claim): concede.
    3. Otherwise the claim is defended with its own passage, and the statement says that no further source was found;
       the judge of the defence sees that it adds nothing.
    """
    claim = fold_whitespace(contested.claim)
    own_documents = {p.document_id for p in passages for text in contested.own_passages if _holds(p, text)}
    told = list(stated(passages))
    further: dict[str, Quote] = {}
    for each in told:
        if each.passage.document_id not in own_documents and repeats(claim, each.text):
            quote = Quote(passage_id=each.passage.passage_id, quote=each.quote)
            further.setdefault(each.passage.document_id, quote)
    if further:
        say = "One further source I read says" if len(further) == 1 else f"{len(further)} further sources I read say"
        return Defence(statement=f"{say} the same.", quotes=tuple(further.values())[:QUOTES])
    if contested.counter_tier < contested.own_tier:
        return Concession(
            statement=f"The counter-source is of tier {contested.counter_tier}, mine of tier {contested.own_tier}, "
            "and nothing else I read repeats the claim."
        )
    siding = {each.passage.document_id for each in told if repeats(contested.counter_claim, each.text)}
    if len(siding) >= 2 and len(siding) > len(own_documents):
        return Concession(
            statement=f"Of what I read, {len(siding)} documents say what the objection says, and {len(own_documents)} "
            "what I claimed."
        )
    home = next(((p, text) for text in contested.own_passages for p in passages if _holds(p, text)), None)
    if home is None:
        return Concession(statement="I find the claim in nothing I read any more.")
    return Defence(
        statement="My source says so in these words; I found no further source, and the counter-source is of no better "
        "tier, so that the two stand against each other.",
        quotes=(Quote(passage_id=home[0].passage_id, quote=home[1]),),
    )


def _holds(passage: Passage, text: str) -> bool:
    wanted = fold_whitespace(text)
    return len(wanted) >= MIN_QUOTE and wanted in fold_whitespace(passage.text)
