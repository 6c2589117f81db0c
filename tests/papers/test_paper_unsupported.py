"""What is said to lack support: findings alone, on a reason to doubt them, where somebody outside was asked."""

from __future__ import annotations

import pytest

from veritas.documents.paper_parts import Place
from veritas.papers.audit import AuditNode, Flaw, Metric
from veritas.papers.flaws import _of_nodes
from veritas.scoring.parameters import read_parameters
from veritas.scoring.roles import METRICS

DOUBT = "contradicted by 2 outside sources"
FINDING = "Shading lowers the ammonia loss of compost piles by 40 %."


def flaws_of(text: str = FINDING, role: str = "Result", why: str = DOUBT, *, outside: bool = True) -> list[Flaw]:
    low = Metric(value=0.1, why=why)
    node = AuditNode(
        id="n1", role=role, base_role=role, text=text, place=Place(start=0, end=len(text)),
        metrics=dict.fromkeys(METRICS, low),
    )  # fmt: skip
    return [f for f in _of_nodes([node], read_parameters(), outside, set()) if f.kind == "unsupported"]


@pytest.mark.parametrize(
    "why",
    [DOUBT, "it states figures; contradicted by 1 outside source", "it reports what others found and cites nobody"],
)
def test_a_finding_that_there_is_reason_to_doubt_lacks_support(why: str) -> None:
    assert len(flaws_of(why=why)) == 1


def test_where_nobody_outside_was_asked_nothing_is_said_to_lack_support() -> None:
    assert flaws_of(outside=False) == []


@pytest.mark.parametrize(
    "why",
    [
        "it states figures", "the body of the paper bears it out", "the paper shows: comparison (elsewhere)",
        "none of the signs that are looked for is in the paper", "what speaks of it outside says neither yes nor no",
    ],
)  # fmt: skip
def test_a_reason_that_speaks_for_a_statement_or_not_of_it_is_none_to_doubt_it(why: str) -> None:
    assert flaws_of(why=why) == []


@pytest.mark.parametrize("role", ["Method", "Assumption", "Context", "Hypothesis"])
def test_what_is_done_or_taken_for_granted_lacks_no_support(role: str) -> None:
    assert flaws_of(role=role) == []


@pytest.mark.parametrize(
    "text",
    [
        "Figure 3. Loss of ammonia from shaded and open piles.",
        "(C) The same for the piles of 2019.",
        "All rates can be found in Table 2.",
        "The dashed lines are defined by Eq. 4 and Eq. 6, respectively.",
        "Table 4 lists the losses of all 12 piles.",
        "The loss is defined as the nitrogen that leaves the pile as ammonia.",
        "We denote the mean loss of 12 piles by L.",
        "R. Almeida was supported by a doctoral fellowship of the Compost Foundation under Grant No. 4711.",
        "This work was funded by the Ministry of Soil.",
        "We thank two readers for their remarks on pile 7.",
    ],
)
def test_a_sentence_that_states_no_finding_lacks_no_support(text: str) -> None:
    assert flaws_of(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The view that shading lowers the loss is supported by our 12 piles.",
        "Losses fell by 40 % in shaded piles (Table 2).",
        "Ammonia was found in 9 of 12 piles.",
    ],
)
def test_a_finding_that_points_to_a_table_or_says_where_is_one(text: str) -> None:
    assert len(flaws_of(text)) == 1
