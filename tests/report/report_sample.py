"""A claim graph made by hand: every state a claim, a source and an objection can be in, and hostile text in it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from report_sources import FETCHED, HOSTILE_PASSAGE, SOURCES, TEXTS

from veritas.claims import (
    Answer,
    Binding,
    Call,
    Citation,
    ClaimEnvelope,
    ClaimGraph,
    ClaimJudgment,
    Contestation,
    Event,
    HitRecord,
    MemberInfo,
    Passage,
    Provenance,
    Reference,
    Round,
    Run,
    Search,
    Sentence,
    SpanRef,
    StageTiming,
    SubQuery,
    claim_id,
    passage_id,
)
from veritas.documents.document import Document, document_id

STARTED = datetime(2026, 11, 20, 9, 30, 12, tzinfo=UTC)
_PASSAGES: dict[str, Passage] = {}

COUNCIL = (
    MemberInfo(name="lexical", family="embedded:lexical", description="Ranks sentences by the words they share."),
    MemberInfo(name="numeric", family="embedded:numeric", description="Looks for quantities and their conditions."),
    MemberInfo(name="structural", family="embedded:structural", description="Follows headings, lists and definitions."),
)
QUERIES = (
    SubQuery(sub_query_id="q-1", text="How far does the efficiency of an air-source heat pump fall below freezing?",
             facet="measured efficiency"),
    SubQuery(sub_query_id="q-2", text="What limits heating capacity in the cold?", facet="mechanism"),
    SubQuery(sub_query_id="q-3", text="What do critics say of the field measurements?", facet="dissent"),
)


def _span(where: str, quote: str) -> SpanRef:
    """The quote's place, inside a passage of whole sentences with what stands around it."""
    text = TEXTS[where]
    start = text.index(quote)
    end = start + len(quote)
    document = document_id(text)
    passage = Passage(passage_id=passage_id(document, start, end), document_id=document, start=start, end=end,
                      text=quote, page=41 if where == "lab" else None,
                      before=text[max(0, start - 300) : start], after=text[end : end + 300])
    _PASSAGES[passage.passage_id] = passage
    return SpanRef(passage_id=passage.passage_id, document_id=document, start=start, end=end)


def _citations(names: Iterable[str]) -> tuple[Citation, ...]:
    return tuple(Citation(url=SOURCES[n].url, tier=SOURCES[n].tier, fetch=FETCHED, paywalled=SOURCES[n].paywalled,
                          document_id=document_id(TEXTS[n])) for n in names)  # type: ignore[arg-type]


def _claim(text: str, member: str, *quotes: tuple[str, str], query: str = "q-1", **more: Any) -> ClaimEnvelope:
    spans = tuple(_span(where, quote) for where, quote in quotes)
    stage = "debate" if more.get("refines") else "extract"
    fields: dict[str, Any] = {"claim_type": "numerical", "confidence": 0.8, "verifier_judgment": "supports"}
    return ClaimEnvelope(
        claim_id=claim_id(text, member, spans, more.get("refines")), claim=text, spans=spans,
        source_passages=tuple(quote for _, quote in quotes), asserted_by=member,
        citations=_citations(dict.fromkeys(where for where, _ in quotes)),
        provenance=Provenance(member=member, family=f"embedded:{member}", sub_query_id=query, stage=stage),
        **{**fields, **more})


_Q_22 = "Between -10 and -5 °C the mean coefficient of performance fell to 2.2."
_Q_18 = "Below -15 °C it was 1.8, and the electric back-up heater ran for 11 % of the hours."
_Q_14 = ("In our metered sample the coefficient of performance below -15 °C was 1.4 once defrosting and the "
         "circulation pump were counted.")
C: dict[str, ClaimEnvelope] = {}
C["cop22"] = _claim("Between -10 and -5 °C the mean coefficient of performance fell to 2.2.", "lexical",
                    ("field", _Q_22), confidence=0.92)
C["cop22b"] = _claim("The mean coefficient of performance fell to 2.2 between -10 and -5 °C.", "numeric",
                     ("field", _Q_22), confidence=0.9)
C["cop18"] = _claim("Below -15 °C the coefficient of performance was 1.8.", "lexical", ("field", _Q_18),
                    debate_status="defended", confidence=0.85)
