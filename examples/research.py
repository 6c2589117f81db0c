"""Ask a question of your own documents, and print every sentence of the answer with the words it rests on.

    python examples/research.py
"""

from pathlib import Path

import veritas

DOCUMENTS = Path(__file__).parent / "documents"


def main() -> None:
    graph = veritas.research("How long do dry pumps last, and what do they need?", corpus=DOCUMENTS, tier="standard")
    claims = {claim.claim_id: claim for claim in graph.claims}
    print(f"{graph.answer.status}, in run {graph.run.run_id}")
    for sentence in graph.answer.sentences:
        print(f"\n{sentence.text} {list(sentence.references) or ''}")
        if sentence.claim_ids:
            claim = claims[sentence.claim_ids[0]]
            words = " ".join(claim.source_passages[0].split())
            print(f"  {claim.verifier_judgment}: “{words}” ({claim.citations[0].url})")
    print("\nLeft out, and why:")
    for event in graph.events:
        print(f"  {event.stage}: {event.kind}: {event.reason}")


if __name__ == "__main__":
    main()
