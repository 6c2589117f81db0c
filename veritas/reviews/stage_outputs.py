"""The outputs of the stages of a review, each stored whole as it is done (I6)."""

from __future__ import annotations

from veritas.frozen import Frozen
from veritas.reviews.manuscript import Manuscript, ReviewDraft, ReviewSentence, sentence_id
from veritas.reviews.review_document import CorpusState, Revision
from veritas.reviews.reviewing.reviewer import Report
from veritas.reviews.writing.resolve_citations import LayerOne
from veritas.reviews.writing.retrieve_claims import Retrieval


class Retrieved(Retrieval):
    """Output of the stage `retrieve`: the claims, and the state of the corpus they were found in."""

    corpus: CorpusState


class Slot(Frozen):
    """A drafted sentence: resolved, or with the first layer's finding."""

    section: str
    draft: ReviewDraft
    sentence: ReviewSentence | None = None
    caught: LayerOne | None = None

    @property
    def subject(self) -> str:
        """Id of the sentence, also if it could not be resolved."""
        if self.sentence is not None:
            return self.sentence.sentence_id
        return sentence_id(self.section, self.draft.text, self.draft.claim_ids)


class Written(Frozen):
    """Output of the stage `write`: the manuscript, and every sentence as it was drafted."""

    draft: Manuscript
    slots: tuple[Slot, ...]


class Reviewed(Frozen):
    """Output of the stage `review`."""

    report: Report


class Revised(Frozen):
    """Output of the stage `revise`: the revisions, and the verdicts on the new sentences."""

    revisions: tuple[Revision, ...]
    report: Report

    @property
    def sentences(self) -> tuple[ReviewSentence, ...]:
        """The new sentences from the writer."""
        return tuple(r.after for r in self.revisions if r.after is not None)
