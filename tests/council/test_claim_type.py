"""The type of a claim follows its words."""

from __future__ import annotations

import pytest

from veritas.council.embedded.members import claim_type


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        ("Mortality fell by 12%.", "numerical"),
        ("The results suggest that mortality fell by 12%.", "numerical"),
        ("The results suggest that aspirin helps.", "interpretive"),
        ("We believe that aspirin helps.", "interpretive"),
        ("It could be argued that aspirin helps.", "interpretive"),
        ("This may indicate a benefit of aspirin.", "interpretive"),
        ("The results suggest a benefit of aspirin.", "factual"),
        ("DuckDB is easy to install.", "factual"),
        ("CPython interprets bytecode in a loop.", "factual"),
        ("The interpretive layer runs bytecode.", "factual"),
        ("Aspirin is likely to help most patients.", "factual"),
        ("The powerful engine should be cooled.", "factual"),
        ("The ideal gas law is an equation of state.", "factual"),
        ("The argument is expected to be a string.", "factual"),
        ("The forecast was wrong.", "factual"),
        ("Output is projected to rise.", "predictive"),
        ("The bridge will open by 2031.", "predictive"),
        ("Sales are expected to double by 2030.", "predictive"),
        ("The function will return None.", "factual"),
        ("DuckDB was first released in 2019.", "factual"),
        ("The phosphatase DUSP4 is a protein.", "factual"),
    ],
)
def test_the_type_of_a_claim_follows_its_words(claim: str, expected: str) -> None:
    assert claim_type(claim) == expected
