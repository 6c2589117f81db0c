"""In-memory fakes, one for each seam, for tests of VERITAS and of what others build on it.

They are scripted: they answer what they were given, and keep what they were asked.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from pydantic import BaseModel

from veritas.answers.request import Request
from veritas.answers.runtime import OnceReader, Runtime
from veritas.claims.envelope import Label
from veritas.claims.graph import SubQuery
from veritas.claims.judgment import Judgment
from veritas.claims.sources import Passage
from veritas.council.chat import Completion, Message
from veritas.council.seated_council import Council, Seat
from veritas.council.turns import (
    AdmittedClaim,
    Concession,
    ContestedClaim,
    Draft,
    DraftSentence,
    Objection,
    PeerClaim,
    Quote,
    Response,
    SubQueryDraft,
)
from veritas.documents.document import Document, document_id
from veritas.errors import Unavailable
from veritas.judging.lens import Lens
from veritas.policy.cost_tiers import CostTier
from veritas.policy.source_policy import SourcePolicy, TierVerdict
from veritas.registries.scholarly_source import Found, Identifier, IdentifierKind, identifiers_of
from veritas.search.provider import SearchHit, SearchProvider
from veritas.text.tokens import tokenise
from veritas.works.records import BibRecord
from veritas.works.title_comparison import title_words

FETCHED = date(2026, 1, 2)


def document(url: str, text: str, title: str = "", **more: Any) -> Document:
    """Return a document as if it had been read on `FETCHED`."""
    return Document(
        document_id=document_id(text), url=url, title=title or url, text=text, fetched_at=FETCHED, **more
    )


def quote_all(passage: Passage) -> Quote:
    """Return a quote of a whole passage."""
    return Quote(passage_id=passage.passage_id, quote=passage.text)


@dataclass
class FakeProvider:
    """A provider that finds every document, in order, or fails with `problem`."""

    name: str
    documents: Sequence[Document] = ()
    problem: str | None = None
    asked: list[str] = field(default_factory=list)

    async def search(self, query: str, *, limit: int, since: date | None = None) -> Sequence[SearchHit]:
        self.asked.append(query)
        if self.problem is not None:
            raise Unavailable(self.problem)
        return [SearchHit(url=d.url, title=d.title) for d in self.documents][:limit]


@dataclass
class FakeReader:
    """A reader of the documents it was given; it keeps the URLs it was asked for."""

    documents: Sequence[Document] = ()
    asked: list[str] = field(default_factory=list)

    async def read(self, url: str) -> Document:
        self.asked.append(url)
        for known in self.documents:
            if known.url == url:
                return known
        raise Unavailable(f"nothing is at {url}")


@dataclass
class FakeEmbedder:
    """An embedder that counts words, hashed into `dimensions`: texts that share words are near."""

    model: str = "fake:words"
    dimensions: int = 64

    async def embed(self, texts: Sequence[str], kind: str) -> list[list[float]]:
        vectors = []
        for text in texts:
            vector = [0.0] * self.dimensions
            for word in tokenise(text):
                vector[zlib.crc32(word.encode()) % self.dimensions] += 1.0
            vectors.append(vector)
        return vectors


@dataclass
class FakeScholarlySource:
    """A source of the records it was given, by identifiers and by title words; or it fails with `problem`."""

    name: str = "fake_index"
    records: Sequence[BibRecord] = ()
    problem: str | None = None
    knows: frozenset[IdentifierKind] = frozenset({"doi", "arxiv", "pmid"})
    searches: bool = True
    asked: list[str] = field(default_factory=list)

    async def look_up(self, identifier: Identifier) -> Found | None:
        self._heard(str(identifier))
        return next((Found(record=r) for r in self.records if identifier in identifiers_of(r)), None)

    async def search(self, words: str, *, limit: int = 10, anywhere: bool = False) -> Sequence[Found]:
        self._heard(words)
        wanted = set(title_words(words))
        return [Found(record=r) for r in self.records if wanted & set(title_words(r.full_title or ""))][:limit]

    def _heard(self, question: str) -> None:
        self.asked.append(question)
        if self.problem is not None:
            raise Unavailable(f"{self.name} {self.problem}")


@dataclass(frozen=True)
class FakePolicy:
    """A policy of tiers by URL prefix, longest first; a URL that matches none is tier 4."""

    tiers: Mapping[str, int | str] = field(default_factory=dict)
    paywalled: frozenset[str] = frozenset()
    fingerprint: str = "fake"

    def classify(self, url: str) -> TierVerdict:
        match = max((p for p in self.tiers if url.startswith(p)), key=len, default=None)
        tier: Any = self.tiers[match] if match is not None else 4
        return TierVerdict(
            url=url,
            tier=tier,
            paywalled=any(url.startswith(p) for p in self.paywalled),
            admitted=tier in (1, 2, 3),
            justification="listed" if match else "not credentialed",
            rule=match or "none",
            effective_url=url,
            publisher=url.split("/")[2] if url.count("/") > 2 else url,
        )


@dataclass
class FakeLens:
    """A lens that answers `verdict` of claim and passage; by default it supports a claim that the passage holds word
    for word."""

    name: str = "fake-lens"
    family: str = "judge"
    verdict: Callable[[str, str], Label] | None = None
    asked: list[tuple[str, str]] = field(default_factory=list)

    async def judge(self, claim: str, passage: str) -> Judgment:
        self.asked.append((claim, passage))
        label: Label
        if self.verdict is not None:
            label = self.verdict(claim, passage)
        else:
            label = "supports" if claim in " ".join(passage.split()) else "silent"
        return Judgment(label=label, score=1.0, rationale=f"scripted {label}", lens=self.name, family=self.family)


@dataclass
class FakeChatModel:
    """A language model that gives `answers` in order, and repeats the last one.

    An answer is a text as it would come from a model, a Pydantic model that is sent as JSON, a `Completion`, or an
    exception that is raised (`Unavailable` for no answer). With `on_complete` that function answers instead.
    """

    answers: Sequence[str | BaseModel | Exception] = ()
    on_complete: Callable[[Sequence[Message], type[BaseModel] | None], str | BaseModel] | None = None
    asked: list[tuple[Message, ...]] = field(default_factory=list)
    """The messages of each request, in order."""

    async def complete(self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None) -> Completion:
        self.asked.append(tuple(messages))
        if self.on_complete is not None:
            said: str | BaseModel | Exception = self.on_complete(messages, schema)
        elif self.answers:
            said = self.answers[min(len(self.asked), len(self.answers)) - 1]
        else:
            said = Unavailable("a FakeChatModel without answers was asked")
        if isinstance(said, Exception):
            raise said
        if isinstance(said, Completion):
            return said
        text = said if isinstance(said, str) else said.model_dump_json()
        size = sum(len(m.content) for m in messages)
        return Completion(text=text, input_tokens=size // 4, output_tokens=len(text) // 4, cost_usd=0.0)


@dataclass
class FakeMember:
    """Takes each turn by calling the function it was given for it; without one, in the plainest honest way."""

    name: str = "fake"
    family: str = "author"
    on_decompose: Callable[[str], Sequence[SubQueryDraft]] | None = None
    on_assert: Callable[[SubQuery, Sequence[Passage]], Sequence[Draft]] | None = None
    on_contest: Callable[[Sequence[PeerClaim], Sequence[Passage]], Sequence[Objection]] | None = None
    on_respond: Callable[[ContestedClaim, Sequence[Passage]], Response] | None = None
    on_synthesize: Callable[[str, Sequence[AdmittedClaim]], Sequence[DraftSentence]] | None = None
    on_repair: Callable[[DraftSentence, Sequence[AdmittedClaim], str], DraftSentence | None] | None = None
    saw: list[str] = field(default_factory=list)
    """Every text the member was shown, in order; I3 is checked against it."""

    async def decompose(self, question: str) -> Sequence[SubQueryDraft]:
        return self.on_decompose(question) if self.on_decompose else [SubQueryDraft(text=question)]

    async def assert_claims(self, sub_query: SubQuery, passages: Sequence[Passage]) -> Sequence[Draft]:
        self.saw.extend(p.text for p in passages)
        if self.on_assert:
            return self.on_assert(sub_query, passages)
        return [
            Draft(
                claim=" ".join(p.text.split()), claim_type="factual", confidence=0.9, quotes=(quote_all(p),)
            )
            for p in passages
        ]

    async def contest(self, peer_claims: Sequence[PeerClaim], passages: Sequence[Passage]) -> Sequence[Objection]:
        self.saw.extend(p.text for p in passages)
        return self.on_contest(peer_claims, passages) if self.on_contest else []

    async def respond(self, contested: ContestedClaim, passages: Sequence[Passage]) -> Response:
        self.saw.extend(p.text for p in passages)
        return self.on_respond(contested, passages) if self.on_respond else Concession(statement="I was wrong.")

    async def synthesize(self, question: str, claims: Sequence[AdmittedClaim]) -> Sequence[DraftSentence]:
        if self.on_synthesize:
            return self.on_synthesize(question, claims)
        return [DraftSentence(text=c.claim, claim_ids=(c.claim_id,)) for c in claims]

    async def repair(
        self, sentence: DraftSentence, claims: Sequence[AdmittedClaim], fault: str
    ) -> DraftSentence | None:
        return self.on_repair(sentence, claims, fault) if self.on_repair else None


def fake_runtime(
    documents: Sequence[Document],
    *,
    members: Sequence[FakeMember] = (),
    verifiers: Sequence[Lens] = (),
    judges: Sequence[Lens] = (),
    policy: SourcePolicy | None = None,
    providers: Sequence[SearchProvider] = (),
    reader: FakeReader | None = None,
    tier: CostTier | None = None,
    request: Request | None = None,
) -> Runtime:
    """Return a runtime of fakes: by default one member, one verifier of another family, one provider that finds
    everything, and a policy that admits `https://good.example/` at tier 1."""
    seats_members = list(members) or [FakeMember()]
    judges = list(judges) or [FakeLens(name=f"judge-{m.name}", family=f"judge:{m.name}") for m in seats_members]
    seats = tuple(Seat(m.name, m, judges[i % len(judges)]) for i, m in enumerate(seats_members))
    provider_list = list(providers) or [FakeProvider("everything", documents)]
    return Runtime(
        request=request or Request(question="At which temperature does water boil, ice melt, steam condense?"),
        tier=tier or CostTier(rounds=2, providers_per_member=1, verifier="dedicated"),
        council=Council(seats=seats, verifiers=tuple(verifiers) or (FakeLens(),), writer=seats[0].name),
        providers={p.name: p for p in provider_list},
        policy=policy or FakePolicy({"https://good.example/": 1}),
        reader=OnceReader(reader or FakeReader(documents)),
        fingerprint="fake",
        policy_hash="fake",
        notes={d.url: d.note for d in documents if d.note},
    )
