"""An index of the claim graph for readers: relations, numbers, and the outcome of every claim."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from veritas.claims.answer import Reference, Sentence
from veritas.claims.brief import BriefPassage
from veritas.claims.contestation import Contestation
from veritas.claims.envelope import Citation, ClaimEnvelope, SpanRef
from veritas.claims.graph import STAGES, Binding, ClaimGraph, Event
from veritas.claims.judgment import ClaimJudgment
from veritas.claims.sources import Passage, Source
from veritas.documents.verbatim import fold_whitespace
from veritas.report.brief_lines import lines_of


@dataclass(frozen=True)
class Quotation:
    """A quoted passage between its neighbours; `source` is None if none is known for its text."""

    before: str
    quote: str
    after: str
    cut_before: bool
    cut_after: bool
    """True if the document goes on beyond the context shown."""
    span: SpanRef
    page: int | None
    citation: Citation | None
    source: Source | None


@dataclass(frozen=True)
class Outcome:
    """The outcome of a claim: a key for filters, its words, and the recorded reason if it was left out."""

    key: str
    words: str
    reason: str = ""


CONTEXT = 300
"""Limit of characters shown before and after a quote. A passage carries as many of its neighbours; if it carries fewer,
the document ends there."""

_OUTCOMES = {
    "claim-refuted": ("refuted", "refuted by the verifier"),
    "claim-unavailable": ("unavailable", "could not be checked"),
    "claim-uncorroborated": ("uncorroborated", "not corroborated"),
    "claim-redundant": ("redundant", "said by another cited claim"),
    "claim-unused": ("unused", "not used by the writer"),
    "claim-deferred": ("deferred", "may differ from its passage"),
    "claim-dropped": ("dropped", "dropped"),
}


def anchor(prefix: str, identifier: object) -> str:
    """Return a fragment name made of an id; letters, digits, dots, dashes and underscores alone."""
    return f"{prefix}-{re.sub(r'[^A-Za-z0-9._-]', '-', str(identifier))}"


class GraphIndex:
    """Look-ups over one claim graph. Claims, sources, questions and objections are numbered from 1 in graph order; what
    several members say in the same words is one claim and has one number, as in every count."""

    def __init__(self, graph: ClaimGraph) -> None:
        self.graph = graph
        self.claims = {claim.claim_id: claim for claim in graph.claims}
        worded = _numbers(claim.claim for claim in graph.claims)
        self.claim_number = {claim.claim_id: worded[claim.claim] for claim in graph.claims}
        self.sources = {source.source_id: source for source in graph.sources}
        self.source_number = _numbers(source.source_id for source in graph.sources)
        self.query_number = _numbers(query.sub_query_id for query in graph.sub_queries)
        self.contestation_number = _numbers(c.contestation_id for c in graph.contestations)
        self.passages = {passage.passage_id: passage for passage in graph.passages}
        self.search_number = _numbers(search.search_id for search in graph.searches)
        self.sentence_number = _numbers(sentence.sentence_id for sentence in graph.answer.sentences)
        self.references = {reference.number: reference for reference in graph.answer.bibliography}
        self.judgments: dict[str, list[ClaimJudgment]] = defaultdict(list)
        for judgment in graph.judgments:
            self.judgments[judgment.subject_id].append(judgment)
        self.contestations: dict[str, list[Contestation]] = defaultdict(list)
        for contestation in graph.contestations:
            self.contestations[contestation.claim_id].append(contestation)
        self.events: dict[str, list[Event]] = defaultdict(list)
        for event in graph.events:
            self.events[event.subject_id].append(event)

    # -- the answer

    @cached_property
    def paragraphs(self) -> list[list[Sentence]]:
        """The answer's sentences by paragraph, in the order they were written. Those of a brief are not among them: its
        passages hold them."""
        grouped: dict[int, list[Sentence]] = {}
        brief = self.graph.answer.brief
        passages = brief.passages if brief is not None else ()
        for sentence in self.graph.answer.sentences:
            if any(_holds(passage, sentence) for passage in passages):
                continue
            grouped.setdefault(sentence.paragraph, []).append(sentence)
        return list(grouped.values())

    def beside(self, passage: BriefPassage) -> tuple[str, ...]:
        """Return what stands beside a passage of a brief: the letter of its note, and its badges."""
        sentence = self.sentences[passage.sentence_id]
        note = self.notes.get(passage.sentence_id)
        return (*((note,) if note else ()), *sentence.badges)

    @cached_property
    def sentences(self) -> dict[str, Sentence]:
        """The answer's sentences by their id."""
        return {sentence.sentence_id: sentence for sentence in self.graph.answer.sentences}

    def lines(self, sentence: Sentence) -> tuple[str, ...]:
        """Return the lines in which a sentence stands in its sources: several for a list, one for any other."""
        if sentence.kind != "claim":
            return (sentence.text,)
        return lines_of(sentence.text, (p for claim in self.claims_behind(sentence) for p in claim.source_passages))

    @cached_property
    def notes(self) -> dict[str, str]:
        """Sentence id -> the letter(s) of its footnote: a … z, aa, ab, …"""
        noted = [s.sentence_id for s in self.graph.answer.sentences if s.footnote]
        return {identifier: _letters(position) for position, identifier in enumerate(noted)}

    @cached_property
    def badges(self) -> list[str]:
        """Badges that occur, each once: those of the answer, of the claims, and of planted sources."""
        borne = [*(s.badges for s in self.graph.answer.sentences), *(c.badges for c in self.graph.claims)]
        planted = any(s.note is not None for s in self.graph.sources) or any(e.planted for e in self.graph.events)
        return list(dict.fromkeys([*(badge for badges in borne for badge in badges), *["planted"] * planted]))

    @cached_property
    def verbatim(self) -> bool:
        """True if every sentence that states a fact is, word for word, a claim it cites."""
        stated = [s for s in self.graph.answer.sentences if s.kind == "claim"]
        return all(s.text.split() in [c.claim.split() for c in self.claims_behind(s)] for s in stated)

    @cached_property
    def sentences_of(self) -> dict[str, list[Sentence]]:
        """Claim id -> the sentences that cite it."""
        cited: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in self.graph.answer.sentences:
            for identifier in sentence.claim_ids:
                cited[identifier].append(sentence)
        return cited

    def claims_behind(self, sentence: Sentence, reference: Reference | None = None) -> list[ClaimEnvelope]:
        """Return the claims a sentence cites; with a reference, those of them that rest on it (all, if none does)."""
        every = [self.claims[i] for i in sentence.claim_ids if i in self.claims]
        if reference is None:
            return every
        return [claim for claim in every if self._same_work(claim.citations, reference)] or every

    def told_behind(self, sentence: Sentence, reference: Reference | None = None) -> list[ClaimEnvelope]:
        """Return `claims_behind` with one claim of each number."""
        found: dict[int, ClaimEnvelope] = {}
        for claim in self.claims_behind(sentence, reference):
            found.setdefault(self.claim_number[claim.claim_id], claim)
        return list(found.values())

    def objections_behind(self, sentence: Sentence, reference: Reference) -> list[Contestation]:
        """Return the standing objections behind a sentence of dissent that rest on the reference; none for others."""
        if sentence.kind != "dissent":
            return []
        standing = [x for i in sentence.claim_ids for x in self.contestations.get(i, ()) if x.resolution == "open"]
        return [x for x in standing if self._same_work(x.counter_citations, reference)]

    def exhibits(self, sentence: Sentence, reference: Reference) -> list[list[str]]:
        """Return the fragments behind a marker: claims on the very same passages together, the first for all."""
        objections = self.objections_behind(sentence, reference)
        if objections:
            return [[anchor("exchange", x.contestation_id)] for x in objections]
        alike: dict[tuple[SpanRef, ...], list[str]] = {}
        for claim in self.claims_behind(sentence, reference):
            alike.setdefault(claim.spans, []).append(anchor("claim", claim.claim_id))
        return list(alike.values())

    def _same_work(self, citations: Sequence[Citation], reference: Reference) -> bool:
        """Return whether one of the citations is of the bibliography's entry, by address or by its very text."""
        source = self.sources.get(reference.source_id)
        document = source.document_id if source else None
        return any(c.url == reference.url or (document and c.document_id == document) for c in citations)

    @cached_property
    def behind_reference(self) -> dict[int, list[str]]:
        """Reference number -> the ids of the claims and objections that the answer rests on it, one id for each number,
        claims by their number."""
        found: dict[int, dict[object, str]] = defaultdict(dict)
        order = self.claim_number
        for sentence in self.graph.answer.sentences:
            for reference in (self.references[n] for n in sentence.references if n in self.references):
                objections = self.objections_behind(sentence, reference)
                claims = [] if objections else self.told_behind(sentence, reference)
                for identifier in (*(x.contestation_id for x in objections), *(c.claim_id for c in claims)):
                    found[reference.number].setdefault(order.get(identifier, identifier), identifier)
        return {n: sorted(each.values(), key=lambda i: (i in order, order.get(i, 0))) for n, each in found.items()}

    # -- searches

    @cached_property
    def _bindings(self) -> dict[tuple[str, str], list[Binding]]:
        found: dict[tuple[str, str], list[Binding]] = defaultdict(list)
        for binding in sorted(self.graph.schedule, key=lambda b: b.slot):
            found[binding.sub_query_id, binding.member].append(binding)
        return found

    @cached_property
    def scheduled(self) -> list[str]:
        """Sub-queries of the rotation schedule, in the order they are numbered."""
        known = dict.fromkeys(b.sub_query_id for b in self.graph.schedule)
        return sorted(known, key=lambda query: self.query_number.get(query, len(self.query_number) + 1))

    def providers_of(self, query: str, member: str) -> list[str]:
        """Return the providers that serve a member's searches of a sub-query, in order."""
        return [binding.provider for binding in self._bindings.get((query, member), ())]

    # -- claims and their evidence

    @cached_property
    def _source_of_url(self) -> dict[str, Source]:
        return {source.url: source for source in self.graph.sources}

    @cached_property
    def _source_of_document(self) -> dict[str, Source]:
        return {s.document_id: s for s in reversed(self.graph.sources) if s.document_id}

    def source_of(self, citation: Citation) -> Source | None:
        """Return the source behind a citation: by its address, else by its text."""
        return self._source_of_url.get(citation.url) or self._source_of_document.get(citation.document_id)

    def quotations(
        self, spans: Sequence[SpanRef], quotes: Sequence[str], citations: Sequence[Citation]
    ) -> list[Quotation]:
        """Return each quoted span with its context and source; the quote alone if its passage is not in the graph."""
        by_document = {citation.document_id: citation for citation in reversed(citations)}
        found = []
        for position, quote in enumerate(quotes):
            span = spans[position] if position < len(spans) else SpanRef(passage_id="", document_id="", start=0, end=1)
            passage = self.passages.get(span.passage_id)
            citation = by_document.get(span.document_id)
            source = self.source_of(citation) if citation else self._source_of_document.get(span.document_id)
            context = _in_context(quote, span, passage)
            found.append(Quotation(*context, span, passage.page if passage else None, citation, source))
        return found

    def evidence(self, claim: ClaimEnvelope) -> list[Quotation]:
        """Return the passages a claim rests on."""
        return self.quotations(claim.spans, claim.source_passages, claim.citations)

    @cached_property
    def told(self) -> tuple[Contestation, ...]:
        """Objections, open or answered, that the answer itself reports."""
        return tuple(c for c in self.graph.contestations if c.resolution in ("open", "defended") and self._printed(c))

    def _printed(self, contestation: Contestation) -> bool:
        """Return whether the answer itself reports it: as dissent, or in a footnote of the claim it contests."""
        x = contestation
        position, objection = fold_whitespace(x.counter_claim), fold_whitespace(x.objection)
        noted = [f"“{position}”", *([objection] if objection else [])]  # answers of older runs tell the objection
        return any(
            (s.kind == "dissent" and position in s.text)
            or (s.footnote and any(each in fold_whitespace(s.footnote) for each in noted))
            for s in self.graph.answer.sentences
            if x.claim_id in s.claim_ids
        )

    def counter_evidence(self, contestation: Contestation) -> list[Quotation]:
        """Return the passages an objection rests on."""
        c = contestation
        return self.quotations(c.counter_spans, c.counter_passages, c.counter_citations)

    def response_evidence(self, contestation: Contestation) -> list[Quotation]:
        """Return the passages that the answer to an objection rests on."""
        c = contestation
        return self.quotations(c.response_spans, c.response_passages, c.response_citations)

    def outcome(self, claim: ClaimEnvelope) -> Outcome:
        """Return the claim's outcome, from the answer first, then from its status, then from its log."""
        if claim.claim_id in self.sentences_of:
            return Outcome("cited", "cited in the answer")
        logged = [e for e in self.events.get(claim.claim_id, ()) if e.kind in _OUTCOMES]
        reason = logged[-1].reason if logged else ""
        if claim.debate_status in {"conceded", "refined"}:
            words = "conceded in debate" if claim.debate_status == "conceded" else "replaced by a narrower claim"
            return Outcome(claim.debate_status, words, reason)
        if logged:
            return Outcome(*_OUTCOMES[logged[-1].kind], reason)
        if claim.verifier_judgment in {"refutes", "unavailable"}:
            kind = "claim-refuted" if claim.verifier_judgment == "refutes" else "claim-unavailable"
            return Outcome(*_OUTCOMES[kind])
        return Outcome("unused", "not in the answer", "No reason was recorded.")

    @cached_property
    def outcomes(self) -> list[Outcome]:
        """Outcomes that occur, each once, without reasons, for a filter."""
        return list(dict.fromkeys(Outcome(o.key, o.words) for o in map(self.outcome, self.graph.claims)))

    @cached_property
    def successors(self) -> dict[str, ClaimEnvelope]:
        """Claim id -> the narrower claim that replaced it."""
        return {claim.refines: claim for claim in self.graph.claims if claim.refines}

    # -- omissions

    @cached_property
    def left_out(self) -> list[tuple[str, list[tuple[str, list[Event]]]]]:
        """Events by stage, in the stages' order, and by kind within a stage."""
        grouped: dict[str, dict[str, list[Event]]] = defaultdict(lambda: defaultdict(list))
        for event in self.graph.events:
            grouped[event.stage][event.kind].append(event)
        return [(stage, list(grouped[stage].items())) for stage in STAGES if stage in grouped]

    def subject(self, identifier: str) -> tuple[str, str | None]:
        """Return the reader's name of an id's subject, and the fragment it is shown at (None: shown nowhere)."""
        for prefix, letter, numbers in (("claim", "Claim", self.claim_number), ("source", "Source", self.source_number),
                                        ("exchange", "Objection", self.contestation_number),
                                        ("query", "Question", self.query_number),
                                        ("search", "Search", self.search_number),
                                        ("sentence", "Sentence", self.sentence_number)):
            if identifier in numbers:
                return f"{letter} {numbers[identifier]}", anchor(prefix, identifier)
        if identifier in self._source_of_url:
            return self.subject(self._source_of_url[identifier].source_id)
        return identifier, None


