"""A Z that is no normal deviate, and a p-value with a decimal comma, are not recomputed."""

from __future__ import annotations

import pytest

from veritas.papers.referee.significance import reported_tests


@pytest.mark.parametrize(
    "text",
    [
        "Normality was checked with the Kolmogorov-Smirnov test (Z = 0.056, p < 0.001).",
        "Normality was assessed by the K-S test: age Z = 0.08, p = .01.",
        "We used the Kolmogorov\u2010Smirnov test. Individual variables, but one (Z = 0.036, p = 0.060), were skewed.",
    ],
)
def test_it_is_left_alone(text: str) -> None:
    assert not list(reported_tests(text))


def test_a_normal_z_is_read() -> None:
    assert [each.kind for each in reported_tests("The groups differed (Z = 2.10, p = .036).")] == ["z"]


TORN = ["t(21.4) = 7.3, p = 2 6 10 5 . \u00d7", "t(30) = 9.2, p = 3 \u00d7 10", "t(30) = 2.5, p = 0,018"]


@pytest.mark.parametrize("torn", TORN)
def test_a_p_value_that_was_not_read_whole_is_no_p_value(torn: str) -> None:
    assert not list(reported_tests(f"The groups differed, {torn}."))
    assert len(list(reported_tests("The groups differed, t(30) = 2.5, p = .018, d = 0.4."))) == 1
