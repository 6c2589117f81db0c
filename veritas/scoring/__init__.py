"""Pure mathematics over a graph of statements: trust, components, cuts, scores. No input, no output."""
