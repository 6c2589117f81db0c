"""Lenses that are set up in a council file: fact-checking models that a server runs, checkpoints in a folder."""
