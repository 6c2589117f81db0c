"""The brief of an answer that nobody worded: each sentence with the passage it stands in, and how sure it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from veritas.answering.pieces import pieces
from veritas.answers.admission import Group
from veritas.claims.answer import Sentence
from veritas.claims.brief import CLOSE, LIKELY, SURE, Brief, BriefBlock, BriefPart, BriefPassage
from veritas.claims.envelope import ClaimEnvelope, SpanRef
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.embedded.questions import AS_ASKED, SIDE, own_words
from veritas.documents.verbatim import locate
from veritas.text.structure import clipped, columns_at, path_at


def brief_of(
    sentences: Sequence[Sentence],
    groups: Mapping[str, Group],
    passages: Sequence[Passage],
    documents: Mapping[str, int],
    unmentioned: Sequence[str],
    parts: Sequence[BriefPart] = (),
) -> Brief:
    """Return the brief of an answer's claims, in the answer's order but grouped by document. A passage that two parts
    of the question ask for is shown once, with the words of both marked, unless only one of them has a note or a badge.

    `groups` are by the id of their first claim, `documents` gives the reference number of each document, `parts` are
    those of a question that asks for several things.
    """
    by_id = {p.passage_id: p for p in passages}
    shown: dict[str, list[BriefPassage]] = {}
    beside = {s.sentence_id: (s.footnote, s.badges) for s in sentences}
    for sentence in sentences:
        if sentence.kind != "claim":
            continue
        group = next(groups[i] for i in sentence.claim_ids if i in groups)
        found = _standing(group, documents)
        if found is not None:
            claim, span, text = found
            one = _shown(sentence, claim, span, text, by_id.get(span.passage_id), documents[span.document_id])
            mine = shown.setdefault(span.document_id, [])
            twin = next((at for at, other in enumerate(mine) if _one_place(one, other)), None)
            if twin is None or beside[mine[twin].sentence_id] != beside[one.sentence_id]:
                mine.append(one)
            else:
                mine[twin] = _joined(mine[twin], one)
    ordered = tuple(one for each in shown.values() for one in each)
    chance = ordered[0].chance if ordered else 0.0
    answered = {part.sub_query_id: part.chance for part in parts}
    far = {
        claim.claim_id: max((answered.get(query, chance) for query in _asked_for(claim)), default=chance) < CLOSE
        for group in groups.values()
        for claim in group.claims
    }
    ordered = tuple(one.model_copy(update={"far": True}) if far[one.claim_id] else one for one in ordered)
    return Brief(chance=chance, passages=ordered, unmentioned=tuple(unmentioned), parts=tuple(parts))


def parts_of(
    question: str, sub_queries: Sequence[SubQuery], claims: Sequence[ClaimEnvelope]
) -> tuple[BriefPart, ...]:
    """Return the parts of a question that asks for several things, in its own words, each with the confidence of the
    likeliest of the claims made for it; nothing for a question that asks for one thing. What either side of a
    comparison is does not tell how they differ, so these are parts too."""
    asked = [query for query in sub_queries if query.facet in (AS_ASKED, SIDE)]
    best: dict[str, float] = {}
    for claim in claims:
        for query, confidence in _asked_for(claim).items():
            best[query] = max(best.get(query, 0.0), confidence)
    if len(asked) < 2:
        return ()
    own = own_words(question)
    return tuple(
        BriefPart(
            sub_query_id=q.sub_query_id, question=own.get(q.text, q.text), chance=best.get(q.sub_query_id, 0.0),
            side=q.facet == SIDE,
        )
        for q in asked
    )  # fmt: skip


def _asked_for(claim: ClaimEnvelope) -> dict[str, float]:
    """Return the sub-queries that a claim was made for, each with the claim's confidence."""
    made = claim.provenance
    return {made.sub_query_id: claim.confidence, **dict(zip(made.also, made.also_confidence, strict=False))}


def _one_place(one: BriefPassage, other: BriefPassage) -> bool:
    return (one.document_id, one.start, one.end) == (other.document_id, other.start, other.end)


def _joined(one: BriefPassage, other: BriefPassage) -> BriefPassage:
    """Return a passage with the marks of both; a mark within another one adds nothing, and no mark is all of it."""
    every = sorted({*one.marks, *other.marks})
    marks = [(a, b) for a, b in every if not any(c <= a and b <= d and (a, b) != (c, d) for c, d in every)]
    apart = all(b <= c for (_, b), (c, _) in pairwise(marks))
    whole = not one.marks or not other.marks
    return one.model_copy(
        update={
            "marks": () if whole else tuple(marks) if apart else one.marks,
            "chance": max(one.chance, other.chance),
        }
    )


