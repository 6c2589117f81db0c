"""The runtime of a run: council, providers, policy and reader, built from a request."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from veritas.answers._web_recording import Tape, TapedReader
from veritas.answers.request import Request
from veritas.claims.graph import Event
from veritas.council.connections import Switchboard
from veritas.council.model_table import facts
from veritas.council.prompt import every_prompt
from veritas.council.recording import Recording, council_of_run
from veritas.council.reserved import is_paid
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import Chosen
from veritas.documents.document import Document
from veritas.event_loop import OfLoop
from veritas.frozen import content_hash
from veritas.judging import fingerprint as judge
from veritas.policy.cost_tiers import UNKNOWN_MODEL, CostTier, Step, load_cost_tiers
from veritas.policy.gate_policy import GatePolicy, load_gate_policy
from veritas.policy.source_policy import SourcePolicy
from veritas.policy.source_tiers import load_source_policy
from veritas.reading.corpus import Corpus, CorpusFirstReader, CorpusReader
from veritas.reading.loading import load_corpus
from veritas.reading.reader import Confirming, Reader
from veritas.search.provider import SearchProvider
from veritas.search.ranking import mechanism


class UnderWay:
    """A counter of busy units, so that a late answer is waited for while others work; units that wait do not count."""

    def __init__(self) -> None:
        self.units = 0
        self._left = monotonic()

    def over(self, seconds: float) -> bool:
        """Return whether no unit has been at work for so many seconds."""
        return not self.units and monotonic() - self._left > seconds

    @contextmanager
    def one(self) -> Iterator[None]:
        """Count one unit more while the block runs."""
        self.units += 1
        try:
            yield
        finally:
            self.units -= 1
            self._left = monotonic()


class OnceReader:
    """A reader that reads each URL once a run, however many members ask for it at the same time."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._reads: OfLoop[dict[str, asyncio.Task[Document]]] = OfLoop(dict)

    async def read(self, url: str) -> Document:
        """Return the document, shared by all who ask. A failure is shared too: a URL is tried once a run."""
        reads = self._reads.here()
        task = reads.get(url)
        if task is None:
            task = reads[url] = asyncio.ensure_future(self._reader.read(url))
        return await asyncio.shield(task)

    async def confirm(self, document: Document, quotes: Sequence[str] = ()) -> None:
        """Check a document (see `Confirming`); a reader that cannot do so is trusted."""
        if isinstance(self._reader, Confirming):
            await self._reader.confirm(document, quotes)


