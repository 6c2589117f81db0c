"""Registries and indexes of papers: one file a source, each a `ScholarlySource`."""
