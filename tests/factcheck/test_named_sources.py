"""Sources that a text calls by the names of a corpus: files, titles, relative links, addresses of their pages."""

from __future__ import annotations

from pathlib import Path

import pytest

import veritas
from veritas.factcheck.outcome import FactCheck

FORGET = "Removing old copies\n###################\n\nThe forget command removes copies by a policy.\n"
TUNING = "Tuning parameters\n#################\n\nThe program defaults to a pack size of 16 MiB.\n"
README = "# Stow\n\nStow is written in Go. Its manual is at https://stow.readthedocs.io/en/latest/.\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "stow"
    (made / "doc").mkdir(parents=True)
    (made / "README.md").write_text(README)
    (made / "doc" / "060_forget.rst").write_text(FORGET)
    (made / "doc" / "047_tuning.rst").write_text(TUNING)
    (made / "doc" / "installation.rst").write_text("Installation\n############\n\nA package is in Debian.\n")
    return made


def held(text: str, folder: Path) -> FactCheck:
    return veritas.check_facts(text, corpus=folder, offline=True)


@pytest.mark.parametrize(
    "entry",
    [
        "047_tuning.rst",
        "doc/047_tuning.rst, section Pack size",
        "`047_tuning.rst`",
        "Tuning parameters",
        "“Tuning parameters”, the manual of Stow",
        "corpus://stow/doc/047_tuning.rst",
        "*Tuning*. corpus&#58;//stow/doc/047\\_tuning.rst (tier 1)",
        "https://stow.readthedocs.io/en/latest/047_tuning.html",
        "https://stow.readthedocs.io/en/latest/047_tuning/",
    ],
)
def test_a_list_names_documents_of_the_corpus(entry: str, folder: Path) -> None:
    check = held(f"The program defaults to a pack size of 16 MiB.[1]\n\nReferences\n[1] {entry}\n", folder)
    assert check.counts == {"supported": 1}
    assert check.sources[0].final_url == "corpus://stow/doc/047_tuning.rst"


@pytest.mark.parametrize(
    "mark", ["([tuning](047_tuning.rst))", "([tuning](../doc/047_tuning.html#pack-size))", "(see doc/047_tuning.rst)"]
)
def test_a_relative_link_leads_into_the_corpus(mark: str, folder: Path) -> None:
    check = held(f"The program defaults to a pack size of 16 MiB {mark}.", folder)
    assert check.counts == {"supported": 1}


def test_a_list_without_numbers_names_the_documents_of_its_section(folder: Path) -> None:
    listed = "\n\nSources:\n- 047_tuning.rst\n- 060_forget.rst\n"
    check = held(f"The program defaults to a pack size of 16 MiB.{listed}", folder)
    assert check.counts == {"supported": 1}


@pytest.mark.parametrize(
    "entry",
    [
        "048_tuning.rst",
        "Tuning of pianos",
        "https://other.example/install/installation.html",  # a name that many projects have, on a host of others
        "Berg, A. On packs. Journal of Packs, 12, 2019.",
    ],
)
def test_what_the_corpus_does_not_have_is_no_finding(entry: str, folder: Path) -> None:
    check = held(f"The program defaults to a pack size of 16 MiB.[1]\n\nReferences\n[1] {entry}\n", folder)
    assert check.counts == {"unreachable": 1}
    assert not check.has_findings
    assert "distrust" not in check.headline


def test_a_named_source_without_an_address_is_told_how_to_mend(folder: Path) -> None:
    text = "The program defaults to a pack size of 16 MiB.[1]\n\nReferences\n[1] Tuning of pianos\n"
    notes = held(text, folder).notes
    assert any("--corpus" in note for note in notes)
    assert not any("loses its list" in note for note in notes)
    lost = held("The program defaults to a pack size of 16 MiB.[1]", folder)
    assert lost.counts == {"mark_without_source": 1}
    assert any("loses its list" in note for note in lost.notes)


@pytest.mark.parametrize("mark", ["[@berg2019]", "\\cite{berg2019}", "[@berg2019], [@ek2020]"])
def test_a_key_without_a_bibliography_accuses_nobody(mark: str, folder: Path) -> None:
    check = held(f"The program defaults to a pack size of 16 MiB {mark}.", folder)
    assert check.counts == {"unreachable": 1}
    assert not check.has_findings
    assert any("the bibliography beside the text (--sources" in note for note in check.notes)
    assert not any("loses its list" in note or "--corpus" in note for note in check.notes)


def test_a_key_that_the_bibliography_lacks_is_a_mark_without_a_source(folder: Path) -> None:
    text = "The program defaults to a pack size of 16 MiB [@berg2019]."
    known = "@misc{ek2020, title = {Packs}, url = {https://a.example/packs}}"
    assert veritas.check_facts(text, sources=known, corpus=[folder], offline=True).counts == {"mark_without_source": 1}


def test_a_common_name_counts_on_a_host_that_the_corpus_names(folder: Path) -> None:
    text = "A package is in Debian.[1]\n\nReferences\n[1] https://stow.readthedocs.io/en/latest/installation.html\n"
    assert held(text, folder).counts == {"supported": 1}
    (folder / "doc" / "api.rst").write_text("API\n###\n\nThe call open() takes a path.\n")
    named = "The call open() takes a path.[1]\n\nReferences\n[1] https://{}/en/latest/api.html\n"
    assert held(named.format("stow.readthedocs.io"), folder).sources[0].final_url == "corpus://stow/doc/api.rst"
    assert held(named.format("other.readthedocs.io"), folder).counts == {"unreachable": 1}


def test_two_files_of_one_name_are_told_by_their_folders_or_are_neither(folder: Path) -> None:
    (folder / "old").mkdir()
    (folder / "old" / "047_tuning.rst").write_text(TUNING.replace("16", "4"))
    text = "The program defaults to a pack size of 4 MiB.[1]\n\nReferences\n[1] {}\n"
    assert held(text.format("old/047_tuning.rst"), folder).counts == {"supported": 1}
    assert held(text.format("047_tuning.rst"), folder).counts == {"unreachable": 1}


EXPORT = """# How are old copies removed?

*Quick search by 3 members of the council, 1 May 2026*

*The first passage very likely answers the question (estimated chance 97%). No language model wrote this.*

**Removing old copies › 6. Forget** [1]

The forget command removes copies by a policy.

**The program can also be told \\--dry-run, and will then remove nothing at all:**

It prints them only.

## References

- [1] *Removing old copies*. corpus&#58;//stow/doc/060\\_forget.rst (tier 1)

## How this was checked

- 3 searches for 1 sub-question
- Run 20260501-101010-abcdef, VERITAS 0.1.0, seed 0
"""


def test_an_exported_answer_is_checked_against_its_own_documents(folder: Path) -> None:
    more = "\nThe program can also be told --dry-run, and will then remove nothing at all:\n\nIt prints them only.\n"
    (folder / "doc" / "060_forget.rst").write_text(FORGET + more)
    check = held(EXPORT, folder)
    assert check.counts == {"supported": 3}
    altered = held(EXPORT.replace("It prints them only.", "It deletes them all."), folder)
    assert altered.counts["supported"] == 2


def test_a_fact_in_bold_with_a_mark_is_no_heading(folder: Path) -> None:
    text = "**Pack size: 16 MiB** [1]\n\nIt is so.\n\nReferences\n[1] 047_tuning.rst\n"
    assert held(text, folder).statements[0].statement == "Pack size: 16 MiB"
