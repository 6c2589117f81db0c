"""The report of a review in a real browser: it loads nothing, runs nobody's text, filters, and fits a phone."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from veritas.report.review import write_review
from veritas.reviews.claim_corpus import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted
from veritas.reviews.review_request import ReviewRequest
from veritas.reviews.review_runs import start
from veritas.reviews.reviewing.review_verdicts import Flag

pytestmark = pytest.mark.browser
Visit = Callable[..., Any]

OWNED = "document.documentElement.dataset.owned=1"
HOSTILE = f'<img src=x onerror="{OWNED}"><script>{OWNED}'
TEXT = """# {hostile} drying

## Results

The drying rate rose by 12% in the chamber of the {hostile} dryer. The drying time was 9 hours at 20 Pa.
The drying of proteins with averyveryveryveryveryveryveryveryveryveryverylongwordwithoutanyplacetobreakit took 4 hours.
"""


def run(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """In a thread of its own: in this one Playwright's loop runs."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


@pytest.fixture(scope="module")
def report(reports: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A review of hostile papers, one of its sentences with a remark, among the files that `visit` opens."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "evil.md").write_text(TEXT.format(hostile=HOSTILE), encoding="utf-8")
    (folder / "good.md").write_text("# Drying\n\n## Results\n\nThe drying took 30 hours in all of the vials.\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VERITAS_HOME", str(tmp_path_factory.mktemp("home")))
        run(add_wanted(Wanted(name="evil", paths=(folder,), extractor="embedded")))
        made = run(start(ReviewRequest(topic="drying", corpus="evil")))
        first, *rest = made.first.verdicts
        remarked = first.model_copy(update={"flags": (Flag(kind="logic", why=f"{HOSTILE} follows from nothing"),)})
        checked = made.first.model_copy(update={"verdicts": (remarked, *rest)})
        write_review(made.model_copy(update={"first": checked}), Corpus.open("evil"), reports / "review")
    return "review/report.html"


def test_it_loads_nothing_and_complains_of_nothing(visit: Visit, report: str, reports: Path) -> None:
    watched = visit(report)
    watched.page.locator("#theme").click()
    watched.page.locator(".cite").first.click()
    assert watched.requests == [(reports / report).as_uri()]
    assert watched.complaints == []


def test_hostile_text_runs_nothing_and_is_shown(visit: Visit, report: str) -> None:
    page = visit(report).page
    assert page.evaluate("document.documentElement.dataset.owned") is None
    assert page.locator("main img, main script").count() == 0
    assert "onerror" in page.locator("main").text_content()


def test_sentences_are_filtered_by_verdict_remark_and_text(visit: Visit, report: str) -> None:
    page = visit(report).page
    rows = page.locator("#side-rows > tr:visible")
    every = rows.count()
    page.locator("select[name=verdict]").select_option("GAP")
    gaps = rows.count()
    assert 0 < gaps < every
    page.locator("select[name=verdict]").select_option("")
    page.locator("select[name=flagged]").select_option("yes")
    assert rows.count() == 1
    page.locator("select[name=flagged]").select_option("")
    page.locator("input[name=text]").fill("30 hours")
    assert rows.count() == 1
    page.locator("input[name=text]").fill("")
    assert rows.count() == every


def test_a_citation_leads_to_its_quote_and_verdict(visit: Visit, report: str) -> None:
    page = visit(report).page
    page.locator(".cite").first.click()
    row = page.locator("#side-rows > tr:target")
    assert row.locator("blockquote").count() == 1
    assert "VERIFIED" in row.text_content()


def test_without_scripts_everything_is_there(visit: Visit, report: str) -> None:
    page = visit(report, java_script_enabled=False).page
    assert page.locator("#side-rows > tr").count() > 2
    assert page.locator(".waterfall").is_visible()
    assert page.locator(".stacked").is_visible()
    assert page.locator("#side .filter").is_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_runs_off_a_phone(visit: Visit, report: str, scheme: str) -> None:
    page = visit(report, width=360, height=780, color_scheme=scheme).page
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
