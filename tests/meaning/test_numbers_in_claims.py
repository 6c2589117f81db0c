"""Numbers in claims: what is another number is not supported, what is the same written otherwise is not refuted."""

from __future__ import annotations

import pytest

from veritas.meaning.embedded import CoverageLens, EmbeddedLens, NumericLens
from veritas.meaning.embedded.short_cuts import EmbeddedJudge
from veritas.meaning.equivalence import equivalent
from veritas.text.quantities import quantities
from veritas.text.quantity_relation import relation

LENSES: list[EmbeddedJudge] = [EmbeddedLens(), CoverageLens(), NumericLens()]
every_lens = pytest.mark.parametrize("lens", LENSES, ids=lambda lens: lens.name)


@every_lens
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The mask register is set to 0xFF on reset.", "The mask register is set to 0xFFFF on reset."),
        ("The server listens on port 0x1F90 by default.", "The server listens on port 0x1F91 by default."),
        ("The sensor draws 5 A in standby.", "The sensor draws 5 mA in standby."),
        ("The survey counted half a million birds.", "The survey counted 50,000 birds."),
        ("The yield rose by a third in the second season.", "The yield rose by two thirds in the second season."),
        ("The yield rose by a fifth in the second season.", "The yield rose by a quarter in the second season."),
        ("The committee met once last year.", "The committee met twice last year."),
        ("The festival was founded in 1987 by two brothers.", "The festival was founded in 1987 BC by two brothers."),
        ("All of the respondents agreed.", "40% of the respondents agreed."),
        ("Most of the respondents agreed.", "12% of the respondents agreed."),
        ("The survey counted 45 birds.", "The survey counted more than 40 birds."),
        ("The survey counted 40 birds.", "The survey counted between 30 and 50 birds."),
        ("The club was formed in 1994 by two friends.", "The club was formed in the 1990s by two friends."),
        ("The reef is 1 nautical mile long.", "The reef is 1 mile long."),
        ("In 40 patients the drug lowered deaths by 12 percent.", "In 40 patients the drug lowered deaths."),
        ("Deaths were fewer with the drug (88 [30 percentage points]).", "Deaths were fewer with the drug (88 [30%])."),
    ],
)
def test_another_number_is_not_supported(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "supports"


@every_lens
@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("The mask register is set to 0xFF on reset.", "The mask register is set to 255 on reset."),
        ("The mask register is set to 5 on reset.", "The mask register is set to 0b101 on reset."),
        ("The survey counted 500,000 birds.", "The survey counted half a million birds."),
        ("The satellite is 36 Mm from the antenna.", "The satellite is thirty-six thousand km from the antenna."),
        ("The package requires version 1.2.3 of the library.", "The package requires version v1.2.3 of the library."),
        ("The package requires version 2 of the library.", "The package requires version 2.1 of the library."),
        ("The tank holds 1.000 litres of water.", "The tank holds 1000 litres of water."),
        ("The tank holds 1,500 litres of water.", "The tank holds 1.500 litres of water."),
        ("The crowd was one and a half million.", "The crowd was 1.5 million."),
        ("The tank holds 1,250,000 litres of oil.", "The tank holds 1.250.000 litres of oil."),
        ("The pact was signed on 13 May 2019 in Geneva.", "The pact was signed on 13/05/2019 in Geneva."),
        ("The committee met once last year.", "The committee met one time last year."),
        ("Most of the respondents agreed.", "60% of the respondents agreed."),
        ("The survey counted more than 40 birds.", "The survey counted 45 birds."),
    ],
)
def test_the_same_number_written_otherwise_is_not_refuted(lens: EmbeddedJudge, claim: str, passage: str) -> None:
    assert lens.find(claim, passage)[0] != "refutes"


@pytest.mark.parametrize(
    ("text", "low", "unit"),
    [
        ("half a million birds", 500_000, "bird"), ("half a dozen eggs", 6, "egg"),
        ("three quarters of a million birds", 750_000, "bird"), ("a half-million birds", 500_000, "bird"),
        ("half a litre", 5e-4, "m3"), ("it draws 5 A.", 5, "A"), ("it got 5 A levels", 5, ""), ("36 Mm", 3.6e7, "m"),
        ("36 MM", 0.036, "m"), ("in 44 BC, when", -44, "year"), ("in 44 BC patients", 44, "pati"),
        ("(70/221 [32%])", 32, "%"), ("rose by a third.", 100 / 3, "%"), ("set to 0x1f", 31, ""),
    ],
)  # fmt: skip
def test_how_a_number_is_read(text: str, low: float, unit: str) -> None:
    found = [q for q in quantities(text) if q.unit == unit and q.low == pytest.approx(low)]
    assert found, quantities(text)


@pytest.mark.parametrize("text", ["It fell in the 1990s.", "It opened on 3 May 2019.", "Prices doubled in a year."])
def test_a_quantity_that_nothing_bounds_begins_where_it_stands(text: str) -> None:
    assert [(q.first, q.last) for q in quantities(text)] == [(q.start, q.end) for q in quantities(text)]


def test_three_decimals_may_be_thousands() -> None:
    (a,), (b,), (c,) = (quantities(f"{number} litres") for number in ("1.500", "1,500", "0.500"))
    assert relation(a, b) == relation(b, a) == "unclear"
    assert relation(c, quantities("500 litres")[0]) == "different"


def test_feet_are_no_inches() -> None:
    assert not equivalent("The beam is 5' long.", 'The beam is 5" long.')
    assert equivalent("It is set to '5' and \"x 6\".", "It is set to 5 and x 6.")


def test_words_without_end_make_no_number() -> None:
    assert quantities("hundred and " * 400 + "million " * 60) == ()
