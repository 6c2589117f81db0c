"""The labelled reports fit their files and pages, and the figures of the benchmark are what they are called."""

from __future__ import annotations

import html
import json
import re
from collections import Counter

import pytest

from benchmarks.factcheck_score import (
    FOLDER,
    SET_ASIDE,
    VERDICTS,
    Found,
    Judged,
    Label,
    Report,
    cited,
    figures,
    judged_of,
    macro_f1,
    marks_of,
    matched,
    reports,
)

PARTS = ("dev", "apart")


def shown(report: Report) -> str:
    """The text of a report as a reader sees it, in words."""
    text = report.file.read_text(encoding="utf-8")
    if report.file.suffix == ".json":
        text = json.dumps(json.loads(text), ensure_ascii=False).replace('\\"', '"')
    elif report.file.suffix == ".html":
        text = html.unescape(re.sub(r"<[^>]+>", " ", text))
    elif report.file.suffix == ".tex":
        text = re.sub(r"\\([%&#$_])", r"\1", text)
    return " ".join(re.findall(r"\w+", text))


@pytest.mark.parametrize("part", PARTS)
def test_every_label_stands_in_its_report_and_names_a_recorded_page(part: str) -> None:
    recorded = FOLDER / part / "recorded"
    manifest = json.loads((recorded / "manifest.json").read_text(encoding="utf-8"))
    assert all((recorded / page["file"]).is_file() for page in manifest.values())
    for report in reports(part):
        text = shown(report)
        assert report.sources is None or report.sources.is_file()
        for label in report.labels:
            assert " ".join(re.findall(r"\w+", label.statement)) in text, (report.file.name, label.statement)
            assert set(label.citations) <= set(manifest), (report.file.name, label.statement)


@pytest.mark.parametrize("part", PARTS)
def test_labels_agree_with_themselves(part: str) -> None:
    for report in reports(part):
        for label in report.labels:
            where = (report.file.name, label.statement)
            assert label.verdict in (*VERDICTS, SET_ASIDE, None), where
            leans = label.verdict not in ("uncited", SET_ASIDE)
            assert (label.scope is not None) == leans, where
            assert bool(label.citations) == (leans and label.verdict != "mark_without_source"), where
            if label.altered:
                assert label.verdict in ("contradicted", "partly", "not_in_source"), where


def test_the_halves_share_no_page_and_no_statement() -> None:
    dev, apart = ({label.statement for report in reports(part) for label in report.labels} for part in PARTS)
    assert not dev & apart
    hosts = [json.loads((FOLDER / part / "recorded/manifest.json").read_text(encoding="utf-8")) for part in PARTS]
    assert not set(hosts[0]) & set(hosts[1])


def test_there_is_enough_of_everything() -> None:
    for part in PARTS:
        marks: Counter[str] = Counter()
        files: Counter[str] = Counter()
        for report in reports(part):
            files[report.style] += 1
            marks[report.style] += sum(len(cited(label)) for label in report.labels)
        assert len(files) >= 40
        assert min(files.values()) >= 2
        assert min(marks.values()) >= 15
    judged = [label for part in PARTS for report in reports(part) if report.verdicts for label in report.labels]
    assert len(judged) >= 500
    assert sum(bool(label.altered) for label in judged) >= 200
    assert set(VERDICTS) <= {label.verdict for label in judged}


def as_labelled(report: Report) -> list[Found]:
    return [
        Found(
            label.statement,
            (None,) if label.verdict == "mark_without_source" else label.citations,
            label.scope,
            label.verdict,
            "chatter" if label.verdict == SET_ASIDE else "statement",
        )
        for label in report.labels
    ]


def test_a_reader_who_finds_what_is_labelled_makes_no_mistake() -> None:
    for report in reports("dev"):
        counted = marks_of(report.labels, as_labelled(report))
        assert counted.there == counted.found == counted.right
        assert all([*counted.scopes, *counted.aside, *counted.kept])
        judged = judged_of(report, as_labelled(report))
        assert all(each.verdict == each.label.verdict for each in judged)


LABELS = (
    Label("The dam is 40 m high", ("https://a.example/x",), "sentence", "supported"),
    Label("It was built in 1950", ("https://a.example/x",), "sentence", "contradicted", "number"),
    Label("Nobody lives there", (), "sentence", "mark_without_source"),
)


def test_a_wrong_address_costs_precision_and_recall_and_a_missing_one_recall() -> None:
    found = [
        Found("The dam is 40 m high.", ("http://www.a.example/x/?utm_source=b#top",), "sentence"),
        Found("It was built in 1950.", ("https://a.example/y",), "sentence"),
        Found("Nobody lives there."),
    ]
    counted = marks_of(LABELS, found)
    assert (counted.there, counted.found, counted.right) == (3, 2, 1)
    assert counted.scopes == [True, True, False]


def test_marks_of_what_is_no_labelled_statement_cost_precision() -> None:
    found = [Found("An entry of the list", ("https://a.example/x",), "sentence")]
    assert (marks_of((), found).found, marks_of((), found).right) == (1, 0)


def test_of_two_statements_that_share_words_each_gets_its_own() -> None:
    labels = [
        Label("Barley came before emmer", (), None, "uncited"),
        Label("Emmer came before barley", (), None, "uncited"),
    ]
    found = [Found("Emmer came before barley."), Found("Barley came before emmer."), Found("Something else.")]
    assert matched(labels, found) == [1, 0]
    assert matched(labels, found[2:]) == [None, None]


def told(*verdicts: tuple[str, str | None, str]) -> list[Judged]:
    return [
        Judged("r", "bracket", Label("x", ("https://a.example",), "sentence", label, altered), found, None)
        for label, altered, found in verdicts
    ]


def test_the_figures_of_the_verdicts() -> None:
    judged = told(
        ("supported", None, "supported"),
        ("supported", None, "contradicted"),
        ("contradicted", "number", "supported"),
        ("contradicted", "roles", "not_in_source"),
        ("not_in_source", "addition", "not_in_source"),
    )
    found = figures(judged)
    assert found["verdicts right"] == {"right": 2, "of": 5, "percent": 40.0}
    assert found["contradicted, called supported"] == {"right": 1, "of": 2, "percent": 50.0}
    assert found["not contradicted, called contradicted"] == {"right": 1, "of": 3, "percent": 33.3}
    assert found["altered, found"] == {"right": 2, "of": 3, "percent": 66.7}
    assert macro_f1(judged) == pytest.approx((1 / 2 + 0 + 2 / 3) / 3)
