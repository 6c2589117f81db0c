"""The reviewer's own checks: conditions, generalisation, exact quantities, vagueness, logic; and the first layer."""

from __future__ import annotations

import pytest

from veritas.gate import Gate
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.corpus_claim import CorpusClaim
from veritas.reviews.manuscript import ManuscriptSection, ReviewDraft
from veritas.reviews.reviewing.quote_oracle import CorpusOracle
from veritas.reviews.reviewing.review_verdicts import FoundQuote, Line
from veritas.reviews.reviewing.reviewer import _copied, logic, review, vague, writing
from veritas.reviews.writing.resolve_citations import fault, resolved
from veritas.testing import FakeLens

QUOTE = "After freezing, the formulation should be in solid state."


def claim(verbatim: str, claim_id: str = "q-1", key: str = "tang2004") -> CorpusClaim:
    return CorpusClaim(
        claim_id=claim_id, text=verbatim, verbatim=verbatim, paper_key=key, page=3, claim_type="finding",
        evidence_type="experimental", document_id="d" * 64, start=0, end=len(verbatim), extractor="test",
    )  # fmt: skip


def line(text: str, keys: tuple[str, ...] = ("tang2004",), **more: object) -> Line:
    given = {"sentence_id": f"s-{text[:20]}", "section": "Findings", "paragraph": 0, "kind": "claim"}
    return Line.model_validate({**given, "text": text, "keys": keys, **more})


MOISTURE = "Residual moisture fell to 1.2% at the end of secondary drying."


async def verdicts(corpus: Corpus, *lines: Line) -> list[tuple[str, str]]:
    """The reviewer's verdict on each line, and why, before a judge who grants everything."""
    gate = Gate(CorpusOracle(corpus), [FakeLens(verdict=lambda claim, passage: "supports")], rule="dedicated")
    report = await review(lines, corpus, gate, "house-a")
    return [(verdict.verdict, verdict.reason) for verdict in report.verdicts]


async def test_one_key_that_the_corpus_does_not_hold_costs_a_sentence_its_place(corpus: Corpus) -> None:
    (tang,) = (paper.paper_key for paper in corpus.papers() if "tang" in paper.paper_key)
    held, invented, none = line(MOISTURE, (tang,)), line(f"{MOISTURE} ", (tang, "nobody2001")), line("It fell.", ())
    (good, _), bad, bare = await verdicts(corpus, held, invented.model_copy(update={"sentence_id": "s-2"}), none)
    assert good == "VERIFIED"
    assert bad == ("UNGROUNDED", "the corpus has no paper nobody2001")
    assert bare == ("UNGROUNDED", "it cites nothing")


@pytest.mark.parametrize("said", ["1.3%", "less than 1.2%", "at most 1.2%", "1.2 mg", "1.1 to 1.2%"])
async def test_a_number_of_a_review_is_exactly_that_of_its_quote(corpus: Corpus, said: str) -> None:
    (tang,) = (paper.paper_key for paper in corpus.papers() if "tang" in paper.paper_key)
    ((verdict, why),) = await verdicts(corpus, line(MOISTURE.replace("1.2%", said), (tang,)))
    assert verdict == "UNVERIFIED"
    assert "is in none of the quotes" in why


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (MOISTURE, "VERIFIED"),
        ("At the end of secondary drying, residual moisture fell to 1.2%.", "VERIFIED"),
        ("Residual moisture fell to 1.2% at the end of secondary drying in all crops.", "OVERGENERALISED"),
        ("Residual moisture always fell to 1.2% at the end of secondary drying.", "OVERGENERALISED"),
        ("Residual moisture did not fall to 1.2% at the end of secondary drying.", "UNVERIFIED"),
        ("Residual moisture fell to 1.2% at the end of secondary drying, a breakthrough for vaccines.", "UNVERIFIED"),
        ("Residual moisture fell to 1.2%, and therefore the cake cures cancer.", "UNVERIFIED"),
        ("Residual moisture fell to 1.2% at the end of primary drying.", "UNVERIFIED"),
        ("Various factors play an important role in this.", "VAGUE"),
    ],
)
async def test_behind_a_judge_who_grants_everything_each_verdict_is_given(
    corpus: Corpus, text: str, verdict: str
) -> None:
    (tang,) = (paper.paper_key for paper in corpus.papers() if "tang" in paper.paper_key)
    ((found, why),) = await verdicts(corpus, line(text, (tang,)))
    assert found == verdict, why


