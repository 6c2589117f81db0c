"""Which extractor draws the claims: the one that is named, else the council's first model, else the embedded."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from veritas.council.choosing import choose_council
from veritas.council.families import known_family
from veritas.council.switchboard import Switchboard
from veritas.errors import InputError
from veritas.policy.council_policy import CouncilPolicy, ModelPolicy
from veritas.reviews.corpus import Corpus
from veritas.reviews.corpus_file import CorpusLedger
from veritas.reviews.drafts import ClaimExtractor
from veritas.reviews.embedded_extractor import EmbeddedExtractor

AUTO, EMBEDDED = "auto", "embedded"


@asynccontextmanager
async def chosen_extractor(named: str, corpus: Corpus) -> AsyncIterator[ClaimExtractor]:
    """The extractor for `named`: `auto`, `embedded`, the name of a member of the council that sits, or a model as
    LiteLLM names it. Its answers are kept in the corpus' ledger (I9).

    Raises `InputError` when there is no such member or model.
    """
    if named == EMBEDDED:
        yield EmbeddedExtractor()
        return
    council = choose_council().policy
    model = _model(named, council)
    if model is None:
        yield EmbeddedExtractor()
        return
    from veritas.reviews.model_extractor import ModelExtractor

    board = Switchboard(council.providers)
    board.bind(CorpusLedger(corpus.file))
    try:
        yield ModelExtractor(board.connect(model))
    finally:
        await board.close()


def _model(named: str, council: CouncilPolicy) -> ModelPolicy | None:
    models = [model for member in council.members if (model := member.as_model()) is not None]
    if named == AUTO:
        return models[0] if models else None
    for model in (*models, *council.judges):
        if named in (model.name, model.model):
            return model
    if "/" not in named:
        there = ", ".join(model.name for model in models) or "none: the council that sits is embedded"
        raise InputError(f"no member {named!r} to draw claims with; members with a language model: {there}")
    return ModelPolicy(name="extractor", model=named, family=known_family(named))
