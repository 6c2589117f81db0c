"""Readers of bibliographies, a module per format."""
