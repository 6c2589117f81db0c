"""Gather evidence for a node from the paper's own body, the works it cites, the corpus, the web."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from veritas.claims.sources import Tier
from veritas.council.spending import OverBudget, paying
from veritas.documents.document import Document
from veritas.documents.paper_parts import Reference
from veritas.documents.paper_sections import page_of
from veritas.engine.current_run import unless_stopped
from veritas.errors import Unavailable
from veritas.frozen import content_id
from veritas.judging.lenses import EmbeddedLens
from veritas.meaning.relation import Setting
from veritas.papers.audit import AuditNode, EvidenceSource, PaperEvidence
from veritas.papers.extraction.statements import find_statements
from veritas.papers.reading.paper_text import PaperText
from veritas.papers.verification._node_grounding import NOT_PLAIN, content, opposes
from veritas.papers.verification._own_body import Copies, body_beside, other_case, unhidden
from veritas.papers.verification.metric_policy import VerificationPolicy
from veritas.papers.verification.own_tables import SHOWN, Itself, stands_in
from veritas.policy.source_policy import SourcePolicy
from veritas.reading.corpus import Corpus
from veritas.reading.reader import Reader
from veritas.search.provider import SearchProvider
from veritas.text.stems import stem
from veritas.text.tokens import terms, weigh
from veritas.verification.document_evidence import read, telling
from veritas.verification.open_claims import REFUTE_THRESHOLD, SUPPORT_THRESHOLD, Evidence, OpenVerifier
from veritas.works.title_comparison import title_words

QUERY_WORDS = 12


def query_of(node: AuditNode) -> str:
    """Return a search query for a statement: its telling words in their order."""
    weights = weigh(node.text)
    chosen = sorted(weights, key=lambda t: -weights[t])[:QUERY_WORDS]
    kept: list[str] = []
    for word in node.text.replace("(", " ").replace(")", " ").split():
        bare = word.strip(".,;:!?\"'“”‘’[]")
        if stem(bare.lower()) in chosen and bare.lower() not in (k.lower() for k in kept):
            kept.append(bare)
    return " ".join(kept[:QUERY_WORDS])


@dataclass(frozen=True)
class Gathered:
    """The evidence found for a node. `aligned`: the share of its words, 0 to 1, in the best passage; `problems`:
    sources that could not be asked or read; `calls`: searches made and pages read; `usd`: their cost in US dollars,
    None if unknown."""

    evidence: tuple[PaperEvidence, ...]
    aligned: float | None
    searched: str
    problems: tuple[str, ...] = ()
    calls: int = 0
    usd: float | None = 0.0


@dataclass
class _Looked:
    """The result of a search on the web for a node; `asked` are the providers that answered, `down` the others."""

    evidence: list[PaperEvidence] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    down: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    calls: int = 0
    usd: float | None = 0.0


class Gatherer:
    """A gatherer of evidence, one for each audit: the corpus is indexed once, and a page is read once."""

    def __init__(
        self,
        paper: PaperText,
        policy: VerificationPolicy,
        sources: SourcePolicy,
        *,
        corpus: Corpus | None = None,
        copies: Mapping[str, Document] | None = None,
        providers: Sequence[SearchProvider] = (),
        reader: Reader | None = None,
        prices: Mapping[str, float | None] | None = None,
    ) -> None:
        """`prices` are US dollars per search, by provider: None if unknown; a provider not in it is free."""
        self.paper, self.policy, self.sources = paper, policy, sources
        self.corpus, self.copies = corpus, dict(copies or {})
        self.providers, self.reader, self.prices = tuple(providers), reader, dict(prices or {})
        self.documents: dict[str, Document] = {}
        """All documents outside the paper that evidence was taken from, by id."""
        self._statements = find_statements(paper)
        self.itself = Itself(paper, self._statements)
        self._read: dict[str, Document | None] = {}
        self._copies = Copies(paper.text)
        self.asked: set[str] = set()
        self.down: set[str] = set()
        """The search providers that answered at least once, and those that failed to answer at least once."""
        self.left_out: dict[str, str] = {}
        """Documents in which evidence was found but not used, by URL, with the reason (I7)."""

    @cached_property
    def _corpus(self) -> OpenVerifier | None:
        if self.corpus is None:
            return None
        cited = {d.document_id for d in self.copies.values()}
        others = [d for d in self.corpus.documents if d.document_id not in cited and not self._is_paper(d)]
        return OpenVerifier(others, policy=self.sources) if others else None

    def searched(self, asked: Sequence[str] = (), down: Sequence[str] = ()) -> str:
        """Return in words the places searched outside the paper; `asked` are the providers that answered, `down` those
        that did not."""
        places = []
        if self.corpus is not None:
            places.append(f"{len(self.corpus)} document(s) of the corpus")
        if asked:
            places.append(f"the web through {', '.join(asked)}")
        said = " and ".join(places) + (" searched" if places else "")
        failed = f"{', '.join(down)} could not be asked" if down else ""
        return "; ".join(part for part in (said, failed) if part)

    async def gather(self, node: AuditNode, references: Mapping[str, Reference]) -> Gathered:
        """Evidence from everywhere that may be asked. Never raises for what a source does; `Cancelled` when the run was
        asked to stop."""
        found = self._in_paper(node)
        problems: list[str] = []
        for key in node.cites:
            if key in self.copies:
                document = self.copies[key]
                found += self._judged(node, document, "reference", self._tier(document.url), reference=key)
        if self._corpus is not None:
            verdict = await self._corpus.verify(content(node.text))
            by_url = {d.url: d for d in self._corpus.documents}
            witnesses = [e for e in verdict.evidence if not self._is_copy(by_url[e.url])]
            found += [
                self._evidence(node, e, by_url[e.url], "corpus", "corpus", node.text)
                for e in witnesses[: self.policy.reading.evidence]
            ]
        web = _Looked()
        if self.providers and self.reader is not None:
            web = await self._on_the_web(node)
            self.asked.update(web.asked)
            self.down.update(web.down)
            found += web.evidence
            problems += web.problems
        kept: dict[str, PaperEvidence] = {}
        for each in found:
            kept.setdefault(each.id, each)
        shares = [self._share(node.text, e.text) for e in kept.values()]
        return Gathered(
            evidence=tuple(kept.values()),
            aligned=round(max(shares), 4) if shares else None,
            searched=self.searched(web.asked, web.down),
            problems=tuple(problems),
            calls=web.calls,
            usd=web.usd,
        )

    def subject(self, node: AuditNode, hypotheses: Sequence[str]) -> float:
        """Return how much of a statement is about the paper's subject, 0 to 1: the share of its weighted words that
        title, abstract, headings or hypotheses use, times 1.5, since no statement consists of those alone."""
        wanted = set(self._statements.topic)
        for text in (self.paper.identity.title, *hypotheses):
            wanted |= set(terms(text))
        said = weigh(node.text)
        total = sum(said.values())
        return round(min(1.0, 1.5 * sum(w for t, w in said.items() if t in wanted) / total), 4) if total else 0.0

    # -- the paper itself ---------------------------------------------------------------------------------------------

    def _in_paper(self, node: AuditNode) -> list[PaperEvidence]:
        text = body_beside(node, self.paper, self._statements)
        masked = self.paper.document.model_copy(update={"text": text, "title": ""})
        return self._judged(node, masked, "paper", 1, self.paper.document)

    # -- other documents ----------------------------------------------------------------------------------------------

    def _judged(
        self,
        node: AuditNode,
        document: Document,
        source: EvidenceSource,
        tier: Tier | None,
        original: Document | None = None,
        reference: str | None = None,
    ) -> list[PaperEvidence]:
        """Return a document's evidence on the statement: its most decided window, or none if no window is about it."""
        best: tuple[float, PaperEvidence] | None = None
        stored = original or document
        for reading in read(content(node.text), document):
            supports, refutes = reading.weigh(0)
            spans = telling(document.text, reading)
            if not spans or reading.sentence < self.policy.about / 2:
                continue
            start, end = spans[0]
            if original is not None:
                parts = unhidden(document.text, original.text, start, end) or [(start, end)]
                start, end = max(parts, key=lambda part: self._share(node.text, original.text[slice(*part)]))
            table = self.itself.table_at(start) if source == "paper" else None
            if table is not None:  # a row says nothing without its heading
                start, end = table.start, min(table.end, table.start + SHOWN)
                if not stands_in(node.text, table):
                    supports = 0.0
            elif source == "paper" and other_case(node.text, stored.text[start:end]):
                supports = refutes = 0.0
            label, score = "silent", max(0.0, 1.0 - supports - refutes)
            least = self.policy.own_refutes_from if source == "paper" else REFUTE_THRESHOLD
            if supports >= max(refutes, SUPPORT_THRESHOLD):
                label, score = "supports", supports
            elif refutes >= least and refutes > supports:
                label, score = "refutes", refutes
            rationale = f"{reading.sentence:.0%} of the statement's words are there"
            if label == "refutes" and not self._opposes(node, stored, stored.text[start:end]):
                label, score, rationale = "silent", max(0.0, 1.0 - supports), f"{rationale}; {NOT_PLAIN}"
            made = PaperEvidence(
                id=content_id("e", node.id, stored.document_id, start, label, source),
                node=node.id,
                source=source,
                url=stored.url,
                title=stored.title or self.paper.identity.title,
                tier=tier,
                text=stored.text[start:end],
                document_id=stored.document_id,
                start=start,
                end=end,
                page=page_of(stored.page_starts, start),
                label=label,
                score=round(score, 4),
                rationale=rationale,
                judge=EmbeddedLens.name,
                provider="the paper" if source == "paper" else "its references" if reference else "",
                query=node.text[:200],
                reference=reference,
            )
            decided = max(supports, refutes) if label != "silent" else 0.1 * reading.sentence
            if best is None or decided > best[0]:
                best = decided, made
        if best is None:
            return []
        if source != "paper":
            self.documents[stored.document_id] = stored
        return [best[1]]

    def _opposes(self, node: AuditNode, document: Document, passage: str) -> str | None:
        mine = Setting(self.paper.document.document_id, self.paper.identity.title)
        return opposes(
            node.text, passage, of_statement=mine, of_passage=Setting(document.document_id, document.title or "")
        )

    def _evidence(
        self, node: AuditNode, found: Evidence, document: Document, source: EvidenceSource, provider: str, query: str
    ) -> PaperEvidence:
        self.documents[document.document_id] = document
        label, score, rationale = found.label, found.score, found.rationale
        if label == "refutes" and not self._opposes(node, document, found.passage):
            label, score, rationale = "silent", round(1.0 - score, 4), f"{rationale}; {NOT_PLAIN}"
        return PaperEvidence(
            id=content_id("e", node.id, document.document_id, found.start, found.label, source),
            node=node.id,
            source=source,
            url=found.url,
            title=found.title,
            tier=found.tier,
            text=found.passage,
            document_id=document.document_id,
            start=found.start,
            end=found.end,
            page=page_of(document.page_starts, found.start),
            label=label,
            score=score,
            rationale=rationale,
            judge=found.lens,
            provider=provider,
            query=query[:200],
        )

    async def _on_the_web(self, node: AuditNode) -> _Looked:
        query = query_of(node)
        limits = self.policy.reading
        urls: dict[str, str] = {}
        looked = _Looked()
        first = int(node.id[1:]) if node.id[1:].isdecimal() else 0
        count = len(self.providers)
        for turn in range(min(limits.providers, count)):
            provider = self.providers[(first + turn) % count]
            looked.calls += 1
            try:
                price = self.prices.get(provider.name, 0.0)
                with paying(price, stage="verify") as paid:
                    searched = provider.search(query, limit=limits.hits)
                    for hit in await (searched if price != 0 else unless_stopped(searched)):
                        urls.setdefault(hit.url, provider.name)
                looked.usd = None if looked.usd is None or paid.usd is None else looked.usd + paid.usd
                looked.asked.append(provider.name)
            except OverBudget as error:
                looked.calls -= 1
                looked.problems.append(f"{provider.name}: {error}")
            except Unavailable as error:
                looked.down.append(provider.name)
                looked.problems.append(f"{provider.name}: {error}")
        documents: dict[str, Document] = {}
        by: dict[str, str] = {}
        for url, provider_name in urls.items():
            if len(documents) >= limits.documents:
                break
            verdict = self.sources.classify(url)
            if not verdict.admitted:  # I3: what the policy rejects is not read
                looked.problems.append(f"{url} was not admitted: {verdict.justification}")
                continue
            looked.calls += url not in self._read
            document = await self._page(url, looked.problems)
            if document is None or self._is_paper(document) or self._is_copy(document):
                continue
            documents[document.url] = document
            by[document.url] = provider_name
        if documents:
            verifier = OpenVerifier(documents.values(), policy=self.sources)
            opened = await verifier.verify(content(node.text))
            looked.evidence += [
                self._evidence(node, e, documents[e.url], "web", by[e.url], query)
                for e in opened.evidence[: limits.evidence]
            ]
        return looked

    def _is_paper(self, document: Document) -> bool:
        """Return whether a document is the paper, by id or title, and note it as left out: it is no witness."""
        mine = title_words(self.paper.identity.title)
        same = document.document_id == self.paper.document.document_id or (mine and title_words(document.title) == mine)
        if same:
            self.left_out.setdefault(document.url, "it is the paper itself, which is no witness for itself")
        return bool(same)

    def _is_copy(self, document: Document) -> bool:
        """Return whether a document's words make it a version of the paper, and note it as left out. Slow."""
        if not self._copies.is_copy(document):
            return False
        self.left_out.setdefault(document.url, "its words are the paper's: another version of it is no witness")
        return True

    async def _page(self, url: str, problems: list[str]) -> Document | None:
        if url not in self._read:
            assert self.reader is not None
            try:
                self._read[url] = await unless_stopped(self.reader.read(url))
            except Unavailable as error:
                problems.append(str(error))
                self._read[url] = None
        return self._read[url]

    def _tier(self, url: str) -> Tier:
        return self.sources.classify(url).tier

    def _share(self, claim: str, passage: str) -> float:
        """Return the share of a statement's weighted words that a passage has."""
        wanted = weigh(claim)
        said = set(terms(passage)) | {stem(t) for t in passage.lower().split()}
        total = sum(wanted.values())
        return sum(w for t, w in wanted.items() if t in said) / total if total else 0.0
