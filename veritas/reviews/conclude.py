"""Settle a review: turn drafts, verdicts, revisions and persons' decisions into the text as it stands.

This is done anew each time a review is resumed, so that an approval given meanwhile shows at once. It is pure except
for the questions to persons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veritas.approvals import Approval, Case, CasePassage, Person, ask, find
from veritas.council.families import is_embedded, one_family
from veritas.frozen import content_id
from veritas.reviews.corpus_claim import CLAIM_KINDS
from veritas.reviews.manuscript import Manuscript, ReviewDraft, ReviewSentence, gap_of
from veritas.reviews.review_document import CorpusState, Layers, LeftOut, Review, StopNote
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.reviewing.review_verdicts import SentenceVerdict
from veritas.reviews.reviewing.reviewer import Report
from veritas.reviews.stage_outputs import Revised, Slot, Written
from veritas.reviews.writing.resolve_citations import LayerOne, without_doubles

FOR_A_PERSON = frozenset({"overgeneralisation", "condition", "contradiction", "idle-citation"})
"""Flags on a verified sentence that a person is asked about."""


@dataclass
class _Placed:
    """A slot on its way into the text."""

    sentence: ReviewSentence | None
    """The sentence that stands there if nobody objects; None: a gap."""
    draft: ReviewDraft
    section: str
    caught_by: int
    """1 or 2 for the layer that caught the draft, 0 for none."""
    verdict: SentenceVerdict | None = None
    """The reviewer's last verdict on `sentence`, or on the one that is `held`."""
    held: ReviewSentence | None = None
    """The sentence that is left out."""
    final: bool = False
    """True if nobody can let in the held sentence: its words or quotes do not stand in the works it cites (I1)."""

    @property
    def remarks(self) -> tuple[str, ...]:
        """Remarks on a sentence that stands in the text, about which a person is asked."""
        if self.sentence is None or self.verdict is None:
            return ()
        return tuple(flag.why for flag in self.verdict.flags if flag.kind in FOR_A_PERSON)


async def settled(
    written: Written,
    first: Report,
    revised: Revised,
    person: Person | None,
    home: Path | None,
    *,
    corpus_stop: StopNote,
    cut_back: str = "",
    **about: Any,
) -> Review:
    """The review with everything persons have decided so far. With `person` it waits for them: for each sentence first,
    then for the text as it is after that. Who approved another text has not approved this one. `cut_back` says what the
    budget did not allow."""
    review_id, topic = about["review_id"], about["topic"]
    placed = [_place(slot, first, revised) for slot in written.slots]
    asked: dict[int, Approval] = {}
    for number, slot in enumerate(placed):
        if slot.remarks or (slot.held is not None and not slot.final):
            asked[number] = await _ask_about(slot, review_id, topic, person, home)
    if person is not None and asked:
        await person.wait(list(asked.values()))
        asked = {n: find(a.approval_id, home=home) for n, a in asked.items()}
    sections = {section.section_id: section for section in written.draft.sections}
    sentences: list[ReviewSentence] = []
    gone: Counter[str] = Counter()
    left_out: list[LeftOut] = []
    rejected = restored = passed = 0
    for number, slot in enumerate(placed):
        approval = asked.get(number)
        state = approval.state() if approval else "none"
        if slot.sentence is not None and not (slot.remarks and state == "rejected"):
            if slot.sentence.kind == "gap":  # worded anew: one of an older review holds words of its writer
                sentences.append(gap_of(sections[slot.section], topic, paragraph=slot.draft.paragraph))
            else:
                sentences.append(slot.sentence)
                passed += slot.caught_by == 0
                restored += slot.caught_by > 0
            continue
        if slot.sentence is not None:
            rejected += 1
            left_out.append(_left_out(slot.sentence, "VERIFIED", f"a person rejected it: {_by(approval)}", approval))
            continue
        if slot.held is not None and state == "approved":
            sentences.append(slot.held.model_copy(update={"let_in": _by(approval)}))
            restored += 1
        else:
            gone[slot.section] += 1
            sentences.append(gap_of(sections[slot.section], topic, 1, slot.draft.paragraph))
        if slot.held is not None and slot.verdict is not None:
            left_out.append(_left_out(slot.held, slot.verdict.verdict, slot.verdict.reason, approval))
    layers = Layers(
        drafted=len(placed),
        gaps=sum(p.caught_by == 1 for p in placed),
        reviewer=sum(p.caught_by == 2 for p in placed),
        person=rejected,
        restored=restored,
        passed=passed,
    )
    # One gap a section says how many sentences are not there: what they said is in report.html.
    alone = {gap_of(s, topic, 1).sentence_id: s for s in sections.values()}
    text = without_doubles(
        [
            gap_of(alone[s.sentence_id], topic, gone[s.section], s.paragraph) if s.sentence_id in alone else s
            for s in sentences
        ]
    )
    text_stop = await _ask_about_text(written.draft.title, text, about, person, home)
    if person is not None:
        await person.wait([text_stop])
        text_stop = find(text_stop.approval_id, home=home)
    stop = _note(text_stop)
    note = _standing(written.draft, (first, revised.report), corpus_stop, stop)
    note = f"{note} {cut_back}" if cut_back else note
    manuscript = written.draft.model_copy(update={"sentences": text, "note": note})
    return Review(
        draft=written.draft,
        manuscript=manuscript,
        layer_one=tuple(caught for slot in written.slots if (caught := _caught(slot, written)) is not None),
        first=first,
        second=revised.report,
        revisions=revised.revisions,
        left_out=tuple(left_out),
        layers=layers,
        corpus_stop=corpus_stop,
        text_stop=stop,
        **about,
    )


