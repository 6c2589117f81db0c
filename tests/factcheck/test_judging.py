"""How often the check of a statement is right on a frozen sample, and what it must never say."""

from __future__ import annotations

from collections import Counter
from datetime import date

import pytest

from veritas.documents.document import Document
from veritas.factcheck.judging import judge
from veritas.factcheck.pages import ReadPage, read_page

MILL = """The Tessel paper mill

The Tessel paper mill was built in 1874 by Karl Ostrup on the river Lund. It employed 310 people in 1920 and closed in
1983. A fire destroyed the drying hall in 1911, and the hall was rebuilt of brick within two years. The mill made paper
for newspapers and, from 1950 on, cardboard for boxes.

Today

The town bought the buildings in 1991 for 2.4 million kroner. The machine hall is a museum now and is open from May to
September. Some 18,000 people visit it each year. The chimney is 42 metres high and was taken off the list of protected
buildings in 2005 because it leans.
"""
BACKUP = """Keeping old copies

The tool keeps deleted files in a folder called attic. By default files stay in the attic for 30 days. Setting the
period to 0 keeps them for ever: no file is then removed from the attic. The attic is not sent to other devices.

Limits

A file larger than 4 GB is not kept. The option --max-copies sets how many copies of one file are kept, and its default
is 5. Copies are compressed with zstd. The tool needs at least 512 MB of memory and runs on Linux and macOS.
"""
TRIAL = """Walking after knee surgery

We asked 212 patients in four hospitals to walk with a trainer for six weeks after knee surgery, or to walk alone. Those
with a trainer walked 640 metres in the test, those without 575 metres. Pain did not differ between the two groups.
Eleven patients left the study. The trial was paid for by the Arn foundation, which had no part in the analysis.

Limits of the study

All hospitals were in cities. Patients over 80 years were not asked, so that the results may not hold for them.
"""
SAMPLE = [
    (MILL, "supported", [
        "The Tessel paper mill was built by Karl Ostrup in 1874.", "The mill closed in 1983.",
        "In 1911 a fire destroyed the drying hall.", "The chimney is 42 metres high.",
        "The machine hall is a museum.",
    ]),
    (MILL, "contradicted", [
        "The Tessel paper mill was built in 1784 by Karl Ostrup.", "The chimney is 24 metres high.",
        "The mill employed 130 people in 1920.", "The town bought the buildings in 1991 for 4.2 million kroner.",
    ]),
    (MILL, "not_in_source", [
        "Its last director was a brother of the mayor.", "The mill had a football club of its own.",
        "Steam engines from Leeds drove the saws.", "The river froze in the winter of 1941.",
    ]),
    (BACKUP, "supported", [
        "Deleted files are kept in a folder called attic.", "By default files stay in the attic for 30 days.",
        "Copies are compressed with zstd.", "The attic is not sent to other devices.",
        "A file larger than 4 GB is not kept.",
    ]),
    (BACKUP, "contradicted", [
        "By default files stay in the attic for 90 days.", "The attic is sent to other devices.",
        "The tool needs at least 256 MB of memory.", "A file larger than 8 GB is not kept.",
    ]),
    (BACKUP, "not_in_source", [
        "Passwords can be stored in a keyring.", "The program has a graphical interface in Dutch.",
        "Version 7 was written in Haskell.", "Support costs 20 dollars a month.",
    ]),
    (TRIAL, "supported", [
        "Pain did not differ between the groups.", "Eleven patients left the study.",
        "The trial was paid for by the Arn foundation.", "Patients over 80 years were not asked.",
        "212 patients in four hospitals were asked.",
    ]),
    (TRIAL, "contradicted", [
        "Pain differed between the two groups.", "Nineteen patients left the study.",
        "Patients in nine hospitals walked with a trainer for six weeks after knee surgery.",
        "Those with a trainer walked 460 metres in the test.", "Patients over 80 years were asked.",
    ]),
    (TRIAL, "not_in_source", [
        "Swimming is better than cycling for the elderly.", "The surgeons used a robot from Osaka.",
        "Insurance companies pay for the course.", "Nurses wrote a diary of their shifts.",
    ]),
]  # fmt: skip
"""Invented pages, and statements with their labels: 15 supported, 13 contradicted, 12 of which a page says nothing."""


def page(text: str) -> ReadPage:
    return read_page(
        Document(
            document_id="d", url="https://a.example/", title=text.partition("\n")[0], text=text,
            fetched_at=date(2026, 1, 1),
        )
    )  # fmt: skip


def test_the_sample_is_judged_as_it_is_labelled_two_times_in_three() -> None:
    told = Counter((label, judge(claim, page(text)).verdict) for text, label, claims in SAMPLE for claim in claims)
    assert told.total() == 40
    assert sum(count for (label, verdict), count in told.items() if label == verdict) >= 26, told
    assert told["contradicted", "supported"] <= 2, told
    assert told["supported", "contradicted"] <= 2, told
    assert told["not_in_source", "supported"] == 0, told


def test_what_a_value_prevents_is_not_supported() -> None:
    text = (
        "Old copies\n\nThe attic keeps deleted files. The purge period is the number of days after which a file is "
        "removed from the attic. A period of zero prevents any file from being removed from the attic.\n"
    )
    claim = "Setting the purge period of the attic to zero removes files from the attic at once."
    assert judge(claim, page(text)).verdict != "supported"


def test_another_value_is_named() -> None:
    found = judge("The chimney is 24 metres high.", page(MILL))
    assert found.verdict == "contradicted"
    assert "42 metres" in found.difference
    assert found.passage is not None
    assert "The chimney is 42 metres high" in found.passage.text


def test_a_heading_supports_nothing() -> None:
    text = "Notes\n\nThe tower was blown up in 1944\n\nIt is not known when the tower was lost, nor by whom.\n"
    assert judge("The tower was blown up in 1944.", page(text)).verdict != "supported"


@pytest.mark.parametrize("language", ["", "German"])
def test_a_language_that_is_not_read_cannot_be_told(language: str) -> None:
    found = judge("Die Mühle wurde im Jahr 1874 von Karl Ostrup am Fluss gebaut.", page(MILL), language)
    assert found.verdict == "cannot_tell"
    assert "German" in found.difference


def test_a_short_sentence_is_in_the_language_of_its_text() -> None:
    assert judge("Der Schornstein ist 24 Meter hoch.", page(MILL), "German").verdict == "cannot_tell"
    assert judge("The chimney is 24 metres high.", page(MILL), "German").verdict == "contradicted"


def test_arithmetic_with_the_pages_figures_is_shown() -> None:
    text = "Cables\n\nIn 2019 the county counted 3 broken cables of 12.\n"
    found = judge("In 2019, 25 % of the cables were broken.", page(text))
    assert found.verdict in ("supported", "cannot_tell")
    assert found.calculation == "3 of 12 = 25 %"
