"""Papers as argument graphs: roles, node quality, trust propagation, graph score."""
