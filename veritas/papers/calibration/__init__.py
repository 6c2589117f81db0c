"""Calibrate the scorer's weights on labelled papers: search over cached graphs, test on held-out papers."""
