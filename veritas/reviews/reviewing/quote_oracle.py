"""The retrieval oracle of review sentences: every quote must stand verbatim in a document of the cited paper."""

from __future__ import annotations

from veritas.documents.verbatim import fold_whitespace, locate
from veritas.errors import InputError
from veritas.gate import Finding, OracleAnswer, OracleSetup
from veritas.gate.stored_documents import whole_sentences
from veritas.judging.floor import Standing
from veritas.meaning.relation import Setting
from veritas.reviews.claim_corpus import Corpus


class CorpusOracle:
    """An oracle that looks quotes up in the stored texts of the corpus, anew (I1), without trusting the index."""

    name = "corpus"

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    async def confirm(self, finding: Finding) -> OracleAnswer:
        """Return `fabricated` for a quote in no cited document, `cannot-confirm` without a document or quote."""
        texts: list[str] = []
        for source in finding.sources:
            try:
                texts.append(self._corpus.document_text(source.document_id or ""))
            except InputError as problem:
                return OracleAnswer(oracle=self.name, verdict="cannot-confirm", rationale=str(problem))
        if not texts or not finding.passages:
            return OracleAnswer(oracle=self.name, verdict="cannot-confirm", rationale="no quote is at hand")
        for passage in finding.passages:
            if not any(locate(passage, text) for text in texts):
                shown = fold_whitespace(passage)[:120]
                why = f"“{shown}” stands in none of the documents it cites"
                return OracleAnswer(oracle=self.name, verdict="fabricated", rationale=why)
        count = len(finding.passages)
        why = f"its {'quote stands' if count == 1 else f'{count} quotes stand'} word for word in the paper"
        return OracleAnswer(oracle=self.name, verdict="confirmed", rationale=why)

    def standing(self, finding: Finding) -> tuple[Standing, ...]:
        """Return each quote in whole sentences of the cited document it stands in."""
        found: list[Standing] = []
        for passage in finding.passages:
            for source in finding.sources:
                text = self._corpus.document_text(source.document_id or "")
                place = locate(passage, text)
                if place is not None:
                    setting = Setting(document=source.document_id or "", subject=source.title or "")
                    found.append(Standing(whole_sentences(text, *place), setting))
                    break
        return tuple(found)


def corpus_oracle(setup: OracleSetup) -> CorpusOracle:
    """Make the oracle `corpus`. Raises `InputError` where no corpus of claims is at hand."""
    if setup.corpus is None:
        raise InputError(f"the oracle corpus has none to look in: a {setup.kind} is looked up elsewhere")
    return CorpusOracle(setup.corpus)
