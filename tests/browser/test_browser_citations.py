"""Reports of bibliographies and audits in a real browser: what strangers wrote stays text, and nothing is loaded."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.citations.registry_server import Work, registry_server
from veritas.citations.auditing.drift import Audited, AuditReport, Drift, DriftFinding
from veritas.citations.bibliography.formats.bibtex_entries import read_bibtex
from veritas.citations.bibliography.judging import verify
from veritas.report.bibliography_verdicts import as_html as bib_html
from veritas.report.citation_audit import as_html as audit_html

EVIL = (
    '<script>alert(1)</script><img src="https://evil.example/x" onerror=alert(2)> "><svg onload=alert(3)> '
    "</td></table></style><iframe src='javascript:alert(4)'></iframe> Lattices of Weather Dialogue"
)


def bibliography_page() -> str:
    work = Work(title=EVIL, authors=("Eve <b>Hacker</b>", "Mallory Evil"), year=2020, doi="10.1000/evil.1", venue=EVIL)
    entries = (
        f"@article{{a, title={{{EVIL}}}, author={{Hacker, Eve}}, year={{2010}}, doi={{10.1000/evil.1}}}}\n"
        f"@article{{b<svg/onload=alert(5)>, title={{{EVIL} unheard of}}, author={{<i>X</i>, Y}}, year={{2020}}}}\n"
        f"@online{{c, title={{Home}}, url={{javascript:alert(6)}}}}\n"
    )
    read = read_bibtex(entries, f"{EVIL}.bib")
    # In a thread of its own: Playwright's event loop runs in this one.
    with registry_server(work) as server, ThreadPoolExecutor() as aside:
        judged = aside.submit(lambda: asyncio.run(verify(read, server.registries(cached=False)))).result()
    return bib_html(judged, "today")


def audit_page() -> str:
    finding = DriftFinding(drift=Drift.TITLE, message=EVIL, was=EVIL, now=EVIL + "!")
    audited = Audited(path=f"{EVIL}.md", title=EVIL, findings=(finding,), problems=(EVIL,), proposal=EVIL)
    return audit_html(AuditReport(root="r", begun_at="today", artifacts=(audited,)))


@pytest.mark.parametrize("made", [bibliography_page, audit_page], ids=["bib", "audit"])
def test_nothing_of_a_stranger_runs_or_is_loaded(chromium: Any, tmp_path: Path, made: Any) -> None:
    file = tmp_path / "page.html"
    file.write_text(made(), encoding="utf-8")
    page = chromium.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("console", lambda message: said.append(message.text))
    try:
        page.goto(file.as_uri())
        assert asked == [file.as_uri()]
        assert said == []
        assert page.locator("script, img, svg, iframe, object, b").count() == 0
        assert page.locator("a:not([href^='https://'])").count() == 0
        assert "Lattices of Weather Dialogue" in page.locator("body").inner_text()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    finally:
        page.close()
