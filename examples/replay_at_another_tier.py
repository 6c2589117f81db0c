"""Run once, then replay from a stage on with another setting, and say what changed. The first run is never written to.

    python examples/replay_at_another_tier.py
"""

from pathlib import Path

import veritas

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    first = veritas.research("How long do dry pumps last?", corpus=DOCUMENTS, tier="quick")
    second = veritas.replay(first.run.run_id, "verify", tier="deep")
    print(f"{second.run.run_id} replays {second.run.parent_run_id} from {second.run.replayed_from} on")
    print(f"judgments: {len(first.judgments)} of one judge a claim, then {len(second.judgments)} of two")
    for cause in veritas.diff_runs(first, second).causes:
        print(f"{cause.stage}: {cause.said}, with {len(cause.effects)} effects")


if __name__ == "__main__":
    main()
