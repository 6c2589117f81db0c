"""A statement is supported only where the page names what it speaks of, and contradicted only by what is of it."""

from __future__ import annotations

import pytest

from veritas.factcheck.judging import judge
from veritas.factcheck.pages import ReadPage, _read

MANUAL = """# Manual of packer

## Options

### --wait-between Duration

Sleep this long between two tries. The default is `0`.

### --rate-cap N

Limit the number of requests. For example, to limit packer to 20 requests per second use --rate-cap 20.

### --depth-cap N

How deep folders are read. For historical reasons it is 7 by default.

## Status

The status code tells how the run ended:

- `0` - Finished well
- `5` - Archive not readable
- `6` - Disk not writable

## How a list is read

1. Read the list of the archives
5. Write the index if at all possible

## Format

Each archive has a trailer of 48 bytes. Blocks are filled up to a multiple of 24 bytes before compression.

If the user doesn't name a folder then packer creates a temporary one. Retry the whole job if it fails.
"""
"""A manual with options as headings, codes as items and a numbered list."""


@pytest.fixture(scope="module")
def page() -> ReadPage:
    return _read(MANUAL, "Manual of packer")


@pytest.mark.parametrize("claim", [
    "The default of --wait-between is 20 seconds.",
    "The default of --tries is 7.",
    "Status code 5 means that the run finished well.",
    "Status code 6 means that the archive is not readable.",
    "Status code 1 means success.",
    "The trailer of an archive takes 24 bytes.",
])  # fmt: skip
def test_what_is_said_of_another_thing_supports_nothing(page: ReadPage, claim: str) -> None:
    assert judge(claim, page).verdict != "supported"


@pytest.mark.parametrize("claim", [
    "Each archive has a trailer of 48 bytes.",
    "To limit packer to 20 requests per second, use --rate-cap 20.",
])  # fmt: skip
def test_what_is_said_of_the_thing_itself_supports_it(page: ReadPage, claim: str) -> None:
    assert judge(claim, page).verdict == "supported"


@pytest.mark.parametrize("claim", [
    "Packer creates a temporary folder if the user does not name one.",
    "Packer retries the whole job if it fails.",
    "The default of --tries is 10.",
])  # fmt: skip
def test_a_condition_and_another_option_contradict_nothing(page: ReadPage, claim: str) -> None:
    assert judge(claim, page).verdict != "contradicted"


@pytest.mark.parametrize("claim", [
    "Each archive has a trailer of 64 bytes.",
    "Packer creates no temporary folder if the user does not name one.",
])  # fmt: skip
def test_what_is_denied_of_the_thing_itself_is_contradicted(page: ReadPage, claim: str) -> None:
    assert judge(claim, page).verdict == "contradicted"
