"""Conflicts and edits: differences that turn a statement round are found, and things that look like them are not."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded.claim_evidence import Statement
from veritas.meaning.embedded.conflicts import effective, local_directions, polarity_conflicts, reversed_roles
from veritas.meaning.embedded.edits import edits


def kinds(claim: str, sentence: str) -> list[str]:
    return [c.kind for c in effective(polarity_conflicts(Statement(claim), Statement(sentence)))]


@pytest.mark.parametrize(
    ("claim", "sentence", "kind"),
    [
        ("Zinc shortens colds.", "In this trial zinc did not shorten colds at all.", "negation"),
        ("Stable partnerships mean faster progression to AIDS.",
         "A stable partnership is associated with slower progression to AIDS.", "direction"),
        ("Birth weight is negatively associated with cancer.",
         "Birth weight was positively associated with cancer risk.", "direction"),
        ("The bridge is north of the town.", "The old bridge lies south of the town.", "antonym"),
    ],
)
def test_a_reversal_is_found(claim: str, sentence: str, kind: str) -> None:
    assert kind in kinds(claim, sentence)


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("Human cells engraft in a primate model.", "Human cells engraft in a non-human primate model."),
        ("We note that zinc helps.", "Zinc helps against colds."),
        ("Zinc shortens colds.", "Not only did zinc shorten colds, it eased them."),
        ("CCL19 is a ligand for CCR7.", "CCL21 resembles the ligand of CCR7, CCL19, which lacks anchoring residues."),
        ("T cells help viral control.", "CD4 T cells help viral control."),
        ("The valve does not corrode.", "The valve does not close by itself after a power cut."),
        ("By default, the pump does not leak.", "By default, the pump does not start by itself after a power cut."),
    ],
)
def test_what_only_looks_like_a_negation_is_none(claim: str, sentence: str) -> None:
    assert "negation" not in kinds(claim, sentence)


def test_two_reversals_undo_each_other() -> None:
    assert kinds("Zinc did not increase mortality.", "Zinc decreased mortality.") == []
    assert kinds("Zinc shortens colds.", "It is not so that zinc did not shorten colds.") == []


def test_direction_is_compared_at_its_object() -> None:
    sentence = Statement("Whole fruit was tied to a lower risk of diabetes, juice to a higher risk of gout.")
    assert local_directions(Statement("Fruit increases the risk of diabetes."), sentence)[1] >= 1
    assert local_directions(Statement("Fruit means a lower risk of diabetes."), sentence) == (1, 0)


@pytest.mark.parametrize(
    ("claim", "sentence", "turned"),
    [
        ("Drug A is more effective than drug B.", "Drug B is more effective than drug A.", True),
        ("Zinc inhibits copper uptake.", "In cells, copper uptake inhibits zinc.", True),
        ("Zinc inhibits copper.", "Copper is inhibited by zinc.", False),
        ("Zinc inhibits copper.", "Zinc strongly inhibits copper.", False),
        ("Zinc is inhibited by copper.", "Zinc inhibits copper.", True),
        ("Ajax beat Celtic in the final.", "Celtic beat Ajax in the final.", True),
    ],
)
def test_sides_changed_over_are_seen_and_the_passive_is_not_one(claim: str, sentence: str, turned: bool) -> None:
    assert (reversed_roles(Statement(claim), Statement(sentence)) is not None) is turned


BASE = "Daily zinc tablets shortened common colds by 2.1 days in 199 healthy adult volunteers."


@pytest.mark.parametrize(
    ("claim", "kind"),
    [
        (BASE.replace("2.1", "4.3"), "number"),
        (BASE.replace("shortened", "did not shorten"), "negation"),
        (BASE.replace("shortened common colds", "shortened rare colds"), "antonym"),
        (BASE.replace("healthy", "diabetic"), "word"),
    ],
)
def test_one_edit_to_a_sentence_is_seen_for_what_it_is(claim: str, kind: str) -> None:
    found = edits(Statement(claim), Statement(BASE))
    assert found is not None
    seen = [c.kind for c in found.conflicts] + ([found.swapped.kind] if found.swapped else [])
    assert seen == [kind]


def test_leaving_a_part_out_is_no_conflict() -> None:
    sentence = Statement("Zinc tablets shortened common colds (by 2.1 days, and not by chance) in healthy adults.")
    found = edits(Statement("Zinc tablets shortened common colds in healthy adults."), sentence)
    assert found is not None
    assert found.conflicts == ()
    assert found.swapped is None


def test_an_unrelated_sentence_has_no_edits() -> None:
    assert edits(Statement(BASE), Statement("The council met on Tuesday to discuss the new bridge.")) is None
