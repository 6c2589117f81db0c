"""Calibrate the scorer's weights on labelled papers: search over cached graphs, and test the result on
held-out papers."""
