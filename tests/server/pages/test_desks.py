"""The pages of the reviewer's desk: a paper put on it, a point accepted, refused without a reason."""

from __future__ import annotations

from pathlib import Path

import veritas
from tests.papers.desk.trial_paper import write_trial
from tests.server.pages.conftest import Opened
from tests.server.pages.pages import check_frame


def test_a_desk_shows_points_with_words_and_places_and_every_item(opened: Opened, tmp_path: Path) -> None:
    desk = veritas.open_desk(write_trial(tmp_path), checklists=["consort-2010"])
    page = opened(f"/papers/desks/{desk.desk_id}")
    check_frame(page)
    assert "12 of 60 patients (25.0%" in page.text
    assert desk.concerns[0].calculation in page.text
    assert "Looked in:" in page.text
    assert "Raise it with the authors" in page.text
    assert 'data-label="unavailable"' not in page.text
    assert all(item.heading in page.text for item in desk.checklists[0].items)
    check_frame(opened("/papers/desks"))
