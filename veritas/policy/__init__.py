"""Policies: what may be read and cited, and what a run may cost, as rules that a domain user edits as YAML."""
