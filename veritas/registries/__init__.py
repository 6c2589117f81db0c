"""Registries and indexes that say which papers exist: one file a source, each a `ScholarlySource`."""
