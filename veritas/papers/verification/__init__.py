"""How the nodes of a paper are verified: evidence, metrics, references, tables."""
