"""The exact layer: what must match to the letter or by value, and what may be written otherwise."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.judging.exact import differences, read


def kinds(claim: str, passage: str) -> list[str]:
    return [str(d.kind) for d in differences(claim, passage)]


@pytest.mark.parametrize(
    ("claim", "passage", "kind"),
    [
        ("Tokens are sent over FTP.", "Tokens are sent over FTPS.", "acronym"),
        ("The report deals with SIP in clinics.", "The report deals with SIPS in clinics.", "acronym"),
        ("Infants get vitamin K.", "Infants get vitamin D.", "letter"),
        ("It is written in D.", "It is written in D#.", "letter"),
        ("The gene is TP53.", "The gene is TP63.", "identifier"),
        ("Use --keep to leave the files.", "Use --no-keep to leave the files.", "identifier"),
        ("The flag -v prints more.", "The flag -V prints more.", "identifier"),
        ("Call os.remove first.", "Call os.rename first.", "identifier"),
        ("It works with Trill 4.1.3.", "It works with Trill 4.1.2.", "version"),
        ("It runs if a == b.", "It runs if a != b.", "operator"),
        ("The line carries 20 Gb a second.", "The line carries 20 GB a second.", "unit"),
        ("The dose was 40 mg.", "The dose was 4 mg.", "number"),
        ("The town had 12,400 people.", "The town had 1,240 people.", "number"),
        ('The board called it "a great loss".', 'The board called it "a small loss".', "quotation"),
        ("Data go from B to A.", "Data go from A to B.", "order"),
        ("The ferry runs from Lund to Ystad.", "The ferry runs from Ystad to Lund.", "order"),
    ],
)
def test_a_term_that_differs_is_named(claim: str, passage: str, kind: str) -> None:
    (first, *_) = differences(claim, passage)
    assert first.kind == kind
    assert first.second in claim
    assert str(first)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The two APIs answer in 2 s.", "Each API answers within 2,000 ms."),
        ("The WHO set up a panel.", "The World Health Organization set up a panel."),
        ("A road leads to the mill.", "To the mill leads a road."),
        ("The pool held 33,731 men and 18,784 women.", "There were 33731 men and 18784 women in the pool."),
        ("Half of the hives died.", "Some 50 % of the hives died."),
        ('He called it "A great  loss".', "He called it “a great loss”, and left."),
        ("It needs v2.1.0.", "It needs 2.1.0 or newer."),
        ("TGF-β1 rose in group A and in group B.", "In group A and in group B there was more TGF-β1."),
    ],
)
def test_another_way_to_write_the_same_is_no_difference(claim: str, passage: str) -> None:
    assert kinds(claim, passage) == []


def test_a_title_may_have_a_name_and_no_value() -> None:
    assert list(differences("XQL has 4 modes.", "It has 4 modes.", around="The XQL manual")) == []
    assert kinds("It has 5 modes.", "It has 4 modes.") == ["number"]
    assert [d.kind for d in differences("It has 5 modes.", "It has 4 modes.", around="5 modes")] == ["number"]


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_text_is_read_and_differs_from_itself_in_nothing(claim: str, passage: str) -> None:
    found = read(claim)
    assert [term.start for term in found.terms] == sorted(term.start for term in found.terms)
    assert list(differences(claim, claim)) == []
    for difference in differences(claim, passage):
        assert str(difference)
