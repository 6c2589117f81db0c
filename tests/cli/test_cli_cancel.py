"""`veritas cancel`: which run is meant, and what is said where none is under way."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Veritas
from veritas.store.journal import Journal
from veritas.store.paths import cancel_path, run_path


def test_latest_is_the_newest_run_that_is_under_way(veritas: Veritas, own_home: Path) -> None:
    names = ["20260101-000000-aaaaaa", "20260102-000000-bbbbbb", "20260103-000000-cccccc"]
    for name in names:
        run_path(own_home, name).parent.mkdir(parents=True, exist_ok=True)
        run_path(own_home, name).touch()
    with Journal.open(own_home, names[0]), Journal.open(own_home, names[1]):
        ended = veritas("cancel", "latest")
    assert ended.code == 0, ended.err
    assert names[1] in ended.out
    assert [cancel_path(own_home, name).exists() for name in names] == [False, True, False]


def test_latest_where_nothing_is_under_way_is_said(veritas: Veritas, own_home: Path) -> None:
    ended = veritas("cancel", "latest")
    assert ended.code == 2
    assert "nothing to cancel" in ended.err