C["capacity"] = _claim("From +7 °C to -7 °C the heating capacity fell by 34 % on average.", "numeric",
                       ("lab", "From +7 °C to -7 °C the heating capacity fell by 34 % on average."), query="q-2")
C["half"] = _claim("Heat pumps heat more than half of all buildings in the Nordic countries.", "structural",
                   ("agency", "they heat more than half of all buildings in three of four states"),
                   claim_type="factual", debate_status="refined")
C["half2"] = _claim("Heat pumps heat more than half of all buildings in three of four Nordic states.", "structural",
                    ("agency", "they heat more than half of all buildings in three of four states"),
                    claim_type="factual", refines=C["half"].claim_id)
C["seasonal"] = _claim("Measured seasonal performance in cold climates lies between 2.4 and 3.0.", "structural",
                       ("agency", "Measured seasonal performance in cold climates lies between 2.4 and 3.0."),
                       debate_status="contested")
C["sizing"] = _claim("The commonest fault is a unit chosen too small for the house.", "structural",
                     ("news", "the commonest fault is a unit chosen too small for the house"),
                     ("field", "Units sized for the design temperature used the heater a third as often as undersized "
                      "ones."),
                     claim_type="factual", query="q-2")
C["critic"] = _claim("Below -15 °C the coefficient of performance was 1.4 once defrosting was counted.", "numeric",
                     ("critic", _Q_14), query="q-3")
C["bench"] = _claim("The best units of today reach a coefficient of performance of 2.1 at -15 °C.", "numeric",
                    ("analyst", "Today's best units reach 2.1 in my own bench tests."), badges=("single-source",),
                    verifier_judgment="silent")
C["predict"] = _claim("Cold-climate models are expected to reach 2.5 at -15 °C within the decade.", "structural",
                      ("analyst", "I expect cold-climate models to reach a coefficient of performance of 2.5 at -15 °C "
                       "before the end of the decade."),
                      ("agency", "Measured seasonal performance in cold climates lies between 2.4 and 3.0."),
                      claim_type="predictive", verifier_judgment=None, confidence=0.4)
C["insurers"] = _claim("Insurers have begun to ask for sizing certificates.", "lexical",
                       ("paywalled", "Insurers have begun to ask for sizing certificates"), claim_type="factual",
                       badges=("paywalled-only",), query="q-2")
C["defrost"] = _claim("Defrosting takes most of its heat at the lowest temperatures.", "lexical",
                      ("lab", "Defrosting took 4 to 9 % of the delivered heat, most of it near 0 °C and not at the "
                       "lowest temperatures."), claim_type="factual", verifier_judgment="refutes", query="q-2")
_Q_46 = "Below -10 °C the mean coefficient of performance is 4.6, higher than in mild weather."
C["planted"] = _claim(_Q_46, "numeric", ("planted", _Q_46),
                      badges=("planted",), debate_status="conceded")
C["injected"] = _claim(HOSTILE_PASSAGE, "lexical", ("planted", HOSTILE_PASSAGE), claim_type="factual",
                       badges=("planted", "unverified"), verifier_judgment="silent")
C["unjudged"] = _claim("Households save between 25 % and 45 % of their heating bill.", "lexical",
                       ("agency", "Households save between 25 % and 45 % of their heating bill"),
                       verifier_judgment="unavailable")


def _judged(claim: ClaimEnvelope, lens: str, score: float, rationale: str) -> ClaimJudgment:
    assert claim.verifier_judgment is not None
    return ClaimJudgment(subject_id=claim.claim_id, label=claim.verifier_judgment, score=score, rationale=rationale,
                         lens=lens, family=f"embedded:{lens}", passage_ids=tuple(s.passage_id for s in claim.spans))


def _rationale(claim: ClaimEnvelope) -> tuple[float, str]:
    return {
        "supports": (0.94, "Every quantity and its unit stand in the passage, with the same condition."),
        "refutes": (0.91, "The passage says the contrary: “not at the lowest temperatures”."),
        "silent": (0.71, "The passage names no outdoor temperature for this figure."),
        "unavailable": (0.0, "The lens did not answer within 30 seconds."),
    }[claim.verifier_judgment or "silent"]