def _numbers(identifiers: Iterable[str]) -> dict[str, int]:
    return {identifier: number for number, identifier in enumerate(dict.fromkeys(identifiers), start=1)}


def _letters(position: int) -> str:
    letters = ""
    position += 1
    while position:
        position, rest = divmod(position - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def _in_context(quote: str, span: SpanRef, passage: Passage | None) -> tuple[str, str, str, bool, bool]:
    """Return the text before the quote, the quote, the text after it, and whether more follows on either side.

    The context starts and ends with whole words. A span that does not lie in its passage gets no context.
    """
    if passage is None:
        return "", quote, "", False, False
    whole = passage.before + passage.text + passage.after
    offset = passage.start - len(passage.before)
    start, end = span.start - offset, span.end - offset
    if start < 0 or whole[start:end].split() != quote.split():
        return "", quote, "", False, False
    before, after = whole[max(0, start - CONTEXT) : start], whole[end : end + CONTEXT]
    cut_before = offset > 0 or start > CONTEXT
    cut_after = len(whole) - end > CONTEXT or len(passage.after) >= CONTEXT
    if cut_before and " " in before:
        before = before[before.index(" ") + 1 :]
    if cut_after and " " in after:
        after = after[: after.rindex(" ")]
    return before, whole[start:end], after, cut_before, cut_after


def _holds(passage: BriefPassage, sentence: Sentence) -> bool:
    """Return whether a passage of a brief shows a sentence: its own, or that of another part of the question."""
    if passage.sentence_id == sentence.sentence_id:
        return True
    cited = sentence.kind == "claim" and passage.reference in sentence.references
    return cited and fold_whitespace(sentence.text) in fold_whitespace(passage.text)
