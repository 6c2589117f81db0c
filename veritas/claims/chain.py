"""Chains of a run: the steps that admitted a sentence, a claim or a source, or left it out, from hit to sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from veritas.claims.answer import Sentence
from veritas.claims.contestation import Contestation
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import STAGES, ClaimGraph, Event, StageName
from veritas.claims.judgment import COMPARISON, ClaimJudgment
from veritas.claims.sources import Search, Source
from veritas.frozen import Frozen
from veritas.text.plural import plural

ChainKind = Literal["sentence", "claim", "source", "objection", "event"]
Passed = Literal["passed", "stopped", "noted"]


class Link(Frozen):
    """A step. `said` is what happened, in words; `rule` is the deciding rule, `by` who decided, and `words` the
    verbatim words of a source, a model or a person. `stopped` ends the chain."""

    stage: StageName
    said: str
    rule: str = ""
    by: str = ""
    words: str = ""
    outcome: Passed = "passed"
    subject_id: str = ""


class Chain(Frozen):
    """All steps of one thing, in the order of the stages.

    `because` is the deciding step, in one sentence; `behind` the chains it rests on (a sentence's claims, a claim's
    sources); `led_to` those that rest on it; `alike` equal claims of others on the same passages.
    """

    kind: ChainKind
    id: str
    about: str
    let_in: bool
    because: str
    links: tuple[Link, ...] = ()
    behind: tuple[Chain, ...] = ()
    led_to: tuple[Chain, ...] = ()
    alike: tuple[str, ...] = ()


_LEFT_OUT = {
    "claim-refuted": "refuted by its own passages",
    "claim-unavailable": "left out: it could not be checked",
    "claim-deferred": "left out: it may differ from its passage",
    "claim-dropped": "dropped",
    "claim-uncorroborated": "left out: not corroborated",
    "claim-redundant": "left out: another claim that is cited says the same",
    "claim-unused": "left out: the answer does not use it",
    "sentence-removed": "removed from the answer",
    "draft-rejected": "a draft was rejected",
    "source-rejected": "turned away",
    "source-unavailable": "could not be read",
}
"""Events that end a thing's chain -> words."""
_NOTED = {
    "instruction-ignored": "orders to language models in its text were treated as text",
    "sentence-repaired": "was mended",
    "reference-dropped": "a reference is not printed on it",
    "text-cut": "was cut to fit a model's window",
    "contestation-invalid": "the objection does not count",
    "defence-invalid": "the defence does not count",
    "member-unavailable": "a member gave no readable answer",
    "search-unavailable": "a search gave no answer",
    "search-moved": "another provider carried a search out",
    "budget-degraded": "the budget made the run smaller",
    "note": "noted",
}
_RULES = {
    "claim-refuted": "the gate",
    "claim-unavailable": "I5, default-deny",
    "claim-deferred": "the gate",
    "claim-uncorroborated": "corroboration",
    "claim-redundant": "one claim a cluster",
    "draft-rejected": "I1, verbatim",
    "sentence-removed": "I8, no uncited fact",
    "sentence-repaired": "I8, no uncited fact",
    "reference-dropped": "I8, no uncited fact",
    "source-rejected": "I3, gate before reading",
}
PURPOSES = {
    "verify": "the claim",
    "contest": "the counter-claim",
    "contested-claim": "the claim, against the counter-passage",
    "defend": "the defence",
    "refine": "the narrower claim",
    "sentence": "the sentence of the answer",
}
"""Purpose of a judgment -> what was judged."""
_RESOLVED: dict[str, tuple[str, Passed]] = {
    "invalid": ("the objection does not count", "noted"),
    "open": ("the objection stands, neither answered nor given up", "noted"),
    "defended": ("defended: the claim stands", "passed"),
    "conceded": ("conceded: the claim was given up", "stopped"),
    "refined": ("a narrower claim took its place", "stopped"),
}