def test_more_than_twelve_words_of_a_quote_in_prose_are_remarked() -> None:
    words = "the residual moisture of all batches fell below one percent after ten hours of drying"
    quote = FoundQuote(claim_id="q-1", paper_key="tang2004", verbatim=f"In the trial, {words}.")
    assert [flag.kind for flag in _copied(f"It is known that {words}.", [quote])] == ["verbatim"]
    assert _copied("The residual moisture of all batches fell after ten hours of drying.", [quote]) == ()


@pytest.mark.parametrize(
    ("text", "is_vague"),
    [
        ("Various factors play an important role in this.", True),
        ("It is well known that many aspects matter.", True),
        ("Sucrose kept 95% of the activity of the enzyme.", False),
        ("Annealing above the glass transition lowers the resistance of the dried layer.", False),
    ],
)
def test_what_cannot_be_checked_is_vague(text: str, is_vague: bool) -> None:
    assert (vague(text) is not None) is is_vague


def test_two_sentences_that_exclude_each_other_are_remarked() -> None:
    lines = [
        line("Annealing at -20 °C shortens primary drying by 30%."),
        line("Annealing at -20 °C shortens primary drying by 55%."),
    ]
    assert "contradiction" in [f.kind for f in logic(lines)[lines[1].sentence_id]]


def test_writing_is_remarked_on_but_not_that_of_quotations() -> None:
    lines = [
        line("The cake shrank" + " and shrank" * 40 + "."),
        line("The cake" + " shrank" * 80, kind="quotation"),
    ]
    found = writing(lines)
    assert found[lines[0].sentence_id][0].why == "it has 83 words"
    assert lines[1].sentence_id not in found


KNOWN = {"q-1": claim(QUOTE), "q-2": claim("The shelf temperature was -25 °C in all runs.", "q-2")}


@pytest.mark.parametrize(
    ("draft", "problem"),
    [
        (ReviewDraft(text="The formulation is solid.", claim_ids=("q-9",)), "invented-claim"),
        (ReviewDraft(text="The formulation is solid."), "no-citation"),
        (ReviewDraft(text="It is solid \\citep{made2020}.", claim_ids=("q-1",)), "own-citation"),
        (ReviewDraft(text="It is solid (Miller et al., 2020).", claim_ids=("q-1",)), "own-citation"),
        (ReviewDraft(text="It is solid [@miller2020].", claim_ids=("q-1",)), "own-citation"),
        (ReviewDraft(text="It is solid, see https://example.org/x.", claim_ids=("q-1",)), "own-source"),
        (ReviewDraft(text="The shelf temperature was -35 °C.", claim_ids=("q-2",)), "number"),
        (ReviewDraft(text="The shelf was at -25 °C.", claim_ids=("q-1",)), "number"),
        (ReviewDraft(text="After freezing all is solid.", claim_ids=("q-1",), kind="quotation"), "altered-quotation"),
    ],
)
def test_the_first_layer_catches_what_the_corpus_does_not_hold(draft: ReviewDraft, problem: str) -> None:
    found = fault(draft, KNOWN)
    assert found is not None
    assert found[0] == problem


def test_a_sound_draft_gets_its_key_and_page_from_code() -> None:
    draft = ReviewDraft(text="After freezing, the formulation is solid.", claim_ids=("q-1", "q-1"))
    assert fault(draft, KNOWN) is None
    sentence = resolved(draft, ManuscriptSection(section_id="results", title="Results"), KNOWN, "ice")
    assert [(c.paper_key, c.pages) for c in sentence.cites] == [("tang2004", (3,))]
    assert sentence.claim_ids == ("q-1",)


@pytest.mark.parametrize("text", ["It costs 5 [sic] units", "x" * 900, "[Citation needed: a [b] c]", "\\citep{a} only"])
def test_whatever_a_writer_says_in_it_a_gap_is_worded_by_code(text: str) -> None:
    draft = ReviewDraft(text=text, kind="gap", claim_ids=("q-1",), paragraph=2)
    assert fault(draft, {}) is None
    sentence = resolved(draft, ManuscriptSection(section_id="results", title="Results [1]"), {}, "ice")
    assert (sentence.kind, sentence.claim_ids, sentence.paragraph) == ("gap", (), 2)
    assert sentence.text == "[Citation needed: results (1) of ice]"