JUDGMENTS = tuple(
    _judged(claim, lens, *_rationale(claim))
    for claim in C.values() if claim.verifier_judgment for lens in ("entailment", "quantity")
)


def _contestation(name: str, claim: str, challenger: str, objection: str, counter: str, quotes: Any, resolution: Any,
                  ruling: str, **more: Any) -> Contestation:
    return Contestation(
        contestation_id=name, claim_id=C[claim].claim_id, challenger=challenger, objection=objection,
        counter_claim=counter, counter_passages=tuple(q for _, q in quotes),
        counter_spans=tuple(_span(w, q) for w, q in quotes), counter_citations=_citations(w for w, _ in quotes),
        resolution=resolution, ruling=ruling, **more)


CONTESTATIONS = (
    _contestation("x-1", "cop18", "numeric", "The figure leaves out defrosting.",
                  "It was 1.4 once defrosting was counted.", [("critic", _Q_14)], "defended",
                  "The defence quotes a further passage of tier 1, and the verifier found that it supports the claim.",
                  response="The study says what it measured, and that no unit stopped.",
                  response_passages=("We did not find a unit that stopped working in the cold.",),
                  response_spans=(_span("field", "We did not find a unit that stopped working in the cold."),),
                  response_citations=_citations(["field"])),
    _contestation("x-2", "half", "lexical", "“In the Nordic countries” is too wide.",
                  "It holds in three of four states.",
                  [("agency", "they heat more than half of all buildings in three of four states")], "refined",
                  "The asserter narrowed the claim, and the verifier supports the narrower one.",
                  response="Narrowed to the states it holds for.", successor_id=C["half2"].claim_id),
    _contestation("x-3", "planted", "lexical", "A figure above that for mild weather contradicts the field study.",
                  "Between -10 and -5 °C the mean was 2.2.", [("field", _Q_22)], "conceded",
                  "The asserter gave the claim up.", response="I have no other passage for it."),
    _contestation("x-4", "seasonal", "numeric", "Field averages hide the coldest hours.",
                  "Below -15 °C the coefficient of performance was 1.4.", [("critic", _Q_14)], "open",
                  "The counter-passage is supported, and the round for answers was not held for this claim."),
    _contestation("x-5", "capacity", "structural", "I do not believe that number.", "Capacity does not fall.", [],
                  "invalid", "No counter-passage was given, so the objection does not count."),
)

_EVENTS = (
    *(Event(stage="research", kind="source-rejected", subject_id=s.source_id, reason=s.justification,
            planted=s.note is not None) for s in SOURCES.values() if s.status == "rejected"),
    Event(stage="research", kind="source-unavailable", subject_id=SOURCES["gone"].source_id,
          reason="The server answered 404 three times."),
    Event(stage="research", kind="search-unavailable", subject_id="r-3", reason="The provider refused the key."),
    Event(stage="extract", kind="draft-rejected", subject_id="q-2", member="lexical",
          reason="The quote is in no stored document."),
    Event(stage="research", kind="instruction-ignored", subject_id=SOURCES["planted"].source_id, planted=True,
          reason="The text tells its reader to ignore what it was asked; it was read as text."),
    Event(stage="verify", kind="claim-refuted", subject_id=C["defrost"].claim_id,
          reason="Both lenses say that the passage states the contrary."),
    Event(stage="verify", kind="claim-unavailable", subject_id=C["unjudged"].claim_id,
          reason="The lens did not answer; a person has to look."),
    Event(stage="debate", kind="contestation-invalid", subject_id="x-5", member="structural",
          reason="An objection without a counter-passage does not count."),
    Event(stage="debate", kind="claim-dropped", subject_id=C["planted"].claim_id, planted=True,
          reason="Conceded after the objection of lexical."),
    Event(stage="debate", kind="claim-dropped", subject_id=C["half"].claim_id,
          reason="A narrower claim took its place."),
    Event(stage="synthesize", kind="claim-uncorroborated", subject_id=C["bench"].claim_id,
          reason="It rests on one tier-3 source; two independent ones are needed."),
    Event(stage="extract", kind="claim-redundant", subject_id=C["critic"].claim_id, member="numeric",
          reason="The member asserts it for another sub-query already."),
    Event(stage="synthesize", kind="claim-unused", subject_id=C["injected"].claim_id, planted=True,
          reason="It does not bear on the question."),
    Event(stage="synthesize", kind="sentence-removed", subject_id="t-10",
          reason="It stated a fact and cited nothing: “Everyone agrees.”"),
)


