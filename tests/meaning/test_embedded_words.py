"""Words, sentences and abbreviations: what the embedded lenses see as one and the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veritas.meaning.embedded.claim_evidence import Alignment, Passage, Statement
from veritas.text.abbreviations import abbreviations
from veritas.text.sentences import MAX_STATEMENT, statements
from veritas.text.stems import fold, stem
from veritas.text.tokens import tokens


@pytest.mark.parametrize(
    "family",
    [
        "inhibit inhibits inhibited inhibiting inhibition inhibitor inhibitors inhibitory",
        "activate activates activated activating activation activity",
        "increase increases increased increasing",
        "tumour tumours tumor tumors",
        "analysis analyses",
        "study studies",
    ],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(("a", "b"), [("note", "not"), ("mouse", "most"), ("increase", "decrease"), ("nine", "non")])
def test_different_words_keep_different_stems(a: str, b: str) -> None:
    assert stem(a) != stem(b)


def test_greek_letters_and_accents_fold_to_plain_letters() -> None:
    assert fold("TGFβ") == "tgfbeta"
    assert fold("Lançon") == "lancon"


def test_a_compound_is_met_whether_written_in_one_or_with_a_hyphen() -> None:
    claim = Statement("TGFβ drives fibrosis")
    alignment = Alignment(claim, Passage("In mice, TGF-beta drives fibrosis.", claim))
    assert alignment.passage_coverage == 1.0


def test_an_abbreviation_stands_for_what_the_passage_spells_out() -> None:
    found = abbreviations("The autoimmune regulator (Aire) acts with nuclear factor kappa B (NFKB).")
    assert found["aire"] == ("autoimmun", "regul")
    claim = Statement("Aire is needed")
    passage = Passage("The autoimmune regulator is needed. We call the autoimmune regulator (Aire) so.", claim)
    assert Alignment(claim, passage).coverage[0] > 0.8


def test_decimal_points_and_abbreviations_do_not_end_a_sentence() -> None:
    text = "Smith et al. found 3.5 mg enough. Dr. Jones disagreed (Fig. 2).\nA heading\nThe end."
    assert [text[a:b] for a, b in statements(text)] == [
        "Smith et al. found 3.5 mg enough.", "Dr. Jones disagreed (Fig. 2).", "A heading", "The end.",
    ]


@given(st.text(max_size=400))
def test_sentences_are_in_order_trimmed_and_never_overlap(text: str) -> None:
    last = 0
    for start, end in statements(text):
        assert last <= start < end <= len(text)
        assert end - start <= MAX_STATEMENT
        assert text[start:end].strip() == text[start:end]
        last = end


@given(st.text(max_size=400))
def test_token_offsets_point_at_the_token(text: str) -> None:
    for token in tokens(text):
        assert text[token.start : token.end] == token.text
