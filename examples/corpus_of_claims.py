"""Make a corpus of claims with verbatim quotes, and search it: what a literature review may cite, and nothing else.

    python examples/corpus_of_claims.py
"""

import asyncio
from pathlib import Path

import veritas
from veritas import aio

DOCUMENTS = Path(__file__).parent / "documents"


async def main() -> None:
    await aio.add_to_corpus("example-pumps", DOCUMENTS, extractor="embedded")
    corpus = veritas.open_corpus("example-pumps")
    for hit in await corpus.search("electricity used by dry pumps", limit=3):
        print(f"{hit.score:.2f}  {hit.claim.paper_key}: “{hit.claim.verbatim}”")


if __name__ == "__main__":
    asyncio.run(main())
