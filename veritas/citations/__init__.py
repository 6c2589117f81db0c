"""Citations: identifiers, bibliographic records, triangulation."""
