"""Search over a corpus of one's own: three providers that rank differently, with no network and no model.

    index = LocalIndex(documents)
    for provider in index.providers: ...
"""

from veritas.search.local.corpus_index import LocalIndex, local_providers
from veritas.search.local.ngrams import CharNgrams
from veritas.search.local.passage_search import BM25Passages
from veritas.search.local.title_search import BM25Titles

__all__ = ["BM25Passages", "BM25Titles", "CharNgrams", "LocalIndex", "local_providers"]
