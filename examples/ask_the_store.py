"""Ask the store in SQL what the runs used, decided and left out. docs/store.md lists the tables.

    python examples/ask_the_store.py
"""

from pathlib import Path

import veritas
from veritas.settings import home
from veritas.store import query

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    veritas.research("What do oiled pumps need?", corpus=DOCUMENTS, tier="quick")
    print("Which words each claim rests on:")
    rows = query(home(), """
        SELECT c.claim, any_value(s.url) AS url, any_value(s.tier) AS tier
        FROM claims c JOIN quotes q ON q.run_id = c.run_id AND q.subject_id = c.claim_id
        JOIN sources s ON s.run_id = c.run_id AND s.document_id = q.document_id
        WHERE c.run_id = (SELECT run_id FROM runs ORDER BY started_at DESC LIMIT 1)
        GROUP BY c.claim ORDER BY c.claim
    """)
    for row in rows:
        print(f"  tier {row['tier']}  {row['url']}\n    {row['claim']}")


if __name__ == "__main__":
    main()
