"""One headless Chromium for the session, and the sample report as files it can open."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "report"))

ARGUMENTS = ["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]


# A module long and no longer: Playwright's own event loop runs meanwhile, and asynchronous tests need theirs.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """The browser. Without one these tests are skipped at a desk and fail in CI, where they are the point."""
    path = shutil.which("chromium")
    if path is None:
        missing = "no `chromium` on the PATH; install the distribution's package"
        pytest.fail(missing) if os.environ.get("CI") == "true" else pytest.skip(missing)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `report.html` of the sample, and of the sample without an answer in `insufficient/`."""
    from report_sample import insufficient_graph, sample_documents, sample_graph

    from veritas.report import write_report

    folder = tmp_path_factory.mktemp("report")
    write_report(sample_graph(), folder, sample_documents())
    write_report(insufficient_graph(), folder / "insufficient")
    return folder


@dataclass
class Watched:
    """A page, with every address it asked for and everything it complained of."""

    page: Any
    requests: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


@pytest.fixture
def visit(chromium: Any, reports: Path) -> Iterator[Callable[..., Watched]]:
    """Opens a report in a fresh context: `visit(hash="#work", width=360, …)`; options go to the browser context."""
    contexts = []

    def open_page(
        file: str = "report.html", hash: str = "", width: int = 1280, height: int = 900, **options: Any
    ) -> Watched:
        context = chromium.new_context(
            viewport={"width": width, "height": height}, **{"reduced_motion": "reduce", **options})
        contexts.append(context)
        page = context.new_page()
        watched = Watched(page)
        page.on("request", lambda request: watched.requests.append(request.url))
        page.on("console", lambda message: watched.complaints.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: watched.complaints.append(str(error)))
        page.goto((reports / file).as_uri() + hash)
        return watched

    yield open_page
    for context in contexts:
        context.close()
