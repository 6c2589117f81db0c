"""How long it takes to check every signed decision of a home, offline: cases, chains, signatures and heads.

    python -m benchmarks.approvals [DECISIONS]

Half of the cases are approved and withdrawn again, so that there are chains of two. Figures depend on the machine; the
last line, how they grow with the number of decisions, hardly does.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
import time
from pathlib import Path

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from veritas import Judgment, approvals
from veritas.approvals import Case, CasePassage


def fill(folder: Path, decisions: int) -> Path:
    """A home with that many signed decisions."""
    key = Ed25519PrivateKey.generate()
    private, public = folder / "key", key.public_key()
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, serialization.NoEncryption()
        )
    )
    line = public.public_bytes(serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH).decode()
    (folder / "approvers.yaml").write_text(f"approvers:\n  - name: Ada\n    key: {line}\n")
    os.environ["VERITAS_APPROVERS"] = str(folder / "approvers.yaml")
    home, signed, number = folder / "home", 0, 0
    lens = Judgment(label="silent", score=0.4, rationale="it only thinks so", lens="embedded", family="e")
    while signed < decisions:
        number += 1
        case = Case(
            claim=f"Pump {number} needs no oil.",
            passages=(CasePassage(text="It needs no oil, I think. " * 20, source="A forum"),),
            judgments=(lens, lens),
        )
        asked = asyncio.run(approvals.ask("citation", f"c-{number}", "You probably expected …", case, home=home))
        approvals.settle(asked.approval_id, "approve", "", "page 3 says so", key=private, home=home)
        signed += 1
        if number % 2 and signed < decisions:
            approvals.withdraw(asked.approval_id, "", "page 3 was retracted", key=private, home=home)
            signed += 1
    return home


def measure(decisions: int) -> tuple[float, float]:
    """Seconds by the clock, and of this process, to read and check all of them; the best of five."""
    with tempfile.TemporaryDirectory() as folder:
        home = fill(Path(folder), decisions)
        clock, own = float("inf"), float("inf")
        for _ in range(5):
            start, began = time.perf_counter(), time.process_time()
            found = approvals.every(home=home)
            clock, own = min(clock, time.perf_counter() - start), min(own, time.process_time() - began)
        assert sum(d.signed for a in found for d in a.decisions) == decisions
        assert not approvals.unreadable(home=home)
    return clock, own


def main() -> None:
    decisions = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000
    (_, some), (clock, own) = measure(max(decisions // 4, 1)), measure(decisions)
    print(f"{decisions:,} signed decisions checked in {clock:.3f} s, of which {own:.3f} s of this process")
    print(f"four times the decisions take {own / some:.1f} times as long")


if __name__ == "__main__":
    main()
