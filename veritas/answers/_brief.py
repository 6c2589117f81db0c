"""The evidence brief of an answer without a writer: each sentence with its passage, and how likely it answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from veritas.answers.admission import Group
from veritas.claims.answer import Sentence
from veritas.claims.brief import ANSWERS, BlockKind, Brief, BriefBlock, BriefPart, BriefPassage
from veritas.claims.envelope import ClaimEnvelope, SpanRef
from veritas.claims.graph import SubQuery
from veritas.claims.sources import Passage
from veritas.council.embedded.questions import AS_ASKED, own_words
from veritas.documents.document import Document
from veritas.documents.passages import cut_passages
from veritas.documents.verbatim import locate
from veritas.text.blocks import blocks as guessed
from veritas.text.instructions import find_instructions
from veritas.text.structure import clipped, columns_at, path_at

SECTION, FURTHER = 2000, 1200
"""Most characters that are shown of the section that the first passage stands in, if it is not sure to answer, and of
those of all others: a section is written to be read from its beginning, and what answers may stand in a paragraph above
the one that meets the question's words."""
LIST = 6000
"""Most characters of a list or a table that is shown whole."""
SURE = 0.75
"""Chance from which on a passage hardly needs what stands before it."""


def brief_of(
    sentences: Sequence[Sentence],
    groups: Mapping[str, Group],
    passages: Sequence[Passage],
    documents: Mapping[str, int],
    unmentioned: Sequence[str],
    parts: Sequence[BriefPart] = (),
    read: Mapping[str, Document] | None = None,
    disagree: bool = False,
) -> Brief:
    """Return the brief of an answer's claims, in the answer's order, grouped by document.

    A passage that two parts of the question need is shown once, with the words of both marked, unless only one of them
    has a note or a badge. `groups` are by the id of their first claim, `documents` gives each document's reference
    number, `parts` are those of a question that asks for several things, and `read` are the documents by id: a passage
    is shown with the section around it. `disagree`: the first two passages exclude each other.
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
            passage = by_id.get(span.passage_id)
            most = FURTHER if shown or claim.confidence >= SURE else SECTION
            whole = _section((read or {}).get(span.document_id), passage, most)
            one = _shown(sentence, claim, span, text, passage, documents[span.document_id], whole)
            mine = shown.setdefault(span.document_id, [])
            document = (read or {}).get(span.document_id)
            twin = next((at for at, other in enumerate(mine) if _overlap(one, other)), None)
            if twin is None or beside[mine[twin].sentence_id] != beside[one.sentence_id]:
                mine.append(one)
            elif _one_place(one, mine[twin]):
                mine[twin] = _joined(mine[twin], one)
            elif document is not None:
                mine[twin] = _joined(*(_widened(each, one, mine[twin], document) for each in (mine[twin], one)))
    ordered = tuple(one for each in shown.values() for one in each)
    if disagree and len(shown) > 1:
        other = next(iter([*shown.values()][1]))
        ordered = (ordered[0], other, *(one for one in ordered[1:] if one is not other))
    chance = ordered[0].chance if ordered else 0.0
    answered = {part.sub_query_id: part.chance for part in parts}
    far = {
        claim.claim_id: max((answered.get(query, chance) for query in _asked_for(claim)), default=chance) < ANSWERS
        for group in groups.values()
        for claim in group.claims
    }
    ordered = tuple(one.model_copy(update={"far": True}) if far[one.claim_id] else one for one in ordered)
    return Brief(
        chance=chance, passages=ordered, unmentioned=tuple(unmentioned), parts=tuple(parts), disagree=disagree
    )


def parts_of(
    question: str, sub_queries: Sequence[SubQuery], claims: Sequence[ClaimEnvelope]
) -> tuple[BriefPart, ...]:
    """Return the parts of a question that asks for several things, each with the highest confidence of the claims made
    for it; nothing for a question that asks for one thing."""
    asked = [query for query in sub_queries if query.facet == AS_ASKED]
    best: dict[str, float] = {}
    for claim in claims:
        for query, confidence in _asked_for(claim).items():
            best[query] = max(best.get(query, 0.0), confidence)
    if len(asked) < 2:
        return ()
    own = own_words(question)
    return tuple(
        BriefPart(
            sub_query_id=q.sub_query_id, question=own.get(q.text, q.text), chance=best.get(q.sub_query_id, 0.0)
        )
        for q in asked
    )  # fmt: skip


def _asked_for(claim: ClaimEnvelope) -> dict[str, float]:
    """Return the sub-queries that a claim was made for, each with the claim's confidence."""
    made = claim.provenance
    return {made.sub_query_id: claim.confidence, **dict(zip(made.also, made.also_confidence, strict=False))}


