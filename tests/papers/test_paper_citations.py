"""Citations in the text: each form finds its references, what fits none is said, other numbers are none."""

from __future__ import annotations

import pytest

from veritas.documents.paper_parts import Marker
from veritas.documents.paper_sections import find_sections
from veritas.papers.reading.markers import find_markers
from veritas.papers.reading.reference_list import find_references

NUMBERED = "\n".join(f"[{n}] Almeida, R. (20{n:02d}). On barley, part {n}. Crops, 1, 1–9." for n in range(1, 13))
PLAIN = NUMBERED.replace("[", "").replace("]", ".")
DATED = "\n".join(
    [
        "Almeida, R. (2014a). On barley. Journal of Crops, 1, 1–9.",
        "Almeida, R. (2014b). On rye. Journal of Crops, 2, 1–9.",
        "Almeida, R., Berg, T., & Costa, L. (2016). On oats. Journal of Crops, 3, 1–9.",
        "de la Cruz, C. (2018). On wheat. Journal of Crops, 4, 1–9.",
        "World Barley Organization. (2019). Guidelines for storage. Geneva.",
        "Żak, Ł., & O’Neil, S. (2020). On maize. Journal of Crops, 5, 1–9.",
    ]
)


def cited(sentence: str, references: str) -> list[Marker]:
    body = "Barley grows in fields and is cut. " * 20
    text = f"A Title\n\n1 Introduction\n\n{body}{sentence}\n\nReferences\n\n{references}\n"
    sections = find_sections(text)
    return list(find_markers(text, find_references(text, sections), sections))


def keys(sentence: str, references: str) -> list[tuple[str, ...]]:
    return [marker.references for marker in cited(sentence, references)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It grows [3].", [("3",)]),
        ("It grows [1, 5–7].", [("1", "5", "6", "7")]),
        ("It grows [2-4,9].", [("2", "3", "4", "9")]),
        ("It grows [1]–[3], and not [5], [7].", [("1", "2", "3"), ("5",), ("7",)]),
        ("It grows [12; 1].", [("12", "1")]),
        ("It grows in [0, 1] and a[2020].", []),
    ],
)
def test_numbers_in_brackets_and_their_ranges(sentence: str, expected: list[tuple[str, ...]]) -> None:
    assert keys(sentence, NUMBERED) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It grows.¹ It is cut,²,³ and eaten⁴–⁶.", [("1",), ("2", "3"), ("4", "5", "6")]),
        ("It weighs 3 g/cm³ over 10⁻³ m².", []),
        ("It grows (1). It is cut (2, 3), eaten (4-8), and sold (9–12).",
         [("1",), ("2", "3"), ("4", "5", "6", "7", "8"), ("9", "10", "11", "12")]),
        ("As equation (1) and condition (2) say.", []),
    ],
)  # fmt: skip
def test_raised_numbers_and_numbers_in_parentheses(sentence: str, expected: list[tuple[str, ...]]) -> None:
    assert keys(sentence, PLAIN) == expected


def test_raised_numbers_are_footnotes_where_there_are_brackets() -> None:
    assert keys("It grows [3]. It is cut.²", NUMBERED) == [("3",)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("(Almeida et al., 2016; de la Cruz, 2018)", [("3", "4")]),
        ("(see also Almeida et al. 2016; cf. Żak and O’Neil, 2020, p. 7)", [("3", "6")]),
        ("(e.g., Almeida, 2014a,b)", [("1", "2")]),
        ("(Almeida, 2014a; Almeida, 2014b)", [("1", "2")]),
        ("Almeida, Berg, and Costa (2016) and de la Cruz\n(2018) say so.", [("3",), ("4",)]),
        ("Almeida (2014a, 2014b) says so.", [("1", "2")]),
        ("Żak & O’Neil (2020, p. 7) say so.", [("6",)]),
        ("(World Barley Organization, 2019)", [("5",)]),
        ("as Almeida et al. [2016] say", [("3",)]),
        ("(de la Cruz, 2018). It is cut (ibid., p. 3).", [("4",), ("4",)]),
        ("(in the year 2018, and in June 2014)", []),
    ],
)
def test_names_and_years(sentence: str, expected: list[tuple[str, ...]]) -> None:
    assert keys(f"It grows {sentence}.", DATED) == expected


@pytest.mark.parametrize(
    ("sentence", "references", "unresolved"),
    [
        ("It grows [3, 14].", NUMBERED, ("14",)),
        ("It grows (Nobody et al., 1999; Almeida et al., 2016).", DATED, ("Nobody et al. 1999",)),
        ("It grows (Almeida, 2014c; de la Cruz, 2018).", DATED, ("Almeida 2014c",)),
        ("It grows (ibid.).", DATED, ("ibid.",)),
    ],
)
def test_what_fits_no_reference_is_said(sentence: str, references: str, unresolved: tuple[str, ...]) -> None:
    (marker,) = cited(sentence, references)
    assert marker.unresolved == unresolved
