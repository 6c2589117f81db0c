"""Write a lens of one's own, and let the gate decide with it. A lens that cannot answer halts a finding: silence is
never read as support.

    python examples/own_lens.py
"""

import asyncio

from veritas.claims.judgment import Judgment
from veritas.errors import Unavailable
from veritas.gate import Attribution, Finding, Gate, StoredDocuments
from veritas.testing import document

SENTENCE = "Dry pumps lasted 15.2 months on average."
SOURCE = document("https://pumps.example.com/trial", f"{SENTENCE} Oiled pumps lasted 11.8 months on average.")


class NumberLens:
    """Supports a claim whose every number stands in the passage, and cannot say anything of a claim without one."""

    name = "numbers"
    family = "numbers"

    async def judge(self, claim: str, passage: str) -> Judgment:
        numbers = [word.strip(".,") for word in claim.split() if word[0].isdigit()]
        if not numbers:
            raise Unavailable("the claim has no number to look for")
        label = "supports" if all(number in passage for number in numbers) else "refutes"
        return Judgment(label=label, score=1.0, rationale=f"looked for {numbers}", lens=self.name, family=self.family)


def finding(claim: str, passage: str = SENTENCE) -> Finding:
    return Finding(
        finding_id=claim, kind="research-claim", claim=claim, passages=(passage,), family="somebody",
        sources=(Attribution(document_id=SOURCE.document_id),),
    )  # fmt: skip


async def main() -> None:
    gate = Gate(StoredDocuments([SOURCE]), [NumberLens()], rule="dedicated")
    decisions = await gate.decide_all([
        finding("On average, dry pumps lasted 15.2 months."),
        finding("Dry pumps lasted 18 months."),
        finding("Dry pumps are quiet."),
        finding("Dry pumps lasted 15.2 months.", passage="Dry pumps lasted 15.2 years on average."),
    ])
    for decision in decisions:
        print(f"{decision.action:9} {decision.verdict:12} {decision.finding_id}\n          {decision.reason}")


if __name__ == "__main__":
    asyncio.run(main())
