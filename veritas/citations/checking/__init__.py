"""`veritas check`: whether every citation of a tree resolves to a valid artifact. No model, no network."""
