"""Contesting and answering: the rules of R2 and R3 for members without a language model (section VII)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from veritas.claims.sources import Passage
from veritas.council.embedded.alignment import (
    Profile,
    alignment,
    disagreement,
    profile,
    repeats,
)
from veritas.council.embedded.claim_types import claim_type
from veritas.council.embedded.statements import Statement, statements_of
from veritas.council.turns import Concession, ContestedClaim, Defence, Objection, PeerClaim, Quote, Refinement, Response
from veritas.documents.verbatim import MIN_QUOTE, fold_whitespace
from veritas.judging.sameness import exclusion
from veritas.judging.verdict import Verdict
from veritas.meaning.relation import Setting
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import agree

QUOTES = 2
"""Most quotes in a defence."""

Stated = tuple[Passage, Statement]


def quoted(passage: Passage, statement: Statement) -> Quote:
    """Return the statement with its neighbours, word for word."""
    return Quote(
        passage_id=passage.passage_id, quote=passage.text[statement.quote_start : statement.quote_end]
    )


def objections(peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> list[Objection]:
    """Return at most one objection for each claim, by a sentence of the member's passages that excludes it. Of several
    such sentences the one that is most about the same thing is taken. A sentence that cannot stand alone
    contests nothing."""
    own = [(passage, statement, profile(statement.claim)) for passage, statement in _asserted(passages)]
    by_stem: dict[str, list[int]] = {}
    for i, (_, _, about) in enumerate(own):
        for key in about.stems:
            by_stem.setdefault(key, []).append(i)
    made = []
    for peer in peer_claims:
        claim = fold_whitespace(peer.claim)
        about = profile(claim)
        near = _near(about, by_stem)
        # A document that says the very same is no counter-source, whatever else it says; another one may be.
        same = {own[i][0].document_id for i in near if own[i][1].claim == claim}
        found = [
            (-alignment(about, own[i][2]), i, told.reason)
            for i in near
            if own[i][0].document_id not in same and (told := _against(claim, *own[i][:2]))
        ]
        if found:
            _, i, why = min(found)
            passage, statement, _ = own[i]
            made.append(
                Objection(
                    claim_id=peer.claim_id,
                    objection=f"A source I read says otherwise: {why}.",
                    counter_claim=statement.claim,
                    quotes=(quoted(passage, statement),),
                )
            )
    return made


def _against(claim: str, passage: Passage, statement: Statement) -> Verdict | None:
    return exclusion(statement.claim, claim, of_first=Setting(document=passage.document_id))


def _near(about: Profile, by_stem: dict[str, list[int]]) -> list[int]:
    """Return the sentences that share at least two stems with the profile, ascending."""
    counts: dict[int, int] = {}
    for key in about.stems:
        for i in by_stem.get(key, ()):
            counts[i] = counts.get(i, 0) + 1
    return sorted(i for i, count in counts.items() if count >= 2 or count == len(about.stems))


def _asserted(passages: Sequence[Passage]) -> Iterator[Stated]:
    for passage in passages:
        for statement in statements_of(passage):
            if statement.fault is None and not statement.pointer and not statement.items:
                yield passage, statement


def response(contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
    """Return the answer to an objection, by the first rule that fits.

    1. Other documents the member read repeat the claim: defend it with them.
    2. Its own passages hold a narrower form of the claim, hedged or bound to a condition, that the objection does
       not contradict: refine the claim to that sentence.
    3. The counter-source is of a better tier, or most of what the member read sides with it (two documents or more
       repeat the counter-claim, and more of them than say the claim): concede.
    4. Else nothing decides between the two. The claim is defended with its own passage, and the statement says that
       no further source was found; the judge of the defence sees that it adds nothing.
    """
    claim = fold_whitespace(contested.claim)
    own_documents = {p.document_id for p in passages for text in contested.own_passages if _holds(p, text)}
    stated = list(_asserted(passages))
    further: dict[str, Quote] = {}
    for passage, statement in stated:
        if passage.document_id not in own_documents and repeats(claim, statement.claim):
            further.setdefault(passage.document_id, quoted(passage, statement))
    if further:
        say = "One further source I read says" if len(further) == 1 else f"{len(further)} further sources I read say"
        return Defence(statement=f"{say} the same.", quotes=tuple(further.values())[:QUOTES])
    for passage, statement in stated:
        if passage.document_id in own_documents and _narrows(claim, statement.claim, contested.counter_claim):
            return Refinement(
                statement="My source says it under a condition or with a reserve that the claim left out.",
                claim=statement.claim,
                claim_type=claim_type(statement.claim),
                confidence=0.5,
                quotes=(quoted(passage, statement),),
            )
    if contested.counter_tier < contested.own_tier:
        return Concession(
            statement=f"The counter-source is of tier {contested.counter_tier}, mine of tier {contested.own_tier}, "
            "and nothing else I read repeats the claim."
        )
    siding = {p.document_id for p, s in stated if repeats(contested.counter_claim, s.claim)}
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


_HEDGE = re.compile(
    r"(?i)\b(?:may|might|can|could|about|approximately|roughly|up to|at least|at most|in some|sometimes|often|usually|"
    r"typically|generally|mostly|largely|partly|suggests?|appears?)\b"
)
_SCOPE = re.compile(
    r"(?i)\b(?:if|when|unless|only|except|among|under|since version|before version|as of|until|provided that|"
    r"in (?:adults|children|women|men|mice|rats|patients|older|younger|humans|vitro|vivo)|on (?:Windows|Linux|macOS)|"
    r"by default|for (?:patients|adults|children|example)|in version|from version|with(?:out)?)\b"
)


def _narrows(claim: str, sentence: str, counter: str) -> bool:
    """Return whether a sentence narrows the claim. It does with more reserve, or with a range that holds the claim's
    number, if it does not contradict the objection; or under a condition, so that both can be true."""
    if sentence == claim or not _about_the_same(claim, sentence):
        return False
    hedged = len(_HEDGE.findall(sentence)) > len(_HEDGE.findall(claim))
    scoped = len(_SCOPE.findall(sentence)) > len(_SCOPE.findall(claim))
    ours = quantities(claim)
    wider = any(
        other.unit == mine.unit and other.low < other.high and agree(other, mine) and mine.low == mine.high
        for mine in ours
        for other in quantities(sentence)
    )
    return scoped or ((hedged or wider) and disagreement(counter, sentence) is None)


def _about_the_same(claim: str, sentence: str) -> bool:
    """Return whether a sentence is about the claim's subject and nowhere contradicts it."""
    a, b = profile(claim), profile(sentence)
    return (
        alignment(a, b) >= 0.5
        and len(a.stems & b.stems) >= 0.7 * len(a.stems)
        and disagreement(claim, sentence) is None
    )
