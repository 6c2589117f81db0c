"""`veritas check`: does every citation of a tree resolve to an artifact that holds? No model, no network."""
