"""Policies: what may be read and cited, and what a run may cost, as rules that a user edits in YAML."""