def _caught(slot: Slot, written: Written) -> LayerOne | None:
    """Return what the first layer kept out of the text, including the words that a model put into a gap."""
    if slot.caught is not None or slot.draft.kind != "gap" or is_embedded(written.draft.family):
        return slot.caught
    why = "the writer's word for what is missing: a gap is worded by code"
    return LayerOne(section=slot.section, problem="gap", text=slot.draft.text, why=why)


def _place(slot: Slot, first: Report, revised: Revised) -> _Placed:
    sentence = slot.sentence
    if sentence is not None and sentence.kind == "gap":
        return _Placed(sentence, slot.draft, slot.section, caught_by=1)
    verdict = first.of(sentence.sentence_id) if sentence else None
    if verdict is not None and verdict.verdict == "VERIFIED":
        return _Placed(sentence, slot.draft, slot.section, caught_by=0, verdict=verdict)
    layer = 1 if slot.caught is not None else 2
    after = next((r.after for r in revised.revisions if r.sentence_id == slot.subject), None)
    if after is not None:
        sentence, verdict = after, revised.report.of(after.sentence_id)
        if verdict is not None and verdict.verdict == "VERIFIED":
            return _Placed(after, slot.draft, slot.section, caught_by=layer, verdict=verdict)
    return _Placed(
        None, slot.draft, slot.section, caught_by=layer, verdict=verdict, held=sentence, final=_final(sentence, verdict)
    )


def _final(sentence: ReviewSentence | None, verdict: SentenceVerdict | None) -> bool:
    """Return `_Placed.final`: True for an altered quotation, or a quote that the oracle finds nowhere."""
    if sentence is not None and sentence.kind == "quotation":
        return True
    return verdict is not None and verdict.decision is not None and verdict.decision.verdict == "fabricated"


async def ask_about_corpus(
    state: CorpusState, request: ReviewRequest, review_id: str, person: Person | None, home: Path | None
) -> StopNote:
    """Ask a person, at the first stop, whether this corpus may be the limit of what the review can say."""
    kinds = ", ".join(f"{sum(state.kinds[kind].values())} {kind}" for kind in CLAIM_KINDS if kind in state.kinds)
    papers = ", ".join(state.keys[:60]) + (f" and {len(state.keys) - 60} more" if len(state.keys) > 60 else "")
    approval = await ask(
        "review-corpus",
        state.content_hash[:16],
        f"The review of “{request.topic}” can say only what the papers of the corpus {state.name} say. Approve the "
        f"corpus if they are the right ones: veritas approve {content_id('d', state.content_hash)}",
        Case(
            claim=f"The corpus {state.name} ({state.papers} papers, {state.claims} claims) is fit for a review of "
            f"“{request.topic}”",
            question=request.topic,
            passages=(
                CasePassage(text=papers, source=f"{state.papers} papers"),
                CasePassage(text=kinds, source="claims"),
            ),
        ),
        decision_id=content_id("d", state.content_hash),
        options=(
            "approve: the review is written from these papers alone",
            "reject: nothing is written from this corpus",
            "do nothing: what is written stays marked as a draft",
        ),
        then=f"veritas review --resume {review_id}",
        expires_at=person.until() if person else None,
        home=home,
    )
    if person is not None and approval.state() == "pending":
        await person.wait([approval])
        approval = find(approval.approval_id, home=home)
    return _note(approval)


