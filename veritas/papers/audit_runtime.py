"""The parts an audit works with: mode, policies, council and its models, corpus, and the web if it may be asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import numpy as np

from veritas.council.connections import Connected, Switchboard
from veritas.council.seated_council import Council, build_council
from veritas.council.select_council import choose_council
from veritas.frozen import content_hash
from veritas.papers.audit import PaperEvent
from veritas.papers.audit_request import PaperRequest
from veritas.papers.extraction.modes import Mode, load_mode
from veritas.papers.verification.metric_policy import VerificationPolicy, load_verification_policy
from veritas.policy.search_providers import load_providers
from veritas.policy.source_policy import SourcePolicy
from veritas.policy.source_tiers import load_source_policy
from veritas.reading.corpus import Corpus
from veritas.reading.reader import Reader
from veritas.scoring.parameters import Parameters, read_parameters
from veritas.search.provider import SearchProvider


@dataclass(frozen=True)
class PaperRuntime:
    """The parts an audit works with. `models` are the council's language models in the order of its seats, empty for a
    council without.

    `corpus`, `providers`, `reader` and `registries` are None or empty if there is none or the web is not asked.
    """

    request: PaperRequest
    mode: Mode
    verification: VerificationPolicy
    policy: SourcePolicy
    parameters: Parameters
    council: Council
    switchboard: Switchboard
    models: tuple[tuple[str, Connected], ...] = ()
    corpus: Corpus | None = None
    providers: tuple[SearchProvider, ...] = ()
    reader: Reader | None = None
    registries: object | None = None
    search_prices: Mapping[str, float | None] = field(default_factory=dict)
    """US dollars per search, by provider: None if unknown, 0 if free."""
    fingerprint: str = ""
    """Hash of everything beside the request that the stages' outputs depend on."""
    problems: tuple[PaperEvent, ...] = field(default=())


def build_paper_runtime(request: PaperRequest, corpus: Corpus | None = None) -> PaperRuntime:
    """Load the parts that the request names; a given `corpus` is used in place of reading its paths.

    Raises `InputError` (with `PolicyError`, `CorpusError`) if something named cannot be used.
    """
    mode = load_mode(request.mode)
    verification = load_verification_policy(Path(request.verification) if request.verification else None)
    policy = load_source_policy(Path(request.policy) if request.policy else None)
    chosen = choose_council(Path(request.council) if request.council else None)
    switchboard = Switchboard(chosen.policy.providers)
    if corpus is None and request.corpus:
        from veritas.reading.loading import load_corpus

        corpus = load_corpus([Path(p) for p in request.corpus])
    problems = [
        PaperEvent(stage="read", kind="note" if p.kept else "source-unavailable", subject=str(p.path), reason=p.reason)
        for p in (corpus.problems if corpus else ())
    ]
    families = {str(model.family) for model in chosen.policy.models()}
    if len(families) == 1:
        said = (
            f"one family of language models ({families.pop()}) read the argument and assessed it, no other was there: "
            "beside it stand rules without a language model"
        )
        problems.append(PaperEvent(stage="read", kind="one-family", subject="council", reason=said))
    providers: tuple[SearchProvider, ...] = ()
    reader: Reader | None = None
    registries: object | None = None
    searched = ""
    prices: dict[str, float | None] = {}
    if request.web:
        from veritas.reading.web.web_reader import WebReader
        from veritas.registries.all_registries import Registries
        from veritas.search.configured_providers import live_providers

        reader, registries = WebReader(policy), Registries()
        providers = tuple(live_providers())
        prices = {name: entry.search_price for name, entry in load_providers().providers.items()}
        searched = ",".join(p.name for p in providers)
    models = [(m.name, policy_) for m in chosen.policy.members if (policy_ := m.as_model()) is not None]
    held = corpus.fingerprint if corpus is not None else ""
    parameters = read_parameters(Path(request.weights) if request.weights else None)
    return PaperRuntime(
        request=request,
        mode=mode,
        verification=verification,
        policy=policy,
        parameters=parameters,
        council=build_council(chosen.policy, switchboard),
        switchboard=switchboard,
        models=tuple((name, switchboard.connect(model)) for name, model in models),
        corpus=corpus,
        providers=providers,
        reader=reader,
        registries=registries,
        search_prices=prices,
        fingerprint=content_hash(
            [
                mode.model_dump(mode="json"),
                verification.model_dump(mode="json", by_alias=True),
                str(getattr(policy, "fingerprint", "")),
                chosen.policy.findings(),
                held,
                searched,
                [str(np.asarray(getattr(parameters, f.name)).tolist()) for f in fields(parameters)],
            ]
        ),
        problems=tuple(problems),
    )
