"""Search over a corpus of one's own: three providers that rank differently, with no network and no model.

    index = LocalIndex(documents)
    for provider in index.providers: ...
"""

from veritas.search.local._corpus_index import LocalIndex, local_providers
from veritas.search.local.bm25 import BM25Passages, BM25Titles
from veritas.search.local.ngrams import CharNgrams

__all__ = ["BM25Passages", "BM25Titles", "CharNgrams", "LocalIndex", "local_providers"]
