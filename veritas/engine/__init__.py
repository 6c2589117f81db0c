"""The run engine: units of work, budget, progress; what everything that runs in stages stands on."""
