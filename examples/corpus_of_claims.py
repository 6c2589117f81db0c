"""Make a corpus of claims with verbatim quotes, and search it: what a literature review may cite, and nothing else.

    python examples/corpus_of_claims.py
"""

import asyncio
from pathlib import Path

from veritas.reviews import Corpus
from veritas.reviews.prepare_addition import Wanted, add_wanted

DOCUMENTS = Path(__file__).parent / "documents"


async def main() -> None:
    await add_wanted(Wanted(name="example-pumps", paths=(DOCUMENTS,), extractor="embedded"))
    corpus = Corpus.open("example-pumps")
    for hit in await corpus.search("electricity used by dry pumps", limit=3):
        print(f"{hit.score:.2f}  {hit.claim.paper_key}: “{hit.claim.verbatim}”")


if __name__ == "__main__":
    asyncio.run(main())
