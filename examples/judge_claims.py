"""Judge claims against passages with the lens that needs no model: supports, refutes or silent, and why.

    python examples/judge_claims.py
"""

import veritas

PASSAGE = "Dry pumps lasted 15.2 months on average, and oiled pumps lasted 11.8 months on average."
CLAIMS = [
    "Dry pumps lasted 15.2 months on average.",
    "Dry pumps lasted 12 months on average.",
    "The seals of a hot pump wear twice as fast.",
]


def main() -> None:
    for claim in CLAIMS:
        found = veritas.judge(claim, PASSAGE)
        print(f"{found.label:8}  {found.score:.2f}  {claim}\n          {found.rationale}")


if __name__ == "__main__":
    main()
