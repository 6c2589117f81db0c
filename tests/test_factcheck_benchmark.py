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
    Report,
    cited,
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
