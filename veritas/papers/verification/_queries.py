"""Search queries for statements."""

from __future__ import annotations

from veritas.papers.audit import AuditNode
from veritas.text.stems import stem
from veritas.text.tokens import weigh

QUERY_WORDS = 12


def query_of(node: AuditNode) -> str:
    """Return a search query for a statement: its telling words in their order."""
    weights = weigh(node.text)
    chosen = sorted(weights, key=lambda t: -weights[t])[:QUERY_WORDS]
    kept: list[str] = []
    for word in node.text.replace("(", " ").replace(")", " ").split():
        bare = word.strip(".,;:!?\"'“”‘’[]")
        if stem(bare.lower()) in chosen and bare.lower() not in (k.lower() for k in kept):
            kept.append(bare)
    return " ".join(kept[:QUERY_WORDS])
