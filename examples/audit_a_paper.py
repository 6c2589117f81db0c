"""Audit a paper: its argument as a graph, every statement verified, and the numbers that do not hold together.

    python examples/audit_a_paper.py
"""

from pathlib import Path

import veritas

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    audit = veritas.audit_paper(DOCUMENTS / "pump-trial.md", graphs=2)
    scoring = audit.scoring()
    if scoring is not None:  # a paper in which no argument was found has none
        print(f"{audit.paper.title}: score between {scoring.interval[0]:.2f} and {scoring.interval[1]:.2f}")
    for node in audit.nodes:
        print(f"  {node.role}: {node.text}")
    for finding in audit.findings:
        print(f"the paper says {finding.says}; recomputed: {finding.recomputed}")
    for flaw in audit.flaws:
        print(f"flaw: {flaw.why}")


if __name__ == "__main__":
    main()
