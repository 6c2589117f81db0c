"""docs/store.md says what is there."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from veritas.store import RunStore, merge_run, query
from veritas.store.rows import CATALOGUE_TABLES, RUN_TABLES

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "store.md").read_text(encoding="utf-8")
QUESTIONS = re.findall(r"```sql\n(.*?)```", PAGE, re.S)
TABLE_ROWS = dict(re.findall(r"^\| `(\w+)` \| [^|]+ \| (`.+) \|$", PAGE, re.M))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, synthetic: ModuleType) -> Path:
    folder = tmp_path_factory.mktemp("store")
    for name in ("run", "other"):
        with RunStore.create(folder, synthetic.synthetic_run(name)) as store:
            store.save_stage("decompose", "h", 1, seconds=1)
            store.finish(synthetic.synthetic_graph(name, 20))
        merge_run(folder, name)
    return folder


@pytest.mark.parametrize("sql", QUESTIONS)
def test_each_question_on_the_page_has_an_answer(home: Path, sql: str) -> None:
    claim = query(home, "SELECT claim_id FROM claims WHERE run_id = 'run' LIMIT 1")[0]["claim_id"]
    assert query(home, sql.replace("c-0123456789ab", claim))


def test_the_page_names_every_table_and_column_and_no_other(home: Path) -> None:
    assert len(QUESTIONS) > 5
    assert set(TABLE_ROWS) == set(RUN_TABLES)
    with RunStore.open(home, "run", read_only=True) as store:
        for table, cell in TABLE_ROWS.items():
            told = [re.match(r"`(\w+)`", part) for part in re.sub(r"\([^)]*\)", "", cell).split(", ")]
            names = [match[1] for match in told if match]
            if table in CATALOGUE_TABLES:
                names = ["run_id", *names]
            described = store.query(f"DESCRIBE {table}")
            assert names == [row["column_name"] for row in described], table
            lists = set(re.findall(r"`(\w+)`\[\]", cell))
            assert lists == {row["column_name"] for row in described if row["column_type"].endswith("[]")}, table
