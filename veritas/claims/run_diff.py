"""Comparison of two runs: cause by cause, each once, with all its later effects."""

from __future__ import annotations

from collections import defaultdict
from typing import Any, Literal, get_args

from veritas.claims._fates import (
    claim_fate,
    debate_on,
    debate_said,
    essence,
    judged_otherwise,
    request_of,
    sentence_fate,
    source_change,
    source_fate,
    verdicts_on,
    verdicts_said,
)
from veritas.claims.chain import Chains
from veritas.claims.envelope import ClaimEnvelope
from veritas.claims.graph import ClaimGraph, StageName
from veritas.claims.sources import Source
from veritas.frozen import Frozen
from veritas.text.plural import plural

CauseKind = Literal[
    "question", "member", "provider", "search", "source", "draft", "verdict", "debate", "approval", "admission",
    "writing",
]


class Effect(Frozen):
    """An effect of a cause: a source, a claim or a sentence, with its outcome in the first and in the second run; empty
    if it was not in that run."""

    kind: Literal["source", "claim", "sentence"]
    id: str
    text: str
    before: str = ""
    after: str = ""
    alike: int = 0
    """Number of further claims of the same words that went the same way."""
    resting: int = 0
    """Number of claims that rested on a source in either run."""


class Cause(Frozen):
    """The first difference on some way from hit to sentence. `said` describes it in words."""

    stage: StageName
    kind: CauseKind
    id: str
    said: str
    before: str = ""
    after: str = ""
    effects: tuple[Effect, ...] = ()


class RunDiff(Frozen):
    """The whole comparison, from `first` to `second` (run ids)."""

    first: str
    second: str
    settings: dict[str, tuple[Any, Any]]
    causes: tuple[Cause, ...]
    status: tuple[str, str]
    agreement: tuple[tuple[float | None, ...], tuple[float | None, ...]]

    @property
    def same(self) -> bool:
        """True if the findings are the same."""
        return not self.causes and self.status[0] == self.status[1]


def diff_runs(first: ClaimGraph, second: ClaimGraph) -> RunDiff:
    """Return the changes from `first` to `second`, and their causes. Claims are matched by content: the same words on
    the same passage by the same member are one claim in both."""
    settings = {
        key: (first.run.settings.get(key), second.run.settings.get(key))
        for key in sorted({*first.run.settings, *second.run.settings})
        if first.run.settings.get(key) != second.run.settings.get(key)
    }
    if first.run.policy_hash != second.run.policy_hash:
        settings["policy_hash"] = (first.run.policy_hash[:12], second.run.policy_hash[:12])
    if first.run.question != second.run.question:
        settings["question"] = (first.run.question, second.run.question)
    return RunDiff(
        first=first.run.run_id,
        second=second.run.run_id,
        settings=settings,
        causes=tuple(_Comparison(first, second).causes()),
        status=(first.answer.status, second.answer.status),
        agreement=(tuple(r.agreement for r in first.rounds), tuple(r.agreement for r in second.rounds)),
    )


