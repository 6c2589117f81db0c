"""Judge claims against passages with the lens that needs no model: supports, refutes or silent, and why.

    python examples/judge_claims.py
"""

from veritas.meaning.embedded import EmbeddedLens

PASSAGE = "Dry pumps lasted 15.2 months on average, and oiled pumps lasted 11.8 months on average."
CLAIMS = [
    "Dry pumps lasted 15.2 months on average.",
    "Dry pumps lasted 12 months on average.",
    "The seals of a hot pump wear twice as fast.",
]


def main() -> None:
    lens = EmbeddedLens()
    for claim in CLAIMS:
        label, score, why = lens.find(claim, PASSAGE)
        print(f"{label:8}  {score:.2f}  {claim}\n          {why}")


if __name__ == "__main__":
    main()
