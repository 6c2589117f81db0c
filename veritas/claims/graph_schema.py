"""The versioned JSON Schema of the exported claim graph. `python -m veritas.claims.graph_schema` prints it."""

from __future__ import annotations

import json
from typing import Any

from veritas.claims.graph import SCHEMA_VERSION, ClaimGraph


def claim_graph_schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of an exported `ClaimGraph`; kept in docs/schema/claim-graph-<version>.json."""
    schema = ClaimGraph.model_json_schema(mode="serialization")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"VERITAS claim graph {SCHEMA_VERSION}",
        **{key: value for key, value in schema.items() if key != "title"},
    }


if __name__ == "__main__":
    print(json.dumps(claim_graph_schema(), indent=2, ensure_ascii=False))