class _Comparison:
    def __init__(self, first: ClaimGraph, second: ClaimGraph) -> None:
        self.a, self.b = Chains(first), Chains(second)
        self._causes: dict[tuple[str, str], Cause] = {}
        self._effects: dict[tuple[str, str], dict[str, Effect]] = defaultdict(dict)
        self._of_source: dict[str, tuple[str, str]] = {}
        self._of_claim: dict[str, tuple[str, str]] = {}

    def causes(self) -> list[Cause]:
        """Return the causes in the order of the stages; what depends on an earlier one is among its effects."""
        for identifier in dict.fromkeys((*self.a.sources, *self.b.sources)):
            self._source(identifier)
        claims = {**self.a.claims, **self.b.claims}
        for identifier in claims:
            self._claim(claims[identifier])
        self._follow_words(claims)
        for identifier in dict.fromkeys((*self.a.sentences, *self.b.sentences)):
            self._sentence(identifier)
        self._judges()
        made = [
            cause.model_copy(update={"effects": tuple(self._effects[key].values())})
            for key, cause in self._causes.items()
        ]
        return sorted(made, key=lambda cause: _PLACE[cause.kind])

    def _cause(self, key: tuple[str, str], cause: Cause) -> tuple[str, str]:
        self._causes.setdefault(key, cause)
        return key

    # -- sources

    def _source(self, identifier: str) -> None:
        a, b = self.a.sources.get(identifier), self.b.sources.get(identifier)
        if a is not None and b is not None:
            before, after = source_fate(a), source_fate(b)
            if before != after:
                self._of_source[identifier] = self._cause(
                    ("source", identifier),
                    Cause(
                        stage="research", kind="source", id=identifier, said=f"{a.url} {source_change(a, b)}",
                        before=before, after=after,
                    ),
                )  # fmt: skip
            return
        there, graph, other = (a, self.a.graph, self.b.graph) if a is not None else (b, self.b.graph, self.a.graph)
        assert there is not None
        key = self._search_cause(there, graph, other, gone=a is not None)
        self._of_source[identifier] = key
        fate = there.status
        self._effects[key][identifier] = Effect(
            kind="source", id=identifier, text=there.url,
            before=fate if a is not None else "not found", after=fate if b is not None else "not found",
            resting=sum(there.url in {c.url for c in claim.citations} for claim in graph.claims),
        )  # fmt: skip

    def _search_cause(self, source: Source, graph: ClaimGraph, other: ClaimGraph, *, gone: bool) -> tuple[str, str]:
        """Return why a source is in only one of the runs: the first difference among the searches that found it."""
        which = "the second run" if gone else "the first run"
        searches = [s for s in graph.searches if any(h.source_id == source.source_id for h in s.hits)]
        questions = {q.text for q in other.sub_queries}
        asked = {q.sub_query_id: q.text for q in graph.sub_queries}
        if searches and not any(asked.get(s.sub_query_id) in questions for s in searches):
            said = "the question was taken apart otherwise"
            texts = ["; ".join(q.text for q in g.sub_queries) for g in (self.a.graph, self.b.graph)]
            cause = Cause(
                stage="decompose", kind="question", id="question", said=said, before=texts[0], after=texts[1]
            )
            return self._cause(("question", ""), cause)
        members = {m.name for m in other.council}
        if searches and not any(s.member in members for s in searches):
            return self._member(searches[0].member, gone)
        twins = {request_of(s): s for s in other.searches}
        silent = [twin for s in searches if (twin := twins.get(request_of(s))) is not None and twin.unavailable]
        if silent:
            said = f"{silent[0].provider} gave no answer in {which}"
            why = silent[0].unavailable or ""
            cause = Cause(
                stage="research", kind="provider", id=silent[0].provider, said=said,
                before="" if gone else why, after=why if gone else "",
            )  # fmt: skip
            return self._cause(("provider", silent[0].provider), cause)
        providers = {s.provider for s in searches}
        if providers and not providers & {s.provider for s in other.searches}:
            name = sorted(providers)[0]
            cause = Cause(stage="research", kind="provider", id=name, said=f"{name} was not asked in {which}")
            return self._cause(("provider", name), cause)
        counts = [plural(len(g.searches), "search", "searches") for g in (self.a.graph, self.b.graph)]
        cause = Cause(
            stage="research", kind="search", id="searches", said="the searches brought up other sources",
            before=counts[0] if counts[0] != counts[1] else "", after=counts[1] if counts[0] != counts[1] else "",
        )  # fmt: skip
        return self._cause(("search", ""), cause)

    def _member(self, name: str, gone: bool) -> tuple[str, str]:
        which = "second" if gone else "first"
        cause = Cause(
            stage="decompose", kind="member", id=name, said=f"{name} does not sit in the council of the {which} run"
        )
        return self._cause(("member", name), cause)

    # -- claims

    def _claim(self, claim: ClaimEnvelope) -> None:
        identifier = claim.claim_id
        a, b = self.a.claims.get(identifier), self.b.claims.get(identifier)
        before, after = claim_fate(self.a, a), claim_fate(self.b, b)
        shown = a or b
        assert shown is not None
        same = a is not None and b is not None and essence(a) == essence(b)
        verdicts = judged_otherwise(verdicts_on(self.a, identifier), verdicts_on(self.b, identifier))
        if same and before == after and not verdicts:
            return
        sources = {s.source_id for c, chains in ((a, self.a), (b, self.b)) if c for s in chains.sources_of(c)}
        inherited = next((self._of_source[s] for s in sorted(sources) if s in self._of_source), None)
        based = next((self._of_claim[i] for i in (*shown.stands_on, shown.refines or "") if i in self._of_claim), None)
        key = inherited or based or self._own_cause(shown, a, b, before, after)
        self._of_claim[identifier] = key
        self._affect(key, shown, before, after)

    def _affect(self, key: tuple[str, str], claim: ClaimEnvelope, before: str, after: str) -> None:
        for known in self._effects[key].values():
            if known.kind == "claim" and (known.text, known.before, known.after) == (claim.claim, before, after):
                self._effects[key][known.id] = known.model_copy(update={"alike": known.alike + 1})
                return
        self._effects[key][claim.claim_id] = Effect(
            kind="claim", id=claim.claim_id, text=claim.claim, before=before, after=after
        )

    def _own_cause(
        self, claim: ClaimEnvelope, a: ClaimEnvelope | None, b: ClaimEnvelope | None, before: str, after: str
    ) -> tuple[str, str]:
        """Return why a claim has another outcome although its sources are the same: its first step that differs."""
        words = f"“{claim.claim}”"
        if a is None or b is None:
            members = {m.name for m in (self.b if b is None else self.a).graph.council}
            if claim.asserted_by not in members:
                return self._member(claim.asserted_by, b is None)
            which = "second" if b is None else "first"
            said = f"{claim.asserted_by} did not draft it in the {which} run: {words}"
            cause = Cause(stage=claim.provenance.stage, kind="draft", id=claim.claim_id, said=said)
            return self._cause(("draft", claim.claim), cause)
        one, two = verdicts_on(self.a, claim.claim_id), verdicts_on(self.b, claim.claim_id)
        if a.verifier_judgment != b.verifier_judgment or judged_otherwise(one, two):
            cause = Cause(
                stage="verify", kind="verdict", id=claim.claim_id, said=f"the verdict on {words}",
                before=verdicts_said(one), after=verdicts_said(two),
            )  # fmt: skip
            return self._cause(("verdict", f"{claim.claim} {verdicts_said(one)} {verdicts_said(two)}"), cause)
        rounds = [len(g.rounds) for g in (self.a.graph, self.b.graph)]
        debated = a.debate_status != b.debate_status or debate_on(self.a, claim) != debate_on(self.b, claim)
        if debated and rounds[0] != rounds[1]:
            cause = Cause(
                stage="debate", kind="debate", id="rounds", said="the debate was of another length",
                before=plural(rounds[0], "round"), after=plural(rounds[1], "round"),
            )  # fmt: skip
            return self._cause(("debate", ""), cause)
        if debated:
            cause = Cause(
                stage="debate", kind="debate", id=claim.claim_id, said=f"the debate about {words}",
                before=debate_said(self.a, a), after=debate_said(self.b, b),
            )  # fmt: skip
            return self._cause(("debate", f"{claim.claim} {before} {after}"), cause)
        decided = [self._let_in_by(g, claim) for g in (self.a.graph, self.b.graph)]
        if decided[0] != decided[1]:
            cause = Cause(
                stage="synthesize", kind="approval", id=claim.claim_id, said=f"a person's decision about {words}",
                before=decided[0] or before, after=decided[1] or after,
            )  # fmt: skip
            return self._cause(("approval", f"{claim.claim} {decided}"), cause)
        cause = Cause(
            stage="synthesize", kind="admission", id=claim.claim_id, said=f"what became of {words}",
            before=before, after=after,
        )  # fmt: skip
        return self._cause(("admission", f"{claim.claim} {before} {after}"), cause)

    @staticmethod
    def _let_in_by(graph: ClaimGraph, claim: ClaimEnvelope) -> str:
        """Return who admitted a claim and why, in words; empty if no person did."""
        found = [f"let in by {o.who}: {o.reason}" for o in graph.overrides if o.claim_id == claim.claim_id]
        return "; ".join(dict.fromkeys(found))

    def _follow_words(self, claims: dict[str, ClaimEnvelope]) -> None:
        """Attribute the loss of a claim to the cause that dropped an equal one: corroboration was lost."""
        roots = {
            claims[i].claim: key
            for i, key in self._of_claim.items()
            if key[0] in ("source", "search", "provider", "member")
        }
        for identifier, key in list(self._of_claim.items()):
            root = roots.get(claims[identifier].claim)
            if key[0] != "admission" or root is None or root == key:
                continue
            self._of_claim[identifier] = root
            for effect in self._effects.pop(key, {}).values():
                self._effects[root][effect.id] = effect
            self._causes.pop(key, None)

    def _judges(self) -> None:
        """Record one cause for lenses that judged in only one run: the council or tier differs, not a claim."""
        lenses = [
            ", ".join(sorted({j.lens for j in graph.judgments if j.purpose == "verify"}))
            for graph in (self.a.graph, self.b.graph)
        ]
        if lenses[0] != lenses[1]:
            cause = Cause(
                stage="verify", kind="verdict", id="lenses", said="other lenses judged",
                before=lenses[0], after=lenses[1],
            )  # fmt: skip
            self._cause(("verdict", ""), cause)

    # -- sentences

    def _sentence(self, identifier: str) -> None:
        a, b = self.a.sentences.get(identifier), self.b.sentences.get(identifier)
        shown = a or b
        assert shown is not None
        if a is not None and b is not None:
            marks = [(s.claim_ids, s.kind, s.footnote, s.badges) for s in (a, b)]
            if marks[0] == marks[1]:
                return
        of = [self._of_claim[i] for s in (a, b) if s for i in s.claim_ids if i in self._of_claim]
        if of:
            # The cause of most of its basis, the first of these.
            key = max(dict.fromkeys(of), key=of.count)
        else:
            said = "the answer was written otherwise"
            key = self._cause(("writing", ""), Cause(stage="synthesize", kind="writing", id="answer", said=said))
        self._effects[key][identifier] = Effect(
            kind="sentence", id=identifier, text=shown.text,
            before=sentence_fate(a), after=sentence_fate(b),
        )  # fmt: skip


_PLACE = {kind: place for place, kind in enumerate(get_args(CauseKind))}
