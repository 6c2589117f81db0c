"""Run once, then replay from a stage on with another setting, and say what changed. The first run is never written to.

    python examples/replay_at_another_tier.py
"""

import asyncio
from pathlib import Path

from veritas.claims.graph_diff import diff_graphs

from veritas.use_cases.runs import replay, research

DOCUMENTS = Path(__file__).parent / "documents"


async def main() -> None:
    first = await research("How long do dry pumps last?", corpus=[DOCUMENTS], tier="quick")
    second = await replay(first.run.run_id, "verify", changes={"tier": "deep"})
    print(f"{second.run.run_id} replays {second.run.parent_run_id} from {second.run.replayed_from} on")
    print(f"judgments: {len(first.judgments)} of one judge a claim, then {len(second.judgments)} of two")
    changed = diff_graphs(first, second)
    for name in ("sources", "claims", "verdicts", "answer"):
        part = getattr(changed, name)
        print(f"{name}: {len(part.added)} added, {len(part.removed)} removed, {len(part.changed)} changed")


if __name__ == "__main__":
    asyncio.run(main())
