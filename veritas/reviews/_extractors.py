"""Choose the extractor of claims: the named one, else the council's first model, else the embedded one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from veritas import plugins
from veritas.council.connections import Switchboard
from veritas.council.families import known_family
from veritas.council.select_council import choose_council
from veritas.errors import InputError
from veritas.policy.council_policy import ModelPolicy
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_file import CorpusLedger
from veritas.reviews.drafts import ClaimExtractor

AUTO, EMBEDDED = "auto", "embedded"
SEAM = "claim_extractor"


def model_of(named: str) -> ModelPolicy | None:
    """Return the language model for `named`: `auto`, a plug-in of the group `veritas.claim_extractor` (`embedded` is
    one), the name of a member of the active council, or a model as LiteLLM names it. None stands for no language model.

    Raises `InputError` when there is no such member or model.
    """
    if named in plugins.installed(SEAM):
        return None
    council = choose_council().policy
    models = [model for member in council.members if (model := member.as_model()) is not None]
    if named == AUTO:
        return models[0] if models else None
    judges = [model for judge in council.judges if judge.lens is None and (model := judge.as_model()) is not None]
    for model in (*models, *judges):
        if named in (model.name, model.model):
            return model
    if "/" not in named:
        there = ", ".join(model.name for model in models) or "none: the council that sits is embedded"
        raise InputError(f"no member {named!r} to draw claims with; members with a language model: {there}")
    return ModelPolicy(name="extractor", model=named, family=known_family(named))


@asynccontextmanager
async def chosen_extractor(
    model: ModelPolicy | None, corpus: Corpus, named: str = EMBEDDED
) -> AsyncIterator[ClaimExtractor]:
    """Provide the extractor behind a model, its answers kept in the corpus' ledger (I9); without a model, the plug-in
    `named`, or the embedded one."""
    if model is None:
        yield plugins.make(SEAM, named if named in plugins.installed(SEAM) else EMBEDDED, ClaimExtractor)
        return
    from veritas.reviews.model_claim_extractor import ModelExtractor

    board = Switchboard(choose_council().policy.providers)
    board.bind(CorpusLedger(corpus.file))
    try:
        yield ModelExtractor(board.connect(model))
    finally:
        await board.close()
