"""The manuscript of a review: sentences in sections, each resting on claims of the corpus or marked as missing one."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from veritas.frozen import Frozen, content_id
from veritas.judging.exact import read
from veritas.reviews.corpus_claim import CorpusClaim, EvidenceKind
from veritas.text.plural import plural

SentenceKind = Literal["claim", "quotation", "gap"]
"""`claim`: prose that cites claims. `quotation`: a claim's own words, marked as such. `gap`: `[Citation needed: …]`."""


class ReviewDraft(Frozen):
    """A sentence in a writer's words. A writer sets no key, author, year or page (I2), and no words of a gap: a gap's
    text goes into report.html and review.json."""

    text: str = Field(min_length=1, max_length=4_000)
    claim_ids: tuple[str, ...] = ()
    paragraph: int = Field(default=0, ge=0)
    kind: SentenceKind = "claim"


class Cited(Frozen):
    """A paper that a sentence cites, with the pages its claims stand on, and the kind of evidence of its own findings.
    Set by code from the claims."""

    paper_key: str
    pages: tuple[int, ...] = ()
    evidence: EvidenceKind | None = None


class ReviewSentence(Frozen):
    """A sentence of the manuscript. Code derives `cites` from `claim_ids`; a gap has neither.

    `let_in` holds the name and reason of the person who let in a sentence that the reviewer had not verified.
    """

    sentence_id: str
    section: str
    paragraph: int
    kind: SentenceKind
    text: str
    claim_ids: tuple[str, ...] = ()
    cites: tuple[Cited, ...] = ()
    let_in: str | None = None

    @model_validator(mode="after")
    def _grounded(self) -> ReviewSentence:
        if (self.kind == "gap") == bool(self.claim_ids):
            raise ValueError("I8: a sentence cites claims of the corpus, or is a gap and cites nothing")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """Citation keys of the sentence."""
        return tuple(cited.paper_key for cited in self.cites)


class ManuscriptSection(Frozen):
    """A section of the manuscript; `intent` is its purpose."""

    section_id: str
    title: str
    intent: str = ""
    level: int = Field(default=1, ge=1, le=3)


class Manuscript(Frozen):
    """The text of a review. `note` stands above it, set by code: who wrote it, and whether a person has approved it."""

    topic: str
    title: str
    sections: tuple[ManuscriptSection, ...]
    sentences: tuple[ReviewSentence, ...]
    writer: str
    family: str
    note: str = ""
    off_topic: tuple[str, ...] = ()
    """Keys of the papers of the corpus that have no claim on the topic."""

    @property
    def not_placed(self) -> str:
        """The sentence on the papers of the corpus that are not in the text."""
        count = plural(len(self.off_topic), "paper")
        return f"No claim on the topic was found in {count} of the corpus: {', '.join(self.off_topic)}."

    def paragraphs(self, section_id: str) -> list[list[ReviewSentence]]:
        """Return the sentences of a section, paragraph by paragraph."""
        found: dict[int, list[ReviewSentence]] = {}
        for sentence in self.sentences:
            if sentence.section == section_id:
                found.setdefault(sentence.paragraph, []).append(sentence)
        return [found[number] for number in sorted(found)]

    @property
    def keys(self) -> tuple[str, ...]:
        """Citation keys of the whole text, in its order."""
        return tuple(dict.fromkeys(key for sentence in self.sentences for key in sentence.keys))


TABLE_HEAD = ("Paper", "Evidence", "Numbers", "What it says")
"""Columns in which quotations stand side by side."""


def numbers_of(sentence: ReviewSentence) -> str:
    """Return the quantities of a quotation, as they stand in it."""
    said = read(sentence.text)
    return "; ".join(dict.fromkeys(said.text[each.start : each.end] for each in said.quantities))


def sentence_id(section: str, text: str, claim_ids: tuple[str, ...]) -> str:
    """Return the id of a sentence, from its section, text and claims."""
    return content_id("s", section, text, claim_ids)


def cites_of(claims: tuple[CorpusClaim, ...]) -> tuple[Cited, ...]:
    """Return the papers of some claims, in their order, with the pages of their quotes."""
    pages: dict[str, set[int]] = {}
    kinds = {c.paper_key: c.evidence_type for c in reversed(claims) if c.claim_type != "background"}
    for claim in claims:
        pages.setdefault(claim.paper_key, set()).update(page for page in (claim.page, *claim.also_on) if page)
    return tuple(
        Cited(paper_key=key, pages=tuple(sorted(found)), evidence=kinds.get(key)) for key, found in pages.items()
    )


def gap_of(section: ManuscriptSection, topic: str, left_out: int = 0, paragraph: int = 0) -> ReviewSentence:
    """Return the gap that stands where the corpus supports nothing, or where `left_out` sentences did not pass.

    Code words it from the section's title and the topic. Nobody judges a gap: a writer's words for it, and sentences
    that the reviewer rejected, stand in report.html and review.json and not in the text.
    """
    title = section.title
    about = title if topic.casefold() in title.casefold() else f"{title[:1].lower()}{title[1:]} of {topic}"
    bare = " ".join(about.replace("[", "(").replace("]", ")").split()).rstrip("?. ")[:300] or "this"
    text = f"[Citation needed: {bare}]"
    if left_out:
        were = "1 drafted sentence was" if left_out == 1 else f"{left_out} drafted sentences were"
        text = f"[Citation needed: {bare}; {were} left out, see report.html]"
    return ReviewSentence(
        sentence_id=sentence_id(section.section_id, text, ()),
        section=section.section_id,
        paragraph=paragraph,
        kind="gap",
        text=text,
    )