def _sentence(number: int, paragraph: int, kind: Any, text: str, claims: Iterable[str] = (), refs: Iterable[int] = (),
              **more: Any) -> Sentence:
    return Sentence(sentence_id=f"t-{number}", paragraph=paragraph, kind=kind, text=text,
                    claim_ids=tuple(C[c].claim_id for c in claims), references=tuple(refs), **more)


SENTENCES = (
    _sentence(1, 0, "frame", "This answer was arranged from sentences that stand word for word in the sources; no "
              "language model wrote it."),
    _sentence(2, 1, "claim", "Air-source heat pumps lose efficiency in the cold but go on working: between -10 and "
              "-5 °C the mean coefficient of performance fell to 2.2.", ["cop22", "cop22b"], [1]),
    _sentence(3, 1, "claim", "Below -15 °C it was 1.8.", ["cop18"], [1],
              footnote="Contested by numeric, who put it at 1.4 once defrosting is counted [6]; defended with a "
              "further passage of the field study."),
    _sentence(4, 1, "claim", "From +7 °C to -7 °C the heating capacity fell by 34 % on average.", ["capacity"], [2]),
    _sentence(5, 2, "claim", "Heat pumps nevertheless heat more than half of all buildings in three of four Nordic "
              "states.", ["half2"], [3]),
    _sentence(11, 2, "claim", "Measured seasonal performance in cold climates lies between 2.4 and 3.0.",
              ["seasonal"], [3]),
    _sentence(6, 2, "claim", "The commonest fault is a unit chosen too small for the house, and insurers have begun to "
              "ask for sizing certificates.", ["sizing", "insurers"], [1, 4, 5], badges=("paywalled-only",)),
    _sentence(7, 2, "claim", "Cold-climate models are expected to reach 2.5 at -15 °C within the decade.", ["predict"],
              [3, 7], badges=("unverified",)),
    _sentence(8, 3, "gap", "[Citation needed: how performance changes as a unit ages]"),
    _sentence(9, 4, "dissent", "Dissent (numeric): “Below -15 °C the coefficient of performance was 1.4.”",
              ["seasonal"], [6], footnote="Field averages hide the coldest hours."),
)
BIBLIOGRAPHY = tuple(
    Reference(number=number, source_id=s.source_id, url=s.url, title=s.title, tier=s.tier, authors=s.authors,
              year=s.year, doi=s.doi, paywalled=s.paywalled)
    for number, s in enumerate(
        (SOURCES[n] for n in ("field", "lab", "agency", "news", "paywalled", "critic", "analyst")), start=1)
)


def _searches() -> Iterable[Search]:
    names = list(SOURCES)
    providers = ("corpus", "openalex", "web")
    for row, query in enumerate(QUERIES):
        for column, member in enumerate(COUNCIL):
            start = (row * 3 + column * 2) % len(names)
            found = [SOURCES[n] for n in (names + names)[start : start + 4]]
            failed = row == 1 and column == 1
            yield Search(
                search_id=f"r-{row * 3 + column + 1}", member=member.name, sub_query_id=query.sub_query_id,
                provider=providers[(row + column) % 3], query=query.text.rstrip("?").lower(),
                unavailable="The provider refused the key." if failed else None,
                hits=() if failed else tuple(HitRecord(rank=i, url=s.url, title=s.title, source_id=s.source_id)
                                             for i, s in enumerate(found, start=1)))


def _calls() -> Iterable[Call]:
    turns: list[tuple[Any, str, str, int]] = [
        ("decompose", "lexical", "decompose", 1), ("extract", "lexical", "assert_claims", 3),
        ("extract", "numeric", "assert_claims", 3), ("extract", "structural", "assert_claims", 3),
        ("verify", "entailment", "judge", 15), ("debate", "numeric", "contest", 2),
        ("synthesize", "lexical", "synthesize", 1),
    ]
    for number, (stage, who, turn, count) in enumerate(turns):
        for i in range(count):
            unknown = stage == "debate"
            yield Call(call_id=f"k-{number}-{i}", request_hash="0" * 64, stage=stage, who=who, turn=turn,
                       seconds=0.02 * (i + 1), model="local/small" if unknown else None,
                       input_tokens=812 if unknown else 0, output_tokens=96 if unknown else 0,
                       cost_usd=None if unknown else 0.0, from_ledger=i == 1,
                       error="timed out after 30 s" if stage == "verify" and i == 14 else None)