class Chains:
    """The chains of one graph, of any schema version; a step that was not recorded is omitted."""

    def __init__(self, graph: ClaimGraph) -> None:
        self.graph = graph
        self.claims = {c.claim_id: c for c in graph.claims}
        self.sources = {s.source_id: s for s in graph.sources}
        self.sentences = {s.sentence_id: s for s in graph.answer.sentences}
        self.contestations = {x.contestation_id: x for x in graph.contestations}
        self._successors = {c.refines: c for c in graph.claims if c.refines}
        self._query = {q.sub_query_id: q.text for q in graph.sub_queries}
        self._by_url = {s.url: s for s in graph.sources}
        self._by_document = {s.document_id: s for s in reversed(graph.sources) if s.document_id}
        self._events: dict[str, list[Event]] = defaultdict(list)
        for event in graph.events:
            self._events[event.subject_id].append(event)
        self._judgments: dict[str, list[ClaimJudgment]] = defaultdict(list)
        for judgment in graph.judgments:
            self._judgments[judgment.subject_id].append(judgment)
        self._contested: dict[str, list[Contestation]] = defaultdict(list)
        for contestation in graph.contestations:
            self._contested[contestation.claim_id].append(contestation)
        self._hits: dict[str, list[tuple[int, Search]]] = defaultdict(list)
        for search in graph.searches:
            for hit in search.hits:
                self._hits[hit.source_id].append((hit.rank, search))
        self._cited: dict[str, list[Sentence]] = defaultdict(list)
        for sentence in graph.answer.sentences:
            for identifier in sentence.claim_ids:
                self._cited[identifier].append(sentence)
        self._resting: dict[str, list[ClaimEnvelope]] = defaultdict(list)
        for claim in graph.claims:
            for source in self.sources_of(claim):
                self._resting[source.source_id].append(claim)

    def of(self, identifier: str) -> Chain | None:
        """Return the chain of a sentence, claim, source or objection, by its id; None if the graph lacks the id."""
        if identifier in self.sentences:
            return self.sentence(self.sentences[identifier])
        if identifier in self.claims:
            return self.claim(self.claims[identifier])
        if identifier in self.sources:
            return self.source(self.sources[identifier])
        if identifier in self.contestations:
            return self.objection(self.contestations[identifier])
        if self._events.get(identifier):
            return self._of_events(identifier)
        return None

    def sources_of(self, claim: ClaimEnvelope) -> list[Source]:
        """Return the sources that a claim rests on, each once."""
        found = [self._by_url.get(c.url) or self._by_document.get(c.document_id) for c in claim.citations]
        return list({s.source_id: s for s in found if s is not None}.values())

    def alike(self, claim: ClaimEnvelope) -> list[ClaimEnvelope]:
        """Return the claims of other members in the same words on the same passages."""
        return [c for c in self._of_words[claim.claim] if c.spans == claim.spans and c.claim_id != claim.claim_id]

    @cached_property
    def _of_words(self) -> dict[str, list[ClaimEnvelope]]:
        found: dict[str, list[ClaimEnvelope]] = defaultdict(list)
        for claim in self.graph.claims:
            found[claim.claim].append(claim)
        return found

    def once(self, claims: Sequence[ClaimEnvelope]) -> list[ClaimEnvelope]:
        """Return one claim for each wording on the same passages, in order."""
        return list({(c.claim, c.spans): c for c in reversed(claims)}.values())[::-1]

    # -- a source

    def source(self, source: Source, *, whole: bool = True) -> Chain:
        """Return the chain of a source, from the searches that found it to the claims drawn from it."""
        links = [*self._found(source), self._classified(source), *self._read(source)]
        links += self._logged(source.source_id, {link.words for link in links})
        resting = self.once(self._resting[source.source_id])
        stop = next((link for link in links if link.outcome == "stopped"), None)
        cited = [c for c in resting if self._cited.get(c.claim_id)]
        if stop is not None:
            because = _sentence(stop)
        elif cited:
            because = f"it was read, and the answer cites {plural(len(cited), 'claim')} of it"
        elif resting:
            because = f"it was read, and none of the {plural(len(resting), 'claim')} drawn from it is cited"
        else:
            because = "it was read, and no member drew a claim from it"
        return Chain(
            kind="source",
            id=source.source_id,
            about=f"{source.title} ({source.url})" if source.title and source.title != source.url else source.url,
            let_in=bool(cited),
            because=because,
            links=tuple(links),
            led_to=tuple(self.claim(c, whole=False) for c in resting) if whole else (),
        )

    def _found(self, source: Source) -> Iterator[Link]:
        hits = sorted(self._hits[source.source_id], key=lambda each: each[0])
        if not hits:
            yield Link(
                stage="research", said="no search brought it up: it was reached from another page", outcome="noted"
            )
            return
        rank, search = hits[0]
        others = len(hits) - 1
        more = f"; and by {plural(others, 'more search', 'more searches')}" if others else ""
        yield Link(
            stage="research",
            said=f"found at rank {rank} by {search.provider}, which {search.member} asked{more}",
            by=search.provider,
            words=search.query,
            subject_id=search.search_id,
        )

    def _classified(self, source: Source) -> Link:
        outcome: Passed = "passed" if source.admitted else "stopped"
        said = f"admitted at tier {source.tier}" if source.admitted else f"turned away: tier {source.tier}"
        if source.tier == "wikipedia":
            said = "read for orientation: its references are followed, and nothing rests on it"
        if source.paywalled:
            said += ", behind a paywall"
        return Link(
            stage="research", said=said, rule=source.rule, by="source policy", words=source.justification,
            outcome=outcome, subject_id=source.source_id,
        )  # fmt: skip

    def _read(self, source: Source) -> Iterator[Link]:
        if source.status == "read":
            day = f" on {source.fetch}" if source.fetch else ""
            yield Link(stage="research", said=f"read{day}, stored as document {(source.document_id or '')[:12]}")
        elif source.status == "unread":
            said = "not read: beyond the number of sources that a member reads for one search"
            yield Link(stage="research", said=said, rule="sources a search", outcome="stopped")
        elif source.status == "unavailable":
            problem = source.problem or "no reason was recorded"
            yield Link(stage="research", said="could not be read", words=problem, outcome="stopped")

    # -- a claim

    def claim(self, claim: ClaimEnvelope, *, whole: bool = True) -> Chain:
        """Return the chain of a claim, from its draft to the sentence that cites it, or to where it was left out."""
        links = [*self._drafted(claim), *map(_judged, self._judgments[claim.claim_id])]
        alike: dict[tuple[str, str, str], list[Contestation]] = defaultdict(list)
        for x in self._contested[claim.claim_id]:
            alike[x.objection, x.resolution, x.ruling].append(x)
        links += map(_debated, alike.values())
        links += [
            Link(stage="synthesize", said="let in by a person", by=o.who, words=o.reason, rule="override")
            for o in self.graph.overrides
            if o.claim_id == claim.claim_id
        ]
        links += self._logged(claim.claim_id, {link.words for link in links})
        cited = self._cited[claim.claim_id]
        for sentence in cited:
            numbers = "".join(f"[{n}]" for n in sentence.references)
            said = f"cited in the answer{f' as {numbers}' if numbers else ''}"
            links.append(Link(stage="synthesize", said=said, words=sentence.text, subject_id=sentence.sentence_id))
        ordered = sorted(links, key=lambda link: _PLACE[link.stage])
        stop = next((link for link in reversed(ordered) if link.outcome == "stopped"), None)
        if cited:
            because = ordered[-1].said if ordered[-1].subject_id else "cited in the answer"
        else:
            because = _sentence(stop) if stop is not None else "no reason was recorded"
        successor = self._successors.get(claim.claim_id)
        return Chain(
            kind="claim",
            id=claim.claim_id,
            about=claim.claim,
            let_in=bool(cited),
            because=because,
            links=tuple(ordered) if whole else (),
            behind=tuple(self.source(s, whole=False) for s in self.sources_of(claim)) if whole else (),
            led_to=(self.claim(successor, whole=False),) if whole and successor is not None else (),
            alike=tuple(c.asserted_by for c in self.alike(claim)),
        )

    def _drafted(self, claim: ClaimEnvelope) -> Iterator[Link]:
        p = claim.provenance
        asked = self._query.get(p.sub_query_id, p.sub_query_id)
        said = f"drafted by {p.member} ({p.family}) for “{asked}”"
        if claim.refines:
            said = f"drafted by {p.member} ({p.family}) as a narrower form of {claim.refines}"
        yield Link(stage=p.stage, said=said, by=p.member, words=claim.claim)
        for span, quote in zip(claim.spans, claim.source_passages, strict=True):
            source = self._by_document.get(span.document_id)
            where = source.url if source is not None else f"document {span.document_id[:12]}"
            said = f"its quote stands word for word at characters {span.start:,}–{span.end:,} of {where}"
            yield Link(
                stage=p.stage, said=said, rule="I1, verbatim", by="code", words=quote, subject_id=span.passage_id
            )

    # -- a sentence

    def sentence(self, sentence: Sentence) -> Chain:
        """Return the chain of a sentence, from the claims it rests on to its place in the answer."""
        claims = [self.claims[i] for i in sentence.claim_ids if i in self.claims]
        links = [_judged(judgment) for judgment in self._judgments[sentence.sentence_id]]
        if sentence.kind in ("claim", "dissent") and not links:
            own = any(c.claim.split() == sentence.text.split() for c in claims)
            verbatim = "it is a claim's own words, so there was no other wording to judge"
            said = verbatim if own else "no check of its wording is on record"
            links.append(Link(stage="synthesize", said=said, by="code", outcome="passed" if own else "noted"))
        links += self._logged(sentence.sentence_id, set())
        because = {
            "claim": f"it cites {plural(len(self.once(claims)), 'claim')} that a verifier found supported",
            "dissent": "it tells of an objection that stands",
            "gap": "code names what no admitted claim answers",
            "frame": "it says what the answer is, and states no fact",
        }[sentence.kind]
        if "override" in sentence.badges:
            because = "a person let in the claim that it rests on"
        if sentence.kind in ("claim", "dissent"):
            said = f"cites {', '.join(f'[{n}]' for n in sentence.references) or 'nothing that is on record'}"
            links.append(Link(stage="synthesize", said=said, rule="I8, no uncited fact", by="code"))
        else:
            links.append(Link(stage="synthesize", said=because, by="code"))
        if sentence.footnote:
            links.append(Link(stage="synthesize", said="has a footnote", by="code", words=sentence.footnote))
        return Chain(
            kind="sentence",
            id=sentence.sentence_id,
            about=sentence.text,
            let_in=True,
            because=because,
            links=tuple(links),
            behind=tuple(self.claim(c) for c in self.once(claims)),
        )

    # -- an objection, and things that only the log mentions

    def objection(self, contestation: Contestation) -> Chain:
        """Return the chain of an objection, from the counter-claim to its ruling."""
        x = contestation
        links = [
            Link(stage="debate", said=f"raised by {x.challenger} in R2", by=x.challenger, words=x.objection),
            *map(_judged, self._judgments[x.contestation_id]),
            *([Link(stage="debate", said="answered", words=x.response)] if x.response else []),
        ]
        words, outcome = _RESOLVED[x.resolution]
        links.append(Link(stage="debate", said=words, by="code", words=x.ruling, outcome=outcome))
        links += self._logged(x.contestation_id, {link.words for link in links})
        against = self.claims.get(x.claim_id)
        return Chain(
            kind="objection",
            id=x.contestation_id,
            about=x.counter_claim,
            let_in=x.resolution != "invalid",
            because=f"{words}: {x.ruling}",
            links=tuple(links),
            led_to=(self.claim(against, whole=False),) if against is not None else (),
        )

    def _of_events(self, identifier: str) -> Chain:
        links = tuple(self._logged(identifier, set()))
        return Chain(
            kind="event", id=identifier, about=links[-1].words or identifier, let_in=False,
            because=_sentence(links[-1]), links=links,
        )  # fmt: skip

    def _logged(self, identifier: str, known: set[str]) -> list[Link]:
        """Return steps for the rows of the log that add something to the known steps."""
        return [
            _row(event)
            for event in self._events[identifier]
            if not (event.kind.startswith("source-") and event.reason.partition(": ")[2] in known)
        ]