def _standing(group: Group, documents: Mapping[str, int]) -> tuple[ClaimEnvelope, SpanRef, str] | None:
    """Return the claim of a group whose passage is shown: in a document of the bibliography, and the likeliest."""
    cited = [
        (claim, span, text)
        for claim in sorted(group.claims, key=lambda c: -c.confidence)
        for span, text in zip(claim.spans, claim.source_passages, strict=True)
        if span.document_id in documents
    ]
    return cited[0] if cited else None


def _shown(
    sentence: Sentence, claim: ClaimEnvelope, span: SpanRef, text: str, passage: Passage | None, number: int
) -> BriefPassage:
    mark = locate(claim.claim, text)
    return BriefPassage(
        sentence_id=sentence.sentence_id,
        claim_id=claim.claim_id,
        reference=number,
        document_id=span.document_id,
        headings=_headings(passage, span.start) if passage is not None else (),
        start=span.start,
        end=span.end,
        columns=_columns(passage, span.start),
        text=text,
        blocks=tuple(_blocks(text, span.start, passage)),
        marks=(mark,) if mark is not None and mark != (0, len(text)) else (),
        chance=claim.confidence,
    )


def _blocks(text: str, start: int, passage: Passage | None) -> Iterator[BriefBlock]:
    """Yield the blocks of what is shown from an offset in the document on."""
    if passage is not None and passage.blocks and passage.start <= start <= start + len(text) <= passage.end:
        at = start - passage.start
        for block in clipped(passage.blocks, at, at + len(text)):
            level = 0 if block.kind == "heading" else block.level
            yield BriefBlock(kind=block.kind, start=block.start, end=block.end, level=level, language=block.language)
        return
    for piece in pieces(text):
        yield BriefBlock(kind=piece.kind if piece.kind != "markup" else "prose", start=piece.start, end=piece.end)


def _columns(passage: Passage | None, start: int) -> str:
    """Return the row that names the columns of the table in which a place of the document is, if it stands above."""
    if passage is None or not passage.start <= start < passage.end:
        return ""
    at = start - passage.start
    found = columns_at(passage.text, passage.blocks, at)
    goes_on = all(block.kind == "row" for block in passage.blocks if block.start <= at)
    return found or (passage.columns if goes_on else "")


def _headings(passage: Passage, start: int) -> tuple[str, ...]:
    """Return the title of the document and the headings above an offset, each once; the nearest alone where the
    structure was guessed."""
    if passage.blocks:
        path = path_at(passage.text, passage.blocks, start - passage.start, passage.path)
        return tuple(dict.fromkeys(" ".join(h.split()) for h in (passage.title, *(h.text for h in path)) if h.strip()))
    above = passage.heading
    for piece in pieces(passage.text):
        if piece.kind == "heading" and passage.start + piece.end <= start:
            above = passage.text[piece.start : piece.end].lstrip("# ")
    return tuple(dict.fromkeys(" ".join(h.split()) for h in (passage.title, above) if h.strip()))


def verdict(brief: Brief) -> str:
    """Return the line above a brief: how sure it is that this answers, part by part where several things are asked."""
    sure, closest = f"(estimated chance {brief.chance:.0%})", f"(estimated chance of the closest: {brief.chance:.0%})"
    if brief.parts:
        said = " ".join(map(_of_part, brief.parts))
    elif brief.chance >= SURE:
        said = f"The first passage very likely answers the question {sure}."
    elif brief.chance >= LIKELY:
        said = f"The first passage probably answers the question {sure}."
    elif brief.chance >= CLOSE:
        said = f"No passage surely answers the question; the closest comes first {sure}."
    else:
        said = f"Probably no passage answers the question {closest}. The closest are named by their place alone."
    if brief.unmentioned:
        names = ", ".join(f"“{name}”" for name in brief.unmentioned)
        said += f" Nothing that was read mentions {names}."
    if all(passage.far for passage in brief.passages):
        return said
    return f"{said} No language model wrote this: each passage stands word for word in the source it cites."


def _of_part(part: BriefPart) -> str:
    """Return how sure it is that one part of a question is answered."""
    asked, sure = f"“{part.question}”", f"(estimated chance {part.chance:.0%})"
    closest = f"(estimated chance of the closest: {part.chance:.0%})"
    if part.chance >= SURE:
        return f"{asked} is very likely answered {sure}."
    if part.chance >= LIKELY:
        return f"{asked} is probably answered {sure}."
    if part.chance >= CLOSE:
        return f"No passage surely answers {asked} {closest}."
    return f"Probably no passage answers {asked} {closest}." if part.chance else f"Nothing was found for {asked}."