def _one_place(one: BriefPassage, other: BriefPassage) -> bool:
    return (one.document_id, one.start, one.end) == (other.document_id, other.start, other.end)


def _overlap(one: BriefPassage, other: BriefPassage) -> bool:
    return one.start < other.end and other.start < one.end


def _widened(passage: BriefPassage, one: BriefPassage, other: BriefPassage, document: Document) -> BriefPassage:
    """Return the union of a passage and another one that overlaps it, with the marks of the first."""
    start, end = min(one.start, other.start), max(one.end, other.end)
    by = passage.start - start
    whole = Passage(
        passage_id="", document_id=document.document_id, start=start, end=end, text=document.text[start:end],
        title=document.title, blocks=clipped(document.blocks, start, end),
    )  # fmt: skip
    first = one if one.start <= other.start else other
    return passage.model_copy(
        update={
            "start": start, "end": end, "text": whole.text, "headings": first.headings, "columns": first.columns,
            "marks": tuple((a + by, b + by) for a, b in passage.marks),
            "blocks": tuple(_blocks(whole.text, start, whole)),
        }
    )  # fmt: skip


def _joined(one: BriefPassage, other: BriefPassage) -> BriefPassage:
    """Return a passage with the marks of both. A mark inside another one, or over the whole passage, is left out."""
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
    """Return the claim whose passage represents a group: the likeliest one in a document of the bibliography."""
    cited = [
        (claim, span, text)
        for claim in sorted(group.claims, key=lambda c: -c.confidence)
        for span, text in zip(claim.spans, claim.source_passages, strict=True)
        if span.document_id in documents
    ]
    return cited[0] if cited else None


def _section(document: Document | None, passage: Passage | None, most: int = SECTION) -> Passage | None:
    """Return a passage with the passages before it in its section, up to `most` characters, and the whole of its list
    or table; None if the section is unknown or has no other passage.

    Passages that give orders to a language model are left out. Text before the passage holds the answer of one question
    in twenty; text after it does not.
    """
    if document is None or passage is None or not document.blocks:
        return None
    found = cut_passages(document)
    at = next((i for i, one in enumerate(found) if one.passage_id == passage.passage_id), None)
    if at is None:
        return None
    first = last = at
    while last + 1 < len(found) and _goes_on(found[last], found[last + 1]):
        if not _fits(found[last + 1], found[first], found[last + 1], LIST):
            break
        last += 1
    while first and not _opens(found[first]):
        room = LIST if _goes_on(found[first - 1], found[first]) else max(most, found[last].end - found[at].start)
        if not _fits(found[first - 1], found[first - 1], found[last], room):
            break
        first -= 1
    if first == last:
        return None
    start, end = found[first].start, found[last].end
    return found[first].model_copy(
        update={"end": end, "text": document.text[start:end], "blocks": clipped(document.blocks, start, end)}
    )


def _fits(added: Passage, first: Passage, last: Passage, most: int) -> bool:
    """Return whether the passages from the first to the last may be shown together."""
    return last.end - first.start <= most and not find_instructions(added.text)


def _goes_on(passage: Passage, behind: Passage) -> bool:
    """Return whether the list or table at the end of a passage continues in the next one."""
    ends, begins = passage.blocks[-1:], behind.blocks[:1]
    return bool(ends and begins) and ends[0].kind == begins[0].kind in ("item", "row")


def _opens(passage: Passage) -> bool:
    """Return whether a passage begins a section."""
    return bool(passage.blocks) and passage.blocks[0].kind == "heading" and passage.blocks[0].start == 0


