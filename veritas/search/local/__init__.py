"""Search over a corpus of one's own, by words and by meaning, with no network.

    index = LocalIndex(documents)
    hits = await index.search("How long does a session last?", limit=8)
"""

from veritas.search.local.index import LocalIndex

__all__ = ["LocalIndex"]
