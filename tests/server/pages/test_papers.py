"""The page of a paper's audit: what its numbers mean, and what is no fault of the paper."""

from __future__ import annotations

from pathlib import Path

import veritas
from tests.papers.pump_papers import write_paper
from tests.server.pages.conftest import Opened
from tests.server.pages.pages import check_frame
from veritas.report.paper.paper_wording import COMPONENTS


def test_numbers_are_explained_and_a_score_without_a_search_says_so(opened: Opened, tmp_path: Path) -> None:
    audit = veritas.audit_paper(str(write_paper(tmp_path)), graphs=1)
    page = opened(f"/papers/{audit.audit_id}")
    check_frame(page)
    assert audit.scoring() is not None
    assert {said for _, said in COMPONENTS.values()} <= set(page.texts("dd", class_="hint"))
    assert any("Nothing was searched." in text for text in page.texts("p", class_="finding"))


def test_what_the_reader_could_not_do_is_no_weakness_of_the_paper(opened: Opened, tmp_path: Path) -> None:
    text = "\n\n".join(f"Item {i}: screws and nuts, size {i}." for i in range(60))
    audit = veritas.audit_paper(str(write_paper(tmp_path, text)), graphs=1)
    assert audit.scoring() is None
    page = opened(f"/papers/{audit.audit_id}")
    check_frame(page)
    (said,) = page.texts("p", class_="finding")
    assert "No argument could be read" in said
    assert "says nothing against the paper" in said
    assert "Missing part" not in page.text
