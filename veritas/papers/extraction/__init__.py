"""Extract a paper's argument as a graph: roles, modes, extractors, the check and the repair."""