async def _ask_about_text(
    title: str, text: Sequence[ReviewSentence], about: dict[str, Any], person: Person | None, home: Path | None
) -> Approval:
    """Ask a person, at the second stop, about the text as it would be published, with its gaps and sentences let in."""
    kept = [sentence for sentence in text if sentence.kind != "gap"]
    gaps = len(text) - len(kept)
    key = content_id("d", about["review_id"], [s.sentence_id for s in text])
    return await ask(
        "review-text",
        content_id("s", [s.sentence_id for s in text]),
        f"“{title}” is marked as a draft until a person has read it as a whole. Approve it if it may go out: veritas "
        f"approve {key}",
        Case(
            claim=f"“{title}” says what its sources say and may go out",
            question=about["topic"],
            passages=(
                CasePassage(text=" ".join(s.text for s in text)[:6_000], source=f"{len(kept)} sentences, {gaps} gaps"),
            ),
        ),
        run_id=about["review_id"],
        decision_id=key,
        options=(
            "approve: the text is no draft any more, and says who read it",
            "reject: it stays a draft, with your reason",
            "do nothing: it stays a draft",
        ),
        then=f"veritas review --resume {about['review_id']}",
        expires_at=person.until() if person else None,
        home=home,
    )


async def _ask_about(slot: _Placed, review_id: str, topic: str, person: Person | None, home: Path | None) -> Approval:
    """Ask a person about a sentence: to let in one that is left out, or to take out one with a remark."""
    sentence, verdict = slot.sentence or slot.held, slot.verdict
    assert sentence is not None
    key = content_id("d", review_id, sentence.sentence_id)
    shown = sentence.text if len(sentence.text) <= 200 else sentence.text[:199] + "…"
    if slot.sentence is None:
        why = verdict.reason if verdict else "nothing carries it"
        told = (
            f"You probably expected “{shown}” to be in the review; it was left out because {why.rstrip('. ')}; "
            f"override with: veritas approve {key}"
        )
        options = (
            "approve: it is in the text, marked as approved by you", "reject: it stays out",
            "do nothing: it stays out as well",
        )  # fmt: skip
    else:
        why = "; ".join(slot.remarks)
        told = (
            f"You probably take “{shown}” for what its sources say, and its quotes carry it; it is put before you "
            f"because {why.rstrip('. ')}; take it out with: veritas approve {key} --reject"
        )
        options = ("approve: it stays in the text", "reject: it is taken out", "do nothing: it stays, with the remark")
    quotes = verdict.quotes if verdict else ()
    return await ask(
        "review-sentence",
        sentence.sentence_id,
        told,
        Case(
            claim=sentence.text,
            question=topic,
            passages=tuple(
                CasePassage(text=q.verbatim, source=q.paper_key + (f", p. {q.page}" if q.page else "")) for q in quotes
            ),
            oracle=verdict.reason if verdict else "",
            judgments=verdict.decision.judgments if verdict and verdict.decision else (),
            why=why,
        ),
        run_id=review_id,
        decision_id=key,
        options=options,
        then=f"veritas review --resume {review_id}",
        expires_at=person.until() if person else None,
        home=home,
    )


def _note(approval: Approval) -> StopNote:
    return StopNote(approval_id=approval.approval_id, state=approval.state(), by=_by(approval) or None)


def _by(approval: Approval | None) -> str:
    return f"{approval.by}: {approval.why}" if approval and approval.voices else ""


def _left_out(sentence: ReviewSentence, verdict: str, reason: str, approval: Approval | None) -> LeftOut:
    asked = {"approval_id": approval.approval_id, "state": approval.state()} if approval else {"state": "none"}
    about = {"sentence": sentence, "verdict": verdict, "reason": reason, "by": _by(approval) or None}
    return LeftOut.model_validate({**about, **asked})


def _standing(draft: Manuscript, reports: Sequence[Report], corpus: StopNote, text: StopNote) -> str:
    """Return the note that code puts above the text: how it was made and judged, and whether persons approved it."""
    made = "Every sentence cites claims of the corpus and was held against their quotes by an independent reviewer."
    decisions = [v.decision for report in reports for v in report.verdicts if v.decision is not None]
    judges = {j.lens: j.family for d in decisions for j in d.judgments}
    if is_embedded(draft.family):
        made = (
            "An outline with its evidence, made without a language model, and no review to be read as one: what each "
            "paper says stands word for word beside the others."
        )
    elif not judges:
        made = f"Written by language models of the family {draft.family}. Nobody judged it."
    elif one_family(draft.family, judges.values()):
        rules = ", ".join(dict.fromkeys(d.rule for d in decisions if d.judgments))
        made = (
            f"Written by one family of language models ({draft.family}), and no other was there to judge it. Every "
            f"sentence cites claims of the corpus and was held against their quotes by rules without a language model "
            f"({', '.join(judges)}; {rules} in gate.yaml), which know little but words and numbers."
        )
    if corpus.state == "approved" and text.state == "approved":
        return f"{made} The corpus was approved by {corpus.by}; the text by {text.by}."
    missing = [what for what, stop in (("corpus", corpus), ("text", text)) if stop.state != "approved"]
    return f"{made} Draft: no person has approved the {' and the '.join(missing)} yet."
