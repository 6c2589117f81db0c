"""What may be read and cited, and what a run may cost: rules that a domain user edits as YAML."""
