"""VERITAS over HTTP: the interface for programs under `/api/v1`, and the pages at `/`."""
