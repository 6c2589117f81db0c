"""The page of a paper's audit: what its numbers mean, and what is no fault of the paper."""

from __future__ import annotations

from pathlib import Path

import veritas
from tests.papers.pump_papers import OPPOSING, SUPPORTING, write_documents, write_paper
from tests.server.pages.conftest import Opened
from tests.server.pages.pages import check_frame
from veritas import approvals
from veritas.report.paper.paper_wording import COMPONENTS


def test_numbers_are_explained_and_where_nothing_was_verified_there_is_no_score(
    opened: Opened, tmp_path: Path
) -> None:
    corpus = write_documents(tmp_path, OPPOSING)
    audit = veritas.audit_paper(str(write_paper(tmp_path)), corpus=corpus, graphs=1)
    page = opened(f"/papers/{audit.audit_id}")
    check_frame(page)
    assert {said for _, said in COMPONENTS.values()} <= set(page.texts("dd", class_="hint"))
    assert "the length of the text alone reaches 0.81" in page.text
    assert page.text.index("Contradicted") < page.text.index("Bridge coverage")

    alone = veritas.audit_paper(str(write_paper(tmp_path)), graphs=1)
    page = opened(f"/papers/{alone.audit_id}")
    check_frame(page)
    assert alone.scoring() is not None
    (said,) = page.texts("div", class_="finding")
    assert "Nothing was verified" in said
    assert "a corpus or the web: nothing outside the paper was asked" in page.text
    assert "--" not in page.text, "a page has fields, and no options of a command"
    assert page.texts("dd", class_="score-big") == []
    assert set(page.texts("dd", class_="hint")).isdisjoint(said for _, said in COMPONENTS.values())


def test_a_persons_decision_on_a_statement_is_shown_with_name_and_reason(opened: Opened, tmp_path: Path) -> None:
    corpus = write_documents(tmp_path, SUPPORTING)
    audit = veritas.audit_paper(str(write_paper(tmp_path)), corpus=corpus, graphs=1)
    first, *others = audit.approvals
    assert opened(f"/papers/{audit.audit_id}").text.count("waits for a person") == 2 * len(audit.approvals)
    approvals.settle(first.approval_id, "approve", "Ada Lovelace", "I know the field")
    page = opened(f"/papers/{audit.audit_id}")
    check_frame(page)
    assert page.text.count("let in by Ada Lovelace (unsigned)") == 2, "among the decisions, and at the statement"
    assert "Let in by Ada Lovelace (unsigned) on " in page.text
    assert "I know the field" in page.text
    assert page.text.count("waits for a person") == 2 * len(others)
