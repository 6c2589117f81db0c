"""Verify the nodes of a paper: evidence, metrics, references, tables."""