_PLACE = {name: place for place, name in enumerate(STAGES)}


def _judged(judgment: ClaimJudgment) -> Link:
    """Return a lens's judgment as a step. In the debate it names the judged text."""
    j = judgment
    judge = f"{j.lens} ({j.family})"
    stage: StageName = "synthesize" if j.purpose == "sentence" else "verify" if j.purpose == "verify" else "debate"
    on = f" {PURPOSES[j.purpose]}" if j.purpose != "verify" else ""
    said = {
        "supports": f"{judge} found{on or ' it'} supported",
        "refutes": f"{judge} found{on or ' it'} refuted",
        "silent": f"{judge} found nothing about{on or ' it'} in the passage",
        "unavailable": f"{judge} could not judge{on or ' it'}",
    }[j.label]
    rule = "I4, nobody judges their own"
    if j.lens == COMPARISON:
        said, rule = f"the comparison with its passage stood against{on or ' it'}", "the gate"
    score = f" ({j.score:.0%})" if j.label != "unavailable" and j.lens != COMPARISON else ""
    own = j.purpose in ("verify", "refine", "sentence")
    outcome: Passed = "passed" if j.label == "supports" else "stopped" if own and j.label != "silent" else "noted"
    return Link(
        stage=stage, said=f"{said}{score}", rule=rule, by=judge,
        words=j.rationale, outcome=outcome, subject_id=j.subject_id,
    )  # fmt: skip


def _debated(alike: Sequence[Contestation]) -> Link:
    """Return objections with the same words and outcome as one step."""
    x = alike[0]
    words, outcome = _RESOLVED[x.resolution]
    who = ", ".join(dict.fromkeys(each.challenger for each in alike))
    return Link(
        stage="debate",
        said=f"{who} objected: “{x.objection}”; {words}",
        by=who,
        words=x.ruling,
        outcome=outcome,
        subject_id=x.contestation_id,
    )


def _row(event: Event) -> Link:
    """Return a row of the log as a step."""
    said, words = _LEFT_OUT.get(event.kind) or _NOTED.get(event.kind, event.kind), event.reason
    if event.kind == "claim-dropped" and words.startswith("conceded: "):
        said, words = "given up by the member that made it", words.removeprefix("conceded: ")
    return Link(
        stage=event.stage, said=said, rule=_RULES.get(event.kind, ""), by=event.member or "code", words=words,
        outcome="stopped" if event.kind in _LEFT_OUT else "noted",
    )  # fmt: skip


def _sentence(link: Link) -> str:
    return f"{link.said}: {link.words}" if link.words else link.said