@dataclass(frozen=True)
class Runtime:
    """Everything the units of work need. `problems` are the corpus's documents that could not be used (I7)."""

    request: Request
    tier: CostTier
    council: Council
    providers: Mapping[str, SearchProvider]
    policy: SourcePolicy
    reader: Reader
    degrade: tuple[Step, ...] = ("providers", "members", "rounds")
    fingerprint: str = ""
    """Hash of the policies and the corpus: all that the stages' outputs depend on beside the request."""
    policy_hash: str = ""
    problems: tuple[Event, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    """URL to the corpus owner's note on the document; for people, never for members."""
    gate: GatePolicy = field(default_factory=load_gate_policy)
    search_prices: Mapping[str, float | None] = field(default_factory=dict)
    """US dollars a search, by provider: None if unknown, 0 if free."""
    searching: UnderWay = field(default_factory=UnderWay)
    """Units of this process that search and read."""
    switchboard: Switchboard | None = None
    """Switchboard to the language models; None in a hand-made council without any."""

    @property
    def judges(self) -> int:
        """Number of lenses that judge a claim."""
        return self.gate.rule(self.tier.verifier).lenses


def build_runtime(request: Request, corpus: Corpus | None = None) -> Runtime:
    """Load everything that the request names. `corpus`, when given, replaces the request's paths.

    Raises `InputError` (with `PolicyError`, `CorpusError`) when something named cannot be used.
    """
    cost_tiers = load_cost_tiers(Path(request.cost_tiers) if request.cost_tiers else None)
    tier = cost_tiers.tier(request.tier)
    gate = load_gate_policy()
    gate.rule(tier.verifier)
    recording = Recording.from_environment()
    chosen = council_of_run(Path(request.council) if request.council else None, recording)
    switchboard = Switchboard(chosen.policy.providers, recording)
    policy = load_source_policy(Path(request.policy) if request.policy else None)
    policy_hash = str(getattr(policy, "fingerprint", "")) or content_hash(repr(policy))
    if corpus is None and request.corpus:
        corpus = load_corpus([Path(p) for p in request.corpus])
    from veritas.policy.search_providers import load_providers

    providers, reader, searched = _sources(corpus, policy, Tape.of(recording), beside=request.web)
    return Runtime(
        request=request,
        tier=tier,
        council=build_council(chosen.policy, switchboard, tier.claims_per_turn),
        providers={p.name: p for p in providers},
        policy=policy,
        reader=OnceReader(reader),
        degrade=cost_tiers.degrade,
        gate=gate,
        fingerprint=content_hash(
            [
                policy_hash, tier.model_dump(), gate.model_dump(mode="json"), chosen.policy.findings(), searched,
                judge(), mechanism(), *([every_prompt()] if chosen.policy.models() else ()),
            ]
        ),
        policy_hash=policy_hash,
        notes=corpus.notes if corpus else {},
        search_prices={name: entry.search_price for name, entry in load_providers().providers.items()},
        switchboard=switchboard,
        problems=(
            *_remarks(chosen, request),
            *_undated(corpus, request),
            *(
                Event(
                    stage="research",
                    kind="note" if p.kept else "source-unavailable",
                    subject_id=str(p.path),
                    reason=p.reason,
                )
                for p in (corpus.problems if corpus else ())
            ),
        ),
    )


def _sources(
    corpus: Corpus | None, policy: SourcePolicy, tape: Tape | None, *, beside: bool
) -> tuple[Sequence[SearchProvider], Reader, str]:
    """Return the search providers, the reader, and a fingerprint of both.

    They are a corpus alone if there is one (`beside` the web, if the request or `providers.yaml` says so), else the
    live web. Raises `InputError` when nothing can be searched.
    """
    from veritas.policy.search_providers import load_providers

    web = load_providers()
    local: Sequence[SearchProvider] = ()
    if corpus is not None:
        local = (corpus.index,)
        if not (web.with_corpus or beside):
            return local, CorpusReader(corpus), corpus.fingerprint
    from veritas.reading.web.web_reader import WebReader
    from veritas.search.configured_providers import live_providers

    found = (*local, *(tape.providers(lambda: live_providers(web)) if tape else live_providers(web)))
    reader: Reader = WebReader(policy, web)
    if tape is not None:
        reader = TapedReader(reader, tape)
    if corpus is not None:
        reader = CorpusFirstReader(corpus, reader)
    held = corpus.fingerprint if corpus is not None else ""
    return found, reader, content_hash([held, web.language, [p.name for p in found]])


def _undated(corpus: Corpus | None, request: Request) -> tuple[Event, ...]:
    """Return a row with the number of documents that a time window excludes; no search would report them (I7)."""
    if corpus is None or request.since is None:
        return ()
    undated, older = corpus.undated_and_older(request.since)
    reason = f"since {request.since}: {undated} undated and {older} older document(s) of the corpus were not searched"
    return (Event(stage="research", kind="note", subject_id="since", reason=reason),)


def _remarks(chosen: Chosen, request: Request) -> tuple[Event, ...]:
    """Return rows about the run's council, if it has language models, or judges with weights of their own."""
    models = chosen.policy.models()
    weighed = [f"{j.name} judges with the weights {j.weights}" for j in chosen.policy.judges if j.weights is not None]
    if not models and not weighed:
        return ()
    said = [f"council {chosen.name}: {chosen.because}", *weighed]
    unpriced = {m.model: is_paid(m) for m in models if facts(m).price is None}
    if request.budget.usd is not None:
        of, free = [m for m, paid in unpriced.items() if paid], [m for m, paid in unpriced.items() if not paid]
        price = f"${UNKNOWN_MODEL.input:g} and ${UNKNOWN_MODEL.output:g} for a million tokens in and out"
        if of:
            said.append(f"the price of {', '.join(of)} is unknown: the budget in dollars counts {price}")
        if free:
            said.append(f"the price of {', '.join(free)} is unknown: on an own server, the budget counts nothing")
    return tuple(Event(stage="research", kind="note", subject_id="council", reason=reason) for reason in said)
