"""A BibTeX file under edit is read as if it were read whole, and what did not change is not read again."""

from __future__ import annotations

import random

import pytest

from veritas.citations.bibliography.formats import bibtex_revisions
from veritas.citations.bibliography.formats.bibtex_entries import RawEntry, entries_from, read_bibtex
from veritas.citations.bibliography.formats.bibtex_revisions import read_revision

PARTS = (
    "@article{k%d,\n  title = {On a {B} thing},\n  year = 2020\n}\n",
    '@book(b%d, title = "A \\"q\\" b", year={1}\n)\n\n',
    "% @misc{x,\n",
    "@comment{ @misc{c%d, title={z}} }\n",
    "@misc{d%d, title={open\n",
    '@misc{e%d, title="open\n',
    'junk {} "\n',
    '@misc{g%d, title = a # " b", note={c\\}d}}\n',
    "  @online{h%d,title={A},}\n",
    "@string{a = {B}}\n",
    "@misc{f%d, crossref={k1}}\n",
    '@preamble{"x"}\n',
)
TYPED = [*'{}"(),=@%\\\n #', "", "@misc{n,", "@article{zz, title={T}}\n", "title = {x}", '"x"', "}\n}\n"]
TYPED += ["@string{q={1}}"]


@pytest.mark.parametrize("seed", range(40))
def test_entries_after_an_edit_are_those_of_the_whole_text(seed: int) -> None:
    draw = random.Random(seed)
    weights = [6, 2, 1, 1, 0.5, 0.5, 1, 1, 1, *[0.1] * 3]
    text = "".join(part.replace("%d", str(at)) for at, part in enumerate(draw.choices(PARTS, weights, k=12)))
    revision = read_revision(text, "f.bib")
    for _ in range(15):
        at = draw.randrange(len(text) + 1)
        text = text[:at] + draw.choice(TYPED) + text[at + draw.choice([0, 0, 0, 1, 1, 2, 5, 40]) :]
        revision = read_revision(text, "f.bib", revision)
        assert list(revision.entries) == read_bibtex(text, "f.bib")


@pytest.mark.parametrize("place", ["@article{k250", "title = {T 499}", "year = 2020"])
def test_a_change_in_one_entry_reads_no_more_than_its_neighbours(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "".join(f"@article{{k{at},\n  title = {{T {at}}},\n  year = 2020\n}}\n\n" for at in range(500))
    before, read = read_revision(text, "f.bib"), list[RawEntry]()

    def counted(text: str, at: int, macros: dict[str, str]) -> object:
        for each in entries_from(text, at, macros):
            read.append(each)
            yield each

    monkeypatch.setattr(bibtex_revisions, "entries_from", counted)
    at = text.rindex(place)
    changed = f"{text[:at]}\n{text[at:]}"
    after = read_revision(changed, "f.bib", before)
    assert 1 <= len(read) <= 4
    assert list(after.entries) == read_bibtex(changed, "f.bib")