def _shown(
    sentence: Sentence, claim: ClaimEnvelope, span: SpanRef, text: str, passage: Passage | None, number: int,
    whole: Passage | None = None,
) -> BriefPassage:
    start, end = span.start, span.end
    if whole is not None and whole.start <= start and end <= whole.end:
        start, end, text, passage = whole.start, whole.end, whole.text, whole
    below = _below_headings(text, start, passage)  # which are told above it
    start, text = start + below, text[below:]
    within = (max(0, span.start - start), max(0, span.end - start))
    mark = locate(claim.claim, text, within=within) or locate(claim.claim, text)
    return BriefPassage(
        sentence_id=sentence.sentence_id,
        claim_id=claim.claim_id,
        reference=number,
        document_id=span.document_id,
        headings=_headings(passage, start) if passage is not None else (),
        start=start,
        end=end,
        columns=_columns(passage, start),
        text=text,
        blocks=tuple(_blocks(text, start, passage)),
        marks=(mark,) if mark is not None and mark != (0, len(text)) else (),
        chance=claim.confidence,
    )


def _below_headings(text: str, start: int, passage: Passage | None) -> int:
    """Return the offset behind the headings that a text begins with; 0 if nothing follows them."""
    return next((block.start for block in _blocks(text, start, passage) if block.kind != "heading"), 0)


_GUESSED: Mapping[str, BlockKind] = {"table": "row", "markup": "prose"}


def _blocks(text: str, start: int, passage: Passage | None) -> Iterator[BriefBlock]:
    """Yield the blocks of the shown text from an offset in the document on; consecutive program text is one block."""
    if passage is not None and passage.blocks and passage.start <= start <= start + len(text) <= passage.end:
        at = start - passage.start
        for block in clipped(passage.blocks, at, at + len(text)):
            level = 0 if block.kind == "heading" else block.level
            yield BriefBlock(kind=block.kind, start=block.start, end=block.end, level=level, language=block.language)
        return
    before: BriefBlock | None = None
    for found in guessed(text):
        one = BriefBlock(kind=_GUESSED.get(found.kind, found.kind), start=found.start, end=found.end)
        if before is not None and before.kind == one.kind == "code":
            before = before.model_copy(update={"end": one.end})
            continue
        if before is not None:
            yield before
        before = one
    if before is not None:
        yield before


def _columns(passage: Passage | None, start: int) -> str:
    """Return the header row of the table that contains the offset, if the row is above it."""
    if passage is None or not passage.start <= start < passage.end:
        return ""
    at = start - passage.start
    found = columns_at(passage.text, passage.blocks, at)
    goes_on = all(block.kind == "row" for block in passage.blocks if block.start <= at)
    return found or (passage.columns if goes_on else "")


def _headings(passage: Passage, start: int) -> tuple[str, ...]:
    """Return the document's title and the headings above an offset, each once. Where the structure was guessed, only
    the nearest heading is used."""
    if passage.blocks:
        path = path_at(passage.text, passage.blocks, start - passage.start, passage.path)
        return tuple(dict.fromkeys(" ".join(h.split()) for h in (passage.title, *(h.text for h in path)) if h.strip()))
    above = passage.heading
    for block in guessed(passage.text):
        if block.kind == "heading" and passage.start + block.end <= start:
            above = passage.text[block.start : block.end]
    return tuple(dict.fromkeys(" ".join(h.split()) for h in (passage.title, above) if h.strip()))


def verdict(brief: Brief) -> str:
    """Return the line above a brief: whether documents disagree, whether its passages answer or are only the closest,
    part by part where several things are asked."""
    said = ["Two documents disagree: the first two passages say different things."] if brief.disagree else []
    if brief.parts:
        said += [_told(part.chance, f"“{part.question}”") for part in brief.parts]
    else:
        said.append(_told(brief.chance, "the question"))
    if brief.unmentioned:
        said.append(f"Nothing that was read mentions {', '.join(f'“{name}”' for name in brief.unmentioned)}.")
    said.append("No language model wrote this: each passage stands word for word in the source it cites.")
    return " ".join(said)


def _told(chance: float, asked: str) -> str:
    """Return in words whether the passages answer a question, or a part of it."""
    if chance >= ANSWERS:
        return f"The first passage answers {asked} (estimated chance {chance:.0%})."
    if chance:
        return f"Closest passages; none surely answers {asked} (estimated chance {chance:.0%})."
    return f"Nothing was found for {asked}."
