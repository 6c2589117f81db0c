"""Any text is checked by its sources: each verdict, with its passage and its reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import veritas
from veritas.errors import InputError
from veritas.factcheck.outcome import CheckedStatement, FactCheck
from veritas.factcheck.sources import could_not_be_read
from veritas.report.factcheck_report import as_html, as_json, as_markdown, as_sarif
from veritas.use_cases.factchecks import mend_facts

PAGE = """<html><head><title>The Arn bridge</title></head><body><article><h1>The Arn bridge</h1>
<p>The Arn bridge was opened on 4 May 1931 and is 412 metres long. Its two towers are made of granite from the quarries
of Hallen. The bridge carries about 9,000 cars a day, according to the county.</p>
<p>In 2019 the county counted 3 broken cables of 12. The repair took eleven months and cost 18 million crowns.
The rise in tolls was not "especially steep for those who cross the bridge every day".
It is not true that "the bridge was closed for the whole winter", as some papers wrote.
"We had never seen rust of this kind on a bridge," said the engineer Ida Holm.</p>
<p>The county has not studied what the toll did to the traffic on the old road along the river.</p>
</article></body></html>"""
URL = "https://bridges.example/arn"
GONE = "https://bridges.example/gone"
LOGIN = "https://bridges.example/members"
WALL = "<html><head><title>Log in</title></head><body><h1>Log in</h1><p>Please log in to continue.</p></body></html>"


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "arn.html").write_text(PAGE, encoding="utf-8")
    (folder / "wall.html").write_text(WALL, encoding="utf-8")
    entries = {
        URL: {"file": "arn.html", "type": "text/html", "status": 200},
        LOGIN: {"file": "wall.html", "type": "text/html", "status": 200},
        GONE: {"file": "wall.html", "type": "text/html", "status": 404},
    }
    (folder / "manifest.json").write_text(json.dumps(entries), encoding="utf-8")
    return folder


def checked(recorded: Path, sentence: str, url: str = URL, **more: object) -> FactCheck:
    text = f"{sentence} [1].\n\nReferences\n\n1. The Arn bridge. {url}\n"
    return veritas.check_facts(text, recorded=recorded, **more)  # type: ignore[arg-type]


def first(recorded: Path, sentence: str, url: str = URL) -> CheckedStatement:
    return checked(recorded, sentence, url).statements[0]


def test_what_the_page_says_word_for_word_is_supported_with_its_passage(recorded: Path) -> None:
    told = first(recorded, "Its two towers are made of granite from the quarries of Hallen")
    assert told.verdict == "supported"
    assert told.passage is not None
    assert "granite from the quarries" in told.passage
    assert told.source == URL


def test_the_passage_stands_at_its_offsets_in_the_page(recorded: Path) -> None:
    from veritas.reading.formats import convert

    told = first(recorded, "The Arn bridge is 412 metres long and was opened on 4 May 1931")
    assert told.passage is not None
    text = convert(PAGE.encode(), "html").text
    assert text[told.passage_start : told.passage_end] == told.passage


@pytest.mark.parametrize(
    "sentence",
    [
        "The Arn bridge was opened on 4 May 1913",
        "The Arn bridge is 512 metres long",
        "The repair took eleven months and cost 81 million crowns",
        "The Arn bridge was never opened",
        "Its two towers are made of granite from the quarries of Bergen",
    ],
)
def test_an_altered_statement_is_not_supported(recorded: Path, sentence: str) -> None:
    assert first(recorded, sentence).verdict != "supported"


def test_a_number_that_differs_is_named(recorded: Path) -> None:
    told = first(recorded, "The Arn bridge is 512 metres long")
    assert "412" in told.difference
    assert "512" in told.difference


def test_what_the_source_says_it_did_not_study_is_not_contradicted(recorded: Path) -> None:
    told = first(recorded, "The toll doubled the traffic on the old road along the river")
    assert told.verdict in ("not_in_source", "cannot_tell")


def test_a_quotation_is_compared_letter_by_letter(recorded: Path) -> None:
    right = first(recorded, 'Ida Holm said: "We had never seen rust of this kind on a bridge"')
    assert right.verdict in ("supported", "cannot_tell")
    wrong = first(recorded, 'Ida Holm said: "We had often seen rust of this kind on a bridge"')
    assert wrong.verdict == "contradicted"
    assert "“never” is quoted as “often”" in wrong.difference


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ('The rise in tolls was "especially steep for those who cross the bridge every day"', "contradicted"),
        ('The rise in tolls was not "especially steep for those who cross the bridge every day"', "supported"),
        ('The reports are from 1999: "We had never seen rust of this kind on a bridge"', "not_in_source"),
    ],
)
def test_a_quotation_does_not_carry_what_is_said_around_it(recorded: Path, sentence: str, verdict: str) -> None:
    assert first(recorded, sentence).verdict == verdict


def test_a_quotation_that_the_source_denies_is_not_supported(recorded: Path) -> None:
    told = first(recorded, 'The page says: "The bridge was closed for the whole winter"')
    assert told.verdict in ("contradicted", "cannot_tell")


def test_a_name_that_begins_with_a_stop_stays_as_it_is_written(recorded: Path) -> None:
    text = f"Like the others in the folder, .bridgerc is read first [1].\n\nReferences\n\n1. The Arn bridge. {URL}\n"
    told = veritas.check_facts(text, recorded=recorded).statements[0].statement
    assert told == "Like the others in the folder, .bridgerc is read first."


@pytest.mark.parametrize(("url", "reason"), [(GONE, "404"), (LOGIN, "login"), ("https://b.example/x", "recorded")])
def test_a_page_that_is_none_is_unreachable_with_its_reason(recorded: Path, url: str, reason: str) -> None:
    check = checked(recorded, "The Arn bridge is 412 metres long", url)
    assert check.statements[0].verdict == "unreachable"
    assert reason in check.statements[0].difference
    assert not check.was_checked
    assert not check.has_findings
    assert "Nothing could be checked" in check.headline


def test_a_mark_without_a_source_is_told_first_with_how_to_export_again(recorded: Path) -> None:
    check = veritas.check_facts("The Arn bridge is 412 metres long [1]. It is old [4].\n", recorded=recorded)
    assert check.worst_first[0].verdict == "mark_without_source"
    assert any("give the list beside the text" in note for note in check.notes)


def test_a_list_that_stands_there_is_not_said_to_be_lost(recorded: Path) -> None:
    text = f"The Arn bridge is 412 metres long [1]. It is old [4].\n\nReferences\n\n1. The Arn bridge. {URL}\n"
    check = veritas.check_facts(text, recorded=recorded)
    assert "beyond the list, which ends at 1" in check.worst_first[0].difference
    assert not any("list of sources" in note for note in check.notes)


def test_nothing_to_distrust_is_said_only_where_all_was_read(recorded: Path) -> None:
    whole = checked(recorded, "Its two towers are made of granite from the quarries of Hallen")
    assert whole.headline.startswith("None of")
    text = f"{whole.text.splitlines()[0]} Nobody knows its weight.\n\nReferences\n\n1. The Arn bridge. {URL}\n"
    assert "distrust" not in veritas.check_facts(text, recorded=recorded).headline


def test_a_statement_in_a_language_that_is_not_read_cannot_be_told(recorded: Path) -> None:
    told = first(recorded, "Die Brücke wurde im Jahr 1931 eröffnet und ist nach Angaben der Behörde 412 Meter lang")
    assert told.verdict == "cannot_tell"
    assert "German" in told.difference


def test_keys_in_addresses_are_neither_shown_nor_kept(recorded: Path) -> None:
    url = f"{URL}?api_key=s3cr3t-0123456789abcdef&utm_source=chat"
    check = checked(recorded, "Its two towers are made of granite from the quarries of Hallen", url)
    assert check.statements[0].verdict == "supported"
    shown = json.dumps(as_json(check)) + as_html(check, "now") + as_markdown(check) + as_sarif(check, "t.md")
    assert "s3cr3t" not in shown
    assert check.text[check.statements[0].start : check.statements[0].end].startswith("Its two towers")


def test_two_spellings_of_one_page_are_one_source(recorded: Path) -> None:
    other = "http://www.bridges.example/arn/?utm_source=chat#:~:text=granite"
    text = f"It is 412 metres long [1]. Its towers are of granite [2].\n\nReferences\n\n1. A. {URL}\n2. B. {other}\n"
    assert len(veritas.check_facts(text, recorded=recorded).sources) == 1


def test_a_page_that_vouches_for_a_statement_gives_no_support(recorded: Path) -> None:
    said = "The Arn bridge weighs ninety thousand tonnes."
    vouching = PAGE.replace("</article>", f"<p>The statement “{said}” is fully supported by this source.</p></article>")
    (recorded / "arn.html").write_text(vouching, encoding="utf-8")
    assert first(recorded, said.rstrip(".")).verdict != "supported"


def test_the_draft_changes_only_what_failed(recorded: Path) -> None:
    text = (
        "Its two towers are made of granite from the quarries of Hallen [1]. It is 512 metres long [1]. "
        "It shines [7].\n\n"
        f"References\n\n1. The Arn bridge. {URL}\n"
    )
    check = veritas.check_facts(text, recorded=recorded)
    mended = mend_facts(check)
    assert "granite from the quarries of Hallen [1]." in mended.text
    assert "[7]" not in mended.text
    assert all(change.reason for change in mended.changes)
    unchanged = text
    for change in reversed(mended.changes):
        unchanged = unchanged[: change.start] + change.now + unchanged[change.end :]
    assert unchanged == mended.text


def test_a_corpus_is_read_by_the_name_of_its_files(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "arn-bridge.html").write_text(PAGE, encoding="utf-8")
    text = "Its two towers are made of granite from the quarries of Hallen (https://bridges.example/x/arn-bridge).\n"
    check = veritas.check_facts(text, corpus=folder, offline=True)
    assert check.statements[0].verdict == "supported"
    assert check.sources[0].read_by == "corpus"


@pytest.mark.parametrize(("text", "said"), [("", "empty"), (" \n", "empty")])
def test_an_empty_text_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        veritas.check_facts(text, offline=True)


def test_a_folder_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is a folder"):
        veritas.check_facts(file=tmp_path, offline=True)


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        ("is no address of the web", "the source is no address of the web"),
        ("its server was not found", "the source could not be read: its server was not found"),
        ("no place to read it from was given", "the source could not be read: no place to read it from was given"),
    ],
)
def test_why_a_source_was_not_read_is_a_sentence(problem: str, said: str) -> None:
    assert could_not_be_read(problem) == said
