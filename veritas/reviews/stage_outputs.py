"""What the stages of a review hand on: each a whole, stored as it is done (I6)."""

from __future__ import annotations

from veritas.frozen import Frozen
from veritas.reviews.manuscript import Manuscript, ReviewDraft, ReviewSentence, sentence_id
from veritas.reviews.review_document import CorpusState, Revision
from veritas.reviews.reviewing.reviewer import Report
from veritas.reviews.writing.resolve_citations import LayerOne
from veritas.reviews.writing.retrieve_claims import Retrieval


class Retrieved(Retrieval):
    """Output of the stage `retrieve`: the claims, and the corpus as they were found in it."""

    corpus: CorpusState


class Slot(Frozen):
    """One drafted sentence: resolved, or with what the first layer found."""

    section: str
    draft: ReviewDraft
    sentence: ReviewSentence | None = None
    caught: LayerOne | None = None

    @property
    def subject(self) -> str:
        """The id it goes by, also where it could not be resolved."""
        if self.sentence is not None:
            return self.sentence.sentence_id
        return sentence_id(self.section, self.draft.text, self.draft.claim_ids)


class Written(Frozen):
    """Output of the stage `write`: the draft, and every sentence as it was drafted."""

    draft: Manuscript
    slots: tuple[Slot, ...]


class Reviewed(Frozen):
    """Output of the stage `review`."""

    report: Report


class Revised(Frozen):
    """Output of the stage `revise`: what went back, and the verdicts on what came."""

    revisions: tuple[Revision, ...]
    report: Report

    @property
    def sentences(self) -> tuple[ReviewSentence, ...]:
        """What came back from the writer."""
        return tuple(r.after for r in self.revisions if r.after is not None)