def sample_graph() -> ClaimGraph:
    """The graph: three embedded members, sixteen claims, five objections, thirteen sources, two of them planted."""
    return ClaimGraph(
        run=Run(
            run_id="r-20261120-093012-5f1c", parent_run_id="r-20261119-181500-aa10", replayed_from="debate",
            question="How much efficiency do air-source heat pumps lose below freezing, and what speaks against the "
            "figures?",
            tier="deep", seed=7, started_at=STARTED, finished_at=STARTED.replace(second=53), version="0.1.0",
            settings={"members": 3, "providers_per_member": 1, "quorum": ["entailment", "quantity"], "since": None},
            policy_hash="9b1d" * 16, degraded=("Searched with two providers a member where three were asked for.",),
            timings=tuple(StageTiming(stage=s, seconds=t, from_store=f) for s, t, f in (  # type: ignore[arg-type]
                ("decompose", 0.01, True), ("research", 1.92, True), ("extract", 0.44, True), ("verify", 2.31, True),
                ("debate", 0.83, False), ("synthesize", 0.06, False), ("render", 0.09, False)))),
        council=COUNCIL, sub_queries=QUERIES,
        schedule=tuple(Binding(member=m.name, sub_query_id=q.sub_query_id, slot=slot,
                               provider=("corpus", "openalex", "web")[(row + column + slot) % 3])
                       for row, q in enumerate(QUERIES) for column, m in enumerate(COUNCIL) for slot in (0, 1)),
        searches=tuple(_searches()), sources=tuple(SOURCES.values()), passages=tuple(_PASSAGES.values()),
        claims=tuple(C.values()),
        judgments=(*JUDGMENTS, ClaimJudgment(subject_id="x-1", purpose="contest", label="supports", score=0.9, round=2,
                                             rationale="The counter-passage states the figure.", lens="entailment",
                                             family="embedded:entailment"),
                   ClaimJudgment(subject_id="t-6", purpose="sentence", label="supports", score=0.88, lens="quantity",
                                 rationale="Nothing is said that the cited claims do not say.",
                                 family="embedded:quantity")),
        contestations=CONTESTATIONS,
        rounds=(Round(round=1, live_claims=13, clusters=12, agreed=3, agreement=0.25),
                Round(round=2, live_claims=13, clusters=12, agreed=2, agreement=2 / 12, open_contestations=4),
                Round(round=3, live_claims=11, clusters=10, agreed=6, agreement=0.6, open_contestations=1)),
        answer=Answer(status="answered", sentences=SENTENCES, bibliography=BIBLIOGRAPHY,
                      written_by="lexical (embedded, by extraction)"),
        events=_EVENTS, calls=tuple(_calls()))


def insufficient_graph() -> ClaimGraph:
    """The same search when nothing could be admitted: an answer all the same (I10)."""
    graph = sample_graph()
    kept = [s for s in graph.sources if s.status != "read"]
    return graph.model_copy(update={
        "sources": tuple(kept), "claims": (), "judgments": (), "contestations": (), "passages": (), "rounds": (),
        "events": tuple(e for e in graph.events if e.stage == "research"),
        "answer": Answer(status="insufficient_evidence", written_by="lexical (embedded, by extraction)",
                         reason="Of five sources found, four were turned away by the source policy and one could not "
                         "be read.",
                         sentences=(_sentence(1, 0, "gap", "[Citation needed: efficiency of air-source heat pumps "
                                              "below freezing]"),)),
    })


def sample_documents() -> list[Document]:
    """The documents behind the sample, as they were read."""
    return [
        Document(document_id=document_id(text), url=SOURCES[name].url, title=SOURCES[name].title, text=text,
                 fetched_at=FETCHED)
        for name, text in TEXTS.items()
    ]
