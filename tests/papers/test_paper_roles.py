"""Roles in abstracts: labels, the parts of one, what a graph of one alone rests on, and what is no hypothesis."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veritas.documents.abstract_labels import PARTS, Part, label_at, parts_of
from veritas.documents.document import Document, document_id
from veritas.documents.sentence_parts import WEIGHTS, fitted
from veritas.documents.verbatim import fold_whitespace
from veritas.papers.extraction.embedded_graph_extractor import EmbeddedExtractor
from veritas.papers.extraction.modes import load_mode
from veritas.papers.extraction.node_pool import construct_embedded
from veritas.papers.extraction.proposal import Checked
from veritas.papers.extraction.statements import Statements, find_statements
from veritas.papers.reading import PaperText, paper_of

MODE = load_mode("academic")
ROOT = Path(__file__).resolve().parents[2]
TITLE = "Felt linings and the noise of ticket gates"

BACKGROUND = "Ticket gates are a common source of noise in stations, and little is known about how their linings age."
AIM = "The aim of this study was to determine whether felt linings make ticket gates quieter over a year of use."
METHOD = "We randomly assigned 64 gates in eight stations to a felt lining or to the rubber lining they had before."
MEASURED = "Noise was measured once a month with a calibrated meter at a distance of one metre."
RESULT = "After twelve months, gates with felt were 6.2 decibels quieter than gates with rubber (P = 0.004)."
SECOND = "Felt wore through in 3 of 32 gates (9%), and rubber in none of them (P = 0.08)."
CONCLUSION = "These findings suggest that felt linings reduce the noise of ticket gates and should be replaced yearly."
PLAIN = " ".join((BACKGROUND, AIM, METHOD, MEASURED, RESULT, SECOND, CONCLUSION))


def paper(text: str, title: str = TITLE) -> PaperText:
    whole = f"{title}\n\n{text}"
    return paper_of(
        Document(
            document_id=document_id(whole), url="corpus://paper/p", title=title, text=whole,
            fetched_at=date(2026, 1, 1),
        ),
        asked="p", how="file",
    )  # fmt: skip


def graph(read: PaperText, limit: int = 16) -> Checked:
    return construct_embedded(EmbeddedExtractor(read, MODE), read, MODE, limit=limit, seed=0, index=0).checked


def roles(read: PaperText) -> dict[str, str]:
    return {taken.statement.text: taken.base for taken in EmbeddedExtractor(read, MODE).roles()}


RIGHT = {
    BACKGROUND: "Context", AIM: "Hypothesis", METHOD: "Method", MEASURED: "Method", RESULT: "Result",
    SECOND: "Result", CONCLUSION: "Conclusion",
}  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "words", "parts"),
    [
        ("METHODS We asked.", "METHODS ", ("methods",)),
        ("METHODS AND RESULTS: In 30 rooms, it rang.", "METHODS AND RESULTS: ", ("methods", "results")),
        ("Conclusions: it rang.", "Conclusions: ", ("conclusions",)),
        ("**Background.** Bells ring.", "**Background.** ", ("background",)),
        ("Purpose – To ring.", "Purpose – ", ("objective",)),
        ("(2) Methods: We rang.", "(2) Methods: ", ("methods",)),
        ("DESIGN, SETTING, AND PARTICIPANTS Ten bells.", "DESIGN, SETTING, AND PARTICIPANTS ", ("methods",)),
        ("MAIN OUTCOMES AND MEASURES Loudness.", "MAIN OUTCOMES AND MEASURES ", ("methods",)),
        ("Background/Aims: Bells ring.", "Background/Aims: ", ("background", "objective")),
        ("RESULTS.", "RESULTS.", ("results",)),
        ("SUMMARY Bells ring.", "SUMMARY ", ()),
        ("TO CLINICAL PRACTICE The bells ring for a year.", "TO CLINICAL PRACTICE ", ()),
        ("CONCLUSIONS AND DAILY USE The bells ring for a year.", "CONCLUSIONS AND DAILY USE ", ("conclusions",)),
    ],
)
def test_a_label_is_told_from_what_it_heads(sentence: str, words: str, parts: tuple[Part, ...]) -> None:
    label = label_at(sentence, 0, len(sentence))
    assert label is not None
    assert sentence[: label.end] == words
    assert label.parts == parts
    assert not label.aside


@pytest.mark.parametrize(
    "sentence",
    [
        "Results were poor in all rooms.", "Methods of ringing differ.", "METHODS OF RINGING BELLS IN OLD TOWERS",
        "Setting bells is hard.", "DESIGN of bells matters.", "Data show that bells ring.", "Aims differ. ", "",
        "Resultsand: more", "Conclusion We stop.", "BRASS BELL I criteria were met by bells.",
        "HIV Infection rates fell.",
    ],
)  # fmt: skip
def test_a_sentence_that_begins_with_the_same_word_has_no_label(sentence: str) -> None:
    assert label_at(sentence, 0, len(sentence)) is None


def test_what_is_beside_the_argument_is_said_to_be() -> None:
    for label in ("FUNDING The city paid.", "TRIAL REGISTRATION: B-12.", "AVAILABILITY AND IMPLEMENTATION: On disk."):
        found = label_at(label, 0, len(label))
        assert found is not None
        assert found.aside
        assert found.parts == ()


def test_a_heading_of_other_words_names_no_part() -> None:
    assert parts_of("Methods and bells") == ()
    assert parts_of("### Results") == ("results",)


def test_every_sentence_of_a_plain_abstract_has_its_role() -> None:
    assert roles(paper(PLAIN)) == RIGHT


@pytest.mark.parametrize(
    "text",
    [
        f"BACKGROUND {BACKGROUND} OBJECTIVE {AIM} METHODS {METHOD} {MEASURED} RESULTS {RESULT} {SECOND} CONCLUSIONS "
        f"{CONCLUSION} FUNDING The city of stations paid for all of this work.",
        f"Background: {BACKGROUND} Aim: {AIM} Methods: {METHOD} {MEASURED} Results: {RESULT} {SECOND} Conclusion: "
        f"{CONCLUSION}",
        f"Background: {BACKGROUND}\n\nAim: {AIM}\n\nMethods: {METHOD} {MEASURED}\n\nResults: {RESULT} {SECOND}\n\n"
        f"Conclusions: {CONCLUSION}",
        f"(1) Background: {BACKGROUND} {AIM} (2) Methods: {METHOD} {MEASURED} (3) Results: {RESULT} {SECOND} "
        f"(4) Conclusions: {CONCLUSION}",
        f"(1) Background: {BACKGROUND} {AIM}\n\n(2) Methods: {METHOD} {MEASURED}\n\n(3) Results: {RESULT} {SECOND}\n\n"
        f"(4) Conclusions: {CONCLUSION}",
        f"**Background.** {BACKGROUND} {AIM} **Methods.** {METHOD} {MEASURED} **Results.** {RESULT} {SECOND} "
        f"**Conclusions.** {CONCLUSION}",
        f"{BACKGROUND} {AIM} {METHOD} {MEASURED}RESULTS: {RESULT} {SECOND}CONCLUSIONS: {CONCLUSION}",
        f"## Abstract\n\n### Background\n\n{BACKGROUND}\n\n### Aims\n\n{AIM}\n\n### Methods\n\n{METHOD} {MEASURED}\n\n"
        f"### Results\n\n{RESULT} {SECOND}\n\n### Conclusions\n\n{CONCLUSION}",
    ],
    ids=["capitals", "colons", "paragraphs", "numbered", "numbered paragraphs", "bold", "run together", "headings"],
)
def test_a_label_is_evidence_of_the_role_and_never_in_a_span(text: str) -> None:
    read = paper(text)
    assert roles(read) == RIGHT
    found = graph(read)
    assert found.ok, found.errors
    for node in found.nodes:
        assert fold_whitespace(read.text[node.place.start : node.place.end]) == node.text
        assert node.text in RIGHT


def test_the_same_sentence_is_what_the_label_above_it_says() -> None:
    either = "Loudness was compared between gates with felt and gates with rubber at every station of the line."
    before, after = f"OBJECTIVE {AIM} METHODS {METHOD}", f"CONCLUSION {CONCLUSION}"
    first = roles(paper(f"{before} {either} RESULTS {RESULT} {SECOND} {after}"))
    second = roles(paper(f"{before} {MEASURED} RESULTS {either} {RESULT} {after}"))
    assert first[either] == "Method"
    assert second[either] == "Result"


def test_a_graph_of_an_abstract_alone_leads_from_its_aim_over_methods_and_results_to_its_conclusion() -> None:
    found = graph(paper(PLAIN))
    assert found.ok, found.errors
    text = {node.id: node.text for node in found.nodes}
    assert [node.text for node in found.nodes if node.base_role == "Hypothesis"] == [AIM]
    assert [node.text for node in found.nodes if node.base_role == "Conclusion"] == [CONCLUSION]
    edges = {(text[edge.parent], text[edge.child]) for edge in found.edges}
    assert (AIM, METHOD) in edges
    assert {parent for parent, child in edges if child == RESULT} <= {METHOD, MEASURED}
    assert (RESULT, CONCLUSION) in edges


def test_where_no_aim_is_stated_what_the_paper_shows_is_what_it_sets_out_to_show() -> None:
    shown = "Here we show that felt linings keep ticket gates quiet for a whole year in busy stations."
    text = (
        f"{BACKGROUND} The part that linings play in this is unclear. {shown} Gates with felt were 6.2 decibels "
        "quieter than gates with rubber. In quiet stations, felt had no effect on the loudness of gates. "
        "Thus, felt linings can be used where many people pass, and gates need not be replaced."
    )
    found = graph(paper(text))
    assert found.ok, found.errors
    said = {node.base_role: node.text for node in found.nodes}
    assert said["Hypothesis"] == shown
    assert said["Conclusion"].startswith("Thus")


def test_an_abstract_without_an_aim_is_an_error_and_not_a_promoted_background_sentence() -> None:
    text = (
        "Ticket gates have been used in stations for more than a century. Their linings are made of felt or rubber. "
        "Felt is a material of wool that has been known since antiquity. Rubber became common in the last century, "
        "when stations grew and gates were built in great numbers. Both materials wear with the number of people who "
        "pass. The noise of gates is a problem that remains unsolved in most large stations of the world today."
    )
    found = graph(paper(text))
    assert not found.ok
    assert any("there is no Hypothesis" in error for error in found.errors)
    assert all(node.base_role != "Hypothesis" for node in found.nodes)


def test_background_of_a_whole_paper_is_no_hypothesis_either() -> None:
    sections = "\n\n".join(
        f"{number} {heading}\n\n{words}"
        for number, (heading, words) in enumerate(
            (
                ("Introduction", f"{BACKGROUND} Felt linings and ticket gates are noisy in every one of the stations."),
                ("Methods", f"{METHOD} {MEASURED}"),
                ("Results", f"{RESULT} {SECOND}"),
                ("Conclusion", "We conclude that felt linings reduce the noise of ticket gates in busy stations."),
            ),
            start=1,
        )
    )
    found = graph(paper(sections))
    assert found.errors == ("there is no Hypothesis: every graph has at least one",)


def test_a_title_written_like_a_sentence_is_no_statement() -> None:
    title = "Felt linings make ticket gates quieter than rubber linings over a year of use."
    assert title not in roles(paper(PLAIN, title))
    assert AIM in roles(paper(PLAIN, title))


def test_an_availability_note_at_the_end_is_no_conclusion() -> None:
    note = "The drawings of all linings are available at https://gates.example/linings for anybody to use."
    found = graph(paper(f"{PLAIN} {note}"))
    assert [node.text for node in found.nodes if node.base_role == "Conclusion"] == [CONCLUSION]


@pytest.mark.parametrize("limit", [2, 3, 5])
def test_a_small_graph_of_an_abstract_keeps_its_aim_and_its_conclusion(limit: int) -> None:
    found = graph(paper(PLAIN), limit)
    assert found.ok, found.errors
    assert len(found.nodes) <= limit
    assert {"Hypothesis", "Conclusion"} <= {node.base_role for node in found.nodes}


def chances(read: PaperText) -> list[bool]:
    return [statement.chances is not None for statement in find_statements(read).found]


def test_only_abstracts_are_read_as_abstracts() -> None:
    assert all(chances(paper(PLAIN)))
    assert not any(chances(paper(PLAIN * 7))), "too long for an abstract"
    notes = "\n".join(f"- {sentence}" for sentence in (BACKGROUND, METHOD, RESULT, CONCLUSION))
    assert not any(chances(paper(f"{PLAIN}\n\n{notes}"))), "notes have lists"
    body = f"1 Introduction\n\n{BACKGROUND}\n\n2 Methods\n\n{METHOD}\n\n3 Results\n\n{RESULT}"
    whole = paper(f"Abstract\n\n{PLAIN}\n\n{body}")
    assert {s.section for s in find_statements(whole).found if s.chances is not None} == {"abstract"}


WORDS = st.sampled_from(
    ["we", "measured", "the", "noise", "12%", "Results", "METHODS", ":", ".", "felt", "(", ")", "\n\n", "conclude",
     "é", "\ud800", "AIM", "**", "- ", "To", "determine", "#", "p<0.05", "\u200b", "…"]
)  # fmt: skip


@given(st.lists(WORDS, min_size=90, max_size=200))
@settings(max_examples=60, deadline=None)
def test_no_text_breaks_the_reading_of_statements(words: list[str]) -> None:
    read = paper(" ".join(words) + " " + PLAIN)
    found: Statements = find_statements(read)
    for statement in found.found:
        assert fold_whitespace(read.text[statement.place.start : statement.place.end]) == statement.text
    orders = [statement.place.start for statement in found.found]
    assert orders == sorted(orders)


@given(
    st.lists(
        st.tuples(st.text(max_size=80), st.lists(st.sampled_from(PARTS), max_size=2).map(tuple)),
        max_size=12,
    )
)
@settings(max_examples=80, deadline=None)
def test_chances_add_up_to_one_and_heed_labels(rows: list[tuple[str, tuple[Part, ...]]]) -> None:
    found = fitted().chances([text for text, _ in rows], [parts for _, parts in rows])
    assert len(found) == len(rows)
    for each in found:
        assert sum(each.values()) == pytest.approx(1.0)
    if len(rows) == 1 and rows[0][1]:
        (each,), (bare,) = found, fitted().chances([rows[0][0]])
        assert sum(each[part] for part in set(rows[0][1])) >= sum(bare[part] for part in set(rows[0][1])) - 1e-9


def test_the_shipped_weights_are_of_small_words_and_endings_alone() -> None:
    weights = json.loads(WEIGHTS.read_text(encoding="utf-8"))["weights"]
    assert all(len(row) == len(PARTS) for row in weights.values())
    subjects = ("patients", "mice", "cells", "cancer", "gene", "protein", "disease", "treatment")
    assert not [name for name in weights for subject in subjects if subject in name.split()]


def benchmark(*arguments: str) -> str:
    ended = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "roles.py"), *arguments],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_benchmark_measures_what_it_is_given_and_says_what_is_not_there(tmp_path: Path) -> None:
    assert "is not there" in benchmark("--documents", str(tmp_path / "none.jsonl"))
    text = (
        f"BACKGROUND {BACKGROUND} OBJECTIVE {AIM} METHODS {METHOD} {MEASURED} RESULTS {RESULT} {SECOND} CONCLUSIONS "
        f"{CONCLUSION}"
    )
    rows = [{"id": str(number), "title": f"{TITLE} {number}", "text": text} for number in range(8)]
    rows.append({"id": "plain", "title": TITLE, "text": PLAIN})
    documents = tmp_path / "documents.jsonl"
    documents.write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    said = benchmark("--documents", str(documents), "--half", "unseen")
    count = int(said.split("Unseen half: ")[1].split()[0])
    assert 0 < count < 8
    assert f"Unseen half: {count} abstracts, {7 * count} sentences" in said
    assert "| the extractor | 100.0% | 100.0% |" in said
    assert f"| conclusion from | 0 | 0 | 0 | 0 | {count} | 0 | 0 |" in said
    assert "nodes with a label in them" in said
    assert "0 of" in said


@pytest.mark.shared
def test_roles_of_real_abstracts_are_mostly_those_of_their_labels(tmp_path: Path) -> None:
    shared = ROOT / ".." / "shared" / "claims" / "scifact_documents.jsonl"
    if not shared.is_file():
        pytest.skip(f"no shared data at {shared}")
    documents = tmp_path / "some.jsonl"
    documents.write_text("".join(shared.read_text(encoding="utf-8").splitlines(keepends=True)[:600]), encoding="utf-8")
    said = benchmark("--documents", str(documents), "--half", "unseen")
    accuracy = float(said.split("| the extractor | ")[1].split("%")[0])
    assert accuracy > 85
    assert " 0 of" in said.splitlines()[-1]
